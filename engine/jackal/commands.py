"""The orders of «Шакал» as values: alternatives, acts, picks, wishes, guards, policies (page 5.3).

Cells are names (``G7``), units ids (``W1``, ``BG``), directions rhumbs (``NE``), tiles keys or the groups ``arrow``,
``spin``, ``chest``, ``rum``: they read well in a log and mean the same on every board.
"""

from __future__ import annotations

from typing import ClassVar, Final, Literal, TypeAlias

from engine.core.contract import Order, Value
from engine.jackal.state import Colour

CellName: TypeAlias = str
Unit: TypeAlias = str
Item: TypeAlias = Literal["coin", "treasure", "ball", "boat", "cart"]
Topic: TypeAlias = str
"""What decides, as questions, policies and whens name it: ``arrow horse ice cave plane lighthouse lay quake …``."""


class Load(Value, frozen=True, kw_only=True):
    """What a mover takes: an item, or the cart with up to two (J10.3).

    ``bare``: a cart with what lies there, gold first.
    """

    item: Item
    inside: tuple[Item, ...] = ()
    bare: bool = False


class Pick(Value, frozen=True, kw_only=True):
    """A choice at a tile, or one wish of a list.

    kind ``way`` (a rhumb in ``way``), ``cell`` (its name in ``way``), ``ship``, ``take`` (an item in ``way``),
    ``stay``, ``launch`` (a cell), and the named wishes ``to-ship``, ``to-closed``, ``to-coins``, ``not-water``,
    ``not-death``.
    """

    kind: Literal[
        "way", "cell", "ship", "take", "stay", "launch", "to-ship", "to-closed", "to-coins", "not-water", "not-death"
    ]
    way: str = ""


class Want(Value, frozen=True, kw_only=True):
    """What somebody wants at a tile: a priority list of wishes, cells (lighthouse), or a pair to swap (quake).

    ``turns`` are quarter turns of the pair (``quake_rotate``). ``near``: the page's defaults «ближайшие», «дальние».
    """

    wishes: tuple[Pick, ...] = ()
    cells: tuple[CellName, ...] = ()
    pair: tuple[CellName, ...] = ()
    turns: tuple[int, ...] = ()
    near: bool = False


class When(Value, frozen=True, kw_only=True):
    """What to do at a tile of a kind met off the foreseen path."""

    tile: Topic
    want: Want


class Guard(Value, frozen=True, kw_only=True):
    """A condition on the open board at the slot: never on hidden facts."""

    kind: Literal["empty", "enemy", "own", "item", "closed", "open", "ship"]
    cell: CellName
    negated: bool = False
    what: str = ""


# Acts -----------------------------------------------------------------------------------------------------------------


class Act(Value, frozen=True, kw_only=True, tag_field="act"):
    """The one thing an action does."""


class Step(Act, frozen=True, kw_only=True, tag="step"):
    """«на»: step, board, leave a ship or boat, swim, leave a spin."""

    unit: Unit
    cell: CellName
    load: Load | None = None
    via: tuple[Pick, ...] = ()


class SpinStep(Act, frozen=True, kw_only=True, tag="spin"):
    """«шаг»: the next step of a spin."""

    unit: Unit
    load: Load | None = None


class RumLeap(Act, frozen=True, kw_only=True, tag="rum"):
    """«ром … на»: spend a bottle and leave a trap or spin straight (J9.17)."""

    unit: Unit
    cell: CellName
    ally: bool = False
    load: Load | None = None
    via: tuple[Pick, ...] = ()


class Fly(Act, frozen=True, kw_only=True, tag="fly"):
    """«лететь»: from a plane that waits (J8.12)."""

    unit: Unit
    cell: CellName
    load: Load | None = None
    via: tuple[Pick, ...] = ()


class Raise(Act, frozen=True, kw_only=True, tag="raise"):
    """«воскресить»: raise a dead pirate in the girl's fort (J7.2); without a name the lowest-numbered."""

    unit: Unit
    dead: Unit = ""


class Launch(Act, frozen=True, kw_only=True, tag="launch"):
    """«спустить»: put the boat lying here to sea (J10.4)."""

    unit: Unit
    cell: CellName


class Sail(Act, frozen=True, kw_only=True, tag="sail"):
    """«КОР», «ШЛ»: move a ship or the boat along a route of rhumbs or cells (J6.1, J10.4).

    ``colour``: whose ship; "" as long as the slot is not known.
    """

    colour: Colour | Literal[""]
    boat: bool = False
    route: tuple[str, ...]


AnyAct: TypeAlias = Step | SpinStep | RumLeap | Fly | Raise | Launch | Sail


class Gift(Value, frozen=True, kw_only=True):
    """«напоить»: a bottle to the missionary or Friday before or after the act (J9.20)."""

    unit: Literal["MS", "FR"]
    before: bool = False
    ally: bool = False


class Alternative(Value, frozen=True, kw_only=True):
    """One alternative of an order: done if it is legal when its slot comes (5.2).

    No act: «по умолчанию». ``perish`` is ``!`` (J2.8).
    """

    act: AnyAct | None = None
    guards: tuple[Guard, ...] = ()
    gifts: tuple[Gift, ...] = ()
    whens: tuple[When, ...] = ()
    perish: bool = False
    oath: str = ""


# Orders ---------------------------------------------------------------------------------------------------------------


class SlotOrder(Order, frozen=True, kw_only=True):
    """What to do in a slot: the first alternative that is legal then."""

    colour: Colour
    number: int = 1
    alternatives: tuple[Alternative, ...]

    @property
    def slot(self) -> str:
        """``white-1``."""
        return f"{self.colour}-{self.number}"


class PolicyCase(Value, frozen=True, kw_only=True):
    """A case of a policy: what is wanted, with a load or without one ("" for both)."""

    want: Want
    laden: Literal["", "laden", "unladen"] = ""


class PolicyRule(Value, frozen=True, kw_only=True):
    """What a policy says of a tile: ask first, then the first case that fits."""

    tile: Topic
    ask: bool = False
    cases: tuple[PolicyCase, ...] = ()


class PolicyOrder(Order, frozen=True, kw_only=True):
    """«политика»: kept between rounds, private. ``always``: «спрашивать всегда»."""

    lasts: ClassVar[bool] = True

    always: bool = False
    rules: tuple[PolicyRule, ...] = ()

    @property
    def slot(self) -> str:
        """``policy``."""
        return "policy"


UNLIMITED: Final = -1
"""«союзнику ром: да»."""


class AllyRumOrder(Order, frozen=True, kw_only=True):
    """«союзнику ром»: how many bottles an ally may use; 0 none, -1 any number (J9.16)."""

    bottles: int

    @property
    def slot(self) -> str:
        """``ally-rum``."""
        return "ally-rum"


class ConcludeOrder(Order, frozen=True, kw_only=True):
    """«завершаем»: end the game with the score as it stands, if all say so (J11.4)."""

    agreed: bool

    @property
    def slot(self) -> str:
        """``conclude``."""
        return "conclude"


class Decision(Order, frozen=True, kw_only=True):
    """The answer to an open question: lighthouse, quake (a `Want`), or ``lay``, pairs of cells (from, to)."""

    key: str
    want: Want = Want()
    lay: tuple[tuple[CellName, CellName], ...] = ()

    @property
    def slot(self) -> str:
        """The key of the question."""
        return self.key


JackalOrder: TypeAlias = SlotOrder | PolicyOrder | AllyRumOrder | ConcludeOrder | Decision
