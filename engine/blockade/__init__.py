"""«Блокада» of Lieutenant Chamberlain, 1888: a ship that runs out to sea, and one that is to stop her; for two.

Modules, and what others may build against:

========== ===========================================================================================================
options    `BlockadeOptions`: the switches; `EDITIONS`: sealed, strict
waters     squares, headings, harbour, corners, the chart of what lies on the board (B1–B3)
layout     what makes a layout legal, and its draw by dice (B5)
gunnery    arcs, range, line of fire, the marked die (B12–B17)
state      `BlockadeState`, `BlockadeView`, `Ship`
commands   orders as values: set-up, layout, the four parts of a ship's orders, `LineOrder`, answers
events     everything that can happen, the only output
board      the position while a turn is resolved
rules/     setup (turns 0 and 1), helm (steps, fallbacks, D16), passage (a step and what it leads to), dashing (2.5.5),
           signals (parts and defaults), turn (2.5.3, 2.5.6, strict play), ending (B22, B23), foresight, dice
view       what a seat sees and owes; the table
orders/    the order language (2.5): read, write, fold, silent, legal, template, examples
draw/      the chart as a picture and as text
notation   positions of case files
bots       a sane player
========== ===========================================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

from engine.blockade import bots, draw, rules
from engine.blockade import orders as language_of_orders
from engine.blockade import view as knowledge
from engine.blockade.commands import BlockadeOrder
from engine.blockade.events import BlockadeEvent
from engine.blockade.options import EDITIONS, BlockadeOptions
from engine.blockade.state import BlockadeState, BlockadeView
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

LONGEST: Final = 2 + 4 * 500
"""Set-up, and by ``limit=500`` in strict play two mail turns a move; a dash that ends one makes a turn more."""

INFO: Final = Info(
    name="blockade",
    revision=1,
    titles={"ru": "Блокада", "en": "Blockade"},
    seats=(2, 2),
    longest=LONGEST,
    options=BlockadeOptions,
    state=BlockadeState,
    order=BlockadeOrder,
    event=BlockadeEvent,
    editions=dict(EDITIONS),
    usual=(6, 8),
)
"""``usual``: of 200 games of bots in the edition sealed, the two turns of set-up among them."""


class Blockade:
    """The ruleset, as the contract wants it; every method hands on to the module that holds the matter."""

    @property
    def info(self) -> Info:
        """Static facts."""
        return INFO

    def seats(self, options: Any, players: int) -> tuple[SeatInfo, ...]:
        """Return the places of a game. Raises ValueError for other than 2 players."""
        return rules.seats(players)

    def start(self, options: Any, seats: Sequence[Seat], dice: Dice, *, data: Facts | None = None) -> Resolution:
        """Return the position of turn 0; nothing is drawn yet (2.5)."""
        return rules.start(options, seats)

    def phase(self, state: Any) -> Literal["turn", "set-up"]:
        """Return ``set-up`` for turns 0 and 1."""
        return "turn" if state.stage == "play" else "set-up"

    def view(self, state: Any, seat: Seat, questions: tuple[Question, ...] = ()) -> BlockadeView:
        """Return what this viewer may know. Raises ValueError for a seat that is not of this game."""
        return knowledge.view(state, seat, questions)

    def owed(self, view: Any) -> tuple[Slot, ...]:
        """Return who owes what; all of it is public."""
        return knowledge.owed(view)

    def read(self, view: Any, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
        """Read lines against what the seat sees (2.5). Never raises."""
        return language_of_orders.read(view, sheet, lines, language)

    def write(self, order: Order, language: Language, view: Any | None = None) -> str:
        """Return the line that reads back as this order."""
        return language_of_orders.write(order, language)

    def fold(self, view: Any, sheet: Sheet, orders: Iterable[Order]) -> Sheet:
        """Lay orders upon a sheet: a later line replaces only the parts it names (2.5.2)."""
        return language_of_orders.fold(sheet, orders)

    def merge(self, view: Any, sheet: Sheet, standing: Sheet) -> Sheet:
        """Fill parts without an order from standing orders."""
        return language_of_orders.merge(view, sheet, standing)

    def silent(self, view: Any, sheet: Sheet) -> Sheet:
        """Return the silent default for what is owed and not ordered (2.5.1, 2.5.4)."""
        return language_of_orders.silent(view, sheet)

    def template(self, view: Any, language: Language) -> tuple[str, ...]:
        """Return the seat's order lines ready to be edited and sent, all legal in this position."""
        return language_of_orders.template(view, language)

    def examples(self, view: Any, language: Language) -> tuple[str, ...]:
        """Return a few order lines that show the language of orders, all legal in this position."""
        return language_of_orders.examples(view, language)

    def legal(self, view: Any, slot: str) -> Iterator[Order]:
        """Yield the legal orders for a slot in a fixed order."""
        return language_of_orders.legal(view, slot)

    def foresee(self, view: Any, sheet: Sheet) -> tuple[Event, ...]:
        """Return what a seat's own plan would do if the enemy stayed where he is."""
        return rules.foresee(view, sheet)

    def resolve(self, state: Any, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> Resolution | Pause:
        """Resolve the turn; in strict play it pauses where a seat must decide (2.5)."""
        return rules.resolve(state, sheets, dice, answers)

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the game ended, or None."""
        return cast("Outcome | None", state.outcome)

    def secrets(self, state: Any) -> tuple[Secret, ...]:
        """Return nothing: all that is sealed are orders, and they are opened with their turn."""
        return ()

    def seal(self, state: Any, seat: Seat, sheet: Sheet) -> dict[str, dict[str, Any]]:
        """Return nothing: no order of «Блокада» is sealed matter of its own."""
        return {}

    def unseal(self, state: Any, name: str, sealed: Mapping[str, Any]) -> tuple[Seat, Sheet]:
        """Raise ValueError: `seal` makes no objects."""
        raise ValueError(f"{sealed!r} is no sealed {name!r} of «Блокада»")

    def draw(self, view: Any) -> Any:
        """Return the board as a drawing."""
        return draw.draw(view)

    def table(self, view: Any) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
        """Return the state table of a report."""
        return knowledge.table(view)

    def dice_purpose(self, address: str) -> tuple[str, dict[str, Any]]:
        """Return what a die is thrown for. Raises ValueError for an address that is not of the closed list."""
        return rules.dice_purpose(address)

    def bot(self, view: Any, choose: Choose) -> Sheet:
        """Return the orders of a sane player."""
        return bots.bot(view, choose)


RULESET: Final[Ruleset] = Blockade()
