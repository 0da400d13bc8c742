"""A raw mail read as far as it can be without knowing any game: one object for intake and for ``mail read``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from mail import caps
from mail.authentication import Authentication, authentication
from mail.bounce import Bounce, read_bounces
from mail.html import TooDeep, marked_by_page, unflattened, with_strokes
from mail.message import UNSURE, Incoming, decode
from mail.providers import Pin
from mail.reply import OwnText, Speech, own_text
from mail.robots import Kind, Sender, classify
from mail.sender import Carried, carried_tokens


class Verdict(StrEnum):
    """What is to become of a mail, as far as the mail alone can tell."""

    HUMAN = "human"
    EMPTY = "empty"
    AUTOMATIC = "automatic"
    BOUNCE = "bounce"
    OURS = "ours"
    QUARANTINED = "quarantined"


class MailReading(Struct, frozen=True):
    """A mail as read. ``why`` names the signal or limit behind the verdict (empty for a person's mail).

    ``held`` says that nothing may be executed without asking, and why: ``weak-automatic``, ``forwarded``, or a repair
    that leaves doubt (``mail.message.UNSURE``); a ``HUMAN`` verdict with an empty ``held`` may be acted upon once
    proven.
    """

    verdict: Verdict
    why: str
    incoming: Incoming
    sender: Sender
    authentication: Authentication
    text: OwnText
    tokens: tuple[Carried, ...] = ()
    bounces: tuple[Bounce, ...] = ()
    held: tuple[str, ...] = ()


def read(
    raw: bytes,
    *,
    own_addresses: Iterable[str] = (),
    own_message_ids: Callable[[str], bool] = lambda _: False,
    sent_lines: AbstractSet[str] = frozenset(),
    template: AbstractSet[str] = frozenset(),
    authserv: Pin | str | None = None,
    speech: Speech = Speech(),  # noqa: B008 - frozen
    parting: bool = True,
) -> MailReading:
    """Read a raw mail; never raises, whatever the bytes.

    ``authserv`` is whose word on the sender counts in the mailbox: a pin, or the id that makes one.
    ``sent_lines`` and ``template`` are keys of lines we sent to this writer (see ``mail.reply.own_text``); they are
    usually known only after a first look at the sender, so the text can be parted again with ``reread``. Without
    ``parting`` that is left to do, and the verdict says what the mail is whatever its words are.
    """
    own = tuple(own_addresses)
    incoming = decode(raw)
    sender = classify(incoming, own_addresses=own, own_message_ids=own_message_ids)
    has_page = bool(incoming.html) and incoming.text_from == "plain"
    text = OwnText(())
    if parting or has_page:
        text = own_text(incoming.lines, sent_lines=sent_lines, template=template, speech=speech)
    if has_page:
        incoming, before = _with_page(incoming, text), incoming
        if parting and incoming is not before:
            text = own_text(incoming.lines, sent_lines=sent_lines, template=template, speech=speech)
    reading = MailReading(
        Verdict.HUMAN,
        "",
        incoming,
        sender,
        authentication(incoming, authserv),
        text,
        carried_tokens(incoming, own_addresses=own),
        read_bounces(incoming, raw) if sender.kind is Kind.BOUNCE else (),
    )
    return _judged(reading) if parting else _judged_unparted(reading)


def reread(
    reading: MailReading,
    *,
    sent_lines: AbstractSet[str],
    template: AbstractSet[str] = frozenset(),
    speech: Speech = Speech(),  # noqa: B008 - frozen
) -> MailReading:
    """Part the text of a read mail again, now that it is known what was sent to its writer."""
    text = own_text(reading.incoming.lines, sent_lines=sent_lines, template=template, speech=speech)
    return _judged(replace(reading, text=text))


def _shows_a_quote(text: OwnText) -> bool:
    return any(aside.why in ("quote", "edited quote", "attribution", "forward") for aside in text.set_aside)


def _with_page(incoming: Incoming, text: OwnText) -> Incoming:
    """Look at the HTML for breaks and strokes that the text lost, or for a quote that it does not show."""
    try:
        if lines := unflattened(incoming.lines, incoming.html) or with_strokes(incoming.html):
            return replace(incoming, lines=lines, text_from="html")
        marked = incoming.lines if _shows_a_quote(text) else marked_by_page(incoming.lines, incoming.html)
        return replace(incoming, lines=marked) if marked is not incoming.lines else incoming
    except TooDeep:  # the text is whole all the same
        return incoming


def _judged(reading: MailReading) -> MailReading:
    verdict, why = _verdict(reading)
    return replace(reading, verdict=verdict, why=why, held=_held(reading))


def _judged_unparted(reading: MailReading) -> MailReading:
    verdict, why = _verdict_of_itself(reading) or (Verdict.HUMAN, "")
    whole = replace(reading, text=OwnText(()))
    return replace(whole, verdict=verdict, why=why, held=_held(whole))


def _verdict_of_itself(reading: MailReading) -> tuple[Verdict, str] | None:
    """Return the verdict that a mail has whatever it says, if it has one."""
    incoming, sender = reading.incoming, reading.sender
    if sender.kind in _ROBOTS:
        return _ROBOTS[sender.kind], sender.signal
    return (Verdict.QUARANTINED, incoming.damage) if incoming.damage else None


def _verdict(reading: MailReading) -> tuple[Verdict, str]:
    if (found := _verdict_of_itself(reading)) is not None:
        return found
    if len(reading.text.own) > caps.OWN_LINES_LIMIT:
        return Verdict.QUARANTINED, "too-many-lines"
    if not any(line.raw.strip() for line in reading.text.own):
        return Verdict.EMPTY, "forwarded" if reading.text.forwarded else "no-own-text"
    return Verdict.HUMAN, ""


_ROBOTS = {Kind.OURS: Verdict.OURS, Kind.BOUNCE: Verdict.BOUNCE, Kind.AUTOMATIC: Verdict.AUTOMATIC}


def _held(reading: MailReading) -> tuple[str, ...]:
    held: list[str] = [code for code in UNSURE if code in reading.incoming.repairs]
    if reading.sender.kind is Kind.WEAK_AUTOMATIC:
        held.append("weak-automatic")
    if reading.text.forwarded:
        held.append("forwarded")
    return tuple(held)
