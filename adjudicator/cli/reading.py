"""A letter read as intake would read it, as one plain object: with a house at hand, or with nothing but the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from adjudicator.cli import intent
from adjudicator.services import automatic, identity, mistyped, opened, positions
from adjudicator.services.identity import Speaker
from adjudicator.services.intake import Doorway
from adjudicator.services.work import Work
from mail import read as mail_read
from mail.authentication import authentication
from mail.message import Incoming
from mail.providers import BadPin, Pin, pin, providers
from mail.read import MailReading, Verdict
from mail.reply import Speech

WORDS: Final = {
    Verdict.AUTOMATIC: "automatic",
    Verdict.OURS: "automatic",
    Verdict.BOUNCE: "bounce",
    Verdict.QUARANTINED: "quarantined",
}
"""Verdicts that a mail has by itself; a person's mail is ``held``, ``orders`` or ``empty``."""

SPEECH: Final = Speech(is_order=intent.surely, opens=mistyped.opens_press, closes=mistyped.closes_press)

_OF_THE_MAIL: Final = ("damaged", "robot", "forwarded")
"""Doubts that the mail itself raises, whoever sent it: what was found in it says it more exactly."""

Shown = dict[str, Any]


def read_alone(raw: bytes, why: str) -> Shown:
    """Read a mail without a house: nobody's sender can be proven then, for the reason ``why``.

    The verdict is then the mail's own: held is what was damaged on the way, what a provider calls forged, what may be
    a robot's or is forwarded without a word.
    """
    reading = mail_read.read(raw, speech=SPEECH)
    forged = _called_forged(reading.incoming)
    doubt = "auth-fail" if forged else ", ".join(reading.held)
    return _shown(reading, proven=False, why="auth-fail" if forged else why, doubt=doubt, intends=_seems(reading))


def read_here(work: Work, raw: bytes, doorway: Doorway, mailbox: str = "") -> Shown:
    """Read a mail as intake would, changing nothing.

    It came in by ``mailbox``; where that is not known, whichever mailbox of the configuration vouches for it counts.
    """
    first = opened.read(work, raw, doorway.authserv(mailbox)) if mailbox else _vouched(work, raw, doorway)
    if automatic.ordered_for(work, first) is not None:
        first = msgspec.structs.replace(first, verdict=Verdict.HUMAN)
        return _shown(first, proven=False, why="robot", doubt="robot", intends=True)
    who = identity.speaker(work, first, trusted=bool(mailbox) and doorway.trusted(mailbox))
    reading = opened.reread(work, first, who)
    doubt = ", ".join(reading.held) if who.doubt in _OF_THE_MAIL else who.doubt
    intends = _seems(reading) if who.game is None else _intends(work, who, reading)
    return _shown(reading, proven=not who.doubt, why=who.doubt or who.proof, doubt=doubt, intends=intends)


def _vouched(work: Work, raw: bytes, doorway: Doorway) -> MailReading:
    """Read a mail with the authserv-id of the first mailbox whose provider says anything of the sender."""
    pinned = [doorway.authserv(f"imap:{box.user}@{box.host}") for box in work.config.imap]
    for authserv in dict.fromkeys(one for one in pinned if one):
        reading = opened.read(work, raw, authserv)
        if reading.authentication.result != "none":
            return reading
    return opened.read(work, raw, "")


def _called_forged(incoming: Incoming) -> bool:
    """Say whether any server on the way says that the sender is not who he says: nobody says so of himself."""
    return any(authentication(incoming, server).result == "fail" for server in _servers(incoming))


def _servers(incoming: Incoming) -> Iterator[Pin | None]:
    """Yield the servers that wrote results into a mail, and the providers that sign theirs with no name."""
    for value in dict.fromkeys(incoming.all("authentication-results")):
        with suppress(BadPin):
            yield pin(next(iter(value.partition(";")[0].split()), ""))
    yield from (pin(provider=name) for name, known in providers().items() if not known.ids and not known.own)


def _shown(reading: MailReading, *, proven: bool, why: str, doubt: str, intends: bool) -> Shown:
    incoming = reading.incoming
    word = WORDS.get(reading.verdict) or ("held" if doubt else "orders" if intends else "empty")
    reasons = {"held": doubt, "empty": reading.why or "no-intent"}
    return {
        "verdict": word,
        "why": reasons.get(word, "" if word == "orders" else reading.why),
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


def _seems(reading: MailReading) -> bool:
    return intent.seems(_texts(reading))


def _intends(work: Work, who: Speaker, reading: MailReading) -> bool:
    """Say whether any line is a command, press, or an order or complaint to the seat that speaks."""
    if reading.text.because("edited quote"):
        return True
    lines = _texts(reading)
    plan = mistyped.plan(lines)
    if plan.commands or plan.press or mistyped.short_answer(lines) is not None:
        return True
    turn = positions.current(work, who.game) if who.game is not None else None
    if who.game is None or turn is None or not who.tenures:
        return intent.seems(lines)
    table = positions.table(who.game)
    view = positions.view_of(work, table, turn, who.tenures[0].seat)
    return _reads(table, view, plan.orders) or intent.is_answer(lines)


def _reads(table: positions.Table, view: Any, lines: Sequence[str]) -> bool:
    return intent.read_as(lambda found: found.orders or found.complaints, [(table.ruleset, view)], lines)
