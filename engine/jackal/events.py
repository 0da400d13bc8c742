"""The events of «Шакал»: what happened, by which rule; cells and units are named as in orders."""

from __future__ import annotations

from typing import Literal, TypeAlias

from engine.core.contract import Event, Seat
from engine.jackal.commands import CellName, Unit
from engine.jackal.state import Colour


class GameBegan(Event, frozen=True, kw_only=True):
    """The island is laid, all pirates are aboard; which colour begins (J1.7, J2.1)."""

    first: Colour
    colours: tuple[Colour, ...]


class TurnBegan(Event, frozen=True, kw_only=True):
    """A turn was played: its round and its slots, ``smoke`` while grass burns."""

    round: int
    slots: tuple[str, ...]
    smoke: bool = False


class ActionTaken(Event, frozen=True, kw_only=True):
    """A slot was played: who commanded, what moved from where, with what load. ``defaulted``: «по умолчанию».

    ``unit`` is "" when a vessel moves. ``load`` lists items.
    """

    colour: Colour
    number: int
    commander: Seat
    act: Literal["step", "spin", "rum", "fly", "raise", "launch", "sail"]
    unit: Unit = ""
    start: CellName = ""
    step: int = 0
    load: tuple[str, ...] = ()
    defaulted: bool = False


class SlotSkipped(Event, frozen=True, kw_only=True):
    """A slot passed without an action: ``nothing-legal`` (R-03), ``no-order`` (5.2), ``dead`` (R-37)."""

    colour: Colour
    number: int
    reason: Literal["nothing-legal", "no-order", "dead"]


class AlternativeFailed(Event, frozen=True, kw_only=True):
    """An alternative was not legal at its slot and the next was tried; the author's alone to know.

    ``why`` is a complaint key, ``place`` counts alternatives from 1.
    """

    colour: Colour
    number: int
    place: int
    why: str
    cell: CellName = ""


class Moved(Event, frozen=True, kw_only=True):
    """A character came to a place. ``rule`` is that of the tile that sent it there, J3.1 for a chosen step."""

    unit: Unit
    start: CellName
    cell: CellName
    step: int = 0
    how: Literal["step", "exit", "jump", "slide", "flight", "balloon", "shot", "back", "cave", "spin", "aboard", "swim"]


class TileOpened(Event, frozen=True, kw_only=True):
    """A tile was turned up. ``unit`` is "" for one seen from the lighthouse."""

    cell: CellName
    tile: str
    rotation: int
    unit: Unit = ""


class GoldFound(Event, frozen=True, kw_only=True):
    """A tile laid its gold or its thing on the cell (J8.11, J10.0)."""

    cell: CellName
    item: str
    number: int


class Struck(Event, frozen=True, kw_only=True):
    """A character was beaten and flew to its ship (J5.1)."""

    unit: Unit
    by: Unit
    cell: CellName
    ship: CellName


class FridayTurned(Event, frozen=True, kw_only=True):
    """Friday was struck and changed side (J5.6, R-12)."""

    cell: CellName
    was: Colour
    colour: Colour


class Died(Event, frozen=True, kw_only=True):
    """A character died (J7.1). ``cause``: enemy-ship, struck-at-sea, cannibal, loop, impossible, ball, oath."""

    unit: Unit
    cell: CellName
    cause: Literal["enemy-ship", "struck-at-sea", "cannibal", "loop", "impossible", "ball", "oath"]


class Vanished(Event, frozen=True, kw_only=True):
    """A resident left the game: the missionary and Friday met, or Friday drank (J9.13, J9.14)."""

    unit: Unit
    cell: CellName
    cause: Literal["meeting", "rum"]


class Joined(Event, frozen=True, kw_only=True):
    """A resident appeared and joined a colour (J9.01)."""

    unit: Unit
    colour: Colour
    cell: CellName


class Converted(Event, frozen=True, kw_only=True):
    """The missionary drank and is a pirate of his colour now (J9.11)."""

    colour: Colour
    cell: CellName


class BottlesFound(Event, frozen=True, kw_only=True):
    """Bottles came into a colour's stock (J9.16)."""

    colour: Colour
    number: int
    cell: CellName


class BottleSpent(Event, frozen=True, kw_only=True):
    """A bottle left a colour's stock for a unit: its leap or a gift (J9.17, J9.20)."""

    colour: Colour
    unit: Unit
    use: Literal["leap", "gift"]


class MoodChanged(Event, frozen=True, kw_only=True):
    """A character was caught, freed, put to sleep, lost in a cave, or came out of one."""

    unit: Unit
    cell: CellName
    mood: Literal["trapped", "freed", "drunk", "lost", "out", "locked"]


class LoadsChanged(Event, frozen=True, kw_only=True):
    """Loads were destroyed, or ``left`` behind on the cell.

    ``sunk`` in the sea, ``eaten``, ``enemy-ship``, ``shot`` by a ball, ``aboard`` (balls and boats leave play there).
    """

    cell: CellName
    items: tuple[str, ...]
    gold: int
    what: Literal["sunk", "eaten", "enemy-ship", "shot", "aboard", "left"]


class GoldScored(Event, frozen=True, kw_only=True):
    """Gold came aboard (J4.3)."""

    colour: Colour
    gold: int
    unit: Unit
    cell: CellName


class ShipMoved(Event, frozen=True, kw_only=True):
    """A ship or the boat moved one cell (J6.1, J10.4)."""

    colour: Colour
    boat: bool = False
    start: CellName
    cell: CellName


class PickedUp(Event, frozen=True, kw_only=True):
    """A vessel took a swimmer aboard (J6.3)."""

    unit: Unit
    cell: CellName


class Raised(Event, frozen=True, kw_only=True):
    """A dead pirate was raised in the girl's fort (J7.2)."""

    unit: Unit
    by: Unit
    cell: CellName


class OathSworn(Event, frozen=True, kw_only=True):
    """An oath on a каррамба: the number of one of the page's list, from 1, or the player's own words (J8.16, R-19)."""

    unit: Unit
    cell: CellName
    oath: int = 0
    words: str = ""


class PlaneWaits(Event, frozen=True, kw_only=True):
    """Somebody stays on the plane: it waits (``plane_defer``) or its flight is lost (J8.12)."""

    unit: Unit
    cell: CellName
    armed: bool


class Peeked(Event, frozen=True, kw_only=True):
    """Cells were looked at from the lighthouse; what was seen and how it was laid back is not told (J8.17)."""

    unit: Unit
    cells: tuple[CellName, ...]


class PeekShown(Event, frozen=True, kw_only=True):
    """What a seat saw from the lighthouse: kinds and rotations, cell by cell."""

    cells: tuple[CellName, ...]
    tiles: tuple[str, ...]
    rotations: tuple[int, ...]


class LaidBack(Event, frozen=True, kw_only=True):
    """How a seat laid back what it saw: the tile seen on ``cells[i]`` now lies on ``to[i]``."""

    cells: tuple[CellName, ...]
    to: tuple[CellName, ...]


class EarthQuaked(Event, frozen=True, kw_only=True):
    """Two cells were swapped (J8.19); none if fewer than two could be. ``turns``: ``quake_rotate``."""

    cells: tuple[CellName, ...]
    turns: tuple[int, ...] = ()


class GrassBurns(Event, frozen=True, kw_only=True):
    """Grass burns: for these slots each colour is commanded by another (J8.21)."""

    colours: tuple[Colour, ...]
    commanders: tuple[Colour, ...]


class TurnCut(Event, frozen=True, kw_only=True):
    """The turn was cut after this slot: its remaining orders lapse (5.2)."""

    lapsed: tuple[str, ...]


class CannonFired(Event, frozen=True, kw_only=True):
    """A ball was fired along a line of cells (J10.1)."""

    unit: Unit
    cells: tuple[CellName, ...]


class BoatLaunched(Event, frozen=True, kw_only=True):
    """The boat was put to sea (J10.4)."""

    unit: Unit
    colour: Colour
    cell: CellName


class DecisionAwaited(Event, frozen=True, kw_only=True):
    """A seat's decision is awaited; which, the others do not learn (5.4)."""

    seat: Seat


class GameEnded(Event, frozen=True, kw_only=True):
    """The game is over: why, and the gold of every colour (J11)."""

    reason: str
    gold: tuple[int, ...]


JackalEvent: TypeAlias = (
    GameBegan
    | TurnBegan
    | ActionTaken
    | SlotSkipped
    | AlternativeFailed
    | Moved
    | TileOpened
    | GoldFound
    | Struck
    | FridayTurned
    | Died
    | Vanished
    | Joined
    | Converted
    | BottlesFound
    | BottleSpent
    | MoodChanged
    | LoadsChanged
    | GoldScored
    | ShipMoved
    | PickedUp
    | Raised
    | OathSworn
    | PlaneWaits
    | Peeked
    | PeekShown
    | LaidBack
    | EarthQuaked
    | GrassBurns
    | TurnCut
    | CannonFired
    | BoatLaunched
    | DecisionAwaited
    | GameEnded
)
