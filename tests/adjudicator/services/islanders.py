"""A game of «Шакал» on the stage: by mail, from its start or from a position laid down."""

from __future__ import annotations

from typing import Any

from sqlmodel import col, select

from adjudicator import jobs
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import Report, verify
from adjudicator.services import games, logbook, positions, resolving, turns
from adjudicator.services.header import Header
from adjudicator.services.render import render
from adjudicator.storage.tables import Game, Letter
from engine.core import registry
from engine.core.selfplay import Chance
from engine.jackal.notation import read_position
from engine.jackal.options import EDITIONS, JackalOptions
from engine.jackal.state import JackalState
from tests.adjudicator.services.smuggling import close_group
from tests.adjudicator.services.stage import ANNA, BORIS, HOUR, VERA, Stage, fixed_chance

GALYA = "galya@example.org"
PEOPLE = ((ANNA, "Анна", "ru"), (BORIS, "Boris", "en"), (VERA, "Вера", "ru"), (GALYA, "Galya", "en"))
JACKAL = registry.ruleset("jackal")


def game(
    stage: Stage,
    players: int = 4,
    *,
    header: Header | None = None,
    edition: str = "tl",
    island: str = "island",
    **options: Any,
) -> str:
    """Begin a game; turn 1 is open and everybody has been told. ``island`` names the secrets, so the deck."""
    with stage.house.unit("test") as work:
        made = games.create(
            work,
            "jackal",
            players,
            edition=edition,
            options=options,
            header=header or Header(),
            source=fixed_chance(island),
        )
        seats = JACKAL.seats(games.options(made), players)
        for (address, name, language), seat in zip(PEOPLE, seats, strict=False):
            invitation = games.invite(work, made, address, name=name, language=language, seat=seat.id)
            games.join(work, made, invitation, phrase=f"соль {name}", arrival=work.now)
        games.start(work, made)
    hand_over(stage)
    return made.tag


def hand_over(stage: Stage) -> None:
    """Write all letters and take them as sent, without a server."""
    while jobs.render(stage.desk):
        pass
    with stage.house.unit("test") as work:
        for letter in work.session.exec(select(Letter).where(col(Letter.sent).is_(None))):
            letter.status, letter.sent = "sent", work.now
            work.session.add(letter)


def poll(stage: Stage) -> None:
    """Read the mailbox and do what there is to do, without a mail server."""
    for source in stage.desk.sources:
        jobs.poll(stage.desk, source)
    while jobs.think(stage.desk) + jobs.render(stage.desk):
        pass
    hand_over(stage)


def lay(stage: Stage, tag: str, text: str) -> None:
    """Put a position, written as rule cases write it, in the place of the open turn's."""
    with stage.house.unit("test") as work:
        turn = positions.current(work, work.game(tag))
        assert turn is not None
        before = work.vault.open_value(turn.state, JackalState)
        laid = read_position(text, before.options, before.roster, None)
        turn.state = work.vault.seal_value(laid)
        work.session.add(turn)
        work.forget("current", turn.game_id)


def process(stage: Stage, tag: str) -> None:
    """Read the mailbox, lock the open turn and resolve it as far as it goes."""
    poll(stage)
    with stage.house.unit("test") as work:
        turns.process(work, work.game(tag), stage.turn(tag).number)
    resolving.resolve_due(stage.house)
    poll(stage)


def bots_write(stage: Stage, tag: str, chance: str = "bots") -> None:
    """Let every seat that owes orders write what a bot would, as a player writes it in his language."""
    now = stage.position(tag)
    languages = dict(zip(now.seats, (language for _, _, language in PEOPLE), strict=False))
    for seat, standing in now.seats.items():
        if any(not slot.optional for slot in standing.owed):
            view = now.view(seat)
            orders = JACKAL.bot(view, Chance(f"{chance}/{seat}/{stage.turn(tag).number}".encode()))
            stage.write(tag, seat, "\n".join(JACKAL.write(order, languages[seat], view) for order in orders))  # type: ignore[arg-type]


def play_on(stage: Stage, tag: str, turns: int, chance: str = "bots") -> int:
    """Let bots play by mail so many turns, or until the game is over; return how many turns they played.

    Questions are left to their defaults.
    """
    for played in range(turns):
        if status(stage, tag) == "finished":
            return played
        bots_write(stage, tag, chance)
        process(stage, tag)
        while status(stage, tag) != "finished" and stage.turn(tag).status == "asking":
            close_group(stage, tag)
            poll(stage)
        stage.clock.move(HOUR)
    return turns


def text_to(stage: Stage, address: str, kind: str = "report") -> str:
    """Return the text of the last letter of a kind to an address, in one line."""
    return " ".join(render(stage.letters(kind, address)[-1][1]).text.split())


def status(stage: Stage, tag: str) -> str:
    """Return how a game stands."""
    with stage.house.look() as work:
        return work.game(tag, lock=False).status


def checked(stage: Stage, tag: str, reader: str | None = None) -> Report:
    """Check the log of a game as a reader has it."""
    return verify(read_source(tag, log_of(stage, tag, reader)), {"jackal": JACKAL})


def log_of(stage: Stage, tag: str, reader: str | None = None) -> bytes:
    """Return the log of a game as a reader has it."""
    with stage.house.look() as work:
        found = work.session.exec(select(Game).where(Game.tag == tag)).one()
        return logbook.file_for(work, found, reader, 0, found.seq)


def options_of(edition: str) -> JackalOptions:
    """Return the options of an edition."""
    return EDITIONS[edition]  # type: ignore[return-value]
