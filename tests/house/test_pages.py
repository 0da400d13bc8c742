"""What the pages tell people to type exists."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.house.test_texts import ROOT

PAGES = ["README.md", "CONTRIBUTING.md", "DECISIONS.md", "deploy/README.md"]


def typed(page: str, program: str, words: str) -> list[str]:
    """Return what a page says to type after a program's name, in code spans and blocks."""
    text = (ROOT / page).read_text(encoding="utf-8")
    code = re.findall(r"`([^`\n]+)`|^    (.+)$", text, re.MULTILINE)
    return [found for pair in code for found in re.findall(rf"(?:^|/){program} ({words})", "".join(pair))]


@cache
def help_of(*command: str) -> str:
    words = [str(Path(sys.executable).with_name("adjudicator")), *command, "--help"]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("page", PAGES)
def test_make_has_every_target_named_in(page: str) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(set(typed(page, "make", "[a-z]+")) - set(targets)) == []


@pytest.mark.parametrize("page", PAGES)
def test_adjudicator_has_every_command_named_in(page: str) -> None:
    commands = typed(page, "adjudicator", "(?:game |mail )?[a-z]+")

    missing = [words for words in commands if words.split()[-1] not in help_of(*words.split()[:-1])]
    assert missing == []


@pytest.mark.parametrize("page", [*PAGES, "GLOSSARY.md", "CHANGELOG.md"])
def test_every_file_exists_that_is_named_in(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[A-Z]+\.md|[\w-]+\.(?:py|sh|toml|lock))`", text)
    made = {"adjudicator.toml", "demo/", "demo/index.html", "service.key"}

    homes = [ROOT, (ROOT / page).parent, ROOT / "adjudicator", ROOT / "deploy"]
    assert [name for name in named if name not in made and not any((home / name).exists() for home in homes)] == []


def test_glossary_explains_a_word_once() -> None:
    words = re.findall(r"^- \*\*(.+?)\*\*", (ROOT / "GLOSSARY.md").read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(word for word in set(words) if words.count(word) > 1) == []
