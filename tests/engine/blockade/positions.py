"""Positions and views of «Блокада» for tests, in the notation of case files."""

from __future__ import annotations

from typing import Any

from engine.blockade.notation import read_position
from engine.blockade.options import BlockadeOptions
from engine.blockade.state import BlockadeState, BlockadeView
from engine.blockade.view import view
from engine.core.contract import Language, Question, Reading
from engine.core.registry import ruleset

RULES = ruleset("blockade")
ROSTER = ("first", "second")


def position(text: str = "", **options: Any) -> BlockadeState:
    return read_position(text, BlockadeOptions(**options), ROSTER, None)


def seen(text: str = "", seat: str = "first", questions: tuple[Question, ...] = (), **options: Any) -> BlockadeView:
    return view(position(text, **options), seat, questions)


def reads(line: str, language: Language = "ru", at: BlockadeView | None = None) -> Reading:
    return RULES.read(at if at is not None else seen(), (), [line], language)
