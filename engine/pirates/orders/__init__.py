"""The order language of «Пираты» in Russian and English: read and write are inverse, a sheet is a fold (1.4).

Modules in the order of their work: ``lexicon`` (words.toml, tokens and repairs), ``grammar`` (orders.lark), ``judging``
(what the seat may order), ``orderly`` (whether a line means to be an order), ``reading`` (lines sorted into orders,
complaints and prose), ``mending`` (why a line cannot be followed and what it could have meant), ``remarks`` (cuts and
warnings), ``sheet`` (fold, merge, silent), ``writing``, ``choices`` (legal orders, template, examples).

Complaint keys by kind:

============ =========================================================================================================
unread       too-long, unknown-word, unexpected, incomplete, in-prose, digit-for-west, no-ship, no-distance, no-target,
             no-ship-list, unknown-ship, two-ships, bad-distance, twice
not-allowed  not-your-ship, ship-lost, derelict, no-seat, no-ships, not-your-turn, set-up, game-over, bends-off,
             one-shot, volley-any, volley-foreign, volley-not-yours, volley-lost, gold-late, gold-not-spain,
             gold-not-yours, gold-not-galleon, name-late, name-length, name-letter, name-mark, name-word, name-taken,
             sequence-off
ambiguous    two-readings, two-ships-fit, no-phase
============ =========================================================================================================

Note keys by kind:

============ =========================================================================================================
repaired     lookalike, layout, translit, one-off, part-name, joined, only-ship, listed, zero
drops        course, fire, fire-to-volley, left-volley, volley-dissolved
cut          run
warning      repair-at-sea, volley-others, friendly, target-gone, target-self, out-of-reach, fire-in-port, storm-fire
============ =========================================================================================================
"""

from __future__ import annotations

from engine.pirates.orders.choices import examples, legal, slot_examples, template
from engine.pirates.orders.reading import read
from engine.pirates.orders.sheet import fold, merge, silent
from engine.pirates.orders.writing import write

__all__ = ["examples", "fold", "legal", "merge", "read", "silent", "slot_examples", "template", "write"]
