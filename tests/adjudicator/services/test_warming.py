"""What is warm before the first mail is in hand."""

from __future__ import annotations

from adjudicator.services import warming
from engine.pirates.orders import grammar


def test_grammar_is_built_before_the_first_mail() -> None:
    grammar._parser.cache_clear()

    warming.warm_up()

    assert grammar._parser.cache_info().currsize == 1
