"""The showpieces: what goes wrong or otherwise than usual on a fixed turn, and who does it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias

import msgspec

from adjudicator.demo.programs import Draft
from adjudicator.demo.sailor import Line, Sailor
from engine.core.contract import Order
from engine.pirates.state import Fire, ShipOrder

Target: TypeAlias = Literal["report", "receipt", "press", "reminder"]
"""The letter that is answered: the last one of its kind."""


@dataclass(frozen=True, slots=True)
class Post:
    """A letter to be written: when, to which letter it answers, and how it is worded when its hour has come.

    ``copies`` is how often it is sent; ``scene`` the showpiece it belongs to, "" for an ordinary letter.
    """

    at: datetime
    write: Callable[[], Draft]
    answers: Target = "report"
    scene: str = ""
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Hour:
    """The times of a turn for one sailor: when he usually writes, and how it ends."""

    writes: datetime
    deadline: datetime

    def later(self, hours: float) -> datetime:
        """Return an instant so many hours after he usually writes."""
        return self.writes + timedelta(hours=hours)


@dataclass(frozen=True, slots=True)
class Receipts:
    """What a sailor can look up in his mail: the number of the receipt for his letter of a scene."""

    number: Callable[[str], int]


Scene: TypeAlias = Callable[[Sailor, Hour, Receipts], list[Post]]


def usual(sailor: Sailor, hour: Hour, *, ready: bool | None = None) -> list[Post]:
    """Return the one letter of a turn without surprises; ``ready`` says whether he adds the word, else chance does."""
    word = sailor.ready() if ready is None else (sailor.person.word,) if ready else ()
    if sailor.turn == 0:
        word = (sailor.person.word,) if sailor.is_awaited else ()
    lines = [*sailor.namings(), *sailor.lines(sailor.decided())] if sailor.turn == 0 else sailor.lines(sailor.decided())
    return [Post(hour.writes, lambda: sailor.draft(lines, *word))]


def name(sailor: Sailor, hour: Hour, _: Receipts) -> list[Post]:
    """Give a ship a name that is a word of command, and another one after the receipt."""
    first, *rest = sailor.namings()
    number = first.text.split(":")[0]
    bad = Line(first.slot, f"{number}: {sailor.words.line('bad_name')}")
    after = sailor.words.lines("refused", "after")
    return [
        Post(hour.writes, lambda: sailor.draft([bad, *rest]), scene="name"),
        Post(hour.later(1), lambda: sailor.draft([first], said=after, salt=False), "receipt"),
    ]


def refused(sailor: Sailor, hour: Hour, _: Receipts) -> list[Post]:
    """Mistype a ship beyond recognition, and mend the line in answer to the receipt."""
    lines = sailor.lines(sailor.decided())
    first, *rest = lines
    bad = Line(first.slot, f"{sailor.words.line('mistyped')}: {first.text.partition(': ')[2]}")
    after = sailor.words.lines("refused", "after")
    return [
        Post(hour.writes, lambda: sailor.draft([bad, *rest]), scene="refused"),
        Post(hour.later(1), lambda: sailor.draft([first], sailor.person.word, said=after, salt=False), "receipt"),
    ]


def cut(sailor: Sailor, hour: Hour, _: Receipts) -> list[Post]:
    """Ask for a longer run than the wind allows."""
    lines = [_too_long(sailor, order) for order in sailor.decided()]
    return [Post(hour.writes, lambda: sailor.draft(lines, sailor.person.word), scene="cut")]


def _too_long(sailor: Sailor, order: Order) -> Line:
    """Return the line of an order whose run is too long, the order as it is if none would be."""
    longer = order
    if isinstance(order, ShipOrder):
        longer = msgspec.structs.replace(order, course=order.course or "N", distance=order.distance + 3, repair=False)
    line = sailor.ruleset.write(longer, sailor.person.language, sailor.view)
    return Line(order.slot, line if sailor.cut(line) else sailor.phrased(order))


def wait(sailor: Sailor, hour: Hour, _: Receipts) -> list[Post]:
    """Ask everybody to wait, and be ready the day after."""
    lines = sailor.lines(sailor.decided())
    command = sailor.words.line("wait")
    first, after = sailor.words.lines("wait", "first"), sailor.words.lines("wait", "after")
    freed = (sailor.words.line("no_wait"), sailor.person.word)
    return [
        Post(hour.writes, lambda: sailor.draft(lines, command, said=first), scene="wait"),
        Post(hour.later(22), lambda: sailor.draft([], *freed, said=after, salt=False), "receipt", "wait"),
    ]


def restore(sailor: Sailor, hour: Hour, receipts: Receipts) -> list[Post]:
    """Send a plan, then another, and take the second one back."""
    lines = sailor.lines(sailor.decided())
    other = sailor.lines(_sitting_tight(sailor))
    second, third = sailor.words.lines("restore", "second"), sailor.words.lines("restore", "third")

    def back() -> Draft:
        number = receipts.number("restore")
        command = sailor.words.line("restore", number=number)
        return sailor.draft([], command, sailor.person.word, said=third, salt=False)

    return [
        Post(hour.writes, lambda: sailor.draft(lines), scene="restore"),
        Post(hour.later(1), lambda: sailor.draft(other, said=second, salt=False), "receipt"),
        Post(hour.later(2), back, "receipt"),
    ]


def _sitting_tight(sailor: Sailor) -> list[Order]:
    fire = Fire(when="after", targets=("any",))
    return [ShipOrder(ship=order.ship, fire=fire) for order in sailor.decided() if isinstance(order, ShipOrder)]


def status(sailor: Sailor, hour: Hour, _: Receipts) -> list[Post]:
    """Ask what is in force, after one's orders."""
    asked = (sailor.words.line("status"), sailor.words.line("map"))
    text = sailor.words.lines("status", "text")
    question = Post(hour.later(3), lambda: sailor.draft([], *asked, said=text, salt=False), "receipt", "status")
    return [*usual(sailor, hour, ready=True), question]


def forgot(_sailor: Sailor, _hour: Hour, _receipts: Receipts) -> list[Post]:
    """Write nothing at all."""
    return []


def late(sailor: Sailor, hour: Hour, _: Receipts) -> list[Post]:
    """Write a minute after the deadline."""
    text = sailor.words.lines("late", "text")
    lines = sailor.lines(sailor.decided())
    after = hour.deadline + timedelta(minutes=1)
    return [Post(after, lambda: sailor.draft(lines, said=text, salt=False), "reminder", "late")]


def twice(sailor: Sailor, hour: Hour, _: Receipts) -> list[Post]:
    """Have a mail server that delivers the same mail ten times."""
    text = sailor.words.lines("twice", "text")
    lines = sailor.lines(sailor.decided())
    return [Post(hour.writes, lambda: sailor.draft(lines, said=text), scene="twice", copies=10)]


def standing(sailor: Sailor, hour: Hour, _: Receipts) -> list[Post]:
    """Leave standing orders beside those of the turn."""
    kept = [Line(line.slot, sailor.words.line("standing", order=line.text)) for line in _standing_lines(sailor)]
    text = sailor.words.lines("standing", "text")
    lines = sailor.lines(sailor.decided())
    return [
        Post(hour.writes, lambda: sailor.draft(lines, sailor.person.word)),
        Post(
            hour.later(1), lambda: sailor.draft(kept, sailor.person.word, said=text, salt=False), "receipt", "standing"
        ),
    ]


def _standing_lines(sailor: Sailor) -> list[Line]:
    """Return the orders to be kept, by number: names may be misread where a line begins with another word."""
    language = sailor.person.language
    return [Line(order.slot, sailor.ruleset.write(order, language)) for order in _sitting_tight(sailor)]


def quote(sailor: Sailor, hour: Hour, _: Receipts) -> list[Post]:
    """Change the answer template inside the quote, learn that it does not count so, and say yes to it."""
    edits = _edits(sailor, [_aimed(sailor, order) for order in sailor.decided()])
    first, yes = sailor.words.lines("quote", "first"), sailor.words.line("yes")
    salt = sailor.words.line("salt", words=sailor.person.salts[0])

    def edited() -> Draft:
        draft = sailor.draft([], salt, said=first, salt=False)
        return Draft(draft.lines, draft.signature, edits=edits)

    return [
        Post(hour.writes, edited, scene="quote"),
        Post(hour.later(1), lambda: Draft((yes,), sailor.person.name), "receipt", "quote"),
    ]


def _aimed(sailor: Sailor, order: Order) -> Order:
    """Return an order that fires at enemies one by one, as nobody has written before."""
    if not isinstance(order, ShipOrder):
        return order
    own = next(ship.side for ship in sailor.view.ships if ship.number == order.ship)
    enemies = [ship.number for ship in sailor.view.ships if ship.side != own and ship.fate == "afloat"]
    return msgspec.structs.replace(order, fire=Fire(when="before", targets=(*reversed(enemies), "any")))


def _edits(sailor: Sailor, orders: Sequence[Order]) -> dict[str, str]:
    """Return, by line of the answer template, what it would have to say for these orders, where that differs."""
    language = sailor.person.language
    lines = [Line(order.slot, sailor.ruleset.write(order, language, sailor.view)) for order in orders]
    return {offered: line for offered, line in sailor.answers(lines).items() if offered != line}


TURNS: Final[Mapping[int, tuple[tuple[int, Scene], ...]]] = {
    0: ((1, name),),
    1: ((0, refused),),
    2: ((3, cut),),
    3: ((2, wait), (0, restore)),
    4: ((1, forgot), (0, status)),
    5: ((2, late),),
    6: ((3, standing), (1, twice)),
    7: ((3, forgot), (1, quote)),
}
"""Who does what on which turn; the number is a place among those who owe orders, in the order of invitations."""

FORGOTTEN: Final = 4
"""The turn that somebody forgets."""

ALL_READY: Final = (2, 3)
"""Turns in which everybody is ready at once."""
