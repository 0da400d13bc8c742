"""Letters to people who may join a game or have joined it: invitation, confirmation, welcome, refusal (0)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import Any, Final

import msgspec
from sqlmodel import col, func, select

from adjudicator.errors import RefusedByRules
from adjudicator.letters import Notice, Reader
from adjudicator.services import logbook, outbox, people, positions, schedule, seeds, tokens
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Invitation, Letter, Mail
from engine.core import registry
from mail.addresses import canonical
from mail.loops import silence_before_stranger

DAY: Final = timedelta(days=1)
TO_STRANGERS: Final = ("join-confirm", "confirm", "join-refused", "observe-refused")
"""Answers to an address that is neither registered nor invited: one of them a day, whatever it asks (7)."""


def reader(work: Work, game: Game, invitation: Invitation) -> Reader:
    """Return an invited person as the reader of a letter; its reply address carries the invitation's token."""
    carrier = tokens.of_invitation(work.vault, game, invitation)
    return Reader(
        name=invitation.name,
        language="en" if invitation.language == "en" else "ru",
        zone=work.config.service.zone,
        seat=invitation.seat,
        titles=people.seat_titles(work, game).get(invitation.seat, {}),
        address=invitation.address,
        reply_to=tokens.reply_address(work.config.service.address, carrier),
    )


def write(work: Work, game: Game, invitation: Invitation, *, again: str = "") -> None:
    """Queue the letter of invitation; ``again`` names why it is written a second time."""
    cause = f"{invitation.id}/{again}" if again else f"{invitation.id}"
    _queue(work, game, invitation, "invitation", cause, description(work, game) | {"seat": invitation.seat})


def ask(work: Work, game: Game, invitation: Invitation, mail: Mail, *, seat_unknown: str = "") -> bool:
    """Ask a stranger to confirm that he wants to join: once a day an address; return whether he was asked."""
    if silent(work, invitation.address, TO_STRANGERS):
        return False
    facts = description(work, game) | {"seat": invitation.seat, "typed": seat_unknown}
    _queue(work, game, invitation, "join-confirm", f"{invitation.id}/{mail.id}", facts, mail)
    return True


def silent(work: Work, address: str, kinds: tuple[str, ...]) -> bool:
    """Say whether an address that holds no seat has had its word of these kinds for the day (play-by-mail 4)."""
    query = select(func.max(Letter.created)).where(Letter.address == canonical(address), col(Letter.kind).in_(kinds))
    last: datetime | None = work.session.exec(query).one()
    return silence_before_stranger(last, work.now) != ""


def description(work: Work, game: Game) -> dict[str, Any]:
    """Return what somebody should know of a game before he joins: host, seats, pace, likely length, dice anchors."""
    header = positions.table(game).header
    period = schedule.parse(header.schedule, header.zone).period
    usual = registry.ruleset(game.ruleset).info.usual
    return {
        "players": game.players,
        "host": host(work, game),
        "seats": [{"seat": place.seat, "titles": people.titles(place)} for place in people.seats(work, game)],
        "anchors": anchors(work, game),
        "turns": list(usual) if usual else [],
        "days": [max(1, ceil(turns * period / DAY)) for turns in usual] if usual else [],
    }


def host(work: Work, game: Game) -> str:
    """Return the name of who calls to a game: its moderator's, unless he plays where names are hidden."""
    header, judge = positions.table(game).header, people.moderator(work, game)
    if judge is None or (header.names == "hidden" and header.moderator != "apart"):
        return work.config.service.name
    return people.player(work, judge.player_id).name or work.config.service.name


def anchors(work: Work, game: Game) -> dict[str, str]:
    """Return the anchors of the dice by stream, as published in the genesis of the log."""
    genesis = logbook.entries(work, game, 0, 1)[0]
    found: dict[str, str] = msgspec.json.decode(genesis.event)["anchors"]
    return found


# Joining --------------------------------------------------------------------------------------------------------------


def welcome(work: Work, game: Game, invitation: Invitation, mail: Mail, *, automatic: str, wished: str) -> None:
    """Tell somebody who has joined what stands and what comes next; ``wished`` is the seat he asked for."""
    phrases = seeds.spoken(work, game, 1).phrases
    facts = {
        "seat": invitation.seat,
        "wished": people.seat_titles(work, game).get(wished, {}) if wished != invitation.seat else {},
        "joined": int(invitation.join_id[1:]),
        "players": game.players,
        "phrase": phrases.get(invitation.join_id, ""),
        "phrase_automatic": phrases.get(invitation.join_id, "") == automatic,
        "zone": work.config.service.zone,
    }
    _queue(work, game, invitation, "welcome", f"{invitation.id}/{mail.id}", facts, mail)


def refused(work: Work, game: Game, invitation: Invitation, mail: Mail, refusal: RefusedByRules) -> None:
    """Tell somebody why he could not join and what he can do: once a day, if his address is not registered."""
    if not people.holders_of(work, invitation.address) and silent(work, invitation.address, ("join-refused",)):
        return
    facts = {"why": refusal.key, **refusal.facts, "status": game.status}
    facts["seats"] = [people.titles(place) for place in people.seats(work, game)]
    _queue(work, game, invitation, "join-refused", f"{invitation.id}/{mail.id}", facts, mail)


def turned_away(work: Work, game: Game, address: str, language: str, mail: Mail, refusal: RefusedByRules) -> None:
    """Tell somebody who is not invited why he cannot join: once a day an address."""
    if silent(work, address, TO_STRANGERS):
        return
    service = work.config.service
    notice = Notice(
        kind="join-refused",
        reader=Reader(
            name="",
            language="en" if language == "en" else "ru",
            zone=service.zone,
            address=canonical(address),
            reply_to=service.address,
        ),
        facts={"why": refusal.key, **refusal.facts, "status": game.status, "seats": []},
        head=positions.table(game).head,
        pin=logbook.pin(game),
    )
    outbox.queue(
        work,
        f"join-refused/{game.tag}/0/{mail.id}",
        canonical(address),
        outbox.Envelope(notice=notice),
        game=game,
        in_reply_to=mail.message_id,
    )


def dropped(work: Work, game: Game, invitation: Invitation, mail: Mail) -> None:
    """Tell somebody that his no is heard."""
    _queue(work, game, invitation, "invitation-dropped", f"{invitation.id}/{mail.id}", {}, mail)


def _queue(
    work: Work,
    game: Game,
    invitation: Invitation,
    kind: str,
    cause: str,
    facts: Mapping[str, Any],
    mail: Mail | None = None,
) -> None:
    notice = Notice(
        kind=kind,
        reader=reader(work, game, invitation),
        facts=dict(facts),
        head=positions.table(game).head,
        pin=logbook.pin(game),
    )
    outbox.queue(
        work,
        f"{kind}/{game.tag}/{cause}",
        invitation.address,
        outbox.Envelope(notice=notice),
        game=game,
        in_reply_to=mail.message_id if mail else "",
    )
