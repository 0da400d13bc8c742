"""The rules of «Пираты», in the order of the rulebook: one module a chapter, one short function a rule."""

from __future__ import annotations

from engine.pirates.rules.foresee import foresee
from engine.pirates.rules.resolve import resolve
from engine.pirates.rules.setup import seats, start

__all__ = ["foresee", "resolve", "seats", "start"]
