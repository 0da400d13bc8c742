"""README.md tells of this very game. Red after a change of words: run deploy/pictures/make.py, mend README.md."""

from __future__ import annotations

import pytest

from deploy.pictures.make import LETTERS, letter
from tests.adjudicator.demo.conftest import Shown
from tests.house.test_pages_letters import EXCERPT, PICTURES, README, assert_shows, own_lines, told

pytestmark = pytest.mark.xdist_group("demo")


def test_readme_shows_letters_of_the_demonstration(demo: Shown) -> None:
    letters = {one.name: letter(demo.result, one) for one in LETTERS}

    for source, lines in EXCERPT.findall(README):
        name, _, kind = source.partition(".")
        if name in letters:
            item = letters[name]
            assert_shows(own_lines(item.raw) if kind == "eml" else told(item.part("plain")), lines, source)


def test_the_log_beside_readme_is_that_of_the_demonstration(demo: Shown) -> None:
    assert (PICTURES / "log.jsonl").read_bytes() == (demo.result.folder / "log.jsonl").read_bytes()
