"""A letter being read against what its writer sees: whom and what words name, what is open, what was mended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

from msgspec.structs import replace

from engine.core.contract import MODERATOR, Language, Note, Order, Seat
from engine.core.names import Ambiguous, Found, NotFound, words_of
from engine.set_sail.commands import Declare, Gate, Put, Scheme, Taken
from engine.set_sail.orders.lexicon import find_name, fold, glosses, group, said
from engine.set_sail.state import Decision, Roll, SetSailState, SetSailView
from engine.set_sail.view import owed

Kind = Literal["unread", "not-allowed", "ambiguous"]
_PLAIN: Final = frozenset({"exact", "declined"})
_KEY: Final = re.compile(r"[a-z0-9_-]+(?:/[a-z0-9_-]+)+", re.IGNORECASE)
_SLOT: Final = re.compile(r"^(.*?)\s*\b([oоnн])\s?(\d{1,3})$", re.IGNORECASE | re.DOTALL)
_NUMBERED_SEAT: Final = re.compile(r"pirate-(\d+)")
_SLOTS: Final = {"o": "o", "о": "o", "n": "n", "н": "n"}
MOST_TEXT: Final = 4000
MOST_NAMED: Final = 8
MOST_CALLED: Final = 3
"""Words of the longest name that stands in a line."""


class NotOrder(Exception):
    """A line that only begins like an order: prose."""


class Fault(Exception):
    """Why a line is no order now: as a complaint, with orders or lines that could be sent instead.

    ``instead`` are words to put in the place of ``typed``, ``lines`` are whole lines that need no trial.
    """

    def __init__(
        self,
        kind: Kind,
        key: str,
        rule: str = "1.6",
        *,
        offers: Iterable[Order | str] = (),
        instead: Iterable[str] = (),
        lines: Iterable[str] = (),
        **facts: object,
    ) -> None:
        super().__init__(key)
        self.kind: Kind = kind
        self.key = key
        self.rule = rule
        self.offers = tuple(offers)
        self.instead = tuple(instead)
        self.lines = tuple(lines)
        self.facts = facts


def text_of(typed: str) -> str:
    """Return free text as an order keeps it: one space between words. Raises Fault if it is more than fits."""
    text = " ".join(typed.split())
    if len(text) > MOST_TEXT:
        raise Fault("not-allowed", "too-long", n=len(text), most=MOST_TEXT)
    return text


class Desk:
    """One letter's reading: the view, the sheet in force, and what earlier lines of the letter came to."""

    def __init__(self, view: SetSailView, sheet: Sequence[Order], language: Language) -> None:
        self.view = view
        self.state: SetSailState = view.state
        self.seat: Seat = view.seat
        self.language = language
        self.moderator = view.seat == MODERATOR
        self.sheet: dict[str, Order] = {order.slot: order for order in sheet if not isinstance(order, Taken)}
        self.taken: list[Order] = []
        self.notes: list[Note] = []
        self.slots = {slot.key: slot for slot in owed(view) if slot.seat == view.seat}
        self.numbers = [int(slot.key[1:]) for slot in self.slots.values() if slot.what == "declaration"]
        self.first = min(self.numbers, default=1)
        self.last = max((order.number for order in sheet if isinstance(order, Declare | Scheme | Taken)), default=0)
        self.numbered = 0
        """The number that the line in hand has been given as a declaration."""

    # Words

    def note(self, key: str, typed: str, read: str) -> None:
        """Say in the receipt what was mended."""
        self.notes.append(Note(kind="repaired", key=key, facts={"typed": typed.strip(), "read": read}))

    def warn(self, key: str, rule: str, **facts: object) -> None:
        """Say in the receipt what is legal but surprising."""
        self.notes.append(Note(kind="warning", key=key, rule=rule, facts=dict(facts)))

    def settle(self, typed: str, found: Found | Ambiguous | NotFound, what: str, written: Mapping[str, str]) -> str:
        """Return the one thing a typed word means. Raises Fault with ways out where it is none or several."""
        match found:
            case Found(key=key, how=how):
                if how not in _PLAIN:
                    self.note(how, typed, written[key])
                return key
            case Ambiguous(keys=keys):
                names = tuple(written[key] for key in keys)
                raise Fault("ambiguous", f"which-{what}", typed=typed.strip(), names=names, instead=names)
            case NotFound(suggestions=near):
                names = tuple(written[key] for key in near or tuple(written)[:MOST_NAMED])
                raise Fault("unread", f"unknown-{what}", typed=typed.strip(), names=names, instead=names)

    def word(self, name: str, typed: str, what: str = "") -> str:
        """Return the key of a group of words that a text means. Raises Fault."""
        words = group(name)
        written = {key: said(name, key, self.language) for key in words}
        return self.settle(typed, find_name(typed, words), what or name.rstrip("s"), written)

    def known(self, name: str, typed: str) -> bool:
        """Say whether a text means exactly one key of a group."""
        return isinstance(find_name(typed, group(name)), Found)

    # Pirates

    def called(self, seat: Seat) -> str:
        """Return what a seat's pirate is called in a line, so that it is read back: the name where that is safe."""
        for pirate in self.state.pirates:
            if pirate.seat == seat and _safe(pirate.name):
                found = find_name(pirate.name, self.names())
                if isinstance(found, Found) and found.key == seat and found.how == "exact":
                    return pirate.name
        return seat

    def names(self) -> dict[Seat, tuple[str, ...]]:
        """Return the seats with all the names they go by."""
        found: dict[Seat, tuple[str, ...]] = {}
        pirates = {pirate.seat: pirate.name for pirate in self.state.pirates}
        for seat in self.state.roster:
            numbered = _NUMBERED_SEAT.fullmatch(seat)
            titles = (f"Пират {numbered[1]}", f"Pirate {numbered[1]}") if numbered else ()
            found[seat] = tuple(name for name in (seat, *titles, pirates.get(seat, "")) if name)
        said = [word for name in pirates.values() for word in words_of(name)]
        for seat, name in pirates.items():
            own = [word for word in words_of(name) if len(word) >= SHORTEST_NAME and said.count(word) == 1]
            found[seat] = (*found.get(seat, ()), *own)
        return found

    def find_seat(self, typed: str) -> Found | Ambiguous | NotFound:
        """Return whom a typed name means; a number is never mended."""
        found = find_name(typed, self.names())
        if isinstance(found, NotFound) and (near := stems(typed, self.state.roster)):
            return Found(near[0], "declined") if len(near) == 1 else Ambiguous(near, "declined")
        if isinstance(found, NotFound) or found.how != "one-off" or not any(sign.isdigit() for sign in typed):
            return found
        return NotFound(())

    def a_seat(self, typed: str) -> Seat:
        """Return the seat a typed name means. Raises Fault."""
        written = {seat: self.called(seat) for seat in self.state.roster}
        found = self.find_seat(typed)
        return self.settle(typed, found, "pirate", written)

    def own_pirate_luck(self) -> int:
        """Return how much luck the viewer's pirate has, 0 if there is none."""
        return next((pirate.luck for pirate in self.state.pirates if pirate.seat == self.seat), 0)

    # Cards and things of the world

    def moves(self) -> dict[str, tuple[str, ...]]:
        """Return the moves by id, with the names they go by."""
        meant = glosses()
        return {
            card.id: (card.name or card.id, *card.aliases, card.id, *([meant[card.id]] if card.id in meant else []))
            for card in self.state.cards
        }

    def move(self, typed: str) -> str:
        """Return the id of the move a text means. Raises Fault."""
        moves = self.moves()
        return self.settle(typed, find_name(typed, moves), "move", {key: names[0] for key, names in moves.items()})

    def thing(self, typed: str, known: Mapping[str, str]) -> str:
        """Return the id a text means: one that is known by it or its name, else a new one in Latin letters.

        Raises Fault.
        """
        ids = {
            one: (one, one.replace("_", " ").replace("-", " "), *([name] if name else []))
            for one, name in known.items()
        }
        found = find_name(typed, ids)
        if isinstance(found, Found) and found.how in {"exact", "declined", "lookalike", "layout", "translit"}:
            return self.settle(typed, found, "thing", {one: name or one for one, name in known.items()})
        spelt = {slug(name): one for one, name in known.items() if slug(name)} | {one: one for one in ids}
        near = {spelt[one] for one in stems(typed, spelt)}
        if len(near) == 1:
            return near.pop()
        made = slug(typed)
        if not made:
            raise Fault("unread", "unknown-thing", typed=typed.strip(), names=tuple(ids)[:3], instead=tuple(ids)[:3])
        return made

    def world(self) -> dict[str, str]:
        """Return enemies and sides of the world by id, with the names they bear."""
        named = {one.id: one.name for one in self.state.factions}
        return named | {one.id: one.name or named.get(one.id, "") for one in self.state.enemies}

    def sides(self) -> dict[str, str]:
        """Return enemies and sides by id, with the names they bear; those that are to be put down as well."""
        named = self.world()
        for order in self.sheet.values():
            if isinstance(order, Put) and order.what in ("enemy", "threat", "side"):
                named[order.id] = order.text or named.get(order.id) or order.name
            elif isinstance(order, Gate):
                named = {**dict(order.called), **named}
        return named

    def clocks(self) -> dict[str, str]:
        """Return the clocks by id, with the names they bear."""
        return {one.id: one.name for one in self.state.clocks}

    def titled(self, id_: str, known: Mapping[str, str]) -> str:
        """Return what a thing is called in a line, where the name is read back as it; else the id."""
        name = known.get(id_, "")
        plain = bool(name) and all(sign.isalpha() or sign in " -" for sign in name)
        if not plain or len(name.split()) > MOST_CALLED:
            return id_
        return name if Desk(self.view, (), self.language).thing(name, known) == id_ else id_

    def enemy(self, typed: str) -> str:
        """Return the id of an enemy or side of the world, known or new."""
        known = self.sides()
        found = self.thing(typed, known)
        if found not in known:
            self.warn("new-name", "P49", typed=typed.strip(), id=found)
        return found

    def new_name(self, typed: str, made: str, known: Mapping[str, str]) -> str:
        """Return what a thing is to be called that bears no name yet: as it was written, if its id was made of that."""
        name = " ".join(typed.split())
        return name if not known.get(made) and slug(name) == made and name != made else ""

    # Rolls and decisions

    def roll(self, typed: str, among: Sequence[Roll]) -> Roll:
        """Return the roll that a reference (``anna o3``, ``anna/o3``, ``o3``, nothing) means. Raises Fault."""
        if key := _KEY.fullmatch(typed.strip()):
            return self._one(typed, [roll for roll in among if roll.key == key[0].lower()], among)
        name, slot = typed, ""
        if numbered := _SLOT.match(typed.strip()):
            name, slot = numbered[1], _SLOTS[numbered[2].lower()] + numbered[3]
        fitting = [roll for roll in among if not slot or _slot_of(roll) == slot]
        if slot and not fold(name):
            fitting = [roll for roll in fitting if roll.key.startswith(f"{self.seat}/")] or fitting
        if fold(name):
            seat = self.a_seat(name)
            fitting = [roll for roll in fitting if roll.seat == seat]
            own = [roll for roll in fitting if roll.key.startswith(f"{seat}/")]
            fitting = own or fitting
        return self._one(typed, fitting, among)

    def _one(self, typed: str, fitting: Sequence[Roll], among: Sequence[Roll]) -> Roll:
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            refs = tuple(self.ref(roll.key) for roll in fitting)
            raise Fault("ambiguous", "which-roll", typed=typed.strip(), names=refs, instead=refs)
        refs = tuple(self.ref(roll.key) for roll in among)
        raise Fault("not-allowed", "no-such-roll", typed=typed.strip(), names=refs, instead=refs)

    def ref(self, key: str) -> str:
        """Return how a roll is named in a line: ``anna o3``, or its whole key."""
        actor, _, slot = key.partition("/")
        return f"{self.called(actor)} {slot}" if actor in self.state.roster and "/" not in slot else key

    def decision(self, kinds: Sequence[str], typed: str = "") -> Decision:
        """Return the viewer's open decision of some kinds, the one named or the only one. Raises Fault."""
        mine = [one for one in self.state.decisions if one.seat == self.seat and one.kind in kinds]
        mine = [one for one in mine if one.key in self.slots]
        key = re.search(_KEY, typed)
        if key is not None:
            mine = [one for one in mine if one.key == key[0].lower()]
        if len(mine) == 1:
            return mine[0]
        if mine:
            open_ = tuple(one.key for one in mine)
            raise Fault("ambiguous", "which-decision", n=len(open_), offers=[f"{{line}} {key}" for key in open_])
        raise Fault("not-allowed", "nothing-to-decide", what=kinds[0])

    def is_asked(self, kind: str) -> bool:
        """Say whether the viewer has a decision of a kind open."""
        return any(one.kind == kind and one.seat == self.seat for one in self.state.decisions)

    # Numbers

    def declaration(self, given: int | None, order: Declare | Scheme | None = None) -> int:
        """Return the number of a declaration: the one named, that of the same one sent again, else the next.

        Refused ones have numbers too (fair-play 3.5). Raises Fault past the last slot.
        """
        same = [
            one.number
            for one in self.sheet.values()
            if isinstance(one, Declare | Scheme) and order is not None and _same(one, order)
        ]
        free = next((number for number in self.numbers if number > self.last), self.last + 1)
        number = given if given is not None else same[0] if same else free
        self.last = max(self.last, number)
        if self.numbers and number not in self.numbers:
            raise Fault("not-allowed", "no-such-number", "1.6", number=number, numbers=tuple(self.numbers))
        self.numbered = number if self.numbers else 0
        return number

    def command_number(self, given: int | None) -> int:
        """Return the number of a command of the moderator: the one named, else above those of the sheet."""
        if given is not None:
            return given
        numbers = [int(slot[1:]) for slot in self.sheet if re.fullmatch(r"c\d+", slot)]
        return max(numbers, default=0) + 1

    def must_act(self, what: str) -> None:
        """Refuse what only a pirate in the scene may do in a players' turn. Raises Fault."""
        if self.state.stage == "set-up":
            raise Fault("not-allowed", "set-up-first", "P1", what=what)
        if self.state.stage == "ruling":
            raise Fault("not-allowed", "wait-for-ruling", "1.6", what=what)
        if f"o{self.first}" not in self.slots:
            raise Fault("not-allowed", "out-of-scene", "P19", what=what)


def _same(one: Declare | Scheme, other: Declare | Scheme) -> bool:
    return type(one) is type(other) and replace(one, number=1) == replace(other, number=1)


def _slot_of(roll: Roll) -> str:
    parts = roll.key.split("/")
    return parts[1] if len(parts) > 1 else ""


def _safe(name: str) -> bool:
    """Say whether a name can stand in a line without being taken for something else."""
    plain = name.replace(" ", "").replace("-", "")
    return bool(plain) and plain.isalpha() and len(name.split()) <= 3


SHORTEST_NAME: Final = 3


def stems(typed: str, ids: Iterable[str]) -> tuple[str, ...]:
    """Return the ids in Latin letters that a Russian word is a case form of: «губернатора» is ``gubernator``."""
    spelt = slug(typed)
    if fold(typed).isascii() or len(spelt) < SHORTEST_NAME + 1:
        return ()
    found = []
    for one in ids:
        pairs = enumerate(zip(spelt, one, strict=False))
        stem = next((at for at, (sign, other) in pairs if sign != other), min(len(spelt), len(one)))
        if stem >= max(SHORTEST_NAME, len(one) - 2) and len(spelt) - stem <= SHORTEST_NAME:
            found.append(one)
    return tuple(found)


_LATIN: Final = dict(
    zip(
        "абвгдезийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya".replace("_", "").split(" "),
        strict=True,
    )
) | {"ж": "zh"}


def slug(typed: str) -> str:
    """Return an id of Latin letters for a name, "" if nothing is left of it."""
    spelt = "".join(_LATIN.get(sign, sign) for sign in fold(typed))
    return re.sub(r"[^a-z0-9]+", "-", spelt).strip("-")[:32].strip("-")
