"""The moderator's desk: what waits for him, once a day in one letter, with the verbs ready to copy (play-by-mail 6).

Nothing sealed stands in it. A moderator who plays sees of the others what the game shows to every seat.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo

from sqlmodel import col, select

from adjudicator.clock import iso
from adjudicator.letters import Notice, Reader
from adjudicator.services import logbook, outbox, people, positions, proposals, releasing, schedule, turns, verbs
from adjudicator.services.positions import Position, Table
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Absence, Dispute, Game, Letter, Tenure, Turn
from engine.core.contract import MODERATOR
from mail.addresses import canonical

MORNING: Final = time(9)
"""When the letter of a game comes whose schedule names no hour."""
DAY: Final = timedelta(days=1)
MATTERS: Final = ("held", "returned", "disputes")
"""What of a desk waits for a word: without any of it, no operator is written to."""
_BEHIND: Final = {"ru": ("на", "ход"), "en": ("by", "turn")}
_ADDRESS: Final = "name@example.org"
"""Stands for the address that is still to be named."""

Facts: TypeAlias = dict[str, Any]


# What lies there ------------------------------------------------------------------------------------------------------


def desk(work: Work, game: Game, judge: Tenure | None) -> Facts:
    """Return what lies on a game's desk: who is in, and what waits for a word."""
    table = positions.table(game)
    turn = positions.current(work, game)
    now = positions.position(work, game, turn) if turn is not None else None
    language = people.player(work, judge.player_id).language if judge is not None else work.config.service.language
    facts: Facts = {
        "turn": turn.number if turn is not None else None,
        "state": turn.status if turn is not None else game.status,
        "deadline": iso(turn.deadline) if turn is not None else "",
        "paused": game.paused is not None,
        "now": iso(work.now),
        "yours": now is not None and now.waits_for_moderator,
        "seats": _seats(work, table, now, judge),
        "held": [releasing.about(row) for row in releasing.waiting(work, game)],
        "returned": _returned(work, game),
        "missed": _missed(work, game),
        "empty": _empty(work, game),
        "absences": _absences(work, table),
        "disputes": _disputes(work, game),
        "proposals": [proposals.number(work, one) for one in proposals.open_ones(work, game)],
    }
    return {**facts, "copy": _ready_to_copy(table, facts, "en" if language == "en" else "ru")}


def _seats(work: Work, table: Table, now: Position | None, judge: Tenure | None) -> list[Facts]:
    if now is None:
        return []
    titles = people.seat_titles(work, table.game)
    if table.header.moderator == "plays":
        own = next(
            (one.seat for one in people.tenures(work, table.game) if judge and one.player_id == judge.player_id), ""
        )
        others, count = positions.statuses(work, now, own)
        if count is not None:
            return [{"count": list(count)}]
        return [{"titles": one.titles, "name": one.name, "word": one.word, "waits": one.waits} for one in others]
    names = {one.seat: people.player(work, one.player_id).name for one in people.tenures(work, table.game)}
    return [
        {"titles": titles[seat], "name": names.get(seat, ""), "word": one.word, "waits": one.folded.wait}
        for seat, one in now.seats.items()
        if seat != MODERATOR
    ]


def _returned(work: Work, game: Game) -> list[Facts]:
    """Return the letters of the last day that came back or were refused."""
    query = select(Letter).where(
        Letter.game_id == game.id, Letter.trouble != "", Letter.created > work.now - DAY * 2, Letter.seat != MODERATOR
    )
    titles = people.seat_titles(work, game)
    return [
        {"address": row.address, "titles": titles.get(row.seat, {}), "why": row.trouble[:200], "kind": row.kind}
        for row in work.session.exec(query.order_by(col(Letter.id)))
        if row.kind != "desk"
    ]


def _missed(work: Work, game: Game) -> list[Facts]:
    titles = people.seat_titles(work, game)
    return [
        {"titles": titles[one.seat], "seat": one.seat, "count": one.missed}
        for one in people.tenures(work, game)
        if one.missed
    ]


def _empty(work: Work, game: Game) -> list[Facts]:
    if game.status != "running":
        return []
    held = {one.seat for one in people.tenures(work, game)}
    titles = people.seat_titles(work, game)
    return [{"titles": titles[seat], "seat": seat} for seat in titles if seat not in held]


def _absences(work: Work, table: Table) -> list[Facts]:
    """Return the absences to come; whose they are only where the reader may know it (1.7)."""
    today = work.now.astimezone(ZoneInfo(table.header.zone)).date()
    shown = table.header.moderator != "plays" or table.header.absences_shown
    titles = people.seat_titles(work, table.game)
    query = select(Absence).where(Absence.game_id == table.game.id, Absence.last >= today)
    return [
        {
            "titles": titles.get(row.seat, {}) if shown else {},
            "first": row.first.isoformat(),
            "last": row.last.isoformat(),
            "waits": row.waits,
        }
        for row in work.session.exec(query.order_by(col(Absence.first), col(Absence.id)))
    ]


def _disputes(work: Work, game: Game) -> list[Facts]:
    titles = people.seat_titles(work, game)
    query = select(Dispute).where(Dispute.game_id == game.id, Dispute.status == "open").order_by(col(Dispute.id))
    return [
        {"turn": row.turn, "titles": titles.get(row.seat, {}), "until": iso(row.until) if row.until else ""}
        for row in work.session.exec(query)
    ]


def _ready_to_copy(table: Table, facts: Facts, language: str) -> list[str]:
    """Return the verbs that may be wanted now, each a line as it is typed."""

    def say(name: str, *rest: object) -> str:
        return " ".join(map(str, (verbs.spelled(name, language), *rest)))

    turn = facts["turn"]
    lines: list[str] = []
    if turn is not None and facts["state"] == "open":
        lines += [say("nudge", turn), say("extend", turn, "24h"), say("process", turn), say("preview", turn)]
        lines.append(say("resume" if facts["paused"] else "pause", turn))
    for mail in facts["held"]:
        lines += [say(name, mail["number"]) for name in ("show", "release", "drop")]
    between, turn_word = _BEHIND[language]
    lines += [
        say("substitute", seat["seat"], between, _ADDRESS, turn_word, turn)
        for seat in (*facts["missed"], *facts["empty"])
    ]
    hidden = [verbs.spelled(name, language) for name in ("preview", "show", "release", "drop")]
    if table.header.moderator == "plays":
        lines = [line for line in lines if not line.startswith(tuple(f"{word} " for word in hidden))]
    return list(dict.fromkeys(lines))


# Once a day -----------------------------------------------------------------------------------------------------------


def desk_all(house: House) -> int:
    """Write the desk letters that are due, and the urgent word on held mail; return how many were written."""
    with house.look() as work:
        query = select(Game).where(Game.status == "running").order_by(col(Game.id))
        found = [game.id for game in work.session.exec(query) if _due(work, game) is not None or _near(work, game)]
    count = 0
    for game_id in found:
        try:
            count += _look_after(house, game_id)
        except Exception:  # noqa: BLE001 - a damaged row stops no other game; its turn tells the operators of it
            _skip(house, game_id)
    return count


def _look_after(house: House, game_id: int | None) -> int:
    with house.unit("desk") as work:
        game = work.game_by_id(game_id)
        count = _held_near_the_deadline(work, game)
        hour = _due(work, game)
        if game.status == "running" and hour is not None:
            game.desk = hour
            work.session.add(game)
            count += write(work, game, hour)
        return count


def _skip(house: House, game_id: int | None) -> None:
    """Let a desk that cannot be looked at rest until its next hour."""
    with house.unit("desk-trouble") as work:
        game = work.game_by_id(game_id)
        game.desk = work.now
        work.session.add(game)


def _due(work: Work, game: Game) -> datetime | None:
    """Return the latest hour of the desk letter that has come and has had no letter, None if there is none."""
    header = positions.table(game).header
    hour = schedule.parse(header.schedule, header.zone).hour or MORNING
    zone = ZoneInfo(header.zone)
    today = work.now.astimezone(zone).date()
    last = schedule.at_wall_time(today, hour, zone)
    if last > work.now:
        last = schedule.at_wall_time(today - DAY, hour, zone)
    since = max(filter(None, (game.started, game.desk)), default=datetime.min.replace(tzinfo=UTC))
    return last if last > since else None


def write(work: Work, game: Game, hour: datetime) -> int:
    """Queue the desk letter for the moderator; without one for the operators, if anything waits for them."""
    judge = people.moderator(work, game)
    facts = desk(work, game, judge)
    if judge is not None:
        _queue(work, game, people.reader_of(work, game, judge, {}), facts, hour, judge)
        return 1
    if not any(facts[name] for name in MATTERS):
        return 0
    for address in work.config.service.operators:
        _queue(work, game, outbox.operator(work, address), {**facts, "copy": []}, hour, None)
    return len(work.config.service.operators)


def _queue(work: Work, game: Game, reader: Reader, facts: Facts, hour: datetime, judge: Tenure | None) -> None:
    notice = Notice(kind="desk", reader=reader, facts=facts, head=positions.table(game).head, pin=logbook.pin(game))
    outbox.queue(
        work,
        f"desk/{game.tag}/{iso(hour)}/{reader.address}",
        canonical(reader.address),
        outbox.Envelope(notice=notice),
        game=game,
        tenure=judge,
        turn=facts["turn"] if judge is not None else None,
    )


# At once --------------------------------------------------------------------------------------------------------------


def _near(work: Work, game: Game) -> Turn | None:
    """Return the open turn of a game whose deadline is near: nearer than its shortest notice (1.4)."""
    turn = positions.current(work, game)
    if turn is None or turn.status != "open" or game.paused is not None:
        return None
    near = schedule.min_notice(timedelta(seconds=turn.period))
    return turn if turn.deadline - near <= work.now <= turn.deadline + DAY else None


def _held_near_the_deadline(work: Work, game: Game) -> int:
    """Tell the moderator at once, and once, of mail that is held while a deadline is near (play-by-mail 6)."""
    turn = _near(work, game)
    if turn is None:
        return 0
    count = 0
    for row in releasing.waiting(work, game):
        if (
            row.verdict == "quarantined"
            or row.counts < turn.opened
            or not releasing.speaks_for_somebody(work, game, row)
        ):
            continue
        about = releasing.about(row)
        key = f"held-moderator/{game.tag}/{row.id}"
        if work.session.exec(select(Letter.id).where(col(Letter.key).startswith(key + "/")).limit(1)).first() is None:
            facts = {**about, "turn": turn.number, "deadline": iso(turn.deadline)}
            turns.tell_moderator(work, game, "held-moderator", str(row.id), facts, turn=turn.number)
            count += 1
    return count
