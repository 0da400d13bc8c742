"""A seat changes hands, or is left empty; the moderator's place likewise (play-by-mail 6, fair-play 7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal, NamedTuple

import msgspec
from sqlmodel import col, func, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import events
from adjudicator.letters import Notice, Reader
from adjudicator.services import (
    leaving,
    logbook,
    moderation,
    outbox,
    people,
    positions,
    readings,
    records,
    sheets,
    tokens,
    turns,
    verdicts,
)
from adjudicator.services.identity import Speaker
from adjudicator.services.moderation import By, Facts
from adjudicator.services.opened import Opened
from adjudicator.services.verbs import Verb
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Invitation, LogEntry, Player, Tenure, Turn
from engine.core.contract import MODERATOR, Seat
from mail.addresses import canonical

# Leaving a seat -------------------------------------------------------------------------------------------------------


def _log_tenure(
    work: Work,
    game: Game,
    turn: Turn | None,
    seat: Seat,
    reason: Literal["substitute", "hand-over"],
    player: str | None,
) -> None:
    number = turn.number if turn is not None else 0
    event = events.Tenure(seq=0, at=logbook.at(work.now), turn=number, seat=seat, reason=reason, player=player)
    logbook.append(work, game, event)


def eject(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Put the holder of a seat out of the game: he is told, and so are the others; the seat can be given anew."""
    moderation.this_turn(work, game, verb)
    seat = moderation.seat_of(work, game, verb)
    tenure = people.by_seat(work, game).get(seat)
    if tenure is None:
        raise RefusedByRules("seat-empty", seat=verb.seat)
    titles = moderation.titles_of(work, game, seat)
    facts = {"titles": titles, "turn": verb.turn, "who": by.who, "why": by.why}
    moderation.tell_seats(work, game, "ejected", str(game.seq), facts, [seat])
    moderation.note(work, game, by, f"eject {seat}", seat=seat)
    leaving.vacate(work, positions.table(game), tenure, "eject")
    return {"titles": titles}


# Asking somebody else -------------------------------------------------------------------------------------------------


def substitute(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Ask an address to take a seat of a running game over; it changes hands once he says ``вступаю``."""
    turn = moderation.this_turn(work, game, verb)
    seat = moderation.seat_of(work, game, verb)
    address = moderation.address_of(verb)
    _refuse_who_plays(work, game, address)
    moderation.note(work, game, by, f"substitute {seat}", seat=seat)
    invitation = _ask(work, game, address, seat)
    titles = moderation.titles_of(work, game, seat)
    holder = people.by_seat(work, game).get(seat)
    facts = {"turn": turn.number, "titles": titles, "deadline": iso(turn.deadline), "empty": holder is None}
    _write(work, game, invitation, "step-in", facts, titles)
    return {"address": invitation.address, "titles": titles}


def hand_over(work: Work, game: Game, by: By, verb: Verb) -> Facts:
    """Ask an address to moderate the game; its moderator changes once he says ``вступаю``."""
    address = moderation.address_of(verb)
    header = positions.table(game).header
    if header.moderator == "none":
        raise RefusedByRules("no-moderator-here")
    if header.moderator == "apart":
        _refuse_who_plays(work, game, address)
    refuse_who_holds_the_machine(work, game, address)
    moderation.note(work, game, by, "hand over")
    invitation = _ask(work, game, address, MODERATOR)
    _write(work, game, invitation, "moderator-wanted", {"mode": header.moderator}, {})
    return {"address": invitation.address}


def _refuse_who_plays(work: Work, game: Game, address: str) -> None:
    holders = [person.id for person in people.holders_of(work, address)]
    if any(tenure.player_id in holders for tenure in people.tenures(work, game)):
        raise RefusedByRules("already-plays", address=canonical(address))


def refuse_who_holds_the_machine(work: Work, game: Game, address: str) -> None:
    """Refuse an operator where the moderator rules before dice of the players' words: he could know them (T7).

    The mode of the dice stands in the genesis of the log and is the same for all of it.
    """
    table = positions.table(game)
    known = [one for person in people.holders_of(work, address) for one in people.addresses(work, person.id or 0)]
    if table.ruleset.info.moderated and table.header.dice == "salts" and people.operates(work, [address, *known]):
        raise RefusedByRules("operator-by-salts", address=canonical(address))


def _ask(work: Work, game: Game, address: str, seat: Seat) -> Invitation:
    """Return the invitation of an address to take a place over; one to the same game from earlier days serves again."""
    folded = canonical(address)
    known = select(Invitation).where(Invitation.game_id == game.id, Invitation.address == folded)
    invitation = work.session.exec(known).first()
    if invitation is None:
        language = work.config.service.language
        invitation = Invitation(game_id=game.id or 0, address=folded, language=language, created=work.now)
    invitation.substitute, invitation.seat = seat, "" if seat == MODERATOR else seat
    invitation.joined, invitation.refused, invitation.player_id = None, None, None
    work.add(invitation)
    number = work.session.exec(select(func.count()).select_from(Invitation).where(Invitation.game_id == game.id)).one()
    shown = None if seat == MODERATOR else seat
    logbook.append(work, game, events.Invite(seq=0, at=logbook.at(work.now), number=number, seat=shown))
    return invitation


def _write(
    work: Work, game: Game, invitation: Invitation, kind: str, facts: dict[str, Any], titles: dict[str, str]
) -> None:
    token = tokens.of_invitation(work.vault, game, invitation)
    known = people.holders_of(work, invitation.address)
    reader = Reader(
        name=known[0].name if known else invitation.name,
        language="en" if (known[0].language if known else invitation.language) == "en" else "ru",
        zone=known[0].zone if known else work.config.service.zone,
        seat=invitation.seat,
        titles=titles,
        address=invitation.address,
        reply_to=tokens.reply_address(work.config.service.address, token),
    )
    notice = Notice(
        kind=kind,
        reader=reader,
        facts={**facts, "host": work.config.service.name},
        head=positions.table(game).head,
        pin=logbook.pin(game),
    )
    key = f"invitation/{game.tag}/{invitation.id}/{kind}-{game.seq}"
    outbox.queue(work, key, invitation.address, outbox.Envelope(notice=notice), game=game)


# Taking over ----------------------------------------------------------------------------------------------------------


def join(work: Work, mail: Opened, invitation: Invitation, game: Game) -> None:
    """Give the place asked for to the one who has said ``вступаю``, or tell him that it is too late."""
    person = people.register(
        work,
        invitation.address,
        name=invitation.name
        or next((one.name for one in mail.reading.incoming.sender if one.name), "")[:60]
        or invitation.address.partition("@")[0],
        language=invitation.language,
        zone=work.config.service.zone,
    )
    turn = positions.current(work, game)
    verdicts.settle(work, mail.row, "orders", "join")
    invitation.joined, invitation.player_id = mail.row.counts, person.id
    work.session.add(invitation)
    if invitation.substitute == MODERATOR:
        _take_moderation(work, game, person)
    elif turn is not None:
        take_seat(work, game, turn, invitation, person)


def _take_moderation(work: Work, game: Game, person: Player) -> None:
    earlier = people.moderator(work, game)
    turn = positions.current(work, game)
    if earlier is not None and earlier.player_id != person.id:
        reader = people.reader_of(work, game, earlier, {})
        _tell(work, game, earlier, reader, "handed-over", {"name": person.name})
    people.appoint(work, game, person)
    _log_tenure(work, game, turn, MODERATOR, "hand-over", None)
    facts = {"name": person.name, "turn": turn.number if turn else 0}
    turns.tell_all(work, positions.table(game), "new-moderator", str(game.seq), facts)
    turns.tell_moderator(work, game, "moderator-welcome", str(game.seq), facts, turn=turn.number if turn else None)
    judge, table = people.moderator(work, game), positions.table(game)
    if judge is not None and turn is not None and table.ruleset.info.moderated:  # he is told of turns like a seat
        records.open_again(work, table, turn, judge)


def _tell(work: Work, game: Game, tenure: Tenure, reader: Reader, kind: str, facts: Facts) -> None:
    notice = Notice(kind=kind, reader=reader, facts=facts, head=positions.table(game).head, pin=logbook.pin(game))
    key = f"{kind}/{game.tag}/{tenure.seat}/{tenure.id}"
    outbox.queue(work, key, reader.address, outbox.Envelope(notice=notice), game=game)


def take_seat(work: Work, game: Game, turn: Turn, invitation: Invitation, person: Player) -> Tenure:
    """Give a seat to a substitute (play-by-mail 6).

    The former holder's token is void and he is told; orders in force stay, as a draft; the newcomer gets the seat's
    record and at least half a turn.
    """
    seat = invitation.substitute
    titles = people.seat_titles(work, game)
    earlier = people.by_seat(work, game).get(seat) or _last_holder(work, game, seat)
    if earlier is not None and earlier.until is None:
        _tell(work, game, earlier, people.reader_of(work, game, earlier, titles), "replaced", {"titles": titles[seat]})
        people.dismiss(work, game, earlier)
    invitation.join_id = _join_id(work, game, invitation, person, seat)
    _log_tenure(work, game, turn, seat, "substitute", invitation.join_id)
    tenure = work.add(Tenure(game_id=game.id or 0, seat=seat, player_id=person.id or 0, since=work.now))
    work.forget("tenures", game.id)
    _keep_as_draft(work, game, turn, seat)
    facts = {"titles": titles[seat], "turn": turn.number, "person": _shown_name(game, person)}
    turns.tell_all(work, positions.table(game), "seat-taken", str(game.seq), facts)
    least = timedelta(seconds=turn.period) / 2
    if turn.status == "open" and turn.deadline < work.now + least:
        turns.move_deadline(work, game, turn, work.now + least, "substitute")
    records.hand_over(work, game, turn, tenure, earlier)
    turn.check = work.now
    work.session.add(turn)
    return tenure


def _shown_name(game: Game, person: Player) -> str:
    return person.name if positions.table(game).header.names == "shown" else ""


def _last_holder(work: Work, game: Game, seat: Seat) -> Tenure | None:
    query = select(Tenure).where(Tenure.game_id == game.id, Tenure.seat == seat).order_by(col(Tenure.id).desc())
    return work.session.exec(query.limit(1)).first()


def _join_id(work: Work, game: Game, invitation: Invitation, person: Player, seat: Seat) -> str:
    """Return the id of a player in the log; one who has been in this game before keeps his."""
    same = select(Invitation.join_id).where(
        Invitation.game_id == game.id, Invitation.player_id == person.id, Invitation.join_id != ""
    )
    known = invitation.join_id or work.session.exec(same).first()
    if known:
        return known
    joins = select(LogEntry.seq).where(LogEntry.game_id == game.id, col(LogEntry.event).like('%"type":"join"%'))
    player = f"p{len(work.session.exec(joins).all()) + 1}"
    logbook.append(work, game, events.Join(seq=0, at=logbook.at(work.now), player=player, seat=seat))
    return player


def _keep_as_draft(work: Work, game: Game, turn: Turn, seat: Seat) -> None:
    """Leave the orders in force as they are, and let the seat say ``черновик``: the newcomer has not seen them yet."""
    if turn.status != "open" or not readings.accepted(work, game, turn.number, seat):
        return
    kept = readings.Kept(
        mail_id=None,
        seat=seat,
        asking=0,
        number=readings.next_number(work, game, seat),
        arrival=readings.after_all(work, game, turn.number, seat),
        mailbox="",
        uid=0,
        written=None,
        effects=(sheets.Say(word="draft"), sheets.Say(word="no-wait")),
        late=False,
        has_orders=False,
        by="substitute",
    )
    readings.add(work, game, turn.number, kept)


# Former holders -------------------------------------------------------------------------------------------------------


class Former(NamedTuple):
    """A place that the writer of a mail held once."""

    tenure: Tenure
    game: Game


def former(work: Work, who: Speaker, game: Game | None) -> Former | None:
    """Return the place that a mail's writer held last: in its game or, where it names none, in one that runs.

    Nobody is a former holder in a game that he has been invited to again.
    """
    if who.invitation is not None and who.invitation.joined is None:
        return None
    query = (
        select(Tenure, Game)
        .join(Game, col(Game.id) == col(Tenure.game_id))
        .where(col(Tenure.until).is_not(None), Game.status == "running")
        .where(col(Tenure.player_id).in_([person.id for person in who.players]))
    )
    if game is not None:
        query = query.where(Game.id == game.id)
    elif any(people.tenures_of(work, person) for person in who.players):
        return None
    found = work.session.exec(query.order_by(col(Tenure.until).desc(), col(Tenure.id).desc())).first()
    return Former(*found) if found is not None else None


def answer_former(work: Work, mail: Opened, place: Former) -> None:
    """Execute nothing of a former holder's letter, and say so once (play-by-mail 6)."""
    tenure, game = place
    verdicts.settle(work, mail.row, "held", "former-holder")
    titles = people.seat_titles(work, game)
    known = people.reader_of(work, game, tenure, titles)
    reader = msgspec.structs.replace(known, seat="", reply_to=work.config.service.address)
    facts = {"titles": titles.get(tenure.seat, {}), "tag": game.tag}
    notice = Notice(kind="former", reader=reader, facts=facts, head=positions.table(game).head)
    key = f"former/{game.tag}/{tenure.id}"
    envelope = outbox.Envelope(notice=notice)
    outbox.queue(work, key, reader.address, envelope, game=game, in_reply_to=mail.row.message_id)
