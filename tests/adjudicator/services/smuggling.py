"""A game of «Контрабандисты» on the stage: by mail, with questions in mid-turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from adjudicator import jobs
from adjudicator.fairplay.sources import read_source
from adjudicator.fairplay.verify import Report, verify
from adjudicator.letters import Notice
from adjudicator.services import asking, games, logbook, people, positions, resolving, turns
from adjudicator.services.asking import SeatAsked
from adjudicator.services.header import Header
from adjudicator.storage.tables import Asking, Letter
from engine.core import registry
from tests.adjudicator.services.stage import ANNA, BORIS, MINUTE, VERA, Stage, fixed_chance

FIRST, SECOND, THIRD = "crew-1", "crew-2", "crew-3"
CREW = ((ANNA, "Анна", "ru", FIRST), (BORIS, "Boris", "en", SECOND), (VERA, "Вера", "ru", THIRD))


def game(
    stage: Stage,
    asks: str = "first",
    *,
    players: int = 2,
    header: Header | None = None,
    moderator: str = "",
    start: str = "c",
    **options: Any,
) -> str:
    """Begin a game that asks what ``asks`` says; turn 1 is open and everybody has been told."""
    with stage.house.unit("test") as work:
        made = games.create(
            work,
            "smugglers",
            players,
            options={"asks": asks, **options},
            header=header or Header(),
            source=fixed_chance(start),
        )
        for address, name, language, seat in CREW[:players]:
            invitation = games.invite(work, made, address, name=name, language=language, seat=seat)
            games.join(work, made, invitation, phrase=f"соль {name}", arrival=work.now)
        if moderator:
            person = people.register(work, moderator, name="Судья", language="ru", zone="Europe/Moscow")
            people.appoint(work, made, person)
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


def asking_game(stage: Stage, asks: str = "first", **settings: Any) -> str:
    """Begin a game and let its first turn be locked at once, and ask; everybody has been told."""
    tag = game(stage, asks, **settings)
    with stage.house.unit("test") as work:
        turns.process(work, work.game(tag), 1)
    resolving.resolve_due(stage.house)
    hand_over(stage)
    return tag


def group(stage: Stage, tag: str) -> Asking:
    """Return the group of questions that is open."""
    with stage.house.look() as work:
        turn = positions.current(work, work.game(tag, lock=False))
        found = asking.current(work, turn) if turn is not None else None
        if found is None:
            raise LookupError(f"{tag} asks nothing")
        return found


def asked(stage: Stage, tag: str) -> dict[str, SeatAsked]:
    """Return the seats that are asked, with what they have answered and their word."""
    with stage.house.look() as work:
        found = work.game(tag, lock=False)
        turn = positions.current(work, found)
        open_group = asking.current(work, turn) if turn is not None else None
        if turn is None or open_group is None:
            raise LookupError(f"{tag} asks nothing")
        return asking.now(work, found, turn, open_group)


def question_letter(stage: Stage, address: str, kind: str = "question") -> tuple[Letter, Notice]:
    """Return the last letter about a question to an address."""
    row, value = stage.letters(kind, address)[-1]
    assert isinstance(value, Notice)
    return row, value


def given(stage: Stage, tag: str) -> list[tuple[str, str, str]]:
    """Return what the closed groups of the last turn gave: key, word and whose word it was."""
    with stage.house.look() as work:
        found = work.game(tag, lock=False)
        entries = logbook.entries(work, found, 0, found.seq)
        rows: list[tuple[str, str, str]] = []
        for entry in entries:
            if '"question":' not in entry.event or '"type":"lock"' not in entry.event:
                continue
            for part in logbook.kept_parts(work, entry):
                answers, origins = part.object["answers"], part.object["from"]
                rows += [(key, answers[key], origins[key]) for key in answers]
    return rows


def checked(stage: Stage, tag: str, reader: str | None = None) -> Report:
    """Check the log of a game as a reader has it."""
    with stage.house.look() as work:
        found = work.game(tag, lock=False)
        file = logbook.file_for(work, found, reader, 0, found.seq)
    return verify(read_source(tag, file), {"smugglers": registry.ruleset("smugglers")})


def close_group(stage: Stage, tag: str) -> None:
    """Let the deadline of the open group pass, the mailbox read all the while."""
    stage.settle()
    stage.read_until(group(stage, tag).deadline + 3 * MINUTE)


def facts(values: Sequence[tuple[Letter, Any]]) -> list[dict[str, Any]]:
    """Return the facts of notices."""
    return [dict(value.facts) for _, value in values]
