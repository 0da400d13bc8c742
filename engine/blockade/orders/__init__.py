"""The order language of «Блокада» in Russian and English (2.5).

Modules in the order of their work: ``lexicon`` (words.toml, tokens, letters of steps), ``parsing`` (the grammar),
``reading`` (lines sorted into orders, complaints and prose), ``mending`` (mistyped lines), ``remarks`` (what is known
of a plan beforehand), ``sheet`` (fold, merge, silent), ``writing``, ``choices`` (legal orders, template, examples).
"""

from __future__ import annotations

from engine.blockade.orders.choices import examples, legal, template
from engine.blockade.orders.reading import read
from engine.blockade.orders.sheet import fold, merge, silent
from engine.blockade.orders.writing import write

__all__ = ["examples", "fold", "legal", "merge", "read", "silent", "template", "write"]
