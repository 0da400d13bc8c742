"""README.md tells of this very game. Red after a change of words: run deploy/pictures/make.py, mend README.md."""

from __future__ import annotations

import json
import re

import pytest

from deploy.pictures.make import LETTERS, letter
from tests.adjudicator.demo.conftest import Shown
from tests.house.test_pages_letters import EXCERPT, PICTURES, README, assert_shows, own_lines, told

pytestmark = pytest.mark.xdist_group("demo")


def without_hashes(text: str) -> str:
    """Return a text without what changes with any word of any letter: mails quote, and the log hashes mails."""
    return re.sub(r"[0-9a-f]{64}", "hash", text)


def dice(log: bytes) -> list[object]:
    """Return every throw in a log, turn by turn."""
    lines = [json.loads(line) for line in log.decode().splitlines() if line.startswith("{")]
    return [line["dice"] for line in lines if line.get("type") == "result"]


def test_readme_shows_letters_of_the_demonstration(demo: Shown) -> None:
    letters = {one.name: letter(demo.result, one) for one in LETTERS}

    for source, lines in EXCERPT.findall(README):
        name, _, kind = source.partition(".")
        if name in letters:
            item = letters[name]
            whole = own_lines(item.raw) if kind == "eml" else told(item.part("plain"))
            assert_shows([without_hashes(line) for line in whole], without_hashes(lines), source)


def test_the_game_beside_readme_is_that_of_the_demonstration(demo: Shown) -> None:
    played = (demo.result.folder / "log.jsonl").read_bytes()

    assert dice((PICTURES / "log.jsonl").read_bytes()) == dice(played) != []
