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


COMMANDS = (
    ("открыть главу", "open chapter"),
    ("открыть сцену: губернатор", "open scene: governor"),
    ("открыть бой", "open battle"),
    ("урон Flint 1", "damage Flint 1"),
    ("рана Flint 1 лёгкая", "wound Flint 1 light"),
    ("лечение Flint 1", "heal Flint 1"),
    ("фарт Flint +1", "luck Flint +1"),
    ("тайна: у судьи есть брат", "secret: the judge has a brother"),
    ("деньги казна +1 сундук", "money treasury +1 chest"),
    ("пробоина", "hole"),
    ("поломка паруса", "breakdown sails"),
    ("закрыть бой", "close battle"),
    ("открыть переход", "open passage"),
    ("закрыть переход, новый берег", "close passage, new shore"),
    ("открыть кутёж", "open carouse"),
    ("закрыть кутёж", "close carouse"),
    ("шансы команде +2", "chances crew +2"),
    ("шансы команде -1", "chances crew -1"),
    ("часы буря 4", "clock storm 4"),
    ("часы буря +1", "clock storm +1"),
    ("переговоры: Flint — губернатор", "talk: Flint — governor"),
    ("закрыть сцену", "close scene"),
    ("закрыть главу", "close chapter"),
)
"""Every command of the moderator's that is done at once, in both languages."""
# fmt: off
DONE = [
    "gated", "gated", "gated", "effect-applied", "wound-taken", "effect-applied", "wound-healed", "effect-applied",
    "luck-regained", "effect-applied", "secret-gained", "effect-applied", "money-moved", "effect-applied",
    "effect-applied", "stat-changed", "effect-applied", "gated", "flag-raised", "gated", "gated", "flag-raised",
    "gated", "gated", "chances-changed", "effect-applied", "chances-changed", "effect-applied", "world-put",
    "clock-moved", "effect-applied", "talk-opened", "gated", "gated",
]
# fmt: on
"""What comes of them, in that order."""
UNSEEN = ("effect-applied", "world-put", "clock-moved", "secret-gained")
"""Events of these that the public does not see."""
