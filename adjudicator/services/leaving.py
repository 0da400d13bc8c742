"""A seat is given up: standing and silent orders play it, nobody waits for it, and it is free (play-by-mail 2)."""

from __future__ import annotations

from typing import Any, Literal

from adjudicator.fairplay import events
from adjudicator.letters import LineVerdict
from adjudicator.services import asked, asking, ending, logbook, people, positions, turns
from adjudicator.services.commands import Command
from adjudicator.services.opened import Opened
from adjudicator.services.positions import Table
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Tenure


def ask_resign(work: Work, said: Said, command: Command) -> LineVerdict:
    """Ask the writer of ``сдаюсь`` whether he means it."""
    game, tenure = said.table.game, said.tenure
    reader = people.reader_of(work, game, tenure, people.seat_titles(work, game))
    mail = said.mail.row
    facts = {"seat": tenure.seat, "tag": game.tag}
    asked.ask(work, "resign", reader, facts, cause=str(mail.id), game=game, tenure=tenure, in_reply_to=mail.message_id)
    return LineVerdict(text=said.written(command), mark="command", key="resign")


def resign(work: Work, row: Asked, _facts: dict[str, Any], _mail: Opened) -> None:
    """Give a seat up, as its holder has confirmed."""
    game = work.game_by_id(row.game_id)
    tenure = work.session.get_one(Tenure, row.tenure_id)
    vacate(work, positions.table(game), tenure, "resign")


def vacate(work: Work, table: Table, tenure: Tenure, reason: Literal["resign", "eject"]) -> None:
    """End a tenure of a running game without a successor, tell all; if nobody is left, the game ends.

    What the seat had accepted for the open turn counts; after that its standing orders play it, else the ruleset's
    silent ones. The moderator is asked for a substitute.
    """
    game = table.game
    turn = positions.current(work, game)
    titles = people.seat_titles(work, game)
    number = turn.number if turn else 0
    facts = {
        "turn": number,
        "seat": tenure.seat,
        "titles": titles[tenure.seat],
        "name": people.player(work, tenure.player_id).name if table.header.names == "shown" else "",
        "reason": reason,
    }
    people.dismiss(work, game, tenure)
    from_turn = 0 if turn is None else turn.number + (turn.status != "open")
    logbook.append(
        work, game, events.Tenure(seq=0, at=logbook.at(work.now), turn=from_turn, seat=tenure.seat, reason=reason)
    )
    if turn is not None:
        turn.check = work.now
        work.session.add(turn)
        if (group := asking.current(work, turn)) is not None:
            group.check = work.now
            work.session.add(group)
    cause = f"{tenure.seat}/{tenure.id}"
    turns.tell_moderator(work, game, "seat-free", cause, facts, turn=number)
    if people.tenures(work, game) or turn is None:
        turns.tell_all(work, table, "seat-left", cause, facts)
    else:
        ending.finish(work, table, "finish", why="nobody-left", readers=(tenure,))
