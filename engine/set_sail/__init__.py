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
sheets     what stands on a sheet, as facts for pictures and phrases
draw/      sheets as pictures, and as rows of text
story      a turn as a report tells it: entries of rolls, changes, the судовой журнал, the moderator's desk
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

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from engine.core.contract import (
    Answers,
    Choose,
    Event,
    Facts,
    Info,
    Language,
    Order,
    Outcome,
    Pause,
    Question,
    Reading,
    Resolution,
    Ruleset,
    Seat,
    SeatInfo,
    Secret,
    Sheet,
    Slot,
)
from engine.core.dice import Dice
from engine.set_sail import bots, cards, draw
from engine.set_sail import orders as language_of_orders
from engine.set_sail import view as knowledge
from engine.set_sail.commands import SetSailOrder
from engine.set_sail.events import SetSailEvent
from engine.set_sail.options import EDITIONS, SetSailOptions
from engine.set_sail.rules import dice as dice_list
from engine.set_sail.rules import setup, turn
from engine.set_sail.state import SetSailState, SetSailView

INFO: Final = Info(
    name="set_sail",
    revision=1,
    titles={"ru": "Поднять паруса!", "en": "Set Sail!"},
    seats=setup.SEATS,
    longest=None,
    options=SetSailOptions,
    state=SetSailState,
    order=SetSailOrder,
    event=SetSailEvent,
    editions=dict(EDITIONS),
    open_orders="end",
    as_written=True,
    moderated=True,
)
"""Orders open with the last letter: hidden declarations and sealed bids are secret for the whole campaign."""


class SetSail:
    """The ruleset, as the contract wants it; every method hands on to the module that holds the matter."""

    @property
    def info(self) -> Info:
        """Static facts."""
        return INFO

    def seats(self, options: Any, players: int) -> tuple[SeatInfo, ...]:
        """Return the places of a campaign. Raises ValueError for other than 2 to 8 players."""
        return setup.seats(players)

    def start(self, options: Any, seats: Sequence[Seat], dice: Dice, *, data: Facts | None = None) -> Resolution:
        """Return the position before the sheets are filled in; ``data`` are the group's cards and backgrounds."""
        return setup.start(options, seats, dice, data)

    def phase(self, state: Any) -> Literal["set-up", "turn", "window", "ruling"]:
        """Return which stage is open; a turn in which luck may be put into a roll is a window (page 1.6)."""
        stage: Literal["set-up", "turn", "ruling"] = state.stage
        return "window" if stage == "turn" and turn.has_window(state) else stage

    def view(self, state: Any, seat: Seat, questions: tuple[Question, ...] = ()) -> SetSailView:
        """Return what this viewer may know. Raises ValueError for a seat that is not of this game."""
        return knowledge.view(state, seat, questions)

    def owed(self, view: Any) -> tuple[Slot, ...]:
        """Return who owes what, as far as the viewer may know."""
        return knowledge.owed(view)

    def read(self, view: Any, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
        """Read lines against what the seat sees. Never raises."""
        return language_of_orders.read(view, sheet, lines, language)

    def write(self, order: Order, language: Language, view: Any | None = None) -> str:
        """Return the line that reads back as this order."""
        return language_of_orders.write(order, language, view)

    def fold(self, view: Any, sheet: Sheet, orders: Iterable[Order]) -> Sheet:
        """Lay orders upon a sheet: a new line for a slot replaces the old one."""
        return language_of_orders.fold(sheet, orders)

    def merge(self, view: Any, sheet: Sheet, standing: Sheet) -> Sheet:
        """Fill slots without an order from standing orders."""
        return language_of_orders.merge(view, sheet, standing)

    def silent(self, view: Any, sheet: Sheet) -> Sheet:
        """Return what silence means in every slot owed (page 1.6)."""
        return language_of_orders.silent(view, sheet)

    def template(self, view: Any, language: Language) -> tuple[str, ...]:
        """Return the seat's order lines ready to be edited and sent."""
        return language_of_orders.template(view, language)

    def examples(self, view: Any, language: Language) -> tuple[str, ...]:
        """Return a few order lines that show the language of orders in this position."""
        return language_of_orders.examples(view, language)

    def legal(self, view: Any, slot: str) -> Iterator[Order]:
        """Yield legal orders for a slot in a fixed order, a finite sample where it is open."""
        return language_of_orders.legal(view, slot)

    def foresee(self, view: Any, sheet: Sheet) -> tuple[Event, ...]:
        """Return what one's decisions would do; what comes of a declaration, the moderator rules and the dice say."""
        return turn.foresee(view.state, view.seat, sheet)

    def resolve(self, state: Any, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> Resolution | Pause:
        """Resolve the open stage."""
        return turn.resolve(state, sheets, dice, answers)

    def interlude(self, state: Any, commands: Sheet, dice: Dice, answers: Answers) -> Resolution | Pause:
        """Do the moderator's commands at once, and leave the open stage open (page 1.6)."""
        return turn.interlude(state, commands, dice, answers)

    def kept(self, state: Any) -> tuple[str, ...]:
        """Return the texts of private cards: they belong to a book (page 1.5)."""
        return cards.kept(state.cards)

    def outcome(self, state: Any) -> Outcome | None:
        """Return None: a campaign ends when its people end it."""
        return None

    def secrets(self, state: Any) -> tuple[Secret, ...]:
        """Return nothing: what is secret here are orders, which open with the last letter, and has no dice."""
        return ()

    def seal(self, state: Any, seat: Seat, sheet: Sheet) -> dict[str, dict[str, Any]]:
        """Return nothing: no order is sealed matter of its own."""
        return {}

    def unseal(self, state: Any, name: str, sealed: Mapping[str, Any]) -> tuple[Seat, Sheet]:
        """Raise ValueError: `seal` makes no objects."""
        raise ValueError(f"{sealed!r} is no sealed {name!r} of «Поднять паруса!»")

    def draw(self, view: Any) -> Any:
        """Return the sheets of ship and pirates as a drawing."""
        return draw.draw(view)

    def table(self, view: Any) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
        """Return the state table of a report."""
        return knowledge.table(view)

    def dice_purpose(self, address: str) -> tuple[str, dict[str, Any]]:
        """Return what a die is thrown for. Raises ValueError for an address that is not of the closed list."""
        return dice_list.dice_purpose(address)

    def bot(self, view: Any, choose: Choose) -> Sheet:
        """Return the orders of a sane player, or a sane moderator."""
        return bots.bot(view, choose)


RULESET: Final[Ruleset] = SetSail()
