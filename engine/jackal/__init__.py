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
rules/     setup (seats, deck), entering (J3.2, J2.7), chain (J3), way (ways on, certain death), effects (J8–J9),
           fighting (J5), water (J6), wants (wishes, policies, questions, defaults of choices), actor and acting (J2),
           steps, vessels (J6, J10), rum (J9), guards, moves (legal actions), repetition (R-28), defaults («по
           умолчанию»), planning (slots of a turn), turn (resolve, 5.2), ending (J11), foresight
view       what a seat sees and owes; the table
orders/    the order language (5.3): read, write, fold, silent, legal, template, examples
draw/      the island as a picture and as text, and the sheet of all kinds of tiles
notation   positions of case files
paths      how many actions it is to somewhere over open tiles
bots       a sane player
========== ===========================================================================================================

«Архипелаг» is to reuse `tiles` (its kinds get codes of their own in the same registry), `board` with a `Geography` of
its islands, the chain with a `Rulebook` of its tiles, and the switches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

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
from engine.jackal import bots, draw, rules, secrets
from engine.jackal import orders as language_of_orders
from engine.jackal import view as knowledge
from engine.jackal.commands import JackalOrder
from engine.jackal.events import JackalEvent
from engine.jackal.options import EDITIONS, JackalOptions
from engine.jackal.state import JackalState, JackalView

LONGEST: Final = 50 * 4 * (117 + 40 + 1)
"""Every opening and every score begins the quiet count anew (R-28 b); in strict play each slot is a turn."""

INFO: Final = Info(
    name="jackal",
    revision=1,
    titles={"ru": "Шакал", "en": "Jackal"},
    seats=(2, 4),
    longest=LONGEST,
    options=JackalOptions,
    state=JackalState,
    order=JackalOrder,
    event=JackalEvent,
    editions=dict(EDITIONS),
    streams=(rules.DECK_STREAM,),
    usual=(85, 130),
    open_orders="end",
)
"""``usual``: the middle half of 96 games of bots with 2, 3 and 4 players in the editions tl, ti, cl and oe."""


class Jackal:
    """The ruleset, as the contract wants it; every method hands on to the module that holds the matter."""

    @property
    def info(self) -> Info:
        """Static facts."""
        return INFO

    def seats(self, options: Any, players: int) -> tuple[SeatInfo, ...]:
        """Return the places of a game (J12). Raises ValueError for other than 2 to 4 players."""
        return rules.seats(options, players)

    def start(self, options: Any, seats: Sequence[Seat], dice: Dice, *, data: Facts | None = None) -> Resolution:
        """Return the position before the first turn (J1.6, J1.7)."""
        return rules.start(options, seats, dice)

    def phase(self, state: Any) -> Literal["turn"]:
        """Return ``turn``: there is no other."""
        return "turn"

    def view(self, state: Any, seat: Seat, questions: tuple[Question, ...] = ()) -> JackalView:
        """Return what this viewer may know (5.5). Raises ValueError for a seat that is not of this game."""
        return knowledge.view(state, seat, questions)

    def owed(self, view: Any) -> tuple[Slot, ...]:
        """Return who owes what; all of it is public."""
        return knowledge.owed(view)

    def read(self, view: Any, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
        """Read lines against what the seat sees (5.3). Never raises."""
        return language_of_orders.read(view, sheet, lines, language)

    def write(self, order: Order, language: Language, view: Any | None = None) -> str:
        """Return the line that reads back as this order."""
        return language_of_orders.write(order, language, view)

    def fold(self, view: Any, sheet: Sheet, orders: Iterable[Order]) -> Sheet:
        """Lay orders upon a sheet: a new line for a slot replaces the old one (5.2)."""
        return language_of_orders.fold(sheet, orders)

    def merge(self, view: Any, sheet: Sheet, standing: Sheet) -> Sheet:
        """Fill slots without an order from standing orders."""
        return language_of_orders.merge(view, sheet, standing)

    def silent(self, view: Any, sheet: Sheet) -> Sheet:
        """Return «по умолчанию» for what is owed and not ordered (5.2)."""
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
        """Return what a seat's own orders would do if nobody else moved, as far as open tiles tell."""
        return rules.foresee(view, sheet)

    def resolve(self, state: Any, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> Resolution | Pause:
        """Resolve the turn; it pauses where a seat must decide (5.4)."""
        return rules.resolve(state, sheets, dice, answers)

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the game ended, or None."""
        return cast("Outcome | None", state.outcome)

    def secrets(self, state: Any) -> tuple[Secret, ...]:
        """Return the deck, the one secret of this ruleset."""
        return secrets.secrets(state)

    def seal(self, state: Any, seat: Seat, sheet: Sheet) -> dict[str, dict[str, Any]]:
        """Return nothing: no order of «Шакал» is sealed matter of its own."""
        return {}

    def unseal(self, state: Any, name: str, sealed: Mapping[str, Any]) -> tuple[Seat, Sheet]:
        """Raise ValueError: `seal` makes no objects."""
        raise ValueError(f"{sealed!r} is no sealed {name!r} of «Шакал»")

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


RULESET: Final[Ruleset] = Jackal()
