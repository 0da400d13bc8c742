"""By what names the seats of a game go in the open position: a campaign's pirates, sides once they are known."""

from __future__ import annotations

from typing import Final

from adjudicator.services import positions
from adjudicator.services.positions import Table
from adjudicator.services.render import Room
from adjudicator.services.work import Work
from engine.core.contract import PUBLIC, Seat
from engine.core.names import words_of

_SHORTEST: Final = 3
"""Letters of the shortest word that is a name by itself."""


def titles(work: Work, table: Table) -> dict[Seat, dict[str, str]]:
    """Return the titles of the seats that are called otherwise than as the game was created, as anybody may know."""
    turn = positions.current(work, table.game)
    if turn is None:
        return {}
    return Room(table.game.ruleset).called(positions.view_of(work, table, turn, PUBLIC))


def names(work: Work, table: Table) -> dict[Seat, list[str]]:
    """Return what those seats are called, and the words of it that are nobody else's."""
    found = {seat: list(dict.fromkeys(own.values())) for seat, own in titles(work, table).items()}
    said = [word for own in found.values() for name in own for word in words_of(name)]
    return {
        seat: [
            *own,
            *(word for name in own for word in words_of(name) if len(word) >= _SHORTEST and said.count(word) == 1),
        ]
        for seat, own in found.items()
    }
