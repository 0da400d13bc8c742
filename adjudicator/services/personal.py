"""What a person may ask about himself: what is kept of him, and that he be forgotten (play-by-mail 8)."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from sqlmodel import col, or_, select

from adjudicator.letters import LineVerdict, Notice, Reader
from adjudicator.services import answers, asked, caps, dossier, leaving, logbook, outbox, people, positions, verdicts
from adjudicator.services.commands import Command
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import (
    Address,
    Asked,
    Dispute,
    Game,
    Invitation,
    Letter,
    Mail,
    Observer,
    Player,
    Press,
    Tenure,
)
from adjudicator.words.environment import Phrases

WITHDRAWN: Final = ("order", "phrase", "press", "absence", "dispute", "answer")
"""Events whose private parts hold what a player wrote: their openings go, their commitments stay."""
COMMANDS: Final = ("my-data", "forget-me")


def ask_data(work: Work, said: Said, command: Command) -> LineVerdict:
    """Send a player all that is kept of him (``мои данные``)."""
    person = people.player(work, said.tenure.player_id)
    titles = people.seat_titles(work, said.table.game)
    _send_data(work, said.mail, person, people.reader_of(work, said.table.game, said.tenure, titles))
    return LineVerdict(text=said.written(command), mark="command", key="my-data")


def ask_forget(work: Work, said: Said, command: Command) -> LineVerdict:
    """Ask a player whether he wants to be forgotten (``забыть меня``)."""
    person = people.player(work, said.tenure.player_id)
    _ask_forget(work, said.mail, person, answers.reader(work, person, ""))
    return LineVerdict(text=said.written(command), mark="command", key="forget-me")


def heard_alone(work: Work, mail: Opened, who: Speaker, names: frozenset[str]) -> bool:
    """Do what a letter to no running game asks about its writer; return whether it asked anything.

    Who plays no more, or not yet, may ask as well as anybody.
    """
    wanted = [name for name in COMMANDS if name in names]
    if who.doubt or len(who.players) != 1 or not wanted:
        return False
    person = who.players[0]
    reader = answers.reader(work, person, "")
    verdicts.settle(work, mail.row, "orders", wanted[0])
    if "my-data" in wanted:
        _send_data(work, mail, person, reader)
    if "forget-me" in wanted:
        _ask_forget(work, mail, person, reader)
    return True


def _send_data(work: Work, mail: Opened, person: Player, reader: Reader) -> None:
    if caps.answered_alike(work, "my-data", people.main_address(work, person)):
        return
    outbox.queue(
        work,
        f"my-data/{mail.row.id}/{person.id}",
        people.main_address(work, person),
        outbox.Envelope(notice=Notice(kind="my-data", reader=reader), data_of=person.id or 0),
        in_reply_to=mail.row.message_id,
    )


def _ask_forget(work: Work, mail: Opened, person: Player, reader: Reader) -> None:
    tags = [game.tag for _, game in people.tenures_of(work, person)]
    asked.ask(
        work,
        "forget-me",
        reader,
        {"tags": tags},
        cause=str(mail.row.id),
        player_id=person.id,
        in_reply_to=mail.row.message_id,
    )


# Forgetting -----------------------------------------------------------------------------------------------------------


def forget(work: Work, row: Asked, _facts: dict[str, Any], mail: Opened) -> None:
    """Give up a person's seats and remove his name, addresses, raw mail, press and openings, as he has confirmed.

    What was frozen at a lock stays: it holds seats and orders, and without it no turn could be checked.
    """
    person = work.session.get_one(Player, row.player_id)
    for tenure, game in people.tenures_of(work, person):
        if game.status == "running":
            leaving.vacate(work, positions.table(work.game_by_id(game.id)), tenure, "resign")
    for letter in dossier.letters_to(work, person.id or 0):
        if f"/{row.id}/" not in letter.key or letter.kind != "confirm":
            outbox.empty(work, letter, address=True)
    for kept in dossier.mails_from(work, person.id or 0):
        empty_mail(work, kept)
    empty_mail(work, mail.row)
    _forget_in_games(work, person)
    _forget_addresses(work, person)
    person.name = str(
        Phrases("en" if person.language == "en" else "ru", "")("forgotten", "name", {"number": person.id})
    )
    person.zone, person.forgotten = "UTC", work.now
    work.session.add(person)
    work.forget("player", person.id)


def empty_mail(work: Work, mail: Mail) -> None:
    """Leave of a mail what its games need: hash, arrival and verdict; its orders stand in its readings."""
    mail.raw, mail.sender, mail.subject, mail.message_id, mail.tidied = None, "", "", "", True
    mail.grounds = ""
    work.session.add(mail)


def _forget_in_games(work: Work, person: Player) -> None:
    query = select(Tenure, Game).join(Game, col(Game.id) == col(Tenure.game_id)).where(Tenure.player_id == person.id)
    for tenure, game in work.session.exec(query.order_by(col(Tenure.id))).all():
        logbook.withdraw(work, game, tenure.seat, WITHDRAWN, tenure.since, _until(work, tenure))
        tenure.farewell = None
        work.session.add(tenure)
        _forget_press(work, tenure)
        for dispute in work.session.exec(
            select(Dispute).where(Dispute.game_id == game.id, Dispute.seat == tenure.seat)
        ).all():
            dispute.text = work.vault.seal(b"")
            work.session.add(dispute)


def _until(work: Work, tenure: Tenure) -> datetime | None:
    """Return when the next holder took the seat: until then all that it said was said by this one.

    His own end says less: the clock of a mail server may be ahead of ours.
    """
    later = select(Tenure.since).where(
        Tenure.game_id == tenure.game_id, Tenure.seat == tenure.seat, col(Tenure.id) > tenure.id
    )
    return work.session.exec(later.order_by(col(Tenure.id)).limit(1)).first()


def _forget_press(work: Work, tenure: Tenure) -> None:
    """Remove what somebody wrote to others, from their letters too."""
    query = select(Press).where(
        Press.game_id == tenure.game_id, Press.seat == tenure.seat, col(Press.arrival) >= tenure.since
    )
    until = _until(work, tenure)
    for press in work.session.exec(query).all():
        if until is not None and press.arrival > until:
            continue
        tag = work.session.get_one(Game, tenure.game_id).tag
        starts = [col(Letter.key).startswith(f"{kind}/{tag}/{press.id}/") for kind in ("press", "press-copy")]
        for letter in work.session.exec(select(Letter).where(or_(*starts))).all():
            outbox.empty(work, letter)
        press.text = work.vault.seal(b"")
        work.session.add(press)


def _forget_addresses(work: Work, person: Player) -> None:
    own = dossier.addresses(work, person.id or 0)
    for invitation in work.session.exec(select(Invitation).where(Invitation.player_id == person.id)).all():
        invitation.address, invitation.name = f"forgotten-{invitation.id}", ""
        work.session.add(invitation)
    for observer in work.session.exec(select(Observer).where(col(Observer.address).in_(own))).all():
        observer.address, observer.name, observer.until = f"forgotten-{observer.id}", "", work.now
        work.session.add(observer)
    for address in work.session.exec(select(Address).where(Address.player_id == person.id)).all():
        work.session.delete(address)
        work.forget("holders", address.address)
    work.session.flush()
