"""The order language of «Поднять паруса!» in Russian and English (page 1.6).

Modules in the order of their work: ``lexicon`` (words.toml, heads of lines, groups of words), ``desk`` (a line being
read against what the seat sees: pirates, rolls, decisions, repairs), ``players``, ``lasting`` (standing words),
``judging`` and ``wording`` (the moderator's lines), ``reading`` (lines sorted into orders, complaints and prose),
``writing``, ``sheet`` (fold, merge, silent), ``choices`` (legal orders, template, examples).
"""

from __future__ import annotations

from engine.set_sail.orders.choices import examples, legal, template
from engine.set_sail.orders.reading import read
from engine.set_sail.orders.sheet import fold, merge, silent
from engine.set_sail.orders.writing import write

__all__ = ["examples", "fold", "legal", "merge", "read", "silent", "template", "write"]
