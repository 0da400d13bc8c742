"""A campaign of «Поднять паруса!» on the stage: a moderator and three players, by mail from its start."""

from __future__ import annotations

from typing import Any

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import Report, verify
from adjudicator.services import asking, games, mandate, people, resolving, turns
from adjudicator.services.header import Header
from adjudicator.services.history import events_of, turn_named
from adjudicator.services.moderation import By
from adjudicator.services.positions import table
from adjudicator.services.verbs import Verb
from engine.core import registry
from engine.core.contract import MODERATOR, Event
from engine.set_sail.state import SetSailState
from tests.adjudicator.services.islanders import hand_over, log_of, poll
from tests.adjudicator.services.stage import ANNA, BORIS, VERA, Stage, fixed_chance

MASTER = "master@example.org"
CREW = ((ANNA, "Анна", "ru"), (BORIS, "Boris", "en"), (VERA, "Вера", "ru"))
SET_SAIL = registry.ruleset("set_sail")
SHEETS = {
    "pirate-1": "лист: имя Анна Бурая; должность капитан; дерзость +2, изворотливость +1, репутация -1",
    "pirate-2": "sheet: name Flint; post gunner; cunning +2, foresight +1",
    "pirate-3": "лист: имя Вера Кок; должность кок; дальновидность +2, репутация +1",
}


def campaign(stage: Stage, *, host: str = MASTER, header: Header | None = None, **options: Any) -> str:
    """Begin a campaign whose set-up turn is open; everybody has been told."""
    with stage.house.unit("test") as work:
        judge = people.register(work, host, name="Мастер", language="ru", zone="Europe/Moscow")
        made = games.create(
            work,
            "set_sail",
            len(CREW),
            options=options,
            header=header or Header(early="in", cool_off=0),
            moderator=judge,
            source=fixed_chance("sails"),
        )
        for (address, name, language), seat in zip(CREW, SET_SAIL.seats(games.options(made), len(CREW)), strict=True):
            invitation = games.invite(work, made, address, name=name, language=language, seat=seat.id)
            games.join(work, made, invitation, phrase=f"соль {name}", arrival=work.now)
        games.start(work, made)
    hand_over(stage)
    return made.tag


def play(stage: Stage, tag: str, **letters: str) -> None:
    """Let seats write (``pirate_1``), then lock and resolve the open turn as far as it goes."""
    for seat, text in letters.items():
        stage.write(tag, seat.replace("_", "-"), text)
    poll(stage)
    with stage.house.unit("test") as work:
        turns.process(work, work.game(tag), stage.turn(tag).number)
    resolving.resolve_due(stage.house)
    poll(stage)


def decide(stage: Stage, tag: str, **letters: str) -> None:
    """Let seats answer what the turn asks, then take defaults for the rest and resolve as far as it goes."""
    for seat, text in letters.items():
        stage.write(tag, seat.replace("_", "-"), text)
    poll(stage)
    with stage.house.unit("test") as work:
        asking.process(work, work.game(tag), stage.turn(tag).number)
    resolving.resolve_due(stage.house)
    poll(stage)


def command(stage: Stage, tag: str, *lines: str) -> None:
    """Let the moderator command something at once."""
    stage.write(tag, MODERATOR, "\n".join(lines))
    poll(stage)


def state(stage: Stage, tag: str) -> SetSailState:
    """Return the position of the open turn."""
    found = stage.position(tag).state
    assert isinstance(found, SetSailState)
    return found


def happened(stage: Stage, tag: str, number: int) -> tuple[Event, ...]:
    """Return everything that happened in a turn."""
    with stage.house.look() as work:
        game = work.game(tag, lock=False)
        return events_of(work, table(game), turn_named(work, game, number))


def checked(stage: Stage, tag: str, reader: str | None = None) -> Report:
    """Check the log of a campaign as a reader has it."""
    return verify(read_source(tag, log_of(stage, tag, reader)), {"set_sail": SET_SAIL})


def idle(*rolls: str) -> str:
    """Return what a player writes who does nothing, and puts no luck into these rolls."""
    return "\n".join(["без хода", *(f"не вмешиваюсь: {roll}" for roll in rolls)])


def finish(stage: Stage, tag: str) -> None:
    """Break the campaign off: everything is opened."""
    with stage.house.unit("test") as work:
        verb = Verb(name="finish", line=0, last=0, turn=stage.turn(tag).number)
        mandate.finish(work, work.game(tag), By("moderator"), verb)
    poll(stage)
