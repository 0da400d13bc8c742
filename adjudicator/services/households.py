"""Two seats of one game at one address: only by the moderator's word, and told to all (play-by-mail 4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from sqlmodel import col, select

from adjudicator.services import asked, invitations, people, positions, turns
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Game, Invitation, Tenure
from mail.addresses import canonical


def taken(work: Work, game: Game, address: str, *, but: int | None = None) -> bool:
    """Say whether somebody who has joined a game, or holds a seat in it, is to be reached at an address of this person.

    ``but`` is the invitation that is not counted.
    """
    own = {canonical(address)}
    for person in people.holders_of(work, address):
        own.update(people.addresses(work, person.id or 0))
    joined = select(Invitation).where(Invitation.game_id == game.id, col(Invitation.joined).is_not(None))
    others = {one.address for one in work.session.exec(joined) if one.id != but}
    return bool(own & others)


def ask_moderator(work: Work, game: Game, invitation: Invitation, mail: Opened) -> None:
    """Ask the moderator whether an address may hold a second seat; his ``да`` lets it join."""
    facts = {"invitation": invitation.id, "address": invitation.address, "name": invitation.name}
    judge = people.moderator(work, game)
    if judge is None:
        turns.tell_operators(work, "second-seat-operator", f"{game.tag}/{invitation.id}", facts, game)
        return
    reader = people.reader_of(work, game, judge, people.seat_titles(work, game))
    asked.ask(work, "second-seat", reader, facts, cause=f"{mail.row.id}", game=game, tenure=judge)


def allow(work: Work, row: Asked, facts: dict[str, Any], _mail: Opened) -> None:
    """Let an address hold a second seat, and tell it that it may say yes again."""
    invitation = work.session.get_one(Invitation, int(facts["invitation"]))
    invitation.second = True
    work.session.add(invitation)
    invitations.write(work, work.session.get_one(Game, row.game_id), invitation, again="second")


def shared(work: Work, game: Game) -> list[tuple[Tenure, Tenure]]:
    """Return the pairs of seats that one address serves, in roster order."""
    found = people.tenures(work, game)
    own = {tenure.id: set(people.addresses(work, tenure.player_id)) for tenure in found}
    return [(one, other) for one, other in combinations(found, 2) if own[one.id] & own[other.id]]


def tell(work: Work, game: Game, pairs: Sequence[tuple[Tenure, Tenure]], cause: str) -> None:
    """Tell all which seats one address serves; names and addresses are nobody's business."""
    titles = people.seat_titles(work, game)
    for one, other in pairs:
        facts = {"seats": [titles[one.seat], titles[other.seat]]}
        turns.tell_all(work, positions.table(game), "two-seats", f"{cause}/{one.id}/{other.id}", facts)
