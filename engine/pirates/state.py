"""What «Пираты» are made of: ships, the state, the orders a seat gives and the events that tell what happened."""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias

from engine.core.contract import Event, Order, Outcome, Question, Seat, State, Value
from engine.pirates.options import PiratesOptions

Side: TypeAlias = Literal["spain", "pirates"]
Rhumb: TypeAlias = Literal["N", "NE", "E", "SE", "S", "SW", "W", "NW"]
Force: TypeAlias = Literal["calm", "fresh", "hurricane"]
When: TypeAlias = Literal["before", "after"]
Cell: TypeAlias = str
"""Row letter and column number: ``R1``."""


class Wind(Value, frozen=True, kw_only=True):
    """The wind of a round: the rhumb it blows FROM (P14) and its force (P15, P17, P18)."""

    rhumb: Rhumb
    force: Force


class Ship(Value, frozen=True, kw_only=True):
    """One ship.

    ``owner`` is the seat that commands it ("" for a derelict), ``side`` whose it is now, ``home`` its last owner of the
    side that built it: the seat it goes back to when retaken (P35). ``fate``: afloat, derelict (P37), sunk or wrecked;
    a ship not afloat or derelict has no cell.
    """

    number: int
    kind: Literal["galleon", "brigantine"]
    name: str
    owner: Seat
    side: Side
    home: Seat
    cell: Cell | None
    hits: int = 0
    fate: Literal["afloat", "derelict", "sunk", "wrecked"] = "afloat"

    @property
    def piece(self) -> str:
        """The piece id used in events and dice addresses: ``ship4``."""
        return f"ship{self.number}"


class PiratesState(State, frozen=True, kw_only=True):
    """A position of «Пираты» between turns.

    ``round`` is 0 in set-up; ``to_move`` is the side whose turn it is under ``mode=alternating``, else "". ``wind`` is
    the wind of the turn that is open. ``gold`` is the number of the gold ship, 0 until chosen; ``gold_open`` says
    whether it is published, ``empty`` which galleons were shown to carry none (P36). ``board`` is a document a group
    brought, None for the board named in the options.
    """

    options: PiratesOptions
    roster: tuple[Seat, ...]
    round: int
    wind: Wind
    ships: tuple[Ship, ...]
    to_move: Side | Literal[""] = ""
    gold: int = 0
    gold_open: bool = False
    empty: tuple[int, ...] = ()
    outcome: Outcome | None = None
    board: dict[str, Any] | None = None


class PiratesView(Value, frozen=True, kw_only=True):
    """What one viewer knows: all but the gold's number, which is 0 to those not entitled (P4).

    ``gold_owed`` says that the choice of the gold is still owed (set-up).
    """

    seat: Seat
    side: Side | Literal[""]
    options: PiratesOptions
    roster: tuple[Seat, ...]
    round: int
    wind: Wind
    ships: tuple[Ship, ...]
    to_move: Side | Literal[""] = ""
    gold: int = 0
    gold_open: bool = False
    gold_owed: bool = False
    empty: tuple[int, ...] = ()
    outcome: Outcome | None = None
    questions: tuple[Question, ...] = ()
    board: dict[str, Any] | None = None


# Orders ---------------------------------------------------------------------------------------------------------------


class Fire(Value, frozen=True, kw_only=True):
    """A shot: before or after the run, at the first target of the list that can be hit; ``"any"`` stands for A21."""

    when: When
    targets: tuple[int | Literal["any"], ...]


class ShipOrder(Order, frozen=True, kw_only=True):
    """The whole order of one ship.

    No course is standing still; ``distance`` is the most cells asked for; ``bends`` lists one course a step under
    ``bend=yes``. ``silent`` marks the default of a ship left without orders (A20).
    """

    ship: int
    course: Rhumb | None = None
    distance: int = 0
    bends: tuple[Rhumb, ...] = ()
    repair: bool = False
    fire: Fire | None = None
    silent: bool = False

    @property
    def slot(self) -> str:
        """``ship4``."""
        return f"ship{self.ship}"


class VolleyOrder(Order, frozen=True, kw_only=True):
    """Several ships, one spin (P29). No ships: the volley is dissolved. ``name``: its letter(s), folded."""

    name: str
    ships: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()
    when: When = "before"

    @property
    def slot(self) -> str:
        """``volley-a``."""
        return f"volley-{self.name}"


class GoldOrder(Order, frozen=True, kw_only=True):
    """Which galleon carries the gold (P4); 0 leaves it to the lot."""

    secret: ClassVar[str | None] = "gold"  # noqa: S105 - the name of sealed matter

    ship: int

    @property
    def slot(self) -> str:
        """``gold``."""
        return "gold"


class NameOrder(Order, frozen=True, kw_only=True):
    """A name for one of the seat's own ships (P1)."""

    ship: int
    name: str

    @property
    def slot(self) -> str:
        """``name4``."""
        return f"name{self.ship}"


class SequenceOrder(Order, frozen=True, kw_only=True):
    """The order in which the seat's ships act, under ``mode=alternating`` (1.4)."""

    ships: tuple[int, ...]

    @property
    def slot(self) -> str:
        """``sequence``."""
        return "sequence"


PiratesOrder: TypeAlias = ShipOrder | VolleyOrder | GoldOrder | NameOrder | SequenceOrder


# Events ---------------------------------------------------------------------------------------------------------------
# ``ship`` and ``by`` are numbers; ``about`` lists the pieces in whose журнал the event is entered (P32).


class ShipNamed(Event, frozen=True, kw_only=True):
    """A ship was given a name (P1)."""

    ship: int
    name: str
    was: str


class NameRefused(Event, frozen=True, kw_only=True):
    """A name was not given because another ship bears it, look-alikes folded (P1)."""

    ship: int
    name: str
    other: int


class GoldChosen(Event, frozen=True, kw_only=True):
    """The gold was put aboard a galleon; only the Spanish seats are told (P4)."""

    ship: int
    by_lot: bool


class RoundBegan(Event, frozen=True, kw_only=True):
    """A round (or a side's turn) was played in this wind (P21)."""

    round: int
    wind: Wind
    side: Side | Literal[""] = ""


class ShotFired(Event, frozen=True, kw_only=True):
    """A shot or a volley: who fired, at whom, the spin and what it did (P28, P29).

    ``volley`` is its name or "". ``silent`` tells of a ship left without orders (A20).
    """

    ships: tuple[int, ...]
    target: int
    when: When
    spin: Rhumb
    hit: bool
    address: str
    volley: str = ""
    silent: bool = False


class ShotNotFired(Event, frozen=True, kw_only=True):
    """A shot that was ordered and not fired.

    reason ``no-target``; ``in-port``: the ship lay in a port (P30); ``storm``: no fire in calm or hurricane
    (``storm_fire=no``); ``captured`` in this round (P34); ``not-joined``: her seat did not send that volley (P29);
    ``one-shot``: her seat had its one shot (``shots=seat``).
    """

    ship: int
    when: When
    reason: Literal["no-target", "in-port", "storm", "captured", "not-joined", "one-shot"]
    targets: tuple[int | Literal["any"], ...] = ()
    volley: str = ""


class ShipHit(Event, frozen=True, kw_only=True):
    """A ship took hits in a phase; ``hits`` is the sum now, ``of`` the number that sinks her (P31)."""

    ship: int
    taken: int
    hits: int
    of: int
    by: tuple[int, ...]


class ShipSunk(Event, frozen=True, kw_only=True):
    """A ship went down and left the map (P31)."""

    ship: int
    cell: Cell
    by: tuple[int, ...]


class GoldCaptured(Event, frozen=True, kw_only=True):
    """The gold ship was taken: by pirates at her last hit (P34) or back by one Spanish hit (P35)."""

    ship: int
    by: int
    owner: Seat
    side: Side
    hits: int


class GoldRevealed(Event, frozen=True, kw_only=True):
    """Everybody now knows which ship carries the gold (P36): ``by`` capture, wreck or port."""

    ship: int
    reason: Literal["capture", "wreck", "port", "end"]


class GalleonEmpty(Event, frozen=True, kw_only=True):
    """A galleon is shown to carry no gold (P36)."""

    ship: int


class RunCut(Event, frozen=True, kw_only=True):
    """A run was cut at the last legal cell before anybody moved: ``asked`` cells, ``allowed`` cells (1.4 step 2)."""

    ship: int
    asked: int
    allowed: int
    reason: Literal[
        "wind", "calm", "hurricane", "land", "edge", "port", "corner", "upstream", "oars", "captured", "points"
    ]
    course: Rhumb | None = None


class ShipMoved(Event, frozen=True, kw_only=True):
    """A ship ran along these cells, the first being where she started (P10)."""

    ship: int
    path: tuple[Cell, ...]


class ShipStopped(Event, frozen=True, kw_only=True):
    """A ship was kept out of ``cell`` by another, for the whole round (1.4 step 4).

    reason ``swap``: they headed into each other's cells; ``yield``: the other has priority there; ``occupied``: it lies
    there.
    """

    ship: int
    cell: Cell
    other: int
    reason: Literal["swap", "yield", "occupied"]


class ShipDrifted(Event, frozen=True, kw_only=True):
    """The hurricane carried a ship one cell (P18)."""

    ship: int
    start: Cell
    end: Cell


class DriftHeld(Event, frozen=True, kw_only=True):
    """A ship at sea did not drift: the edge, a shut port, a barred corner or a ship lay downwind (P19)."""

    ship: int
    cell: Cell
    reason: Literal["edge", "port", "corner", "ship", "derelict"]
    other: int = 0


class SecondSpin(Event, frozen=True, kw_only=True):
    """The wind set a ship ashore and was spun again (P20)."""

    ship: int
    spin: Rhumb
    saved: bool
    address: str


class ShipWrecked(Event, frozen=True, kw_only=True):
    """A ship was lost on the shore (P20); the gold ship stays as a derelict, is lost, or goes to the boarder (P37)."""

    ship: int
    cell: Cell
    derelict: bool = False


class DerelictTaken(Event, frozen=True, kw_only=True):
    """The one side beside a derelict took her (P37), or the claimant became the gold ship (P38)."""

    ship: int
    by: int
    owner: Seat
    side: Side
    boarded: bool = False


class DerelictContested(Event, frozen=True, kw_only=True):
    """Both sides lie beside the derelict; nobody takes her (P37)."""

    ship: int


class Carried(Event, frozen=True, kw_only=True):
    """A current carried a ship along its cells; ``blocked_by`` is the ship that stopped her short, or 0 (P22, P23)."""

    ship: int
    current: str
    path: tuple[Cell, ...]
    blocked_by: int = 0


class PortEntered(Event, frozen=True, kw_only=True):
    """A ship entered a port."""

    ship: int
    cell: Cell
    port: str


class PortLeft(Event, frozen=True, kw_only=True):
    """A ship left a port."""

    ship: int
    cell: Cell
    port: str


class ShipRepaired(Event, frozen=True, kw_only=True):
    """A ship that stayed in an open port for the whole round mended one hit (P33)."""

    ship: int
    hits: int
    port: str


class WindSpun(Event, frozen=True, kw_only=True):
    """The wind of the coming round was spun (P21): announced before orders are given."""

    round: int
    wind: Wind
    side: Side | Literal[""] = ""


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over (P5, P39)."""

    outcome: Outcome


PiratesEvent: TypeAlias = (
    ShipNamed
    | NameRefused
    | GoldChosen
    | RoundBegan
    | ShotFired
    | ShotNotFired
    | ShipHit
    | ShipSunk
    | GoldCaptured
    | GoldRevealed
    | GalleonEmpty
    | RunCut
    | ShipMoved
    | ShipStopped
    | ShipDrifted
    | DriftHeld
    | SecondSpin
    | ShipWrecked
    | DerelictTaken
    | DerelictContested
    | Carried
    | PortEntered
    | PortLeft
    | ShipRepaired
    | WindSpun
    | GameEnded
)
