"""A locked turn becomes a result, or is stuck with all orders safe; the game goes on or ends (play-by-mail 1)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256
from typing import Any

import msgspec
from sqlmodel import col, select

from adjudicator import failpoint
from adjudicator.errors import RefusedByRules
from adjudicator.fairplay import events, record
from adjudicator.fairplay.chain import NOTHING
from adjudicator.services import (
    asking,
    beacons,
    disputes,
    ending,
    interludes,
    logbook,
    missing,
    people,
    positions,
    proposals,
    seeds,
    turns,
)
from adjudicator.services.positions import Table
from adjudicator.services.reports import Told
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Game, LogEntry, Turn
from engine.core import codec
from engine.core.contract import Answers, Pause, Resolution, Seat, Sheet, State, resolve_turn
from engine.core.dice import MAIN, BatchDice, Throw

STUCK_RETRY = (60, 300, 1800)
"""Seconds to the next try of a turn that could not be resolved; then the operator is told."""


class Locked(msgspec.Struct, frozen=True, kw_only=True):
    """All that a locked turn is resolved from; ``spoken`` are the phrases of its batches, in order."""

    table: Table
    turn: Turn
    state: State
    sheets: dict[Seat, Sheet]
    dice: BatchDice
    entropy: dict[str, dict[str, str]]
    spoken: tuple[seeds.Spoken, ...]
    given: asking.Given
    beacon: str = NOTHING

    @property
    def batches(self) -> tuple[int, ...]:
        """The batches of ``main`` that the turn uses: its own, and one for each group of answers (fair-play D)."""
        return (self.turn.batch, *(group.batch for group in self.given.closed))

    def resolve(self) -> Resolution | Pause:
        """Resolve the turn from its beginning, with the answers given so far."""
        given = self.given
        answers = Answers(given.answers, self.dice, origins=given.origins, groups=given.groups)
        at_once = self.turn.phase == turns.AT_ONCE
        return resolve_turn(self.table.ruleset, self.state, self.sheets, self.dice, answers, at_once=at_once)


def due(work: Work) -> list[int]:
    """Return the locked turns to resolve now, oldest first."""
    waiting = (col(Turn.status) == "locked") & (col(Turn.retry).is_(None) | (col(Turn.retry) <= work.now))
    stuck = (col(Turn.status) == "stuck") & col(Turn.retry).is_not(None) & (col(Turn.retry) <= work.now)
    found = work.session.exec(select(Turn.id).where(waiting | stuck).order_by(col(Turn.id)))
    return [turn_id for turn_id in found if turn_id is not None and not _waits(work, turn_id)]


def _waits(work: Work, turn_id: int) -> bool:
    """Say whether a locked turn waits for the beacon, or for a dispute about an earlier one (play-by-mail 6)."""
    return _waits_for_beacon(work, turn_id) or disputes.holds(work, work.session.get_one(Turn, turn_id))


def _waits_for_beacon(work: Work, turn_id: int) -> bool:
    query = select(Game, Turn).join(Turn, col(Turn.game_id) == col(Game.id)).where(Turn.id == turn_id)
    game, turn = work.session.exec(query).one()
    return beacons.waits(work, game, beacons.last_lock(work, turn))


def load(work: Work, turn_id: int) -> Locked:
    """Gather what a locked turn is resolved from; the seeds of its batches are touched only now (fair-play rule L)."""
    turn = work.session.exec(select(Turn).where(Turn.id == turn_id)).one()
    game = work.session.exec(select(Game).where(Game.id == turn.game_id)).one()
    table = positions.table(game)
    before = positions.turn(work, game, turn.number - 1)
    logbook.demand_sound(work, game, before.result_seq or 0 if before is not None else 0)
    state = positions.state_of(work, table, turn)
    parts: dict[str, Any] = work.vault.open_value(turn.orders or b"", dict[str, Any])
    places = [seat.seat for seat in people.seats(work, game)]
    given = asking.given(work, turn)
    started = beacons.start_lock(work, game)
    locks = [(MAIN, turn.batch, turn.lock_seq or 0)]
    locks += [(MAIN, group.batch, group.lock_seq or 0) for group in given.closed]
    locks += [(stream, 1, started) for stream in table.ruleset.info.streams]
    keys: dict[str, dict[int, bytes]] = {}
    entropy: dict[str, dict[str, str]] = {}
    for stream, batch, lock in locks:
        rows = _lock_rows(work, game, lock, stream)
        document = seeds.entropy(game, stream, batch, rows, beacons.value(work, game, lock))
        keys.setdefault(stream, {})[batch] = seeds.key(work, game, stream, batch, document)
        entropy.setdefault(stream, {})[str(batch)] = sha256(document).hexdigest()
    return Locked(
        table=table,
        turn=turn,
        state=state,
        sheets=record.sheets_of(table.ruleset, state, places, parts),
        dice=BatchDice(keys),
        entropy=entropy,
        spoken=(
            seeds.spoken(work, game, turn.batch),
            *(seeds.spoken(work, game, group.batch) for group in given.closed),
        ),
        given=given,
        beacon=beacons.value(work, game, turn.lock_seq or 0),
    )


def paused(work: Work, turn: Turn) -> Pause | None:
    """Return the pause that a turn waits in, computed anew, for views of what has happened so far; None if in none."""
    return work.once(("paused", turn.id), lambda: _paused(work, turn))


def _paused(work: Work, turn: Turn) -> Pause | None:
    if turn.status != "asking" or turn.id is None:
        return None
    found = load(work, turn.id).resolve()
    return found if isinstance(found, Pause) else None


def _lock_rows(work: Work, game: Game, seq: int, stream: str) -> dict[str, str]:
    """Return the rows of a stream's entropy document as the lock with this number states them."""
    query = select(LogEntry.event).where(LogEntry.game_id == game.id, LogEntry.seq == seq)
    rows: dict[str, str] = msgspec.json.decode(work.session.exec(query).one())["rows"][stream]
    return rows


def resolve_due(house: House) -> int:
    """Resolve every locked turn that is due, return how many were tried; one that raises is stuck, the others go on."""
    with house.look() as work:
        found = due(work)
    for turn_id in found:
        try:
            resolve(house, turn_id)
        except Exception as trouble:  # noqa: BLE001 - whatever a ruleset or a damaged row raises stops no other game
            _stuck(house, turn_id, trouble)
    return len(found)


def resolve(house: House, turn_id: int) -> None:
    """Resolve a locked turn: computed outside any transaction, recorded in one, if the turn is still as it was read.

    It comes to a result, or to questions; with their answers it is resolved again, from its beginning.
    """
    with house.look() as work:
        locked = load(work, turn_id)
    came = locked.resolve()
    failpoint.reach("resolve:computed")
    with house.unit("resolve") as work:
        game = work.game_by_id(locked.turn.game_id)
        turn = work.session.exec(select(Turn).where(Turn.id == turn_id)).one()
        if turn.status not in ("locked", "stuck") or len(asking.groups(work, turn)) != len(locked.given.closed):
            return
        if turn.state != locked.turn.state:  # the turn before was corrected meanwhile: it is resolved anew
            return
        if isinstance(came, Pause):
            asking.ask(work, positions.table(game), turn, came)
        else:
            record_result(work, positions.table(game), turn, locked, came)


def record_result(work: Work, table: Table, turn: Turn, locked: Locked, resolution: Resolution) -> None:
    """Log a result, open what is open now, write every reader's letter and open the next turn, or end the game."""
    game, ruleset = table.game, table.ruleset
    outcome = ruleset.outcome(resolution.state)
    enter_result(work, table, turn, locked, resolution)
    work.forget("current", game.id)
    aside = turn.phase == turns.AT_ONCE
    if not aside:
        missing.count(work, table, turn)
    told = told_of(work, game, locked, resolution, turn.revision)
    proposals.lapse(work, game, turn.number)
    if outcome is None and aside:
        interludes.go_on(work, table, turn, resolution.state, told)
    elif outcome is None:
        standing = _standing_after(work, table, turn)
        turns.open_turn(work, table, turn.number + 1, resolution.state, standing, told)
    else:
        ending.finish(work, table, "outcome", state=resolution.state, told=told)


def enter_result(
    work: Work, table: Table, turn: Turn, locked: Locked, resolution: Resolution, published: Sequence[str] = ()
) -> None:
    """Log what came of a turn, keep it with the turn, and open to all what it lets them know.

    ``published`` are the streams whose seeds an earlier result has given already: of a turn resolved again.
    """
    ruleset = table.ruleset
    before = {one.name for one in ruleset.secrets(locked.state) if one.open}
    now_open = [one.name for one in ruleset.secrets(resolution.state) if one.open]
    opened = [name for name in now_open if name not in before and name not in published]
    entry = _log_result(work, table, turn, locked, resolution, opened, published)
    turn.status, turn.resolved, turn.result_seq, turn.retry, turn.trouble = "resolved", work.now, entry.seq, None, ""
    turn.events = work.vault.seal_value(resolution.events)
    turn.dice = work.vault.seal_value(locked.dice.throws)
    work.session.add(turn)
    _open_parts(work, table, turn, resolution.state, opened)


def told_of(work: Work, game: Game, locked: Locked, resolution: Resolution, revision: int) -> Told:
    """Return what came of a turn as its letters tell it."""
    return Told(
        events=resolution.events,
        dice=locked.dice.throws,
        spoken=locked.spoken[0],
        answered=locked.spoken[1:],
        seeds=tuple((MAIN, batch, seeds.seed(work, game, MAIN, batch).hex()) for batch in locked.batches),
        turn=locked.turn.number,
        revision=revision,
        beacon=locked.beacon,
    )


def _log_result(
    work: Work,
    table: Table,
    turn: Turn,
    locked: Locked,
    resolution: Resolution,
    opened: Sequence[str],
    published: Sequence[str],
) -> record.Entry:
    game, ruleset = table.game, table.ruleset
    streams = [MAIN, *(name for name in opened if name in ruleset.info.streams)]
    batches = {stream: locked.batches if stream == MAIN else (1,) for stream in streams}
    sealed_now = [secret.name for secret in ruleset.secrets(resolution.state) if not secret.open]
    still = [name for name in sealed_now if name not in published]
    places = [seat.seat for seat in people.seats(work, game)]
    public, shown, parts = record.split_result(resolution.events, locked.dice.throws, places, still)
    outcome = ruleset.outcome(resolution.state)
    return logbook.append(
        work,
        game,
        events.Result(
            seq=0,
            at=logbook.at(work.now),
            turn=turn.number,
            revision=game.revision,
            batches=locked.batches,
            seeds={
                stream: {str(batch): seeds.seed(work, game, stream, batch).hex() for batch in its}
                for stream, its in batches.items()
            },
            entropy={stream: locked.entropy[stream] for stream in streams},
            dice=tuple((*throw,) for throw in shown),
            events=public,
            replay=turn.revision,
            outcome=codec.plain(outcome) if outcome else None,
        ),
        parts=parts,
        audience={secret.name: secret.audience for secret in ruleset.secrets(resolution.state)},
    )


def _open_parts(work: Work, table: Table, turn: Turn, state: State, opened: Sequence[str]) -> None:
    """Open to all what this result lets them know: the turn's orders, and secrets whose hour has come (fair-play 7)."""
    secret_names = {secret.name for secret in table.ruleset.secrets(state)}
    asked = [seq for group in asking.groups(work, turn) for seq in (group.question_seq, group.lock_seq or 0)]
    if table.header.open_orders == "turn":
        for seq in (turn.lock_seq or 0, *asked):
            for part in logbook.parts_at(work, table.game, seq):
                if part.name not in secret_names:
                    logbook.open_part(work, table.game, seq, part.name or "-")
    for name in opened:
        logbook.open_where(work, table.game, name=name)


def _standing_after(work: Work, table: Table, turn: Turn) -> dict[Seat, Sheet]:
    """Return each seat's standing orders as the lock found them, with which the next turn opens."""
    now = positions.position(work, table.game, turn, by=turn.locked)
    return {seat.seat: seat.folded.standing for seat in now.seats.values() if seat.folded.standing}


def _stuck(house: House, turn_id: int, trouble: Exception) -> None:
    """Set aside a turn that could not be resolved.

    It is tried again after 1, 5 and 30 min; at the next failure operators and players are told.
    """
    with house.unit("stuck") as work:
        turn = work.session.exec(select(Turn).where(Turn.id == turn_id)).one()
        game = work.game_by_id(turn.game_id)
        if turn.status == "resolved":
            return
        turn.status, turn.trouble = "stuck", f"{type(trouble).__name__}: {trouble}"[:2000]
        turn.attempts += 1
        last = turn.attempts > len(STUCK_RETRY)
        turn.retry = None if last else work.now + timedelta(seconds=STUCK_RETRY[turn.attempts - 1])
        work.session.add(turn)
        if last:
            _tell_stuck(work, game, turn)


def _tell_stuck(work: Work, game: Game, turn: Turn) -> None:
    facts = {"turn": turn.number}
    cause = {**facts, "cause": f"{game.tag}: {turn.trouble}"}
    turns.tell_operators(work, "stuck-operator", f"{game.tag}/{turn.number}/r{turn.revision}", cause)
    try:
        table = positions.table(game)
    except (msgspec.DecodeError, LookupError):  # not even the game's header can be read: for the operator to mend
        return
    turns.tell_all(work, table, "stuck", f"{turn.number}/r{turn.revision}", facts)
    if people.moderator(work, game) is not None:
        turns.tell_moderator(work, game, "stuck-moderator", f"{turn.number}/r{turn.revision}", facts, turn=turn.number)


def unstick(work: Work, game: Game) -> Turn:
    """Let a stuck turn be tried again at once. Raises `RefusedByRules` if the game's turn is not stuck."""
    turn = positions.current(work, game)
    if turn is None or turn.status != "stuck":
        raise RefusedByRules("not-stuck", tag=game.tag)
    turn.retry, turn.attempts = work.now, 0
    work.session.add(turn)
    return turn


# Preview --------------------------------------------------------------------------------------------------------------


class TrialDice(BatchDice):
    """Dice of a throw-away key: a preview before the lock shows what could be, not what will be (fair-play rule L)."""

    def __init__(self, key: bytes, streams: Sequence[str]) -> None:
        super().__init__({stream: {1: key} for stream in streams})


def on_trial(work: Work, table: Table, turn: Turn, key: bytes) -> tuple[Resolution, tuple[Throw, ...]]:
    """Resolve an open turn as its orders stand, with trial dice; nothing is kept, and whoever shows it logs the look.

    Raises `RefusedByRules` if the turn stops at a question.
    """
    now = positions.position(work, table.game, turn)
    ruleset = table.ruleset
    sheets = {seat.seat: seat.filled + ruleset.silent(now.view(seat.seat), seat.filled) for seat in now.seats.values()}
    dice = TrialDice(key, (MAIN, *ruleset.info.streams))
    resolution = ruleset.resolve(now.state, sheets, dice, Answers({}, dice))
    if not isinstance(resolution, Resolution):
        raise RefusedByRules("asks", turn=turn.number)
    return resolution, dice.throws
