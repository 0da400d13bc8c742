"""«Шакал»: treasure of an island turned up tile by tile, for two, three or four.

Modules, and what others may build against:

========== ===========================================================================================================
options    `JackalOptions`: the switches of 2.14; `EDITIONS`: presets
isle       `Geography`, `ISLE`: cells as numbers, neighbours, shores, ships' sides (J1). Names: ``G7`` ↔ ``ISLE.names``
tiles      the registry (data/tiles.toml), decks (data/ti117.toml …), a laid tile packed into a number
state      `JackalState`, `JackalView`, `PlanSlot`; how characters, places, moods and loads are numbered
commands   orders as values: `SlotOrder` of `Alternative`s of an act, gifts, guards, whens; `PolicyOrder`; `Decision`
events     everything that can happen, the only output
board      the position while a turn is resolved: a copy that rules change
rules/     setup (seats, deck), entering (J3.2, J2.7), chain (J3), effects (J8–J9), fighting (J5), water (J6, J10),
           wants (defaults, wishes, policies, questions), acting (J2), moves (legal actions), defaults («по умолчанию»),
           turn (resolve, 5.2), ending (J11), foresee
view       what a seat sees and owes; the table
orders/    the order language (5.3): read, write, fold, silent, legal, template, examples
notation   positions of case files
bots       a sane player
========== ===========================================================================================================

«Архипелаг» is to reuse `tiles` (its own data), `board`, `rules.chain` and the switches: nothing there knows the grid
but through a `Geography`.
"""

from __future__ import annotations
