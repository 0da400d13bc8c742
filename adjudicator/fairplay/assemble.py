"""One log put together from the parts at hand: its events in order, its heads against the pins, its openings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from adjudicator.fairplay.events import AnyEvent, read_event, write_event
from adjudicator.fairplay.log import NO_HEAD, Event, Object, Opening, Pin, canon, fits, link
from adjudicator.fairplay.sources import Found, Place, Source

MOST_HEADS: Final = 4
"""Ways in which heads are computed at once where pins do not agree."""


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it must be.

    ``kind`` is a key for templates and ``facts`` fill its phrase; ``place`` is the line to look at; ``first`` and
    ``last`` are the events it casts doubt on (0 and 0: none in particular).
    """

    kind: str
    place: Place | None
    first: int = 0
    last: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entered:
    """An event of the log, where it stands; ``event`` is None where the line does not have the form of its type."""

    place: Place
    object: Object
    event: AnyEvent | None


@dataclass(frozen=True, slots=True)
class Log:
    """A log put together.

    ``head`` is that after the last event, None where it cannot be known; ``pinned`` counts the pins that agree,
    ``beyond`` those of events not at hand.
    """

    events: Mapping[int, Entered]
    openings: Mapping[tuple[int, str | None], Object]
    places: Mapping[tuple[int, str | None], Place]
    head: str | None
    pinned: int
    beyond: int
    faults: tuple[Fault, ...]


def assemble(sources: Iterable[Source]) -> Log:
    """Return the log that the sources of one campaign hold, in whatever order they come.

    Inside a source events must rise, up to a pin, which ends a part. What does not hold together is among the faults.
    """
    lines = [found for source in sources for found in _in_order(source)]
    pasted = [pinned for source in sources for pinned in source.pins]
    faults = [found.fault for found in lines if found.fault is not None]
    events = _events(lines, faults)
    pins = [(found.place, found.line) for found in lines if isinstance(found.line, Pin)]
    last = max(events, default=0)
    faults += _gaps(events)
    faults += [Fault("cut", place, last + 1, pin.seq) for place, pin in pins if pin.seq > last]
    claims: dict[int, list[tuple[Place, Pin]]] = {}
    for place, pin in pins + pasted:
        claims.setdefault(pin.seq, []).append((place, pin))
    chained = _Chain(events, claims)
    faults += chained.faults
    openings, places = _openings(lines, events, faults)
    beyond = sum(pin.seq > last for _, pin in pasted)
    return Log(events, openings, places, chained.head, chained.pinned, beyond, tuple(faults))


@dataclass(frozen=True, slots=True)
class _Read:
    place: Place
    line: Event | Opening | Pin | None
    fault: Fault | None = None


def _in_order(source: Source) -> Iterator[_Read]:
    last = 0
    for found in source.lines:
        yield _Read(found.place, found.line, _misplaced(found, last))
        match found.line:
            case Event(seq=seq):
                last = seq
            case Pin():
                last = 0


def _misplaced(found: Found, last: int) -> Fault | None:
    if found.line is None:
        return Fault("unreadable", found.place, facts={"why": found.why})
    if isinstance(found.line, Event) and found.line.seq <= last:
        return Fault("reordered", found.place, found.line.seq, last, {"seq": found.line.seq, "after": last})
    return None


def _events(lines: Iterable[_Read], faults: list[Fault]) -> dict[int, Entered]:
    events: dict[int, Entered] = {}
    for read in lines:
        if not isinstance(read.line, Event):
            continue
        seq, plain = read.line.seq, read.line.object
        if seq not in events:
            events[seq] = _typed(read.place, seq, plain, faults)
        elif canon(events[seq].object) != canon(plain):
            other = events[seq].place
            faults.append(Fault("fork", read.place, seq, seq, {"seq": seq, "other": other.source, "line": other.line}))
    return dict(sorted(events.items()))


def _typed(place: Place, seq: int, plain: Object, faults: list[Fault]) -> Entered:
    try:
        event = read_event(dict(plain))
    except msgspec.ValidationError as refused:
        faults.append(Fault("form", place, seq, seq, {"why": str(refused)}))
        return Entered(place, plain, None)
    if write_event(event) != plain:
        faults.append(Fault("form", place, seq, seq, {"why": "not as it would be written"}))
    return Entered(place, plain, event)


def _gaps(events: Mapping[int, Entered]) -> Iterator[Fault]:
    expected = 1
    for seq, entered in events.items():
        if seq != expected:
            yield Fault("gap", entered.place, expected, seq - 1, {"first": expected, "last": seq - 1})
        expected = seq + 1


class _Chain:
    """The heads computed along the events and compared with the pins.

    Where no pin of an event agrees, the doubt falls on the events since the last one that did. From there the heads are
    computed both ways, from the lines and from the pins, so that later events are judged for themselves.
    """

    def __init__(self, events: Mapping[int, Entered], claims: Mapping[int, list[tuple[Place, Pin]]]) -> None:
        self.pinned = 0
        self.faults: list[Fault] = []
        self._heads = [NO_HEAD]
        self._good = 0
        before = 0
        for seq, entered in events.items():
            if seq != before + 1:
                self._heads = _claimed(claims.get(seq - 1, []))
                self._good = seq - 1
            self._heads = [link(head, entered.object) for head in self._heads]
            self._compare(seq, claims.get(seq, []))
            before = seq

    @property
    def head(self) -> str | None:
        """The head after the last event, None where a gap hides it."""
        return self._heads[0] if self._heads else None

    def _compare(self, seq: int, claims: list[tuple[Place, Pin]]) -> None:
        agreeing = [pin.head for _, pin in claims if pin.head in self._heads]
        self.pinned += len(agreeing)
        if self._heads:
            facts = {"seq": seq, "after": self._good, "head": self._heads[0]}
            others = [place for place, pin in claims if pin.head not in self._heads]
            self.faults += [Fault("pin", place, self._good + 1, seq, facts) for place in others]
        if agreeing:
            self._heads = [head for head in self._heads if head in agreeing]
        else:
            self._heads = [*self._heads, *_claimed(claims)][:MOST_HEADS]
        if claims:
            self._good = seq


def _claimed(claims: Iterable[tuple[Place, Pin]]) -> list[str]:
    return list(dict.fromkeys(pin.head for _, pin in claims))


def _openings(
    lines: Iterable[_Read], events: Mapping[int, Entered], faults: list[Fault]
) -> tuple[dict[tuple[int, str | None], Object], dict[tuple[int, str | None], Place]]:
    openings: dict[tuple[int, str | None], Object] = {}
    places: dict[tuple[int, str | None], Place] = {}
    for read in lines:
        if not isinstance(read.line, Opening):
            continue
        opening = read.line
        facts = {"seq": opening.seq, "part": opening.part}
        committed = commitment_of(events[opening.seq].object, opening.part) if opening.seq in events else None
        if committed is None and opening.seq not in events and _between(events, opening.seq):
            continue
        if committed is None:
            faults.append(Fault("stray-opening", read.place, opening.seq, opening.seq, facts))
        elif not fits(opening, committed):
            faults.append(Fault("opening", read.place, opening.seq, opening.seq, facts))
        else:
            openings[opening.seq, opening.part] = opening.object
            places[opening.seq, opening.part] = read.place
    return openings, places


def _between(events: Mapping[int, Entered], seq: int) -> bool:
    """Say whether an event is missing in a gap: its openings cannot be checked, and the gap has been said."""
    return 0 < seq < max(events, default=0)


def commitments(event: Object) -> dict[str | None, str]:
    """Return the commitments of an event by part name; the name is None where there is one part."""
    match event.get("private"):
        case str(only):
            return {None: only}
        case dict(several):
            return dict(several)
    return {}


def commitment_of(event: Object, part: str | None) -> str | None:
    """Return what an event commits to under a part's name, None where it has no such part."""
    committed = commitments(event).get(part)
    return committed if isinstance(committed, str) else None
