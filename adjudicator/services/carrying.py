"""What the seats have voted for is done, what they have voted down is closed (play-by-mail 2, 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from sqlmodel import col, select

from adjudicator.errors import RefusedByRules
from adjudicator.services import ending, mandate, positions, proposals, verbs
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, Proposal

Carries: TypeAlias = Callable[[Work, Game, dict[str, Any]], None]
"""Does what was voted for; raises `RefusedByRules` before it has changed anything if the game has moved on (1.9)."""


def _draw(work: Work, game: Game, _facts: dict[str, Any]) -> None:
    ending.finish(work, positions.table(game), "draw")


CARRIES: Final[dict[str, Carries]] = {
    "draw": _draw,
    **dict.fromkeys(sorted({*mandate.NEEDS_YES, *verbs.BY_VOTE}), mandate.carried),
}
"""What a vote does that has carried, by kind of proposal."""


def carry_all(house: House) -> int:
    """Count every open vote; do what has carried, close what has been voted down; return how many were settled."""
    with house.look() as work:
        query = select(Proposal.id, Proposal.game_id).where(Proposal.status == "open").order_by(col(Proposal.id))
        found = work.session.exec(query).all()
    done = 0
    for proposal_id, game_id in found:
        with house.unit("vote") as work:
            game = work.game_by_id(game_id)
            proposal = work.session.get_one(Proposal, proposal_id)
            work.session.refresh(proposal)
            done += proposal.status == "open" and carry(work, game, proposal)
    return done


def carry(work: Work, game: Game, proposal: Proposal) -> bool:
    """Do one proposal if it has carried, close it if it has not and all have voted; return whether it is settled."""
    stands = proposals.count(work, game, proposal)
    if not stands.over:
        return False
    proposals.settle(work, proposal, "carried" if stands.carried else "refused")
    proposals.tell(work, game, proposal, f"proposal-{proposal.status}")
    if stands.carried:
        facts: dict[str, Any] = work.vault.open_value(proposal.facts, dict[str, Any])
        try:
            CARRIES[proposal.kind](work, game, facts)
        except RefusedByRules:
            proposals.settle(work, proposal, "lapsed")
            proposals.tell(work, game, proposal, "proposal-lapsed")
    return True
