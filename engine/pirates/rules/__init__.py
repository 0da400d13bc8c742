"""The rules of «Пираты», in the order of the rulebook: one module a chapter, one short function a rule."""

from __future__ import annotations

from engine.pirates.rules.dice import dice_purpose
from engine.pirates.rules.foresee import foresee
from engine.pirates.rules.resolve import resolve
from engine.pirates.rules.setup import GOLD_STREAM, seats, start

__all__ = ["GOLD_STREAM", "dice_purpose", "foresee", "resolve", "seats", "start"]
