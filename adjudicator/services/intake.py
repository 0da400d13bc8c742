"""Stored mails get their verdicts: each is opened, its speaker named, and sent on its way (play-by-mail 3, 4)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import update
from sqlmodel import col, select

from adjudicator.services import (
    answers,
    automatic,
    bounces,
    confirmed,
    doorstep,
    handing,
    holding,
    hosting,
    identity,
    joining,
    moderating,
    opened,
    parts,
    personal,
    positions,
    quarantine,
    replies,
    settings,
    speaking,
    verdicts,
)
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, Mail
from engine.core import codec
from mail import read as mail_read
from mail.providers import Pin
from mail.read import MailReading, Verdict

BATCH: Final = 100
BATCH_BYTES: Final = 8 << 20
"""Mails that share a transaction, and how much they may weigh together."""

LOCK: Final = 0x696E74616B65
"""Number of PostgreSQL's advisory lock: of several services one at a time gives verdicts, and its tries are counted."""
DIED: Final = "ProcessDied: the process died as often as it read this mail"
"""Why a mail was set aside that raised nothing."""


@dataclass(frozen=True, slots=True)
class Doorway:
    """What is known of the place a mail came in by: whose word on senders counts, whether they need no more proof."""

    authserv: Callable[[str], Pin | str | None]
    trusted: Callable[[str], bool]


def unread(work: Work) -> list[tuple[int, ...]]:
    """Return mails without a verdict in the order in which they count, parted into batches."""
    query = (
        select(Mail.id, Mail.size)
        .where(Mail.verdict == "new", col(Mail.raw).is_not(None))
        .order_by(col(Mail.counts), col(Mail.mailbox), col(Mail.uid))
    )
    batches: list[tuple[int, ...]] = []
    batch: list[int] = []
    weight = 0
    for mail_id, size in work.session.exec(query):
        if batch and (len(batch) == BATCH or weight + size > BATCH_BYTES):
            batches.append(tuple(batch))
            batch, weight = [], 0
        batch.append(mail_id or 0)
        weight += size
    return [*batches, tuple(batch)] if batch else batches


def handle_all(house: House, doorway: Doorway) -> int:
    """Give every stored mail its verdict and return how many got one; one that raises never stops the rest.

    Mails that make no trouble share a transaction, which costs one durable commit for many; if any of them raises,
    nothing of it is kept and each is handled in one of its own. An attempt is counted before the mail is opened: one
    that kills the process three times is set aside. After a death in company each is tried alone, so that only the one
    in hand is suspected again. A mail that raised is tried again at the next round, not at once: what hindered it may
    pass. Where several services share a database, one at a time is at it.
    """
    with house.store.alone(LOCK) as ours:
        return _handle_all(house, doorway) if ours else 0


def _handle_all(house: House, doorway: Doorway) -> int:
    with house.look() as work:
        waiting = unread(work)
    done = 0
    for batch in waiting:
        fresh, tried = _first_attempt(house, batch)
        try:
            handle(house, doorway, fresh)
            done += len(fresh)
        except Exception:  # noqa: BLE001 - one of them makes trouble; which one shows when each is handled alone
            done += sum(_handle_alone(house, doorway, mail_id) for mail_id in fresh)
        done += sum(_handle_alone(house, doorway, mail_id) for mail_id in tried if _attempt(house, mail_id))
    return done


def _handle_alone(house: House, doorway: Doorway, mail_id: int) -> int:
    """Handle one mail in a transaction of its own; return 1 if it has its verdict now, 0 if it raised."""
    try:
        handle(house, doorway, (mail_id,))
    except Exception as trouble:  # noqa: BLE001 - whatever a mail does to us, the next one must be read
        _set_back(house, mail_id, trouble)
        return 0
    return 1


def _first_attempt(house: House, mail_ids: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Count an attempt at those of these mails that were never tried; return them, and those that were."""
    with house.unit("attempt") as work:
        ours = col(Mail.id).in_(mail_ids) & (col(Mail.verdict) == "new")
        before = dict(work.session.exec(select(Mail.id, Mail.attempts).where(ours).with_for_update()).all())
        work.session.execute(update(Mail).where(ours, col(Mail.attempts) == 0).values(attempts=1))
    known = [one for one in mail_ids if one in before]
    return tuple(one for one in known if not before[one]), tuple(one for one in known if before[one])


def _attempt(house: House, mail_id: int) -> bool:
    """Count one more attempt at a mail that was tried before; False once there were too many: it is set aside."""
    with house.unit("attempt") as work:
        row = work.session.exec(select(Mail).where(Mail.id == mail_id).with_for_update()).one()
        if row.verdict != "new":
            return False
        if row.attempts < quarantine.ATTEMPTS:
            row.attempts += 1
            work.session.add(row)
            return True
        row.why = row.why or DIED
        quarantine.shunt(work, row)
    return False


def handle(house: House, doorway: Doorway, mail_ids: Sequence[int]) -> None:
    """Read some mails and do what they say, in one transaction, in the order in which they count."""
    if not mail_ids:
        return
    readings = {}
    with house.look() as work:
        query = select(Mail.id, Mail.mailbox, Mail.raw).where(col(Mail.id).in_(mail_ids), Mail.verdict == "new")
        for mail_id, mailbox, sealed in work.session.exec(query):
            if sealed is not None:
                raw = work.vault.open(sealed)
                readings[mail_id or 0] = (raw, opened.read(work, raw, doorway.authserv(mailbox), parting=False))
    with house.unit("intake") as work:
        rows = work.session.exec(select(Mail).where(col(Mail.id).in_(list(readings))).with_for_update()).all()
        verdicts.look_up_twins(work, rows)
        identity.look_up(work, [reading for _, reading in readings.values()])
        order = {mail_id: place for place, mail_id in enumerate(mail_ids)}
        for row in sorted(rows, key=lambda row: order[row.id or 0]):
            if row.verdict == "new":
                raw, reading = readings[row.id or 0]
                name(row, reading)
                decide(work, Opened(row, raw, reading), trusted=doorway.trusted(row.mailbox))


def name(row: Mail, reading: MailReading) -> None:
    """Note what a mail is known by: its sender, its Message-ID, its subject."""
    row.sender, row.message_id = reading.incoming.from_address[:320], reading.incoming.message_id[:998]
    row.subject = reading.incoming.subject[:400]


def _set_back(house: House, mail_id: int, trouble: Exception) -> None:
    """Note why a mail could not be handled; after the last attempt it is set aside."""
    with house.unit("set-back") as work:
        row = work.session.exec(select(Mail).where(Mail.id == mail_id)).one()
        row.why = f"{type(trouble).__name__}: {trouble}"[:500]
        gives_up = row.attempts >= quarantine.ATTEMPTS
        if gives_up:
            if row.raw is not None:
                name(row, mail_read.read(work.vault.open(row.raw)))
            quarantine.shunt(work, row)
        work.session.add(row)
    if gives_up:
        _tell_writer(house, mail_id)


def _tell_writer(house: House, mail_id: int) -> None:
    """Tell a registered person that his mail is kept and could not be read, if as much as that can be done."""
    try:
        with house.unit("set-back-told") as work:
            row = work.session.exec(select(Mail).where(Mail.id == mail_id)).one()
            raw = work.vault.open(row.raw or b"")
            reading = opened.read(work, raw, "")
            if reading.verdict in (Verdict.HUMAN, Verdict.EMPTY) and "weak-automatic" not in reading.held:
                replies.polite(work, Opened(row, raw, reading), "quarantined", {"why": "failed"})
    except Exception:  # noqa: BLE001 - what hindered the mail may hinder this too; operators have been told
        return


# One mail -------------------------------------------------------------------------------------------------------------


def decide(work: Work, mail: Opened, *, trusted: bool) -> None:
    """Give a mail its one verdict, and do what it says if it may; ``trusted``: its door vouches for the sender."""
    if verdicts.settle_as_twin(work, mail.row):
        return
    match mail.reading.verdict:
        case Verdict.AUTOMATIC | Verdict.OURS | Verdict.BOUNCE:
            _robot(work, mail)
        case Verdict.QUARANTINED:
            _quarantine(work, mail, trusted=trusted)
        case Verdict.HUMAN | Verdict.EMPTY:
            _person(work, mail, trusted=trusted)


def _robot(work: Work, mail: Opened) -> None:
    """Drop what no person wrote, once its failures are noted; it is never answered (play-by-mail 7)."""
    game = automatic.ordered_for(work, mail.reading)
    if game is not None:
        verdicts.assign(work, mail.row, game.id)
        verdicts.settle(work, mail.row, "held", "robot")
        verdicts.hold(work, mail.row, game.id, "robot")
        return
    bounces.take(work, mail.reading.bounces)
    verdicts.settle(
        work, mail.row, "bounce" if mail.reading.verdict is Verdict.BOUNCE else "automatic", mail.reading.why
    )


def _quarantine(work: Work, mail: Opened, *, trusted: bool) -> None:
    """Set aside what is beyond a limit or cannot be decoded; a registered sender and the operators are told."""
    who = identity.speaker(work, mail.reading, trusted=trusted)
    mail.row.proof, mail.row.grounds = who.proof or who.doubt, codec.encode(who.grounds)
    verdicts.assign(work, mail.row, who.game.id if who.game is not None else None)
    verdicts.settle(work, mail.row, "quarantined", mail.reading.why)
    if "weak-automatic" in mail.reading.held:
        return
    quarantine.tell(work, mail.row)
    replies.polite(work, mail, "quarantined", {"why": mail.reading.why})


def _person(work: Work, mail: Opened, *, trusted: bool) -> None:
    who = identity.speaker(work, mail.reading, trusted=trusted)
    game = work.game_by_id(who.game.id) if who.game is not None else None
    mail = opened.parted(work, mail, who)
    if mail.reading.verdict is Verdict.QUARANTINED:
        _quarantine(work, mail, trusted=trusted)
        return
    who = identity.reconsidered(who, mail.reading)
    mail.row.proof, mail.row.grounds = who.proof or who.doubt, codec.encode(who.grounds)
    verdicts.assign(work, mail.row, game.id if game is not None else None)
    if confirmed.heard(work, mail, who):
        return
    cut = parts.by_game(mail, game.tag if game is not None else "")
    if cut == (mail,):
        _hear(work, mail, who, game)
        return
    found = []
    for part in cut:
        _part(work, part, who, game, trusted=trusted)
        found.append((mail.row.verdict, mail.row.why))
    verdicts.settle_whole(work, mail.row, found)


def _part(work: Work, mail: Opened, who: Speaker, own: Game | None, *, trusted: bool) -> None:
    """Hear a part of a letter for the game it names, proven for itself (play-by-mail 4)."""
    if not mail.part:
        _hear(work, mail, who, own)
        return
    named = work.session.exec(select(Game).where(Game.tag == mail.part)).first()
    if named is None:
        verdicts.settle(work, mail.row, "held", "which-game")
        replies.polite(work, mail, "unknown-game", {"games": answers.games_of(work, who.players)})
        return
    about = identity.speaker(work, mail.reading, trusted=trusted, about=named)
    game = work.game_by_id(named.id)
    verdicts.assign(work, mail.row, game.id)
    _hear(work, mail, about, game)


def _about_himself(work: Work, mail: Opened, who: Speaker, game: Game | None) -> bool:
    """Do what somebody who is in no running game asks about himself; say whether he did."""
    if game is not None and positions.current(work, game) is not None:
        return False
    names = frozenset(command.name for command in mail.plan.commands)
    return personal.heard_alone(work, mail, who, names)


def _hear(work: Work, mail: Opened, who: Speaker, game: Game | None) -> None:
    """Do what a letter, or a part of one, says for its game, if its sender is proven."""
    if hosting.heard(work, mail, who) or doorstep.heard(work, mail, who, game):
        return
    if who.doubt in ("", "unproven") and not who.tenures and (place := handing.former(work, who, game)) is not None:
        handing.answer_former(work, mail, place)
    elif who.doubt:
        holding.hold(work, mail, who, game)
    elif _about_himself(work, mail, who, game):
        return
    elif mail.reading.verdict is Verdict.EMPTY and not mail.reading.text.because("edited quote"):
        verdicts.settle(work, mail.row, "empty", mail.reading.why)
        replies.polite(work, mail, "empty", {"why": mail.reading.why}, who=who, game=game)
    elif who.invitation is not None and who.invitation.joined is None and game is not None:
        joining.join(work, mail, who.invitation, game)
    elif game is not None and (judge := moderating.speaks(mail, who)) is not None:
        moderating.hear(work, mail, who, game, judge)
    elif not who.tenures and settings.heard(work, mail, who, game):
        return
    elif game is None or not (who.tenures or game.status == "created"):
        verdicts.settle(work, mail.row, "held", "which-game")
        replies.polite(work, mail, "unknown-game", {"games": answers.games_of(work, who.players)})
    else:
        speaking.for_game(work, mail, who, game)
