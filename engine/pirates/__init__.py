"""«Пираты» by V. M. Golitsyn: a treasure galleon, her escort and six brigantines on the Atlantic."""

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
from engine.pirates import bots, draw, rules, secrets
from engine.pirates import orders as language_of_orders
from engine.pirates import view as knowledge
from engine.pirates.options import EDITIONS, PiratesOptions
from engine.pirates.state import PiratesEvent, PiratesOrder, PiratesState, PiratesView

LONGEST_LIMIT: Final = 500
"""The highest ``limit`` a game may set."""

INFO: Final = Info(
    name="pirates",
    revision=1,
    titles={"ru": "Пираты", "en": "Pirates"},
    seats=(2, 9),
    longest=1 + 2 * LONGEST_LIMIT,
    options=PiratesOptions,
    state=PiratesState,
    order=PiratesOrder,
    event=PiratesEvent,
    editions=dict(EDITIONS),
    streams=(rules.GOLD_STREAM,),
    usual=(21, 28),
)
"""``longest``: set-up and the two turns of every round of ``mode=alternating``, at the highest ``limit`` (P39).

``usual``: of 160 games of bots with 2, 4, 6 and 9 players.
"""


class Pirates:
    """The ruleset, as the contract wants it; every method hands on to the module that holds the matter."""

    @property
    def info(self) -> Info:
        """Static facts."""
        return INFO

    def seats(self, options: Any, players: int) -> tuple[SeatInfo, ...]:
        """Return the places of a game (P2, P3, A1). Raises ValueError for other than 2 to 9 players."""
        return rules.seats(players)

    def start(self, options: Any, seats: Sequence[Seat], dice: Dice, *, data: Facts | None = None) -> Resolution:
        """Return the position of set-up; ``data`` is a board the group brought. Raises BoardError for a bad board."""
        return rules.start(options, seats, dice, data)

    def phase(self, state: Any) -> Literal["turn", "set-up"]:
        """Return ``set-up`` for turn 0, else ``turn``."""
        return "set-up" if state.round == 0 else "turn"

    def view(self, state: Any, seat: Seat, questions: tuple[Question, ...] = ()) -> PiratesView:
        """Return what this viewer may know (P4). Raises ValueError for a seat that is not of this game."""
        return knowledge.view(state, seat, questions)

    def owed(self, view: Any) -> tuple[Slot, ...]:
        """Return who owes what; all of it is public."""
        return knowledge.owed(view)

    def read(self, view: Any, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
        """Read lines against what the seat sees (1.4, order form). Never raises."""
        return language_of_orders.read(view, sheet, lines, language)

    def write(self, order: Order, language: Language, view: Any | None = None) -> str:
        """Return the line that reads back as this order."""
        return language_of_orders.write(order, language, view)

    def fold(self, view: Any, sheet: Sheet, orders: Iterable[Order]) -> Sheet:
        """Lay orders upon a sheet (1.4, P29)."""
        return language_of_orders.fold(view, sheet, orders)

    def merge(self, view: Any, sheet: Sheet, standing: Sheet) -> Sheet:
        """Fill slots without an order from standing orders."""
        return language_of_orders.merge(view, sheet, standing)

    def silent(self, view: Any, sheet: Sheet) -> Sheet:
        """Return the defaults of what is owed and not ordered (A20; in set-up the lot)."""
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
        """Return what a seat's own orders would do if nobody else moved, without dice."""
        return rules.foresee(view, sheet)

    def resolve(self, state: Any, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> Resolution:
        """Resolve the turn; nothing is asked in mid-turn (1.4)."""
        return rules.resolve(state, sheets, dice)

    def outcome(self, state: Any) -> Outcome | None:
        """Return how the game ended, or None."""
        return cast("Outcome | None", state.outcome)

    def secrets(self, state: Any) -> tuple[Secret, ...]:
        """Return the gold, the one secret of this ruleset (P4, P36)."""
        return secrets.secrets(state)

    def seal(self, state: Any, seat: Seat, sheet: Sheet) -> dict[str, dict[str, Any]]:
        """Return ``{"gold": {"gold": 2}}`` for the seat that chooses the gold; 0 stands for the lot."""
        return secrets.seal(state, seat, sheet)

    def unseal(self, state: Any, name: str, sealed: Mapping[str, Any]) -> tuple[Seat, Sheet]:
        """Return the seat and the order that a sealed object stands for. Raises ValueError for another object."""
        return secrets.unseal(state, name, sealed)

    def draw(self, view: Any) -> Any:
        """Return the chart with the ships on it."""
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


RULESET: Final[Ruleset] = Pirates()
