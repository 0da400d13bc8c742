"""Rule cases played against their ruleset: what happens must agree with what is written."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from engine.core.casefile import (
    SECTIONS,
    Case,
    CaseSyntaxError,
    Section,
    facts_of,
    named,
    pairs_of,
    parse,
    value_of,
)
from engine.core.codec import decode, encode
from engine.core.contract import (
    Answers,
    Event,
    Language,
    Options,
    Outcome,
    Pause,
    Question,
    Reading,
    Ruleset,
    Seat,
    Sheet,
    State,
    Value,
)
from engine.core.dice import LoadedDice
from engine.core.registry import UnknownRuleset, ruleset

__all__ = ["SECTIONS", "Case", "CaseSyntaxError", "Section", "Verdict", "parse", "run"]


class Verdict(Value, frozen=True, kw_only=True):
    """Whether a case holds, and if not why not."""

    ok: bool
    why: str = ""


class _Failed(Exception):
    """A check of a case that did not hold."""


class _Run:
    """A case being played, turn by turn."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.rules: Ruleset = ruleset(case.ruleset)
        self.notation = _notation(case.ruleset)
        self.options: Options = msgspec.convert(case.options, self.rules.info.options)
        self.roster = tuple(seat.id for seat in self.rules.seats(self.options, case.players))
        self.state: State | None = None
        self.sheets: dict[Seat, Sheet] = {}
        self.faces: dict[str, int] = {}
        self.answers: dict[str, str] = {}
        self.questions: tuple[Question, ...] = ()

    def play(self) -> None:
        for sections in self.case.turns:
            self._turn(sections)

    def _turn(self, sections: Sequence[Section]) -> None:
        if not self.questions:
            self.sheets, self.faces, self.answers = {}, {}, {}
        self.faces |= {key: int(value) for section in named(sections, "dice") for key, value in pairs_of(section)}
        dice = LoadedDice(self.faces, lambda address, _: self._default_face(address))
        if named(sections, "start"):
            opening = self.rules.start(self.options, self.roster, dice, data=self.case.data)
            self._check_turn(sections, opening.state, opening.state, opening.events, dice)
            return
        before = self._position(sections)
        readings = self._read(sections, before)
        self._check_readings(sections, before, readings)
        if self._only_read(sections):
            return
        self.answers |= {key: value for section in named(sections, "answers") for key, value in pairs_of(section)}
        result = self.rules.resolve(before, self.sheets, dice, Answers(self.answers, dice))
        if isinstance(result, Pause):
            self._check_pause(sections, result)
        else:
            self.questions = ()
            self._check_turn(sections, before, result.state, result.events, dice)

    def _default_face(self, address: str) -> int | None:
        return cast("dict[str, int]", getattr(self.notation, "FACES", {})).get(address)

    def _only_read(self, sections: Sequence[Section]) -> bool:
        """Say whether a turn only reads orders or looks: it holds nothing that resolving could show."""
        looks = {"options", "players", "position", "orders", "silent", "receipt", "foresee", "view"}
        return bool(sections) and all(section.name in looks for section in sections)

    def _position(self, sections: Sequence[Section]) -> State:
        given = named(sections, "position")
        if not given:
            if self.state is None:
                raise _Failed("the case has neither a position nor a start")
            return self.state
        text = "\n".join(given[0].lines)
        if self.notation is None:
            return cast("State", decode(text, self.rules.info.state))
        state = self.notation.read_position(text, self.options, self.roster, self.case.data)
        self.state = cast("State", state)
        return self.state

    def _read(self, sections: Sequence[Section], before: State) -> dict[Seat, list[Reading]]:
        """Read the orders as letters in their order, then fill what is to be left silent."""
        readings: dict[Seat, list[Reading]] = {}
        for section in sections:
            if section.name == "orders":
                seat, *language = section.arguments
                view = self.rules.view(before, seat, self._asked(seat))
                tongue = cast("Language", language[0] if language else "ru")
                reading = self.rules.read(view, self.sheets.get(seat, ()), section.lines, tongue)
                readings.setdefault(seat, []).append(reading)
                self.sheets[seat] = reading.sheet
            elif section.name == "silent":
                for seat in section.arguments:
                    view = self.rules.view(before, seat, self._asked(seat))
                    sheet = self.sheets.get(seat, ())
                    self.sheets[seat] = (*sheet, *self.rules.silent(view, sheet))
        return readings

    def _asked(self, seat: Seat) -> tuple[Question, ...]:
        return tuple(question for question in self.questions if question.seat == seat)

    # Checks

    def _check_readings(
        self, sections: Sequence[Section], before: State, readings: Mapping[Seat, Sequence[Reading]]
    ) -> None:
        expected = {section.arguments[0]: section for section in named(sections, "receipt")}
        for seat, letters in readings.items():
            found = [line for reading in letters for line in _receipt_lines(reading)]
            if seat in expected:
                _check_receipt(expected[seat], found)
            elif any(line["receipt"] == "complaint" for line in found):
                raise _Failed(f"orders of {seat} were not taken: {encode(found)}")
        for section in named(sections, "foresee"):
            seat = section.arguments[0]
            view = self.rules.view(before, seat, self._asked(seat))
            _check_events(section, self.rules.foresee(view, self.sheets.get(seat, ())))
        if self._only_read(sections):
            self._check_views(sections, before, ())

    def _check_pause(self, sections: Sequence[Section], pause: Pause) -> None:
        asked = [f"{question.key} {question.seat}" for question in pause.questions]
        expected = [" ".join(line.split()) for section in named(sections, "asks") for line in section.lines]
        if asked != expected:
            raise _Failed(f"asked {asked}, not {expected}")
        self.questions = pause.questions
        for section in named(sections, "events"):
            _check_events(section, pause.events)

    def _check_turn(
        self,
        sections: Sequence[Section],
        before: State,
        after: State,
        events: tuple[Event, ...],
        dice: LoadedDice,
    ) -> None:
        self.state = after
        if named(sections, "asks"):
            raise _Failed("nothing was asked")
        if dice.unused():
            raise _Failed(f"dice loaded and not thrown: {', '.join(dice.unused())}")
        for section in named(sections, "then"):
            self._check_then(section, before, after)
        for section in named(sections, "events"):
            _check_events(section, events)
        self._check_views(sections, after, events)
        self._check_outcome(sections, self.rules.outcome(after))

    def _check_then(self, section: Section, before: State, after: State) -> None:
        text = "\n".join(section.lines)
        if self.notation is None:
            wrong = _json_differences(json.loads(text), _plain(after))
        else:
            wrong = self.notation.differences(before, after, text)
        if wrong:
            raise _Failed("; ".join(wrong))

    def _check_views(self, sections: Sequence[Section], state: State, events: Sequence[Event]) -> None:
        for section in named(sections, "view"):
            seat = section.arguments[0]
            view = _plain(self.rules.view(state, seat, self._asked(seat)))
            known = [_tag(event) for event in events if event.known_to(seat)]
            for line in section.lines:
                _check_view_line(line, seat, view, known)

    def _check_outcome(self, sections: Sequence[Section], outcome: Outcome | None) -> None:
        words = "none"
        if outcome is not None:
            words = " ".join((",".join(outcome.sides) or "draw", outcome.reason, *outcome.winners))
        expected = [" ".join(line.split()) for section in named(sections, "outcome") for line in section.lines]
        if words != (expected[0] if expected else "none"):
            raise _Failed(f"outcome is «{words}», not «{expected[0] if expected else 'none'}»")


def run(case: Case) -> Verdict:
    """Play a case and say whether it holds. A case that asks for what cannot be does not hold."""
    try:
        _Run(case).play()
    except _Failed as failure:
        return Verdict(ok=False, why=str(failure))
    except (ValueError, LookupError, UnknownRuleset) as error:
        return Verdict(ok=False, why=f"{type(error).__name__}: {error}")
    return Verdict(ok=True)


def _notation(name: str) -> Any:
    """Return the module that reads a ruleset's positions, or None: its positions are JSON then."""
    module = f"engine.{name}.notation"
    return importlib.import_module(module) if importlib.util.find_spec(module) else None


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: lists, not tuples."""
    return json.loads(encode(value))


def _tag(event: Event) -> str:
    return str(_plain(event)["type"])


def _receipt_lines(reading: Reading) -> list[dict[str, Any]]:
    """Return what a receipt says beside the bare orders, in line order, flat."""
    found: list[tuple[int, dict[str, Any]]] = []
    for order in reading.orders:
        for note in order.notes:
            line = {**_plain(note.facts), "receipt": note.kind, "key": note.key, "rule": note.rule}
            found.append((order.lines[0], line))
    for complaint in reading.complaints:
        facts = {**_plain(complaint.facts), "kind": complaint.kind, "rule": complaint.rule}
        found.append((complaint.lines[0], {**facts, "receipt": "complaint", "key": complaint.key}))
    return [line for _, line in sorted(found, key=lambda one: one[0])]


def _check_receipt(section: Section, found: Sequence[Mapping[str, Any]]) -> None:
    """Compare a receipt with ``complaint KEY fact=…`` and ``cut KEY``, ``drops KEY`` …: all of it, in order."""
    if len(section.lines) != len(found):
        raise _Failed(f"the receipt says {encode(found)}, not {len(section.lines)} things")
    for line, have in zip(section.lines, found, strict=True):
        kind, key, *_ = line.split()
        want = {"receipt": kind, "key": key, **facts_of(line)}
        if not _agrees(want, have):
            raise _Failed(f"the receipt says {encode(have)}, not «{line}»")


def _check_events(section: Section, events: Sequence[Event]) -> None:
    """Compare the events of the kinds a section names, in order; ``no KIND`` means none of it."""
    lines = [line.split()[0] for line in section.lines]
    absent = [line.split()[1] for line in section.lines if line.split()[0] == "no"]
    kinds = {*lines, *absent}
    found = [_plain(event) for event in events if _tag(event) in kinds]
    expected = [line for line in section.lines if line.split()[0] != "no"]
    for line, have in zip(expected, found, strict=False):
        if not _agrees({"type": line.split()[0], **facts_of(line)}, have):
            raise _Failed(f"happened {encode(have)}, not «{line}»")
    if len(expected) != len(found):
        raise _Failed(f"happened {[one['type'] for one in found]}, not {expected}")


def _agrees(want: Mapping[str, Any], have: Mapping[str, Any]) -> bool:
    """Say whether all that is wanted is there; a lone value stands for a list of one, and what is missing for empty."""
    return all(_same(value, have.get(key)) for key, value in want.items())


def _same(want: Any, have: Any) -> bool:
    if isinstance(have, list) and not isinstance(want, list):
        return bool(have == [want])
    return bool(want == have) or (have is None and want in ("", 0, False))


def _check_view_line(line: str, seat: Seat, view: Mapping[str, Any], known: Sequence[str]) -> None:
    match line.split():
        case ["knows", kind]:
            if kind not in known:
                raise _Failed(f"{seat} does not know {kind}")
        case ["unaware", "of", kind]:
            if kind in known:
                raise _Failed(f"{seat} knows {kind}")
        case [key, "=", *_]:
            want = value_of(line.partition("=")[2].strip())
            if not _same(want, view.get(key)):
                raise _Failed(f"{seat} sees {key} = {view.get(key)!r}, not {want!r}")
        case _:
            raise _Failed(f"{line!r} is neither «key = value», «knows KIND» nor «unaware of KIND»")


def _json_differences(want: Any, have: Any, path: str = "") -> list[str]:
    """Return where a JSON value differs from what is wanted of it; keys not wanted are not looked at."""
    if isinstance(want, dict) and isinstance(have, dict):
        return [line for key, one in want.items() for line in _json_differences(one, have.get(key), f"{path}/{key}")]
    return [] if want == have else [f"{path or '/'}: {have!r}, not {want!r}"]
