"""A player disputes a turn; it is answered by `stands`, `rule` or `replay`, and everybody hears of it (play-by-mail 6).

The replay itself is the business of `services.amending`; void, the last answer, is not to be had yet.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final, Literal

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import events
from adjudicator.letters import LineVerdict
from adjudicator.services import casefile, casewords, history, logbook, outbox, people, positions, turns
from adjudicator.services.commands import Command
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Dispute, Game, Turn
from engine.core.contract import MODERATOR, Seat

Outcome = Literal["stands", "rule", "replay"]

HOLD: Final = timedelta(hours=24)
"""How long after its lock the next turn is kept from being resolved, at most."""
LONGEST: Final = 4000
"""Characters of a dispute."""

_NAMED: Final = re.compile(r"\s*(?:ход[ау]?|turn)\s+(\d{1,6})\s*:?(.*)", re.IGNORECASE | re.DOTALL)


def look(work: Work, game: Game, turn: int, viewer: Seat, who: Literal["moderator", "operator"]) -> None:
    """Log that somebody is about to see what is sealed; nothing where the viewer is the public (fair-play L)."""
    if casefile.sees_sealed(viewer):
        logbook.append(work, game, events.Look(seq=0, at=logbook.at(work.now), turn=turn, who=who, what="case"))


# Opening --------------------------------------------------------------------------------------------------------------


def hear(work: Work, said: Said, command: Command) -> LineVerdict:
    """Open a dispute at ``спор [ход N]: <текст>``, or say why it cannot be opened."""
    raw = said.written(command)
    number, text = parted(raw)
    last = history.resolved(work, said.table.game)
    number = last[-1].number if number is None and last else number

    def refused(key: str) -> LineVerdict:
        return LineVerdict(text=raw, mark="command-refused", key=key, facts={"turn": number or 0})

    if number is None or number not in [turn.number for turn in last]:
        return refused("dispute-no-turn")
    if not text:
        return refused("dispute-empty")
    if said.mail.row.counts > until(work, said.table.game, number):
        return refused("dispute-late")
    if _open_by(work, said.table.game, said.tenure.seat, number):
        return refused("dispute-open")
    dispute = open_dispute(work, said.table.game, said.tenure.seat, number, text)
    facts = {"turn": number, "text": text, "holds": dispute.until is not None}
    return LineVerdict(text=raw, mark="command", key="dispute", facts=facts)


def parted(raw: str) -> tuple[int | None, str]:
    """Return the turn that a line of a dispute names, if it does, and its text, word for word."""
    rest = raw.strip()
    for word in ("спор", "dispute"):
        if rest.casefold().startswith(word):
            rest = rest[len(word) :]
            break
    named = _NAMED.fullmatch(rest)
    number, text = (int(named[1]), named[2]) if named else (None, rest)
    return number, text.strip().removeprefix(":").strip()[:LONGEST]


def until(work: Work, game: Game, number: int) -> datetime:
    """Return until when a turn may be disputed: the deadline after its report."""
    following = positions.turn(work, game, number + 1)
    return following.deadline if following is not None else work.now - timedelta(seconds=1)


def _open_by(work: Work, game: Game, seat: Seat, number: int) -> bool:
    query = select(Dispute.id).where(Dispute.game_id == game.id, Dispute.seat == seat, Dispute.status == "open")
    return work.session.exec(query.where(Dispute.turn == number)).first() is not None


def open_dispute(work: Work, game: Game, seat: Seat, number: int, text: str) -> Dispute:
    """Enter a dispute in the log and tell everybody of it; the moderator gets the case file, as far as he may see it.

    The next turn may lock but is not resolved for at most 24 h after its lock, once per seat and game unless an
    earlier dispute of the seat was upheld.
    """
    following = positions.turn(work, game, number + 1)
    deadline = following.deadline if following is not None else work.now
    holds = _may_hold(work, game, seat)
    dispute = work.add(
        Dispute(
            game_id=game.id or 0,
            turn=number,
            seat=seat,
            text=work.vault.seal(text.encode()),
            opened=work.now,
            until=max(work.now, deadline) + HOLD if holds else None,
        )
    )
    logbook.append(
        work,
        game,
        events.Dispute(seq=0, at=logbook.at(work.now), turn=number, state="open", seat=seat, private=""),
        private=events.DisputePart(seat=seat, text=text),
        audience={"-": (seat, MODERATOR)},
    )
    table = positions.table(game)
    titles = people.seat_titles(work, game)
    facts = {
        "turn": number,
        "seat": seat,
        "titles": titles[seat],
        "until": iso(dispute.until) if dispute.until else "",
        "number": dispute.id or 0,
    }
    turns.tell_all(work, table, "disputed", str(dispute.id), facts)
    _tell_moderator(work, game, dispute, {**facts, "text": text})
    return dispute


def _may_hold(work: Work, game: Game, seat: Seat) -> bool:
    """Say whether a seat's dispute may keep the next turn from being resolved: once, unless it was right before."""
    query = select(Dispute).where(Dispute.game_id == game.id, Dispute.seat == seat)
    earlier = work.session.exec(query.order_by(col(Dispute.id))).all()
    return all(one.until is None or one.status == "rule" for one in earlier)


def _tell_moderator(work: Work, game: Game, dispute: Dispute, facts: dict[str, Any]) -> None:
    """Tell the moderator at once, or the operators where there is none, with the case file as far as he may see it."""
    tenure = people.moderator(work, game)
    viewer = casefile.moderators_viewer(positions.table(game))
    look(work, game, dispute.turn, viewer, "moderator" if tenure is not None else "operator")
    reader = people.moderator_reader(work, game, tenure) if tenure is not None else outbox.operator(work, "")
    case = casefile.gather(work, game, dispute.turn, reader, viewer)
    file = {"case_file": casewords.markdown(case), "case_name": f"case-{game.tag}-{dispute.turn}.md"}
    told = {**facts, **file, "tag": game.tag}
    turns.tell_moderator(work, game, "disputed-moderator", str(dispute.id), told, turn=dispute.turn)


# Holding --------------------------------------------------------------------------------------------------------------


def holds(work: Work, turn: Turn) -> bool:
    """Say whether a locked turn must wait for a dispute: for at most 24 h after its lock (play-by-mail 6)."""
    if turn.locked is None or work.now >= turn.locked + HOLD:
        return False
    query = select(Dispute.id).where(
        Dispute.game_id == turn.game_id,
        Dispute.status == "open",
        Dispute.turn < turn.number,
        col(Dispute.until).is_not(None),
    )
    return work.session.exec(query).first() is not None


# Settling -------------------------------------------------------------------------------------------------------------


def open_disputes(work: Work, game: Game) -> Sequence[Dispute]:
    """Return the disputes of a game that wait for an answer, oldest first."""
    query = select(Dispute).where(Dispute.game_id == game.id, Dispute.status == "open")
    return work.session.exec(query.order_by(col(Dispute.id))).all()


def about(work: Work, game: Game, number: int) -> Dispute:
    """Return the oldest open dispute about a turn. Raises `RefusedByRules` if there is none."""
    found = next((one for one in open_disputes(work, game) if one.turn == number), None)
    if found is None:
        raise RefusedByRules("no-dispute", turn=number, tag=game.tag)
    return found


def settle(work: Work, dispute: Dispute, outcome: Outcome, text: str) -> None:
    """Answer a dispute: the turn stands, the moderator rules, or it has been resolved again; all are told.

    The next report repeats it. A ruling enters the log in full. A replay is kept as a dispute that was right, which is
    what the row's ``rule`` means; the log has the word itself. Raises `RefusedByRules` for a dispute that is settled.
    """
    game = work.game_by_id(dispute.game_id)
    if dispute.status != "open":
        raise RefusedByRules("no-dispute", turn=dispute.turn, tag=game.tag)
    dispute.status = "rule" if outcome == "replay" else outcome
    dispute.outcome, dispute.settled = text, work.now
    work.session.add(dispute)
    now = logbook.at(work.now)
    if outcome == "rule":
        logbook.append(work, game, events.Ruling(seq=0, at=now, turn=dispute.turn, text=text))
    logbook.append(
        work,
        game,
        events.Dispute(seq=0, at=now, turn=dispute.turn, state=outcome, seat=dispute.seat, reason=text),
    )
    titles = people.seat_titles(work, game)[dispute.seat]
    facts = {"turn": dispute.turn, "seat": dispute.seat, "titles": titles, "outcome": outcome, "text": text}
    turns.tell_all(work, positions.table(game), "dispute-settled", str(dispute.id), facts)


def lapse(work: Work, game: Game) -> None:
    """Let the open disputes of a game that is over lapse; the log keeps them."""
    for dispute in open_disputes(work, game):
        dispute.status, dispute.settled = "lapsed", work.now
        work.session.add(dispute)
        event = events.Dispute(seq=0, at=logbook.at(work.now), turn=dispute.turn, state="lapsed", seat=dispute.seat)
        logbook.append(work, game, event)
