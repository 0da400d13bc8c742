"""A stored mail in hand: its row, its bytes, what was read of it, and its writer's own words parted from quotes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from sqlmodel import select

from adjudicator.services import answers, commands, mistyped, outbox, positions, tokens
from adjudicator.services.identity import Speaker
from adjudicator.services.work import Work
from adjudicator.storage.tables import Letter, Mail
from mail import read as mail_read
from mail.addresses import canonical
from mail.providers import Pin
from mail.read import MailReading
from mail.reply import Speech
from mail.text import Line


@dataclass(frozen=True, slots=True)
class Opened:
    """A mail on its way to a verdict; ``part`` is the tag of the game that a part of it names (`services.parts`).

    ``again``: it lay in quarantine and is read only now (`services.replaying`).
    """

    row: Mail
    raw: bytes
    reading: MailReading
    part: str = ""
    again: bool = False

    @property
    def own(self) -> Sequence[Line]:
        """Lines of the writer's own."""
        return self.reading.text.own

    @property
    def texts(self) -> list[str]:
        """The writer's own lines as they are read."""
        return [line.text for line in self.own]

    @property
    def plan(self) -> commands.Plan:
        """The writer's own lines sorted into commands, press and lines for the rules, as they are spelled."""
        return _sorted(tuple(self.texts))


@lru_cache(maxsize=4)  # the letter in hand is asked for it by whoever may have to do with it
def _sorted(texts: tuple[str, ...]) -> commands.Plan:
    return commands.plan(texts)


def read(work: Work, raw: bytes, authserv: Pin | str | None, *, parting: bool = True) -> MailReading:
    """Read a mail's bytes as one that came to us; ``authserv`` is whose word on its sender counts, "" for nobody's.

    Own words may be left for `parted`, which knows what was sent to their writer.
    """
    return mail_read.read(
        raw,
        own_addresses=(work.config.service.address,),
        own_message_ids=lambda name: _is_ours(work, name),
        authserv=authserv or None,
        parting=parting,
    )


def _is_ours(work: Work, message_id: str) -> bool:
    if not tokens.may_be_ours(work.config.service.address, message_id):
        return False
    return work.session.exec(select(Letter.id).where(Letter.message_id == message_id)).first() is not None


def parted(work: Work, mail: Opened, who: Speaker) -> Opened:
    """Return the mail with own words parted from quotes again, knowing what we sent to this writer."""
    return replace(mail, reading=reread(work, mail.reading, who))


def reread(work: Work, reading: MailReading, who: Speaker) -> MailReading:
    """Return what was read of a mail with own words parted from quotes again, knowing what we sent to its writer."""
    speech = Speech(is_order=_is_order(work, who), opens=mistyped.opens_press, closes=mistyped.closes_press)
    return mail_read.reread(reading, sent_lines=sent_keys(work, reading, who), speech=speech)


def sent_keys(work: Work, reading: MailReading, who: Speaker) -> frozenset[str]:
    """Return the keys of the lines we sent to the writer of a mail, of the letters it answers among them."""
    if not who.address:
        return frozenset()
    answered = (*reading.incoming.in_reply_to, *reading.incoming.references)
    return outbox.keys_sent(work, canonical(who.address), answered)


def _is_order(work: Work, who: Speaker) -> Callable[[str], bool]:
    """Return what tells an order or command from a signature: such a line is never cut off."""
    turn = positions.current(work, who.game) if who.game is not None else None
    if who.game is None or turn is None or not who.tenures:
        return lambda text: mistyped.read_command(text) is not None
    table = positions.table(who.game)
    view = positions.view_of(work, table, turn, who.tenures[0].seat)
    return cache(lambda text: answers.reads_as_intent(table, view, (text,)))  # of one letter: it ends with it
