"""``слово: …``: what a player says to all in the last letter, kept until then (play-by-mail 1.10, 2)."""

from __future__ import annotations

from typing import Any, Final

from sqlmodel import col, select

from adjudicator.letters import LineVerdict
from adjudicator.services import people
from adjudicator.services.commands import Command
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Tenure

LIMIT: Final = 2000
"""Characters of one player's farewell."""


def keep(work: Work, said: Said, command: Command) -> LineVerdict:
    """Keep a farewell; the lines of one letter belong together, those of a later one replace them."""
    lines = [one for one in said.heard.deeds if one.name == command.name]
    text = "\n".join(_words(said.written(one)) for one in lines)
    written = said.written(command)
    if len(text) > LIMIT:
        facts = {"limit": LIMIT, "length": len(text)}
        return LineVerdict(text=written, mark="command-refused", key="farewell-long", facts=facts)
    said.tenure.farewell = work.vault.seal(text.encode())
    work.session.add(said.tenure)
    return LineVerdict(text=written, mark="command", key="farewell")


def _words(line: str) -> str:
    """Return what stands after the colon, as written: prose is taken whole (play-by-mail 2)."""
    return line.partition(":")[2].strip()


def all_of(work: Work, game: Game) -> tuple[dict[str, Any], ...]:
    """Return every player's farewell in roster order, with his seat and, now that the game is over, his name."""
    seats = people.seat_titles(work, game)
    rows = work.session.exec(
        select(Tenure).where(Tenure.game_id == game.id, col(Tenure.farewell).is_not(None)).order_by(col(Tenure.id))
    ).all()
    said = sorted(
        (row for row in rows if row.seat in seats and row.farewell is not None),
        key=lambda row: list(seats).index(row.seat),
    )
    return tuple(
        {
            "seat": row.seat,
            "titles": seats[row.seat],
            "name": people.player(work, row.player_id).name,
            "text": work.vault.open(row.farewell or b"").decode(),
        }
        for row in said
    )
