"""Every promise to people and every known fault of mail systems names tests that hold to it, and they are there."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent.parent
STATEMENTS = tomllib.loads((TESTS / "statements.toml").read_text(encoding="utf-8"))
FAULTS = tomllib.loads((TESTS / "mail" / "faults.toml").read_text(encoding="utf-8"))


@cache
def names_in(file: str) -> frozenset[str]:
    """Return the names of a file's tests, those inside classes too."""
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


@pytest.mark.parametrize("number", STATEMENTS)
def test_a_statement_names_tests_that_are_there(number: str) -> None:
    named = STATEMENTS[number]["tests"]

    assert named, f"no test holds {number}: {STATEMENTS[number]['says']}"
    assert [one for one in named if one.partition("::")[2] not in names_in(one.partition("::")[0])] == []


@pytest.mark.parametrize("number", FAULTS)
def test_a_fault_of_mail_names_tests_that_are_there(number: str) -> None:
    named = FAULTS[number]["tests"]

    assert named, f"no test holds {number}: {FAULTS[number]['says']}"
    assert [one for one in named if one.partition("::")[2] not in names_in(one.partition("::")[0])] == []
