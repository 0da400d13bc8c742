"""What the seats have voted for is done, what they have voted down is closed (play-by-mail 2, 6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from sqlmodel import col, select

from adjudicator.errors import RefusedByRules
from adjudicator.services import ending, mandate, positions, proposals, turns, verbs
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
        try:
            done += _carry_one(house, proposal_id, game_id)
        except Exception as trouble:  # noqa: BLE001 - whatever a deed or a damaged row raises must not stop other games
            _set_aside(house, proposal_id, game_id, trouble)
    return done


def _carry_one(house: House, proposal_id: int | None, game_id: int) -> bool:
    with house.unit("vote") as work:
        game = work.game_by_id(game_id)
        proposal = work.session.get_one(Proposal, proposal_id)
        work.session.refresh(proposal)
        return proposal.status == "open" and carry(work, game, proposal)


def _set_aside(house: House, proposal_id: int | None, game_id: int, trouble: Exception) -> None:
    """Withdraw a proposal that cannot be carried out, and tell the operators why: tried again it would fail again."""
    with house.unit("vote-trouble") as work:
        game = work.game_by_id(game_id)
        proposal = work.session.get_one(Proposal, proposal_id)
        proposals.settle(work, proposal, "withdrawn")
        cause = f"{proposal.kind}: {type(trouble).__name__}: {trouble}"[:2000]
        facts = {"number": proposals.number(work, proposal), "cause": cause}
        turns.tell_operators(work, "vote-operator", f"{game.tag}/{proposal.id}", facts, game)


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
