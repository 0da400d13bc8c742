"""A letter cut into parts by its lines ``игра pirates-8`` and ``место жёлтые``, each heard for itself (4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import msgspec

from adjudicator.services import commands
from adjudicator.services.opened import Opened
from mail.text import Line


def by_game(mail: Opened, own: str = "") -> tuple[Opened, ...]:
    """Return the parts of a letter, each with the tag it names, "" for what stands before the first such line.

    What stands there belongs to the letter's own game, of tag ``own``, and so does what a line gives to that game. A
    letter without such a line is returned as it is. What is said of one game in several places is one part.
    """

    def meant(typed: str) -> str:
        return "" if typed.casefold() == own else typed.casefold()

    return _cut(mail, "game", meant, start="")


def by_seat(mail: Opened, seat_of: Callable[[str], str]) -> tuple[Opened, ...]:
    """Return the parts of a letter that names several seats; with fewer than two, the letter as it is.

    ``seat_of`` says which seat words mean; each part but the first keeps the line that names its seat.
    """
    named = {seat_of(command.argument) for command in _lines_of(mail, "seat")}
    return _cut(mail, "seat", seat_of, start=None) if len(named) > 1 else (mail,)


def only(mail: Opened, places: Sequence[int]) -> Opened:
    """Return a letter that says some of its lines; the others are empty, so that texts end where they ended."""
    kept = frozenset(places)
    lines = [line if place in kept else msgspec.structs.replace(line, raw="") for place, line in enumerate(mail.own)]
    return _with(mail, lines, mail.part)


def of_game(mail: Opened, tag: str, *, own: bool) -> Opened:
    """Return what a letter says of a game, nothing if no part of it does; ``own``: it is the letter's own game."""
    part = "" if own else tag
    found = [one for one in by_game(mail, tag if own else "") if one.part == part]
    return found[0] if found else _with(mail, (), part)


def _lines_of(mail: Opened, name: str) -> list[commands.Command]:
    return [command for command in mail.plan.commands if command.name == name]


def _cut(mail: Opened, name: str, meant: Callable[[str], str], *, start: str | None) -> tuple[Opened, ...]:
    cuts = _lines_of(mail, name)
    if not cuts:
        return (mail,)
    found: dict[str | None, list[Line]] = {start: []}
    for key, lines in _pieces(mail.own, cuts, meant, start):
        found.setdefault(key, []).extend(lines)
    kept = {key: lines for key, lines in found.items() if any(line.raw.strip() for line in lines)}
    # The tag names a game's part; a seat's part belongs to the same game as the letter it was cut from.
    return tuple(_with(mail, lines, key if name == "game" and key else mail.part) for key, lines in kept.items())


def _pieces(
    own: Sequence[Line], cuts: Sequence[commands.Command], meant: Callable[[str], str], start: str | None
) -> Iterator[tuple[str | None, Sequence[Line]]]:
    yield start, own[: cuts[0].line]
    for cut, after in zip(cuts, (*cuts[1:], None), strict=True):
        first = cut.line + (cut.name == "game")  # a line that names a seat is heard with its part
        yield meant(cut.argument), own[first : after.line if after else len(own)]


def _with(mail: Opened, lines: Sequence[Line], part: str) -> Opened:
    """Return a letter that says these lines only; what was set aside stays with the part of the letter's own game."""
    aside = mail.reading.text.set_aside if part == mail.part else ()
    text = msgspec.structs.replace(mail.reading.text, own=tuple(lines), set_aside=aside)
    return replace(mail, reading=msgspec.structs.replace(mail.reading, text=text), part=part)
