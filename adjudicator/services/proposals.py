"""Votes: something is proposed to the seats, voices are kept secret until they are counted (play-by-mail 2, 6).

What carries is done by `services.carrying`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlmodel import col, select

from adjudicator.services import people, positions, turns
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Proposal, Vote
from engine.core.contract import Seat, Value

UNANIMOUS: Final = ("draw", "void")
"""Kinds that all seats in play must agree to, however many they are (play-by-mail 2, 6)."""
_YES, _NO = b"yes", b"no"


class Count(Value, frozen=True):
    """How a vote stands: voices of those who may vote now, and how many ``yes`` carry it."""

    yes: int
    no: int
    voters: int
    needed: int

    @property
    def carried(self) -> bool:
        """Whether enough have agreed."""
        return self.voters > 0 and self.yes >= self.needed

    @property
    def over(self) -> bool:
        """Whether there is nothing left to wait for: before, a count would tell who has said what."""
        return self.carried or self.yes + self.no >= self.voters


def propose(work: Work, game: Game, kind: str, facts: Mapping[str, Any], seat: Seat, turn: int) -> Proposal:
    """Lay something before the seats until the report of ``turn``; a seat that proposes agrees.

    ``kind`` is a line of `services.carrying.CARRIES`; its phrase ``proposal_<kind>`` is filled by ``facts``. An open
    proposal of the same kind and facts is agreed to instead of made again.
    """
    for known in open_ones(work, game):
        if known.kind == kind and work.vault.open_value(known.facts, dict[str, Any]) == dict(facts):
            vote(work, known, seat, yes=True)
            return known
    made = work.add(
        Proposal(
            game_id=game.id or 0,
            kind=kind,
            turn=turn,
            seat=seat,
            facts=work.vault.seal_value(dict(facts)),
            created=work.now,
        )
    )
    vote(work, made, seat, yes=True)
    tell(work, game, made, "proposal")
    return made


def vote(work: Work, proposal: Proposal, seat: Seat, *, yes: bool) -> None:
    """Take a seat's voice; the last one counts. The voice of a seat that may not vote is never counted."""
    known = select(Vote).where(Vote.proposal_id == proposal.id, Vote.seat == seat)
    row = work.session.exec(known).first() or Vote(proposal_id=proposal.id or 0, seat=seat, voice=b"", arrival=work.now)
    row.voice, row.arrival = work.vault.seal(_YES if yes else _NO), work.now
    work.session.add(row)
    work.session.flush()


def open_ones(work: Work, game: Game) -> Sequence[Proposal]:
    """Return the proposals of a game that are open, oldest first."""
    query = select(Proposal).where(Proposal.game_id == game.id, Proposal.status == "open")
    return work.session.exec(query.order_by(col(Proposal.id))).all()


def number(work: Work, proposal: Proposal) -> int:
    """Return the number of a proposal within its game, by which it is voted on where several are open."""
    query = select(Proposal.id).where(Proposal.game_id == proposal.game_id, col(Proposal.id) <= proposal.id)
    return len(work.session.exec(query).all())


def voters(work: Work, game: Game, proposal: Proposal) -> tuple[Seat, ...]:
    """Return the seats in play, in roster order; where the moderator plays, none of his own on his verbs (6)."""
    held = people.tenures(work, game)
    judge = people.moderator(work, game)
    if proposal.kind != "draw" and judge is not None:
        held = [tenure for tenure in held if tenure.player_id != judge.player_id]
    return tuple(tenure.seat for tenure in held)


def needed(work: Work, game: Game, proposal: Proposal) -> int:
    """Return how many voices carry a proposal, its proposer's among them (play-by-mail 2, 6).

    A draw needs all seats in play; a verb of a moderator who plays one other player's yes; one where there is no
    moderator all, from five seats up two thirds.
    """
    seats = len(voters(work, game, proposal))
    if proposal.kind != "draw" and positions.table(game).header.moderator == "plays":
        return 1
    if proposal.kind in UNANIMOUS or seats < 5:
        return seats
    return -(-2 * seats // 3)


def count(work: Work, game: Game, proposal: Proposal) -> Count:
    """Count the voices of the seats that may vote now; what a former holder has said is not his successor's voice."""
    seats = voters(work, game, proposal)
    since = {tenure.seat: tenure.since for tenure in people.tenures(work, game)}
    rows = work.session.exec(select(Vote).where(Vote.proposal_id == proposal.id)).all()
    said = {row.seat: work.vault.open(row.voice) for row in rows if row.arrival >= since.get(row.seat, row.arrival)}
    voices = [said[seat] for seat in seats if seat in said]
    return Count(yes=voices.count(_YES), no=voices.count(_NO), voters=len(seats), needed=needed(work, game, proposal))


def lapse(work: Work, game: Game, turn: int) -> None:
    """Let the proposals of a turn lapse, for its report is out; one that all have voted on is still counted (2)."""
    for proposal in open_ones(work, game):
        if proposal.turn <= turn and not count(work, game, proposal).over:
            settle(work, proposal, "lapsed")
            tell(work, game, proposal, "proposal-lapsed")


def withdraw(work: Work, game: Game) -> None:
    """Withdraw all proposals of a game that has ended."""
    for proposal in open_ones(work, game):
        settle(work, proposal, "withdrawn")


def settle(work: Work, proposal: Proposal, status: str) -> None:
    """Give a proposal its end."""
    proposal.status, proposal.settled = status, work.now
    work.session.add(proposal)


def tell(work: Work, game: Game, proposal: Proposal, kind: str) -> None:
    """Tell all seats of a proposal or its end. Whose voice was which nobody is told: the proposer's is one."""
    facts: dict[str, Any] = work.vault.open_value(proposal.facts, dict[str, Any])
    stands = count(work, game, proposal)
    shown: dict[str, Any] = {"voters": stands.voters, "needed": stands.needed}
    if proposal.status in ("carried", "refused"):
        shown |= {"yes": stands.yes, "no": stands.no}
    facts = {**facts, **shown, "turn": proposal.turn, "what": proposal.kind, "number": number(work, proposal)}
    turns.tell_all(work, positions.table(game), kind, str(proposal.id), facts)
