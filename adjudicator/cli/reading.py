"""A letter read as intake would read it, as one plain object: with a house at hand, or with nothing but the rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final

from adjudicator.services import commands, identity, opened, positions
from adjudicator.services.identity import Speaker
from adjudicator.services.intake import Doorway
from adjudicator.services.resolving import TrialDice
from adjudicator.services.work import Work
from engine.core import registry
from engine.core.contract import Answers, Resolution, Ruleset, Seat
from engine.core.dice import MAIN
from mail import read as mail_read
from mail.read import MailReading, Verdict
from mail.reply import Speech

WORDS: Final = {
    Verdict.AUTOMATIC: "automatic",
    Verdict.OURS: "automatic",
    Verdict.BOUNCE: "bounce",
    Verdict.QUARANTINED: "quarantined",
    Verdict.EMPTY: "empty",
}
"""Verdicts that a mail has by itself; a person's mail with own words is ``orders``, ``held`` or ``empty``."""

_SHAPE: Final = re.compile(r"\W{0,4}[^\W\d_]{2,20} {0,2}[№#]? {0,2}\d{1,3} {0,2}[:.] {0,2}\S")
"""How orders look in every ruleset, whichever are installed here: a kind of piece, its number, a colon."""

Shown = dict[str, Any]
_View = tuple[Ruleset, Any]


def read_alone(raw: bytes, why: str) -> Shown:
    """Read a mail without a house: nobody's sender can be proven then, for the reason ``why``."""
    reading = mail_read.read(raw, speech=Speech(is_order=_surely_intends))
    return _shown(reading, proven=False, why=why, doubt=bool(reading.held), intends=_seems_to_intend(_texts(reading)))


def read_here(work: Work, raw: bytes, doorway: Doorway) -> Shown:
    """Read a mail as intake would, from whichever mailbox of the configuration vouches for it; nothing is changed."""
    first = _vouched(work, raw, doorway)
    who = identity.speaker(work, first, trusted=False)
    reading = mail_read.reread(
        first, sent_lines=opened.sent_keys(work, first, who), speech=Speech(is_order=_surely_intends)
    )
    why = who.doubt or who.proof
    intends = _seems_to_intend(_texts(reading)) if who.game is None else _intends(work, who, _texts(reading))
    return _shown(reading, proven=not who.doubt, why=why, doubt=bool(who.doubt), intends=intends)


def _vouched(work: Work, raw: bytes, doorway: Doorway) -> MailReading:
    """Read a mail with the authserv-id of the first mailbox whose provider says anything of the sender."""
    pinned = [doorway.authserv(f"imap:{box.user}@{box.host}") for box in work.config.imap]
    for authserv in dict.fromkeys(one for one in pinned if one):
        reading = opened.read(work, raw, authserv)
        if reading.authentication.result != "none":
            return reading
    return opened.read(work, raw, "")


def _shown(reading: MailReading, *, proven: bool, why: str, doubt: bool, intends: bool) -> Shown:
    incoming = reading.incoming
    word = WORDS.get(reading.verdict) or ("empty" if not intends else "held" if doubt else "orders")
    reasons = {"held": ", ".join(reading.held) or why, "empty": "no-intent"}
    return {
        "verdict": word,
        "why": reading.why or reasons.get(word, ""),
        "sender": {"address": incoming.from_address, "proven": proven, "why": why},
        "subject": incoming.subject,
        "own": [line.raw.strip() for line in reading.text.own if line.raw.strip()],
        "set_aside": [{"line": aside.line.raw.strip(), "why": aside.why} for aside in reading.text.set_aside],
        "charset": incoming.charset,
        "repairs": list(incoming.repairs),
    }


# Intent ---------------------------------------------------------------------------------------------------------------


def _texts(reading: MailReading) -> tuple[str, ...]:
    return tuple(line.text for line in reading.text.own)


def _intends(work: Work, who: Speaker, lines: Sequence[str]) -> bool:
    """Say whether any line is a command, press, or an order or complaint to the seat that speaks."""
    plan = commands.plan(lines)
    if plan.commands or plan.press:
        return True
    turn = positions.current(work, who.game) if who.game is not None else None
    if who.game is None or turn is None or not who.tenures:
        return _seems_to_intend(lines)
    table = positions.table(who.game)
    view = table.ruleset.view(positions.state_of(work, table, turn), who.tenures[0].seat)
    return _read_as(lambda found: found.orders or found.complaints, [(table.ruleset, view)], plan.orders)


def _seems_to_intend(lines: Sequence[str]) -> bool:
    """Say whether any line is a command, press, or would be read by some ruleset in its first turns."""
    plan = commands.plan(lines)
    if plan.commands or plan.press or any(_SHAPE.match(line) for line in plan.orders):
        return True
    return _read_as(lambda found: found.orders or found.complaints, _openings(), plan.orders)


def _surely_intends(line: str) -> bool:
    """Say whether a line is a command or a readable order, so that it cannot be a signature."""
    if commands.read_command(line) is not None:
        return True
    return _read_as(
        lambda found: found.orders or any(one.kind != "unread" for one in found.complaints), _openings(), (line,)
    )


def _read_as(matters: Callable[[Any], Any], views: Sequence[_View], lines: Sequence[str]) -> bool:
    return any(line.strip() for line in lines) and any(
        matters(ruleset.read(view, (), tuple(lines), "ru")) for ruleset, view in views
    )


@cache
def _openings() -> tuple[_View, ...]:
    """Return every seat's view of the first two positions of every ruleset, in the smallest game."""
    return tuple(view for ruleset in registry.rulesets().values() for view in _first_views(ruleset))


def _first_views(ruleset: Ruleset) -> Iterator[_View]:
    options = next(iter(ruleset.info.editions.values()))
    seats: tuple[Seat, ...] = tuple(seat.id for seat in ruleset.seats(options, ruleset.info.seats[0]))
    dice = TrialDice(bytes(32), (MAIN, *ruleset.info.streams))
    opening = ruleset.start(options, seats, dice)
    yield from ((ruleset, ruleset.view(opening.state, seat)) for seat in seats)
    sheets = {seat: ruleset.silent(ruleset.view(opening.state, seat), ()) for seat in seats}
    after = ruleset.resolve(opening.state, sheets, dice, Answers({}, dice))
    if isinstance(after, Resolution):
        yield from ((ruleset, ruleset.view(after.state, seat)) for seat in seats)
