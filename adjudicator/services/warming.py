"""What the first mail of a process would find cold is warmed before any is in hand: rulesets, readers, words."""

from __future__ import annotations

from adjudicator.services.receipts import LANGUAGES
from engine.core import registry, selfplay
from engine.core.contract import Ruleset


def warm_up() -> None:
    """Read an order of every ruleset in every language, so that no grammar is built while a mail is in hand.

    Whatever ends the process then is held against that mail (`intake.handle_all`), and a process that is ended soon
    after every start, say where memory is short, would always have the same one in hand.
    """
    for rules in registry.rulesets().values():
        _read_an_order(rules)


def _read_an_order(rules: Ruleset) -> None:
    options = next(iter(rules.info.editions.values()))
    roster = tuple(seat.id for seat in rules.seats(options, rules.info.seats[0]))
    state = rules.start(options, roster, selfplay.turn_dice(rules, "warm", 0)).state
    view = rules.view(state, roster[0])
    for language in LANGUAGES:
        rules.read(view, (), (*rules.examples(view, language), *rules.template(view, language)), language)
