"""The rules of «Шакал»: one module a chapter of the page, one short function a rule."""

from __future__ import annotations

from engine.jackal.rules.dice import dice_purpose
from engine.jackal.rules.foresight import foresee
from engine.jackal.rules.setup import DECK_STREAM, seats, start
from engine.jackal.rules.turn import resolve

__all__ = ["DECK_STREAM", "dice_purpose", "foresee", "resolve", "seats", "start"]
