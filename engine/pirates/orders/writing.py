"""Write an order as the line that reads back as it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from engine.core.contract import Language, Order
from engine.core.scripts import as_cyrillic
from engine.pirates.orders.lexicon import rhumb_codes, written
from engine.pirates.orders.position import ship_numbered
from engine.pirates.state import (
    Fire,
    GoldOrder,
    NameOrder,
    PiratesView,
    Rhumb,
    SequenceOrder,
    ShipOrder,
    VolleyOrder,
)


def write(order: Order, language: Language, view: PiratesView | None = None) -> str:
    """Return the line that reads back as this order; with a view, ships are written by the names they bear, in quotes.

    Raises TypeError for an order of another ruleset.
    """
    words = written(language)
    match order:
        case ShipOrder():
            return _ship_line(order, language, view)
        case VolleyOrder():
            return _volley_line(order, language, view)
        case GoldOrder():
            return f"{words['gold']} {_target(order.ship, words, view) if order.ship else words['lot']}"
        case NameOrder():
            return f"{words['name']} {order.ship}: {order.name}"
        case SequenceOrder():
            return f"{words['sequence']} {_targets(order.ships, words, view)}"
        case _:
            raise TypeError(f"{order!r} is no order of «Пираты»")


def _ship_line(order: ShipOrder, language: Language, view: PiratesView | None) -> str:
    words = written(language)
    named = _name(order.ship, words, view)
    subject = named or f"{words['ship']} {order.ship}"
    clauses = [_course(order, language)]
    if order.fire is not None:
        clauses.append(_fire(order.fire, words, view))
    return f"{subject}: {'; '.join(clauses)}"


def _course(order: ShipOrder, language: Language) -> str:
    words, codes = written(language), rhumb_codes(language)
    if order.bends:
        return f"{words['course']} {course_text(order.bends, language)}"
    if order.course is not None:
        return f"{words['course']} {codes[order.course]} {order.distance}"
    return words["repair"] if order.repair else words["stand"]


def course_text(bends: tuple[Rhumb, ...], language: Language) -> str:
    """Return courses as they are written: ``ЮВ ЮВ В``."""
    codes = rhumb_codes(language)
    return " ".join(codes[rhumb] for rhumb in bends)


def _fire(fire: Fire, words: Mapping[str, str], view: PiratesView | None) -> str:
    return f"{words['fire']} {words[fire.when]} {_targets(fire.targets, words, view)}"


def _volley_line(order: VolleyOrder, language: Language, view: PiratesView | None) -> str:
    words = written(language)
    head = f"{words['volley']} {volley_letter(order.name, language)}"
    if not order.ships:
        return f"{head}: {words['none']}"
    members, targets = _targets(order.ships, words, view), _targets(order.targets, words, view)
    return f"{head}: {members} {words['at']} {targets} {words[order.when]}"


def volley_letter(name: str, language: Language) -> str:
    """Return a volley's name in the letters of a language where they look alike: «А» and "A"."""
    return (as_cyrillic(name) if language == "ru" else name).upper()


def _targets(
    targets: tuple[int | Literal["any"], ...] | tuple[int, ...], words: Mapping[str, str], view: PiratesView | None
) -> str:
    return ",".join(words["any"] if target == "any" else _target(target, words, view) for target in targets)


def _target(number: int, words: Mapping[str, str], view: PiratesView | None) -> str:
    return _name(number, words, view) or str(number)


def _name(number: int, words: Mapping[str, str], view: PiratesView | None) -> str:
    ship = ship_numbered(view, number) if view is not None else None
    return f"{words['opening']}{ship.name}{words['closing']}" if ship is not None and ship.name else ""
