"""Letters of a correction: everyone it touches gets his report again, with what is different in it (play-by-mail 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from adjudicator.letters import Pin, Reader, Report
from adjudicator.services import forum, history, logbook, outbox, people, positions, reports, resolving
from adjudicator.services.correcting import Again
from adjudicator.services.positions import Table
from adjudicator.services.work import Work
from adjudicator.storage.tables import Turn
from engine.core import codec
from engine.core.contract import PUBLIC, Seat, State


def different(work: Work, table: Table, again: Again, before: State, seat: Seat) -> dict[str, Any] | None:
    """Return what a reader knew of a turn and what he knows now, where these differ; ``before`` is what it had led to.

    Events that are in both are left out.
    """
    old = reports.known_events(history.events_of(work, table, again.played.locked.turn), seat)
    new = reports.known_events(again.resolution.events, seat)
    view = codec.encode(table.ruleset.view(before, seat))
    if old == new and view == codec.encode(table.ruleset.view(again.resolution.state, seat)):
        return None
    return {"gone": _without(old, new), "new": _without(new, old), "before": view}


def _without(texts: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the texts that others lack, each as often as they lack it."""
    left = list(others)
    found = []
    for text in texts:
        if text in left:
            left.remove(text)
        else:
            found.append(text)
    return found


def previews(
    work: Work, table: Table, again: Sequence[Again], befores: Sequence[State], reader: Reader, told: Mapping[str, Any]
) -> Iterator[Report]:
    """Yield what a reader would be told of each turn, marked as a preview."""
    for one, before in zip(again, befores, strict=True):
        seat = reader.seat or PUBLIC
        made = _report(work, table, one, one.played.locked.turn.revision + 1, reader, None)
        what = different(work, table, one, before, seat) or {"gone": [], "new": [], "before": ""}
        yield msgspec.structs.replace(made, preview="true", corrected={**told, **what})


def tell(
    work: Work,
    table: Table,
    again: Sequence[Again],
    revised: Sequence[Turn],
    befores: Sequence[State],
    now: Turn,
    seat: Seat,
    told: Mapping[str, Any],
) -> None:
    """Write to everyone whom a correction touches, of each turn it changes for him; ``seat`` is whose orders it is."""
    last = len(again) - 1
    for place, (one, turn, before) in enumerate(zip(again, revised, befores, strict=True)):
        opens = now if place == last and now.status == "open" else None
        _tell_seats(work, table, one, turn, before, opens, seat if place == 0 else "", told)
        _tell_public(work, table, one, turn, before, opens, told)


def _tell_seats(
    work: Work,
    table: Table,
    one: Again,
    turn: Turn,
    before: State,
    opens: Turn | None,
    seat: Seat,
    told: Mapping[str, Any],
) -> None:
    game, titles = table.game, people.seat_titles(work, table.game)
    for tenure in reports.readers(work, table):
        what = different(work, table, one, before, tenure.seat)
        if what is None and tenure.seat != seat:
            continue
        reader = people.reader_of(work, game, tenure, titles)
        made = _report(work, table, one, turn.revision, reader, opens, tenure.reported_seq)
        facts = {**told, "orders": _orders(table, one, reader) if tenure.seat == seat else []}
        outbox.queue(
            work,
            f"report/{game.tag}/{_cause(turn)}/{tenure.seat}/{tenure.id}",
            reader.address,
            outbox.Envelope(
                report=msgspec.structs.replace(made, corrected={**facts, **(what or {"gone": [], "new": []})}),
                log_after=tenure.reported_seq,
                log_to=game.seq,
            ),
            game=game,
            tenure=tenure,
            turn=opens.number if opens is not None else turn.number,
            opening=opens is not None,
        )
        tenure.reported_seq = game.seq
        work.session.add(tenure)


def _orders(table: Table, one: Again, reader: Reader) -> list[str]:
    """Return the lines of a seat's orders as they count now."""
    view = table.ruleset.view(one.locked.state, reader.seat)
    return [table.ruleset.write(order, reader.language, view) for order in one.locked.sheets.get(reader.seat, ())]


def _tell_public(
    work: Work, table: Table, one: Again, turn: Turn, before: State, opens: Turn | None, told: Mapping[str, Any]
) -> None:
    """Send the public report again, if it changes: to observers, and with forum editions to who posts it."""
    game = table.game
    what = different(work, table, one, before, PUBLIC)
    if what is None:
        return
    facts = {**told, **what}
    about = opens.number if opens is not None else turn.number
    for observer in people.observers(work, game):
        reader = people.observer_reader(work, game, observer)
        made = _report(work, table, one, turn.revision, reader, opens, observer.reported_seq)
        outbox.queue(
            work,
            f"report/{game.tag}/{_cause(turn)}/observer/{observer.id}",
            reader.address,
            outbox.Envelope(
                report=msgspec.structs.replace(made, corrected=facts),
                log_after=observer.reported_seq,
                log_to=game.seq,
            ),
            game=game,
            turn=about,
        )
        observer.reported_seq = game.seq
        work.session.add(observer)
    for reader in reports.posters(work, table):
        made = _report(work, table, one, turn.revision, reader, opens)
        made = msgspec.structs.replace(made, corrected=facts, forum=forum.boards())
        key = f"public/{game.tag}/{_cause(turn)}/{reader.address}"
        outbox.queue(work, key, reader.address, outbox.Envelope(report=made), game=game, turn=about)


def _cause(turn: Turn) -> str:
    return f"{turn.number}/r{turn.revision}"


def _report(
    work: Work, table: Table, one: Again, revision: int, reader: Reader, opens: Turn | None, since: int = 0
) -> Report:
    """Return a reader's report of a turn resolved again; ``opens`` is the turn that it opens, if it is the last."""
    game = table.game
    told = resolving.told_of(work, game, one.locked, one.resolution, revision)
    now = positions.position(work, game, opens) if opens is not None else None
    pins: tuple[Pin, Pin | None] = (logbook.pin(game), logbook.pin_at(work, game, since))
    make = reports.report if reader.seat else reports.public
    made = make(work, table, one.resolution.state, reader, told, now, pins)
    return msgspec.structs.replace(made, farewells=(), press=(), corrections=())
