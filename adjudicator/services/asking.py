"""Decisions in mid-turn: a group of questions is asked, answered or left to policy and default, and closed (1.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.fairplay import events
from adjudicator.letters import Notice, SeatWord
from adjudicator.services import (
    beacons,
    logbook,
    outbox,
    people,
    positions,
    readings,
    reports,
    sheets,
    timing,
    turns,
)
from adjudicator.services.positions import Table
from adjudicator.services.questions import Numbered
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Asking, Game, Letter, LogEntry, Tenure, Turn
from engine.core import codec
from engine.core.contract import EVERYONE, MODERATOR, PUBLIC, Pause, Question, Seat, State

LEAST: Final = timedelta(hours=6)
MOST: Final = timedelta(hours=24)
RETRY: Final = (60, 300, 1800)
"""Seconds to the next try of a group that raised."""


def span(period: int) -> timedelta:
    """Return how long answers are awaited in a turn of so many seconds: a quarter of it, 6 to 24 hours."""
    return max(LEAST, min(MOST, timedelta(seconds=period) / 4))


# What is asked --------------------------------------------------------------------------------------------------------


def groups(work: Work, turn: Turn) -> Sequence[Asking]:
    """Return the groups of questions that a turn has asked, in their order."""
    return work.once(("groups", turn.id), lambda: _groups(work, turn))


def _groups(work: Work, turn: Turn) -> Sequence[Asking]:
    return work.session.exec(select(Asking).where(Asking.turn_id == turn.id).order_by(col(Asking.number))).all()


def current(work: Work, turn: Turn) -> Asking | None:
    """Return the group that waits for answers, None where nothing is asked."""
    if turn.status != "asking":
        return None
    return next((group for group in groups(work, turn) if group.locked is None), None)


def questions(work: Work, group: Asking) -> tuple[Question, ...]:
    """Return the questions of a group, in the order in which the rules asked them."""
    found: tuple[Question, ...] = work.once(
        ("questions", group.id), lambda: work.vault.open_value(group.questions, tuple[Question, ...])
    )
    return found


def numbered(work: Work, turn: Turn, seat: Seat) -> dict[int, tuple[Numbered, ...]]:
    """Return all a seat was asked in a turn, by group; numbers count on: no answer lands on a later question."""
    found: dict[int, tuple[Numbered, ...]] = {}
    count = 0
    for group in groups(work, turn):
        own = [question for question in questions(work, group) if question.seat == seat]
        found[group.number] = tuple(Numbered(number=count + n, question=one) for n, one in enumerate(own, 1))
        count += len(own)
    return found


def seats_of(asked: Sequence[Question]) -> tuple[Seat, ...]:
    """Return the seats that questions are put to, in the order of asking."""
    return tuple(dict.fromkeys(question.seat for question in asked))


def only_moderator(asked: Sequence[Question]) -> bool:
    """Say whether only the moderator is asked: such a group never closes without him."""
    return seats_of(asked) == (MODERATOR,)


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """A seat that is asked: its questions, what it has said to them, and its word."""

    seat: Seat
    asked: tuple[Numbered, ...]
    folded: sheets.SeatSheet
    word: SeatWord

    @property
    def answers(self) -> dict[str, str]:
        """The answers in force, by key."""
        return {key: word for key, (word, _) in self.folded.answers.items()}


def steps(
    work: Work, game: Game, turn: Turn, group: Asking, seat: Seat, by: datetime | None = None
) -> tuple[sheets.Step, ...]:
    """Return what a seat's mails said to a group, in the order in which they count."""
    found = readings.accepted(work, game, turn.number, seat, by, asking=group.number)
    return tuple(sheets.Step(number=row.number, effects=row.effects) for row in found)


def seat_asked(seat: Seat, asked: tuple[Numbered, ...], said: Sequence[sheets.Step]) -> SeatAsked:
    """Return a seat as what it has said leaves it."""
    folded = sheets.fold(said, (), lambda sheet, _: sheet, _no_order)
    return SeatAsked(seat, asked, folded, _word_of(folded, asked))


def _no_order(plain: dict[str, Any]) -> Any:
    raise ValueError(f"an order among answers: {plain!r}")


def _word_of(folded: sheets.SeatSheet, asked: tuple[Numbered, ...]) -> SeatWord:
    missing = [one.number for one in asked if one.question.key not in folded.answers]
    if not folded.answers and not folded.accepted:
        return "no orders"
    if missing or folded.draft or folded.refused:
        return "draft"
    return "ready" if folded.ready else "orders in"


def now(work: Work, game: Game, turn: Turn, group: Asking, *, by: datetime | None = None) -> dict[Seat, SeatAsked]:
    """Return the seats asked in a group, as the mails that arrived by an instant leave them."""
    return {
        seat: seat_asked(seat, numbered(work, turn, seat)[group.number], steps(work, game, turn, group, seat, by))
        for seat in seats_of(questions(work, group))
    }


def awaited(work: Work, table: Table, turn: Turn, group: Asking) -> tuple[Seat, ...]:
    """Return the seats whose decision is awaited; where the game hides who is in, all that were asked."""
    asked = now(work, table.game, turn, group)
    if table.header.who_in != "names":
        return tuple(asked)
    return tuple(seat for seat, one in asked.items() if one.word not in ("orders in", "ready"))


# Asking ---------------------------------------------------------------------------------------------------------------


def ask(work: Work, table: Table, turn: Turn, pause: Pause) -> Asking:
    """Ask the questions of a pause: log them, open their batch, tell everybody what he may know (1.8, fair-play D).

    Raises ValueError for questions that the rules may not ask: a key twice, a default that is no answer.
    """
    game = table.game
    earlier = groups(work, turn)
    _check(pause.questions, [question.key for group in earlier for question in questions(work, group)])
    number = len(earlier) + 1
    deadline = work.now + span(turn.period)
    asked: dict[Seat, list[Any]] = {}
    for question in pause.questions:
        asked.setdefault(question.seat, []).append(codec.plain(question))
    entry = logbook.append(
        work,
        game,
        events.Question(
            seq=0,
            at=logbook.at(work.now),
            turn=turn.number,
            batch=game.next_batch,
            group=number,
            seats=tuple(sorted(asked)),
            roster=tuple(sorted(tenure.seat for tenure in people.tenures(work, game))),
            deadline=None if only_moderator(pause.questions) else iso(deadline),
            round=None if only_moderator(pause.questions) else beacons.round_for(game, deadline),
        ),
        parts={seat: events.QuestionPart(questions=tuple(put)) for seat, put in asked.items()},
    )
    group = work.add(
        Asking(
            game_id=game.id or 0,
            turn_id=turn.id or 0,
            number=number,
            batch=game.next_batch,
            asked=work.now,
            deadline=deadline,
            question_seq=entry.seq,
            questions=work.vault.seal_value(pause.questions),
            check=work.now,
        )
    )
    game.next_batch += 1
    turn.status, turn.retry, turn.trouble, turn.attempts = "asking", None, "", 0
    work.session.add(turn)
    work.forget("groups", turn.id)
    _tell(work, table, turn, group, pause)
    return group


def _check(asked: Sequence[Question], before: Sequence[str]) -> None:
    keys = [question.key for question in asked]
    if not keys or len(set(keys)) != len(keys) or set(keys) & set(before):
        raise ValueError(f"questions {keys!r} after {list(before)!r}")
    for question in asked:
        if not question.answered_by(question.default):
            raise ValueError(f"{question.default!r} is no answer to {question.key!r}")


def cause_of(turn: Turn, group: Asking) -> str:
    """Return what letters about a group name in their keys."""
    return f"{turn.number}/r{turn.revision}/{group.number}"


def _tell(work: Work, table: Table, turn: Turn, group: Asking, pause: Pause) -> None:
    """Write to the seats asked what they must decide, to the others whose decision is awaited and never which."""
    titles = people.seat_titles(work, table.game)
    asked = seats_of(pause.questions)
    for tenure in people.tenures(work, table.game):
        own = numbered(work, turn, tenure.seat)[group.number]
        facts = {
            "turn": turn.number,
            "deadline": deadline_of(work, group),
            "now": iso(work.now),
            "awaited": [titles[seat] for seat in asked if seat not in (tenure.seat, MODERATOR)],
            "moderator": MODERATOR in asked,
            "early": table.header.early,
            "goes_on": turns.goes_on(turn),
            "view": codec.encode(sight(table, pause.position, tenure.seat, tuple(one.question for one in own))),
            "events": list(reports.known_events(pause.events, tenure.seat)),
            "questions": [codec.plain(one) for one in own],
        }
        kind = "question" if own else "question-awaited"
        letter(work, table, turn, tenure, kind, cause_of(turn, group), facts, opening=bool(own))
    if MODERATOR in asked:
        _tell_moderator(work, table, turn, group, pause)


def deadline_of(work: Work, group: Asking) -> str:
    """Return the deadline of a group as letters print it, "" where no clock ends it."""
    return "" if only_moderator(questions(work, group)) else iso(group.deadline)


def letter(
    work: Work,
    table: Table,
    turn: Turn,
    tenure: Tenure,
    kind: str,
    cause: str,
    facts: dict[str, Any],
    *,
    opening: bool = False,
) -> None:
    """Queue a letter about a group to the holder of a seat, once for a cause."""
    reader = people.reader_of(work, table.game, tenure, people.seat_titles(work, table.game))
    notice = Notice(kind=kind, reader=reader, facts=facts, head=table.head, pin=logbook.pin(table.game))
    outbox.queue(
        work,
        f"{kind}/{table.game.tag}/{cause}/{tenure.seat}/{tenure.id}",
        reader.address,
        outbox.Envelope(notice=notice),
        game=table.game,
        tenure=tenure,
        turn=turn.number,
        opening=opening,
    )


def _tell_moderator(work: Work, table: Table, turn: Turn, group: Asking, pause: Pause) -> None:
    """Put the moderator's own questions to him, or to the operators where the game has no moderator's place."""
    own = numbered(work, turn, MODERATOR)[group.number]
    put = tuple(one.question for one in own)
    facts = {
        "turn": turn.number,
        "deadline": deadline_of(work, group),
        "now": iso(work.now),
        "awaited": [],
        "moderator": True,
        "early": table.header.early,
        "view": codec.encode(sight(table, pause.position, MODERATOR, put)),
        "events": [
            codec.encode(event) for event in pause.events if event.audience == EVERYONE or MODERATOR in event.audience
        ],
        "questions": [codec.plain(one) for one in own],
    }
    turns.tell_moderator(work, table.game, "question", cause_of(turn, group), facts, turn=turn.number)


# Waiting --------------------------------------------------------------------------------------------------------------


def moment(work: Work, table: Table, turn: Turn, group: Asking, sources: Sequence[str]) -> timing.Moment:
    """Return what is known of a group, for `timing.decide`: it closes as an open turn locks.

    Where only the moderator is asked no clock ends the group, and his whole answer does.
    """
    asked = now(work, table.game, turn, group)
    alone = only_moderator(questions(work, group))
    held = {tenure.seat for tenure in people.tenures(work, table.game)} | {MODERATOR}
    said = readings.of_turn(work, table.game, turn.number)
    arrivals = [row.arrival for row in said if row.asking == group.number and row.has_orders and not row.late]
    return timing.Moment(
        now=work.now,
        deadline=max(group.deadline, work.now + turns.DAY) if alone else group.deadline,
        period=span(turn.period),
        words={seat: one.word for seat, one in asked.items() if seat in held},
        told=_told(work, table, turn, group),
        waits=any(one.folded.wait for one in asked.values()),
        last_order=max(arrivals, default=None),
        early="in" if alone else table.header.early,
        cool_off=timedelta(seconds=table.header.cool_off),
        margin=timedelta(seconds=work.config.times.margin),
        good=turns.last_good_poll(work, sources),
        unread=positions.unread_since(work),
        paused=table.game.paused is not None,
    )


def _told(work: Work, table: Table, turn: Turn, group: Asking) -> dict[Seat, datetime | None]:
    """Return when each seat asked was told, None if it was not; one that has answered all the same knows (1.4)."""
    letters = select(Letter.seat, Letter.sent).where(
        Letter.game_id == table.game.id,
        col(Letter.key).startswith(f"question/{table.game.tag}/{cause_of(turn, group)}/"),
    )
    sent = dict(work.session.exec(letters.order_by(col(Letter.id))).all())
    wrote: dict[Seat, datetime] = {}
    for row in sorted(readings.of_turn(work, table.game, turn.number), key=lambda row: row.arrival, reverse=True):
        if row.asking == group.number and not row.late:
            wrote[row.seat] = row.arrival
    held = {tenure.seat for tenure in people.tenures(work, table.game)}
    return {seat: sent.get(seat) or wrote.get(seat) for seat in seats_of(questions(work, group)) if seat in held}


def is_about(table: Table, turn: Turn, group: Asking, letter: Letter | None) -> bool:
    """Say whether a letter of ours is about a group: the one that asked, or its reminder."""
    cause = f"{table.game.tag}/{cause_of(turn, group)}/"
    return letter is not None and letter.key.startswith((f"question/{cause}", f"question-reminder/{cause}"))


def takes(work: Work, table: Table, turn: Turn, group: Asking, arrival: datetime, *, answers_it: bool) -> bool:
    """Say whether a mail that arrived then may answer a group.

    It must come after the question, which one that answers its letter surely does, and by the deadline, if one ends it.
    """
    if arrival < group.asked and not answers_it:
        return False
    counted = arrival if table.game.paused is None else min(arrival, table.game.paused)  # no clock runs in a pause
    if counted <= group.deadline or only_moderator(questions(work, group)):
        return True
    return None in _told(work, table, turn, group).values()


def look_after_all(house: House, sources: Sequence[str]) -> int:
    """Close every group whose time has come, or move its deadline, or remind; return how many were looked at."""
    with house.look() as work:
        query = (
            select(Asking.id)
            .join(Turn, col(Turn.id) == col(Asking.turn_id))
            .where(col(Asking.locked).is_(None), Asking.check <= work.now, Turn.status == "asking")
        )
        found = [group_id for group_id in work.session.exec(query.order_by(col(Asking.id))) if group_id is not None]
    for group_id in found:
        try:
            _look_after_one(house, group_id, sources)
        except Exception as trouble:  # noqa: BLE001 - a damaged row or a ruleset that raises must not stop other games
            _set_back(house, group_id, trouble)
    return len(found)


def _look_after_one(house: House, group_id: int, sources: Sequence[str]) -> None:
    with house.unit("asking") as work:
        group = work.session.exec(select(Asking).where(Asking.id == group_id)).one()
        game = work.game_by_id(group.game_id)
        work.session.refresh(group)
        turn = work.session.exec(select(Turn).where(Turn.id == group.turn_id)).one()
        work.session.refresh(turn)
        if turn.status == "asking" and group.locked is None:
            look_after(work, positions.table(game), turn, group, sources)
            turn.trouble, turn.attempts = "", 0


def _set_back(house: House, group_id: int, trouble: Exception) -> None:
    """Set back a group that cannot be looked at: after 1, 5 and 30 min; at the fourth failure operators are told."""
    with house.unit("trouble") as work:
        group = work.session.exec(select(Asking).where(Asking.id == group_id)).one()
        turn = work.session.exec(select(Turn).where(Turn.id == group.turn_id)).one()
        turn.trouble, turn.attempts = f"{type(trouble).__name__}: {trouble}"[:2000], turn.attempts + 1
        group.check = work.now + timedelta(seconds=RETRY[min(turn.attempts, len(RETRY)) - 1])
        work.session.add(turn)
        work.session.add(group)
        if turn.attempts == len(RETRY) + 1:
            tag = work.session.exec(select(Game.tag).where(Game.id == turn.game_id)).one()
            facts = {"turn": turn.number, "cause": f"{tag}: {turn.trouble}"}
            turns.tell_operators(work, "stuck-operator", f"{tag}/{turn.number}/{group.number}", facts)


def look_after(work: Work, table: Table, turn: Turn, group: Asking, sources: Sequence[str]) -> None:
    """Close a group if its time has come, or move its deadline; else remind, and say when to look again."""
    known = moment(work, table, turn, group, sources)
    if not known.words:  # nobody holds the seats that are asked: there is no one to wait for
        close(work, table, turn, group, work.now, early=True)
        return
    verdict = timing.decide(known)
    if isinstance(verdict, timing.LockNow):
        close(work, table, turn, group, verdict.arrived_by, early=verdict.early)
    elif isinstance(verdict, timing.MoveDeadline):
        move_deadline(work, table, turn, group, verdict.deadline, "told-late")
    elif isinstance(verdict, timing.NotYet):
        again = None if verdict.reason == "paused" else _remind(work, table, turn, group)
        group.check = min(verdict.until, again or verdict.until)
        work.session.add(group)


def move_deadline(
    work: Work, table: Table, turn: Turn, group: Asking, deadline: datetime, reason: str, **facts: Any
) -> None:
    """Give a group another deadline, and tell everybody."""
    before, group.deadline, group.check = group.deadline, deadline, work.now
    work.session.add(group)
    logbook.append(
        work,
        table.game,
        events.Deadline(
            seq=0,
            at=logbook.at(work.now),
            turn=turn.number,
            batch=group.batch,
            deadline=iso(deadline),
            reason=reason,
            round=beacons.round_for(table.game, deadline),
        ),
    )
    told = {"turn": turn.number, "before": iso(before), "deadline": iso(deadline), "reason": reason, **facts}
    turns.tell_all(work, table, "question-moved", f"{cause_of(turn, group)}/{iso(deadline)}", told)


def outage(work: Work, good: datetime, began: datetime, reason: str = "outage") -> None:
    """Move every group's deadline that passed while mail was not read, by the length of the outage (1.3)."""
    query = select(Asking.id).where(col(Asking.locked).is_(None), Asking.deadline > good, Asking.deadline <= began)
    for group_id in work.session.exec(query.order_by(col(Asking.id))).all():
        group = work.session.exec(select(Asking).where(Asking.id == group_id)).one()
        game = work.game_by_id(group.game_id)
        turn = positions.current(work, game)
        if turn is None or game.paused is not None or current(work, turn) is not group:
            continue
        if only_moderator(questions(work, group)):
            continue
        if good < group.deadline <= began:
            moved = group.deadline + (began - good)
            facts = {"since": iso(good), "until": iso(began)}
            move_deadline(work, positions.table(game), turn, group, moved, reason, **facts)


# Reminders ------------------------------------------------------------------------------------------------------------


def _half(group: Asking) -> datetime:
    return group.asked + (group.deadline - group.asked) / 2


def _remind(work: Work, table: Table, turn: Turn, group: Asking) -> datetime | None:
    """Remind once, at half time, those who have not answered; return when to look again, if for this (1.8)."""
    if only_moderator(questions(work, group)):
        return _await_moderator(work, table, turn, group)
    if group.reminded or work.now >= group.deadline:
        return None
    if work.now < _half(group):
        return _half(group)
    group.reminded = True
    holders = people.by_seat(work, table.game)
    cause = f"{cause_of(turn, group)}/{iso(group.deadline)}"
    for seat, one in now(work, table.game, turn, group).items():
        if one.word not in ("no orders", "draft"):
            continue
        facts = reminder_of(work, table, turn, group, one)
        if seat in holders:
            letter(work, table, turn, holders[seat], "question-reminder", cause, facts)
        elif seat == MODERATOR:
            turns.tell_moderator(work, table.game, "question-reminder", cause, facts, turn=turn.number)
    return None


def reminder_of(work: Work, table: Table, turn: Turn, group: Asking, one: SeatAsked) -> dict[str, Any]:
    """Return the facts of a letter that shows a seat its questions and what it has answered.

    ``names`` is a view for the sake of the names in it: the letter shows no board.
    """
    return {
        "turn": turn.number,
        "deadline": deadline_of(work, group),
        "now": iso(work.now),
        "questions": with_answers(one),
        "names": codec.encode(sight(table, positions.state_of(work, table, turn), one.seat, ())),
    }


def sight(table: Table, position: State, seat: Seat, put: tuple[Question, ...]) -> Any:
    """Return what letters about a pause show a seat: of the moderator's sight nothing sealed (play-by-mail 6).

    Where the rules make him know everything nothing is sealed to him.
    """
    hidden = seat == MODERATOR and not table.ruleset.info.moderated
    return table.ruleset.view(position, PUBLIC if hidden else seat, put)


def with_answers(one: SeatAsked) -> list[dict[str, Any]]:
    """Return a seat's questions with its answers in force, as letters carry them."""
    return [{**codec.plain(each), "answer": one.answers.get(each.question.key, "")} for each in one.asked]


def _await_moderator(work: Work, table: Table, turn: Turn, group: Asking) -> datetime:
    """Remind the moderator of the questions that he alone is asked, daily; return when to look again (1.8)."""
    one = now(work, table.game, turn, group)[MODERATOR]
    facts = reminder_of(work, table, turn, group, one)
    silent = one.word in ("no orders", "draft")
    reminder = ("question-reminder", facts) if silent else None
    return turns.await_moderator(work, table, turn, group.asked, cause_of(turn, group), reminder)


# Closing --------------------------------------------------------------------------------------------------------------


def close(work: Work, table: Table, turn: Turn, group: Asking, arrived_by: datetime, *, early: bool) -> None:
    """Freeze the answers that came by an instant; policy, then default, answer what is left open (1.8, fair-play D)."""
    game = table.game
    parts: dict[str, events.AnswersPart] = {}
    for seat, one in now(work, game, turn, group, by=arrived_by).items():
        given: dict[str, tuple[str, events.AnswerOrigin]] = {
            each.question.key: one.folded.answers.get(each.question.key) or each.question.unanswered
            for each in one.asked
        }
        parts[seat] = events.AnswersPart(
            answers={key: word for key, (word, _) in given.items()},
            origins={key: origin for key, (_, origin) in given.items()},
        )
    decided = turns.decided_at(work, game, arrived_by) if early else None
    roster = _roster(work, group)
    event = turns.lock_event(
        work, game, turn.number, group.batch, roster, group.deadline, decided, question=group.question_seq
    )
    entry = turns.append_lock(work, game, event, parts)
    group.answers = work.vault.seal_value({key: word for part in parts.values() for key, word in part.answers.items()})
    group.origins = work.vault.seal_value({key: who for part in parts.values() for key, who in part.origins.items()})
    group.locked, group.lock_seq = arrived_by, entry.seq
    turn.status, turn.retry, turn.trouble, turn.attempts = "locked", None, "", 0
    work.session.add(group)
    work.session.add(turn)


def _roster(work: Work, group: Asking) -> tuple[Seat, ...]:
    """Return the rows of a group's batch: the seats that were held when it was asked."""
    query = select(LogEntry.event).where(LogEntry.game_id == group.game_id, LogEntry.seq == group.question_seq)
    roster: list[str] = msgspec.json.decode(work.session.exec(query).one())["roster"]
    return tuple(roster)


class Given(msgspec.Struct, frozen=True, kw_only=True):
    """What the closed groups of a turn gave: answers by key, who gave each, in which group; and their batches."""

    answers: Mapping[str, str]
    origins: Mapping[str, events.AnswerOrigin]
    groups: Mapping[str, int]
    closed: tuple[Asking, ...]


def given(work: Work, turn: Turn) -> Given:
    """Return what is answered so far in a turn."""
    closed = tuple(group for group in groups(work, turn) if group.locked is not None)
    answers: dict[str, str] = {}
    origins: dict[str, events.AnswerOrigin] = {}
    asked_in: dict[str, int] = {}
    for group in closed:
        words = work.vault.open_value(group.answers or b"", dict[str, str])
        answers |= words
        origins |= work.vault.open_value(group.origins or b"", dict[str, events.AnswerOrigin])
        asked_in |= dict.fromkeys(words, group.number)
    return Given(answers=answers, origins=origins, groups=asked_in, closed=closed)


# The moderator's hand -------------------------------------------------------------------------------------------------


def process(work: Work, game: Game, number: int) -> Turn:
    """Lock a named open turn at once, or let policy and default answer what a named turn asks (play-by-mail 1.9).

    Raises `RefusedByRules` if that turn is neither open nor asking.
    """
    turn = positions.current(work, game)
    group = current(work, turn) if turn is not None and turn.number == number else None
    if turn is None or group is None:
        return turns.process(work, game, number)
    said = readings.of_turn(work, game, number)
    last = max((row.arrival for row in said if row.asking == group.number and not row.late), default=work.now)
    close(work, positions.table(game), turn, group, max(work.now, last), early=True)
    return turn
