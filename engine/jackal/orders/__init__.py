"""The order language of «Шакал» in Russian and English (5.3).

Modules in the order of their work: ``lexicon`` (words.toml, tokens, look-alikes), ``parsing`` (the grammar),
``reading`` (lines sorted into orders, complaints and prose; warnings), ``sheet`` (fold, merge, silent), ``writing``,
``choices`` (legal orders, template, examples).
"""

from __future__ import annotations

from engine.jackal.orders.choices import examples, legal, template
from engine.jackal.orders.reading import read
from engine.jackal.orders.sheet import fold, merge, silent
from engine.jackal.orders.writing import write

__all__ = ["examples", "fold", "legal", "merge", "read", "silent", "template", "write"]
