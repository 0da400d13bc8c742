"""A player says that he will be away: the absence is kept, logged, and moves the deadline that it touches (1.7)."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from adjudicator.clock import iso
from adjudicator.fairplay import events
from adjudicator.letters import LineVerdict
from adjudicator.services import absence_dates, absences, logbook, people, positions, turns
from adjudicator.services.absence_dates import Days, Unread
from adjudicator.services.commands import Command
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Absence

_STAYS: Final = re.compile(r"[\s,;(]*(?:без переноса|не переносить|no move|without moving)[\s).!]*$", re.IGNORECASE)
_CANCEL: Final = re.compile(
    r"^(?:отмена|отменить|cancel|withdraw)\b[\s:,]*|[\s,]+(?:отмена|отменить|cancel)$", re.IGNORECASE
)


def declare(work: Work, said: Said, command: Command) -> LineVerdict:
    """Keep the absence that a line declares, or take one back; the line says what follows from it."""
    text = command.argument.strip()
    if not text:
        return _refused("absence-form", absences=_listed(work, said))
    wanted = _CANCEL.sub("", text)
    if wanted != text:
        return _withdraw(work, said, wanted)
    dates = _STAYS.sub("", text)
    days = absence_dates.read(dates, _today(work, said))
    if isinstance(days, Unread):
        return _refused(days.key, typed=dates, **days.facts)
    return _enter(work, said, days, waits=dates == text)


def _refused(key: str, **facts: Any) -> LineVerdict:
    return LineVerdict(text="", mark="command-refused", key=key, facts=facts)


def _zone(work: Work, said: Said) -> str:
    return people.player(work, said.tenure.player_id).zone


def _today(work: Work, said: Said) -> date:
    return said.mail.row.counts.astimezone(ZoneInfo(_zone(work, said))).date()


def _own(work: Work, said: Said) -> list[Absence]:
    return [one for one in absences.of_game(work, said.table.game) if one.tenure_id == said.tenure.id]


def _listed(work: Work, said: Said) -> list[dict[str, Any]]:
    return [_named(one) for one in _own(work, said) if absences.ends(one) > work.now]


def _named(absence: Absence) -> dict[str, Any]:
    return {"first": absence.first.isoformat(), "last": absence.last.isoformat()}


# Declared -------------------------------------------------------------------------------------------------------------


def _enter(work: Work, said: Said, days: Days, *, waits: bool) -> LineVerdict:
    cap = said.table.header.absence_days
    taken = {day for one in _own(work, said) if one.waits for day in _each(one.first, one.last)}
    asked = len(_each(days.first, days.last) - taken)
    if waits and asked > cap - len(taken):
        return _refused("absence-cap", wanted=asked, left=cap - len(taken), cap=cap)
    absence = work.add(
        Absence(
            game_id=said.table.game.id or 0,
            seat=said.tenure.seat,
            tenure_id=said.tenure.id or 0,
            first=days.first,
            last=days.last,
            zone=_zone(work, said),
            waits=waits,
            declared=said.mail.row.counts,
            mail_id=said.mail.row.id,
        )
    )
    work.forget("absences", said.table.game.id)
    _log(work, said, absence)
    facts = {**_named(absence), "days": days.count, "left": cap - len(taken) - asked if waits else cap - len(taken)}
    return LineVerdict(
        text="", mark="command", key="absence", facts={**facts, "waits": waits, **_move(work, said, absence)}
    )


def _each(first: date, last: date) -> frozenset[date]:
    return frozenset(first + timedelta(days=one) for one in range((last - first).days + 1))


def _log(work: Work, said: Said, absence: Absence) -> None:
    """Log the absence; whose it is stands in its private part, except where the game shows it."""
    turn = said.turn
    logbook.append(
        work,
        said.table.game,
        events.Absence(
            seq=0,
            at=logbook.at(work.now),
            turn=turn.number,
            private="",
            seat=absence.seat if said.table.header.absences_shown else None,
        ),
        private=events.AbsencePart(
            seat=absence.seat,
            first=absence.first.isoformat(),
            last=absence.last.isoformat(),
            waits=absence.waits,
            withdrawn=absence.withdrawn is not None,
        ),
        audience={"-": (absence.seat,)},
    )


def _move(work: Work, said: Said, absence: Absence) -> dict[str, Any]:
    """Move the open turn's deadline if the absence touches it, and tell all that, not whose; return it for the line.

    ``stays``: the deadline falls into the absence, but it was declared less than a day before.
    """
    game, turn = said.table.game, said.turn
    nothing = {"deadline": "", "stays": False, "turn": turn.number}
    if not absence.waits or turn.status != "open" or turn.frozen is not None:
        return nothing
    later = turns.past_absences(work, game, turn, turn.deadline)
    if later == turn.deadline:
        owes = absence.seat in absences.owing(said.table, positions.state_of(work, said.table, turn))
        return {**nothing, "stays": owes and absences.begins(absence) <= turn.deadline < absences.ends(absence)}
    shown = {"titles": people.seat_titles(work, game)[absence.seat]} if said.table.header.absences_shown else {}
    turns.move_deadline(work, game, turn, later, "absence", **shown)
    return {**nothing, "deadline": iso(later)}


# Taken back -----------------------------------------------------------------------------------------------------------


def _withdraw(work: Work, said: Said, dates: str) -> LineVerdict:
    """Take back an absence that has not begun; a deadline that was moved for it stays, since all have been told."""
    coming = [one for one in _own(work, said) if absences.begins(one) > said.mail.row.counts]
    if dates.strip():
        days = absence_dates.read(dates, _today(work, said))
        if isinstance(days, Unread):
            return _refused(days.key, typed=dates, **days.facts)
        coming = [one for one in coming if one.first <= days.first <= one.last]
    if len(coming) != 1:
        key = "absence-which" if coming else "absence-none"
        return _refused(key, absences=[_named(one) for one in coming])
    (absence,) = coming
    absence.withdrawn = work.now
    work.session.add(absence)
    work.forget("absences", said.table.game.id)
    _log(work, said, absence)
    return LineVerdict(text="", mark="command", key="absence-withdrawn", facts=_named(absence))
