"""Judge what a line says against what the seat may see: orders, or the reason why not, with a rule and a way out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final, Literal, TypeAlias

import msgspec

from engine.core.contract import Note, Order, Sheet
from engine.core.names import Folded, fold, joined, skeleton
from engine.core.scripts import as_latin
from engine.pirates.board import board_of
from engine.pirates.orders.grammar import (
    GoldLine,
    Leg,
    Line,
    NameLine,
    Ref,
    SequenceLine,
    ShipLine,
    Shot,
    VolleyLine,
)
from engine.pirates.orders.lexicon import only_words_of_orders, reserved
from engine.pirates.orders.position import commanded, gold_seat, own_ships, ship_numbered
from engine.pirates.orders.sheet import pending_names, shot_of, without_fire
from engine.pirates.rules.course import plan_run
from engine.pirates.state import (
    Fire,
    GoldOrder,
    NameOrder,
    PiratesView,
    Rhumb,
    SequenceOrder,
    Ship,
    ShipOrder,
    VolleyOrder,
    When,
)
from engine.pirates.view import naming_open

LONGEST_NAME: Final = 40
MOST_CELLS: Final = 99
_MOST_BENDS: Final = 6
_PHASES: Final[tuple[When, When]] = ("before", "after")


class Refusal(msgspec.Struct, frozen=True):
    """Why a line is no order: the fields of a `Complaint`, its place in the folded text, and orders that would do."""

    kind: Literal["unread", "not-allowed", "ambiguous"]
    key: str
    rule: str = ""
    place: tuple[int, int] | None = None
    facts: dict[str, Any] = {}
    offers: tuple[Order, ...] = ()


class Judged(msgspec.Struct, frozen=True):
    """Orders of one line, all of them allowed, with notes on what was understood."""

    orders: tuple[Order, ...]
    notes: tuple[Note, ...] = ()


class Context(msgspec.Struct, frozen=True):
    """What a line is judged against: the view, the sheet so far, and the text it stands in."""

    view: PiratesView
    sheet: Sheet
    raw: str
    folded: Folded


Verdict: TypeAlias = Judged | Refusal
_unread = partial(Refusal, "unread")
_not_allowed = partial(Refusal, "not-allowed")
_ambiguous = partial(Refusal, "ambiguous")


def judge(line: Line, context: Context) -> Verdict:
    """Return the orders a line gives, or why it gives none."""
    view = context.view
    if view.outcome is not None:
        return _not_allowed("game-over", "P39")
    if view.seat not in view.roster:
        return _not_allowed("no-seat", "P2")
    match line:
        case ShipLine():
            return _judge_ships(line, context)
        case VolleyLine():
            return _judge_volley(line, context)
        case GoldLine():
            return _judge_gold(line, context)
        case NameLine():
            return _judge_name(line, context)
        case SequenceLine():
            return _judge_sequence(line, context)


def _out_of_turn(view: PiratesView) -> Refusal | None:
    if view.round == 0:
        return _not_allowed("set-up", "P4")
    if view.to_move not in {"", view.side}:
        return _not_allowed("not-your-turn", "P6", facts={"side": view.to_move})
    return None


# Ships ----------------------------------------------------------------------------------------------------------------


def _typed(ref: Ref, context: Context) -> str:
    start, end = context.folded.span(ref.start, ref.end)
    return context.raw[start:end]


def _known(refs: Sequence[Ref], context: Context) -> Refusal | None:
    """Refuse a number that no ship bears."""
    for ref in refs:
        if ship_numbered(context.view, ref.ship) is None:
            facts = {"typed": _typed(ref, context)}
            return _unread("unknown-ship", place=(ref.start, ref.end), facts=facts)
    return None


def _each_once(refs: Sequence[Ref]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(ref.ship for ref in refs))


def _apposed(refs: Sequence[Ref], context: Context) -> Refusal | None:
    """Refuse «4 «Ласточка»» where number and name stand side by side and belong to different ships."""
    for one, other in pairwise(refs):
        between = context.folded.text[one.end : other.start].strip(" \"'()«»")
        if not between and one.by != other.by and one.ship != other.ship:
            return _unread("two-ships", place=(one.start, other.end), facts={"ship": one.ship, "other": other.ship})
    return None


def own_or_not(view: PiratesView, ref: Ref) -> Refusal | None:
    """Say why a ship does not obey the viewer, or None (P2, P31, P37)."""
    ship = ship_numbered(view, ref.ship)
    place = (ref.start, ref.end)
    if ship is None or ship.fate in {"sunk", "wrecked"}:
        facts = {"ship": ref.ship, "fate": ship.fate if ship is not None else "sunk"}
        return _not_allowed("ship-lost", "P31", place=place, facts=facts)
    if ship.fate == "derelict":
        return _not_allowed("derelict", "P37", place=place, facts={"ship": ref.ship})
    if ship.owner != view.seat:
        return _not_allowed("not-your-ship", "P2", place=place, facts={"ship": ref.ship, "owner": ship.owner})
    return None


def _judge_ships(line: ShipLine, context: Context) -> Verdict:
    view = context.view
    unknown = _known(line.subject, context)
    if unknown:
        return msgspec.structs.replace(unknown, offers=_for_each_own(line, context))
    refused = _apposed(line.subject, context) or _out_of_turn(view)
    refused = refused or next(filter(None, (own_or_not(view, ref) for ref in line.subject)), None)
    if refused:
        return refused
    ships = _each_once(line.subject) or tuple(ship.number for ship in commanded(view))
    if not ships:
        return _not_allowed("no-ships", "P40")
    if not line.subject and not line.everyone and len(ships) > 1:
        return _unread("no-ship", offers=_for_each_own(line, context))
    orders: list[Order] = []
    notes: list[Note] = []
    if not line.subject and not line.everyone:
        notes.append(Note(kind="repaired", key="only-ship", facts={"ship": ships[0]}))
    for ship in ships:
        verdict = _ship_order(ship, line, context)
        if isinstance(verdict, Refusal):
            return verdict
        orders += verdict.orders
        notes += verdict.notes
    return Judged(tuple(orders), tuple(notes))


def _for_each_own(line: ShipLine, context: Context) -> tuple[Order, ...]:
    """Return the order the line would give to each ship the seat commands, where it would be allowed."""
    built = [_ship_order(ship.number, line, context) for ship in commanded(context.view)]
    return tuple(order for verdict in built if isinstance(verdict, Judged) for order in verdict.orders)


def _ship_order(number: int, line: ShipLine, context: Context) -> Verdict:
    """Return the whole order of one ship (1.4)."""
    refused = _said_twice(line)
    if refused:
        return refused
    ship = ship_numbered(context.view, number)
    if ship is None:
        raise ValueError(f"no ship {number} among {[ship.number for ship in context.view.ships]}")
    course = _course(ship, line, context) if line.courses else _Run()
    if isinstance(course, Refusal):
        return course
    order = ShipOrder(
        ship=number,
        course=course.course,
        distance=course.distance,
        bends=course.bends,
        repair=bool(line.repairs),
    )
    if not line.shots:
        return Judged((order,), course.notes)
    return _with_fire(order, line.shots[0], context, course.notes)


def _said_twice(line: ShipLine) -> Refusal | None:
    if len(line.courses) > 1:
        second = line.courses[1]
        return _unread("twice", place=(second[0].start, second[-1].end), facts={"what": "course"})
    if line.courses and (line.stands or line.repairs):
        return _unread("twice", facts={"what": "stand"})
    if len(line.shots) > 1 or (line.shots and line.holds):
        shot = line.shots[-1]
        return _unread("twice", "P27", place=(shot.start, shot.end), facts={"what": "fire"})
    return None


class _Run(msgspec.Struct, frozen=True):
    course: Rhumb | None = None
    distance: int = 0
    bends: tuple[Rhumb, ...] = ()
    notes: tuple[Note, ...] = ()


def _course(ship: Ship, line: ShipLine, context: Context) -> _Run | Refusal:
    legs = line.courses[0]
    for leg in legs:
        if leg.cells is not None and not 0 <= int(leg.cells.value) <= MOST_CELLS:
            facts = {"typed": context.folded.text[leg.cells.start : leg.cells.end], "limit": MOST_CELLS}
            return _unread("bad-distance", "P10", place=(leg.cells.start, leg.cells.end), facts=facts)
    if context.view.options.bend == "yes":
        return _bends(legs)
    if len(legs) > 1:
        place = (legs[1].start, legs[-1].end)
        offers = _run_offers(ship, legs[0].course, context)
        return _not_allowed("bends-off", "P10", place=place, offers=offers)
    leg = legs[0]
    if leg.cells is None:
        offers = _run_offers(ship, leg.course, context)
        allowed = max((order.distance for order in offers if isinstance(order, ShipOrder)), default=0)
        facts = {"course": leg.course, "allowed": allowed}
        return _unread("no-distance", "P10", place=(leg.start, leg.end), facts=facts, offers=offers)
    distance = int(leg.cells.value)
    if distance == 0:
        return _Run(notes=(Note(kind="repaired", key="zero", facts={"course": leg.course}),))
    return _Run(leg.course, distance)


def _run_offers(ship: Ship, course: Rhumb, context: Context) -> tuple[Order, ...]:
    """Return the longest run on a course that is legal now; standing if there is none."""
    view = context.view
    order = ShipOrder(ship=ship.number, course=course, distance=3)
    board = board_of(view.options.board, view.board)
    cells = len(plan_run(board, view.options, ship, order, view.wind).path) - 1
    return (ShipOrder(ship=ship.number, course=course, distance=cells) if cells else ShipOrder(ship=ship.number),)


def _bends(legs: tuple[Leg, ...]) -> _Run:
    """Under ``bend`` courses are listed, one a step; «ЮВ 2 В» lists ЮВ ЮВ В."""
    bends: list[Rhumb] = []
    for leg in legs:
        cells = 1 if leg.cells is None else int(leg.cells.value)
        bends += [leg.course] * min(cells, _MOST_BENDS + 1)
    notes = tuple(
        Note(kind="repaired", key="listed", rule="P10", facts={"course": leg.course, "distance": int(leg.cells.value)})
        for leg in legs
        if leg.cells is not None
    )
    return _Run(bends=tuple(bends), notes=notes)


def _with_fire(order: ShipOrder, shot: Shot, context: Context, notes: tuple[Note, ...]) -> Verdict:
    refused = _shot_refused(shot, context)
    if refused:
        return refused
    targets = tuple(dict.fromkeys(target if target == "any" else target.ship for target in shot.targets))
    if not targets:
        offers = tuple(_armed(order, when, ("any",)) for when in shot.phases[:1] or _PHASES)
        return _unread("no-target", "P27", place=(shot.start, shot.end), offers=offers)
    if not shot.phases:
        offers = tuple(_armed(order, when, targets) for when in _PHASES)
        return _ambiguous("no-phase", "P27", place=(shot.start, shot.end), offers=offers)
    armed = _armed(order, shot.phases[0], targets)
    return _one_shot(armed, context) or Judged((armed,), notes)


def _shot_refused(shot: Shot, context: Context) -> Refusal | None:
    refs = [target for target in shot.targets if isinstance(target, Ref)]
    if len(set(shot.phases)) > 1:
        return _unread("twice", "P27", place=(shot.start, shot.end), facts={"what": "fire"})
    if not shot.straight:
        typed = context.folded.text[shot.start : shot.end]
        return _unread("unexpected", place=(shot.start, shot.end), facts={"typed": typed})
    return _known(refs, context) or _apposed(refs, context)


def _armed(order: ShipOrder, when: When, targets: tuple[int | Literal["any"], ...]) -> ShipOrder:
    return msgspec.structs.replace(order, fire=Fire(when=when, targets=targets))


def _one_shot(order: ShipOrder | VolleyOrder, context: Context) -> Refusal | None:
    """Refuse a second fire order where each seat has one shot a round (A8)."""
    if context.view.options.shots == "ship":
        return None
    other = shot_of(context.sheet, besides=order)
    if other is None:
        return None
    if isinstance(order, VolleyOrder) and isinstance(other, ShipOrder) and other.ship in order.ships:
        rest = tuple(one for one in context.sheet if one.slot != other.slot)
        return _one_shot(order, msgspec.structs.replace(context, sheet=rest))
    if isinstance(order, ShipOrder) and isinstance(other, VolleyOrder) and other.ships == (order.ship,):
        return None
    facts = {
        "ship": other.ship if isinstance(other, ShipOrder) else 0,
        "volley": other.name if isinstance(other, VolleyOrder) else "",
    }
    offers: tuple[Order, ...] = (without_fire(order),) if isinstance(order, ShipOrder) else ()
    return _not_allowed("one-shot", "P27", facts=facts, offers=offers)


# Volleys --------------------------------------------------------------------------------------------------------------


def _judge_volley(line: VolleyLine, context: Context) -> Verdict:
    """Judge a volley: own ships, and others of one's side that join if their seats send the same line (P29)."""
    refused = _out_of_turn(context.view)
    if refused:
        return refused
    name = as_latin(line.name) or "a"
    shot = line.shot
    if shot.none:
        spoken = line.members or shot.targets
        return _unread("unexpected", facts={"typed": context.raw}) if spoken else Judged((VolleyOrder(name=name),))
    refused = _known(line.members, context) or _apposed(line.members, context) or _shot_refused(shot, context)
    refused = refused or _members_refused(line, context)
    if refused:
        return refused
    ships = tuple(sorted(_each_once(line.members)))
    targets = tuple(dict.fromkeys(target.ship for target in shot.targets if isinstance(target, Ref)))
    if not targets:
        return _unread("no-target", "P29", place=(shot.start, shot.end))
    phases = shot.phases[:1] or _PHASES
    orders = tuple(VolleyOrder(name=name, ships=ships, targets=targets, when=when) for when in phases)
    if not shot.phases:
        return _ambiguous("no-phase", "P29", place=(shot.start, shot.end), offers=orders)
    return _one_shot(orders[0], context) or Judged(orders)


def _members_refused(line: VolleyLine, context: Context) -> Refusal | None:
    view = context.view
    if line.any_member or "any" in line.shot.targets:
        return _not_allowed("volley-any", "P29")
    if not line.members:
        return _unread("no-ship-list", "P29", place=(line.shot.start, line.shot.end))
    for ref in line.members:
        ship = ship_numbered(view, ref.ship)
        place = (ref.start, ref.end)
        if ship is None or ship.fate != "afloat":
            return _not_allowed("volley-lost", "P29", place=place, facts={"ship": ref.ship})
        if ship.side != view.side:
            return _not_allowed("volley-foreign", "P29", place=place, facts={"ship": ref.ship})
    own = {ship.number for ship in own_ships(view)}
    if own.isdisjoint(ref.ship for ref in line.members):
        return _not_allowed("volley-not-yours", "P29")
    return None


# Set-up ---------------------------------------------------------------------------------------------------------------


def _judge_gold(line: GoldLine, context: Context) -> Verdict:
    """Judge where the gold goes: before round 1, by the lowest Spanish seat alone (P4, 1.4)."""
    view = context.view
    if view.side != "spain":
        return _not_allowed("gold-not-spain", "P4")
    if view.round > 0:
        return _not_allowed("gold-late", "P4")
    if view.seat != gold_seat(view):
        return _not_allowed("gold-not-yours", "P4", facts={"owner": gold_seat(view)})
    if line.ship is None:
        return Judged((GoldOrder(ship=0),))
    refused = _known((line.ship,), context)
    if refused:
        return refused
    ship = ship_numbered(view, line.ship.ship)
    if ship is None or ship.kind != "galleon" or ship.side != "spain":
        place = (line.ship.start, line.ship.end)
        return _not_allowed("gold-not-galleon", "P4", place=place, facts={"ship": line.ship.ship})
    return Judged((GoldOrder(ship=ship.number),))


_MARKS: Final = (",", ";", ":", "#", "//", '"')


def _judge_name(line: NameLine, context: Context) -> Verdict:
    """Judge a name: each seat may name its own ships until turn 1 locks (P1, 1.4)."""
    view = context.view
    refused = _known((line.ship,), context) or own_or_not(view, line.ship)
    if refused:
        return refused
    if not naming_open(view):
        return _not_allowed("name-late", "P1")
    if line.span is None:
        return _unread("incomplete", "P1")
    start, end = context.folded.span(*line.span)
    name = name_as_typed(context.raw[start:end])
    return _name_refused(name, line, context) or Judged((NameOrder(ship=line.ship.ship, name=name),))


def name_as_typed(text: str) -> str:
    """Return a name as its giver meant it: without invisible letters, outer quotes, full stop and wide gaps."""
    composed = unicodedata.normalize("NFC", text)
    seen = "".join(letter for letter in composed if letter.isspace() or unicodedata.category(letter)[0] != "C")
    plain = " ".join(seen.split())
    for pair in ("«»", '""', "“”", "„“", "„”", "''", "‘’"):
        if len(plain) > 2 and plain[0] == pair[0] and plain[-1] == pair[1]:
            plain = plain[1:-1].strip()
    return plain.rstrip(" .").replace("’", "'")


def _name_refused(name: str, line: NameLine, context: Context) -> Refusal | None:
    marked = fold(name).text
    if not name or len(name) > LONGEST_NAME:
        return _not_allowed("name-length", "P1", place=line.span, facts={"length": len(name), "limit": LONGEST_NAME})
    mark = next((mark for mark in _MARKS if mark in marked), "")
    if mark:
        return _not_allowed("name-mark", "P1", place=line.span, facts={"mark": mark})
    if not name[0].isalpha():
        return _not_allowed("name-letter", "P1", place=line.span, facts={"typed": name})
    if not joined(name) or skeleton(name) in reserved() or only_words_of_orders(name):
        return _not_allowed("name-word", "P1", place=line.span, facts={"typed": name})
    return _name_taken(name, line, context)


def _name_taken(name: str, line: NameLine, context: Context) -> Refusal | None:
    pending = pending_names(context.sheet)
    for ship in context.view.ships:
        borne = pending.get(ship.number, ship.name)
        if ship.number != line.ship.ship and skeleton(borne) == skeleton(name):
            return _not_allowed("name-taken", "P1", place=line.span, facts={"ship": ship.number, "typed": name})
    return None


def _judge_sequence(line: SequenceLine, context: Context) -> Verdict:
    view = context.view
    if view.options.mode != "alternating":
        return _not_allowed("sequence-off", "P6")
    refused = _known(line.ships, context) or _apposed(line.ships, context) or _out_of_turn(view)
    refused = refused or next(filter(None, (own_or_not(view, ref) for ref in line.ships)), None)
    return refused or Judged((SequenceOrder(ships=_each_once(line.ships)),))
