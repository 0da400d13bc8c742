"""README.md shows letters, dice and a log as they lie in deploy/pictures/, and every picture of the pages is small."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

from mail.read import read
from tests.house.test_texts import ROOT

PICTURES = ROOT / "deploy" / "pictures"
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDES = ["deploy/README.md", "deploy/campaign.md"]
PAGES = ["README.md", "CONTRIBUTING.md", "DECISIONS.md", "GLOSSARY.md", "CHANGELOG.md", *GUIDES]
EXCERPT = re.compile(r"<!-- (?P<source>\S+) -->\n```\n(?P<lines>.*?)\n```", re.DOTALL)
CUT = re.compile(r"^…$", re.MULTILINE)


@cache
def verdict() -> str:
    """Return what `adjudicator verify` says of the log that lies beside the letters."""
    command = [str(Path(sys.executable).with_name("adjudicator")), "--language", "en", "verify", "log.jsonl"]
    return subprocess.run(command, cwd=PICTURES, check=True, capture_output=True, text=True).stdout


def whole(source: str) -> list[str]:
    """Return the lines an excerpt is taken from, empty ones and fences left out."""
    if source == "verify":
        text = verdict()
    elif source.endswith(".eml"):
        return own_lines((PICTURES / source).read_bytes())
    else:
        text = (PICTURES / source).read_text(encoding="utf-8")
    return told(text)


def own_lines(raw: bytes) -> list[str]:
    """Return the lines of a mail as its reader sees them."""
    return told("\n".join(line.raw for line in read(raw).incoming.lines))


def told(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip() and not line.startswith("```")]


def assert_shows(letter: list[str], lines: str, source: str) -> None:
    """See that the parts of an excerpt stand in a letter, whole and in this order."""
    rest = "\n".join(["", *letter, ""])
    for part in CUT.split(lines):
        shown = "\n".join(["", *told(part), ""])
        before, found, rest = rest.partition(shown)
        assert found, f"{source} has no such lines after {before[-80:]!r}: {part}"
        rest = f"\n{rest}"


@pytest.mark.parametrize("number", range(len(EXCERPT.findall(README))))
def test_readme_shows_a_letter_as_it_lies_there(number: int) -> None:
    source, lines = EXCERPT.findall(README)[number]

    assert_shows(whole(source), lines, source)


def test_the_log_of_the_game_replays_turn_by_turn() -> None:
    lines = [line for line in verdict().splitlines() if line.startswith(("Start:", "Turn "))]

    assert [line.partition(": ")[2] for line in lines] == ["replayed, all agrees"] * len(lines)
    assert len(lines) > 2


def test_the_die_thrown_in_readme_falls_as_it_says() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)

    made = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert made.strip() == re.findall(r"# (\d), \w+: a hit", program)[0]
    seed, words = re.findall(r'fromhex\("([0-9a-f]{64})"\)', program)
    number = int(re.findall(r"line (\d+) of the log", README)[0])
    line = (PICTURES / "log.jsonl").read_text(encoding="utf-8").splitlines()[number - 1]
    assert f"    {seed}" in whole("5-report-margaret.md")
    assert seed in line
    assert words in line


def test_every_picture_is_shown_exists_and_is_small() -> None:
    pages = README + (ROOT / "deploy" / "campaign.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[[^\]]+\]\((?:deploy/)?pictures/([\w-]+\.png)\)", pages)

    assert sorted(shown) == sorted(path.name for path in PICTURES.glob("*.png"))
    for name in shown:
        assert (PICTURES / name).stat().st_size <= 120_000, name
        with Image.open(PICTURES / name) as picture:
            assert picture.mode == "P", name


@pytest.mark.parametrize("page", PAGES)
def test_lines_are_at_most_120_columns_in(page: str) -> None:
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()

    # A row of a table cannot be broken.
    assert [line for line in lines if len(line) > 120 and not line.startswith("|")] == []
