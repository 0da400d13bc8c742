"""The order language of «Блокада» in Russian and English (2.5).

Modules in the order of their work: ``lexicon`` (words.toml, tokens, letters of steps), ``parsing`` (the grammar),
``reading`` (lines sorted into orders, complaints and prose), ``mending`` (mistyped lines), ``remarks`` (what is known
of a plan beforehand), ``sheet`` (fold, merge, silent), ``writing``, ``choices`` (legal orders, template, examples).

Keys of complaints: unread ``no-steps no-step no-fire no-dash no-turn one-turn no-side no-cell two-cells no-layout
no-keyword part-twice too-many-steps unexpected other-question``; ambiguous ``port-or-starboard two-readings``; not
allowed ``game-over no-seat not-your-turn play-not-begun set-up-over not-harbour not-corner no-run no-layout-now
toss-lost layout-both`` and ``layout-`` with each `engine.blockade.layout.Condition`. Keys of notes: cut ``plan-filled
plan-cut plan-void dash-filled dash-cut step-changed``; warning ``head-on ashore harbour``; drops ``order``; repaired as
`engine.core.names.How`.
"""

from __future__ import annotations

from engine.blockade.orders.choices import examples, legal, template
from engine.blockade.orders.reading import read
from engine.blockade.orders.sheet import fold, merge, silent
from engine.blockade.orders.writing import write

__all__ = ["examples", "fold", "legal", "merge", "read", "silent", "template", "write"]
