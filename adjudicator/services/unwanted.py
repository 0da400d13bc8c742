"""Addresses that want no more letters of ours: never invited again, by anybody (play-by-mail 0)."""

from __future__ import annotations

from sqlalchemy import update
from sqlmodel import col, select

from adjudicator.letters import Notice, Reader
from adjudicator.services import outbox, people, turns
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Invitation, Letter, Observer, Unwanted
from mail.addresses import canonical


def wants_none(work: Work, address: str) -> bool:
    """Say whether an address wants no more letters."""
    return work.session.exec(select(Unwanted.id).where(Unwanted.address == canonical(address))).first() is not None


def enter(work: Work, mail: Opened, address: str, language: str) -> None:
    """Never invite an address again; open invitations are refused, watching ends, hosts and the writer are told.

    Seats that are held go on: nobody is resigned by it.
    """
    folded = canonical(address)
    if not wants_none(work, folded):
        work.add(Unwanted(address=folded, since=work.now))
    for invitation in _open_invitations(work, folded):
        refuse(work, invitation, "never-again")
    for observer in work.session.exec(
        select(Observer).where(Observer.address == folded, col(Observer.until).is_(None)).order_by(col(Observer.id))
    ):
        observer.until = work.now
        work.session.add(observer)
    _withdraw(work, folded)
    playing = [game.tag for person in people.holders_of(work, folded) for _, game in people.tenures_of(work, person)]
    notice = Notice(kind="unsubscribed", reader=stranger(work, folded, language), facts={"playing": playing})
    outbox.queue(
        work, f"unsubscribed/{mail.row.id}", folded, outbox.Envelope(notice=notice), in_reply_to=mail.row.message_id
    )


def forgive(work: Work, address: str) -> None:
    """Take back that an address wants no letters: its holder has asked to play or to watch himself."""
    for row in work.session.exec(select(Unwanted).where(Unwanted.address == canonical(address))):
        work.session.delete(row)


def refuse(work: Work, invitation: Invitation, why: str) -> None:
    """Note that an invitation is refused, and tell the host; a wish of a stranger's own just ends."""
    if invitation.refused is not None or invitation.joined is not None:
        return
    invitation.refused = work.now
    work.session.add(invitation)
    if not invitation.stranger:
        game = work.session.get_one(Game, invitation.game_id)
        facts = {"address": invitation.address, "name": invitation.name, "why": why}
        turns.tell_moderator(work, game, "invitation-refused", f"{invitation.id}", facts)


def stranger(work: Work, address: str, language: str, *, name: str = "", reply_to: str = "") -> Reader:
    """Return somebody without a seat as the reader of a letter, which goes to the address he wrote from."""
    service = work.config.service
    return Reader(
        name=name,
        language="en" if language == "en" else "ru",
        zone=service.zone,
        address=canonical(address),
        reply_to=reply_to or service.address,
    )


def _open_invitations(work: Work, address: str) -> list[Invitation]:
    query = select(Invitation).where(
        Invitation.address == address, col(Invitation.joined).is_(None), col(Invitation.refused).is_(None)
    )
    return list(work.session.exec(query.order_by(col(Invitation.id))))


def _withdraw(work: Work, address: str) -> None:
    """Keep back invitations and public reports to an address that nobody has begun to hand over."""
    work.session.execute(
        update(Letter)
        .where(col(Letter.address) == address, col(Letter.status).in_(("new", "rendered")))
        .where(col(Letter.kind) == "invitation")
        .values(status="withdrawn")
    )
