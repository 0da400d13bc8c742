"""What the last letter tells beside the last turn: who was who, who looked, how the dice fell (play-by-mail 1.10)."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from typing import Any

from sqlmodel import col, select

from adjudicator.fairplay import lots
from adjudicator.letters import Closing, SeatStatus
from adjudicator.services import history, logbook, people, tally
from adjudicator.services.positions import Table
from adjudicator.services.work import Work
from adjudicator.storage.tables import Tenure
from engine.core.contract import MODERATOR


def gather(work: Work, at: Table) -> Closing:
    """Return what is told of a whole game when it is over."""
    return Closing(
        names=tuple(_names(work, at)),
        looks=tuple(_looks(work, at)),
        dice=tally.by_purpose(_dice(work, at)),
        luck=tally.by_seat(_tries(work, at)),
        replays=tuple(_replays(work, at)),
    )


def _names(work: Work, at: Table) -> Iterator[SeatStatus]:
    """Yield who held each seat, one after another: in an anonymous game this is where they are named."""
    titles = people.seat_titles(work, at.game)
    query = select(Tenure).where(Tenure.game_id == at.game.id, Tenure.seat != MODERATOR)
    held: dict[str, list[str]] = {}
    for tenure in work.session.exec(query.order_by(col(Tenure.id))):
        name = people.player(work, tenure.player_id).name
        if name:
            held.setdefault(tenure.seat, []).append(name)
    for seat, title in titles.items():
        names = list(dict.fromkeys(held.get(seat, ())))
        yield SeatStatus(seat=seat, titles=title, name=", ".join(names))


def _looks(work: Work, at: Table) -> Iterator[dict[str, Any]]:
    """Yield every look at what was sealed, as the log has it (play-by-mail 6)."""
    for entry in logbook.entries(work, at.game, 0, at.game.seq):
        event = json.loads(entry.event)
        if event["type"] == "look":
            yield {name: event.get(name) for name in ("turn", "who", "what", "at")}


def _replays(work: Work, at: Table) -> Iterator[int]:
    """Yield the turns that were resolved again (fair-play C: every correction is counted)."""
    for entry in logbook.entries(work, at.game, 0, at.game.seq):
        event = json.loads(entry.event)
        if event["type"] == "replay":
            yield event["turn"]


def _dice(work: Work, at: Table) -> Iterator[tuple[str, int, int]]:
    """Yield what each die of the game was for, its sides and its face; the lots of ``start`` among them."""
    for entry in logbook.entries(work, at.game, 0, at.game.seq):
        event = json.loads(entry.event)
        if event["type"] == "result" and event.get("turn") is None:
            for _, _, address, sides, face in event["dice"]:
                yield _purpose(at, address), sides, face
    for turn in history.resolved(work, at.game):
        for throw in history.throws_of(work, turn):
            yield _purpose(at, throw.address), throw.sides, throw.face


def _purpose(at: Table, address: str) -> str:
    if address.startswith(f"{lots.LOT}/"):
        return "seats-lot"
    key, _ = at.ruleset.dice_purpose(address)
    return key


def _tries(work: Work, at: Table) -> Iterator[tuple[str, str, bool, tuple[int, int]]]:
    """Yield whose luck was tried in what, as far as the rules can tell: a ruleset's ``story.tries``, if it has one."""
    story = importlib.import_module(f"engine.{at.game.ruleset}.story")
    tell = getattr(story, "tries", None)
    if tell is None:
        return
    for turn in history.resolved(work, at.game):
        view = at.ruleset.view(history.state_after(work, at, turn), MODERATOR)
        yield from tell(view, history.events_of(work, at, turn))
