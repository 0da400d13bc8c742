"""«Блокада» on the stage: by mail, from its start or from a position laid down; Anna in Russian, Boris in English."""

from __future__ import annotations

from typing import Any

from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import Report, verify
from adjudicator.services import games, positions
from adjudicator.services.header import Header
from adjudicator.services.render import render
from engine.blockade.notation import read_position
from engine.blockade.state import SEATS, BlockadeState
from engine.core import registry
from engine.core.contract import Language
from engine.core.selfplay import Chance
from tests.adjudicator.services.islanders import hand_over, log_of, poll, process, status
from tests.adjudicator.services.smuggling import close_group
from tests.adjudicator.services.stage import ANNA, BORIS, HOUR, Stage, fixed_chance

BLOCKADE = registry.ruleset("blockade")
PEOPLE: tuple[tuple[str, str, Language, str], ...] = ((ANNA, "Анна", "ru", "first"), (BORIS, "Boris", "en", "second"))
TONGUES: dict[str, Language] = {seat: language for _, _, language, seat in PEOPLE}


def game(
    stage: Stage, *, edition: str = "sealed", seed: str = "waters", header: Header | None = None, **options: Any
) -> str:
    """Begin a game; turn 0 is open and both have been told."""
    with stage.house.unit("test") as work:
        made = games.create(
            work,
            "blockade",
            len(SEATS),
            edition=edition,
            options=options,
            header=header or Header(),
            source=fixed_chance(seed),
        )
        for address, name, language, seat in PEOPLE:
            invitation = games.invite(work, made, address, name=name, language=language, seat=seat)
            games.join(work, made, invitation, phrase=f"соль {name}", arrival=work.now)
        games.start(work, made)
    hand_over(stage)
    return made.tag


def begun(stage: Stage, position: str, **settings: Any) -> str:
    """Begin a game, let silence settle sides and islands, and lay a position in the place of the first turn of play."""
    tag = game(stage, **settings)
    process(stage, tag)
    process(stage, tag)
    lay(stage, tag, position)
    return tag


def lay(stage: Stage, tag: str, text: str) -> None:
    """Put a position, written as rule cases write it, in the place of the open turn's."""
    with stage.house.unit("test") as work:
        turn = positions.current(work, work.game(tag))
        assert turn is not None
        before = work.vault.open_value(turn.state, BlockadeState)
        laid = read_position(f"{text}; turn {before.turn}", before.options, before.roster, None)
        turn.state = work.vault.seal_value(laid)
        work.session.add(turn)
        work.forget("current", turn.game_id)


def bots_write(stage: Stage, tag: str) -> None:
    """Let every seat that owes orders write what a bot would, as a player writes it, each in his language."""
    now = stage.position(tag)
    for seat, standing in now.seats.items():
        if any(not slot.optional for slot in standing.owed):
            view = now.view(seat)
            orders = BLOCKADE.bot(view, Chance(f"{tag}/{seat}/{stage.turn(tag).number}".encode()))
            stage.write(tag, seat, "\n".join(BLOCKADE.write(order, TONGUES[seat]) for order in orders))
    poll(stage)


def play_on(stage: Stage, tag: str, most: int) -> int:
    """Let bots play to the end, silent where they are asked in mid-turn. Returns the number of turns it took."""
    for number in range(1, most + 1):
        bots_write(stage, tag)
        process(stage, tag)
        stage.clock.move(HOUR)
        while status(stage, tag) != "finished" and stage.turn(tag).status == "asking":
            close_group(stage, tag)
        if status(stage, tag) == "finished":
            return number
    raise AssertionError(f"{tag} did not end within {most} turns")


def words(letter: object) -> str:
    """Return the text of a letter, in one line."""
    return " ".join(render(letter).text.split())  # type: ignore[arg-type]


def told(stage: Stage, address: str, kind: str = "report") -> str:
    """Return the text of the last letter of a kind to an address, in one line."""
    return words(stage.letters(kind, address)[-1][1])


def last_told(stage: Stage, address: str) -> str:
    """Return the text of the very last letter to an address, in one line."""
    return words(stage.letters("", address)[-1][1])


def checked(stage: Stage, tag: str, reader: str | None = None) -> Report:
    """Check the log of a game as a reader has it."""
    return verify(read_source(tag, log_of(stage, tag, reader)), {"blockade": BLOCKADE})
