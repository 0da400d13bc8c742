"""The table of stories and their tests agree: each row names a test that is there, each test stands in one row."""

from __future__ import annotations

import ast
import re
from pathlib import Path

E2E = Path(__file__).parent.parent / "e2e"
ROW = re.compile(r"\| (?P<story>[^|]+) \| (?P<happens>[^|]+) \| `(?P<test>[^|`]+)` \|")


def rows() -> list[dict[str, str]]:
    lines = (E2E / "README.md").read_text(encoding="utf-8").splitlines()
    table = [line for line in lines if line.startswith("| ")][1:]
    found = [ROW.fullmatch(line) for line in table]
    assert None not in found
    return [one.groupdict() for one in found if one is not None]


def test_each_row_names_a_story_that_is_there_and_each_story_stands_in_one_row() -> None:
    there = [
        f"stories/{file.name}::{node.name}"
        for file in sorted((E2E / "stories").glob("test_*.py"))
        for node in ast.parse(file.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]

    assert sorted(row["test"] for row in rows()) == sorted(there)


def test_stories_have_names_of_their_own() -> None:
    names = [row["story"] for row in rows()]

    assert sorted(set(names)) == sorted(names)
