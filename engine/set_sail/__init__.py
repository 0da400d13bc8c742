"""«Поднять паруса!»: a pirate campaign told by a moderator, the Картограф, for two to eight players.

Modules, and what others may build against:

========== ===========================================================================================================
options    `SetSailOptions`: the house rules HB1–HB5 and the keys of 1.4; `EDITIONS`: presets
state      `SetSailState` and its pieces (page 1.1); `Roll`, `Decision`, `Talk`: what is pending; `SetSailView`
cards      move cards as checked TOML (1.5); data/stubs.toml: the 28 names; `deck`: a group's file laid over them
effects    the closed vocabulary: `parse_effect`, `write_effect`; `changes` and `undo` of a state
commands   orders as values: declarations, windows, decisions, bids, standing words, rulings, the moderator's commands
events     everything that can happen, the only output
rules/     play (the working copy), checks, luck, wounds, fate, reputation, money, secrets, ship, scheming, talks,
           scenes, carrying (effects), rolls (the life of a roll), moderator (commands), turn (resolve), setup, dice
view       what each viewer knows and owes; the table
orders/    the order language: read, write, fold, silent, legal, template, examples
draw/      sheets as pictures
notation   positions of case files
bots       a sane player, and a sane moderator
========== ===========================================================================================================

**The clock.** A campaign is a row of turns of three stages (`SetSailState.stage`). ``set-up``: every seat owes a sheet.
``turn``: players declare, and owe windows, decisions and bids for what the last lock left open. ``ruling``: the
moderator alone owes, for each declaration a ruling and for each roll whose window is over what comes of it; at its lock
the dice fall. Every lock moves every roll as far as its orders and standing words allow::

    DECLARED -ruling-> rolled, WINDOW -turn-> OFFER -ruling-> (TRADE -turn-> OFFER -ruling->) CHOICES -turn-> APPLIED

A stage in which nobody owes anything is left out. Windows, trades, choices and bids are orders of the next batch; what
cannot wait is a question inside the turn (fair-play D): how to survive Fate, a move set off by an outcome, yielding at
0:2. Moderator's commands (wound, money, scene) are orders `c1`, `c2` … of any turn, done in their order after the dice;
`SetSail.interlude` does them at once, as a turn of its own that leaves everything else open.
"""
