"""``ничья`` and ``голос да|нет``: a player proposes a draw, and votes on what is proposed (play-by-mail 2)."""

from __future__ import annotations

import re
from typing import Any, Final

from adjudicator.errors import RefusedByRules
from adjudicator.letters import LineVerdict
from adjudicator.services import asked, commands, people, positions, proposals
from adjudicator.services.commands import Command
from adjudicator.services.opened import Opened
from adjudicator.services.said import Said
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Letter, Proposal

_VOTE: Final = re.compile(r"(?:(\d{1,6}) )?(да|за|yes|нет|против|no)(?: (\d{1,6}))?")
_YES: Final = ("да", "за", "yes")


def ask_draw(work: Work, said: Said, command: Command) -> LineVerdict:
    """Ask the writer of ``ничья`` whether he means it; he is asked about the turn that is open (1.9)."""
    game, tenure = said.table.game, said.tenure
    reader = people.reader_of(work, game, tenure, people.seat_titles(work, game))
    asked.ask(
        work,
        "draw",
        reader,
        {},
        cause=str(said.mail.row.id),
        game=game,
        tenure=tenure,
        turn=said.turn.number,
        in_reply_to=said.mail.row.message_id,
    )
    return LineVerdict(text=said.written(command), mark="command", key="draw")


def propose_draw(work: Work, row: Asked, _facts: dict[str, Any], _mail: Opened) -> None:
    """Lay a draw before all seats, as its writer has confirmed; the others vote until the report."""
    game = work.game_by_id(row.game_id)
    turn = positions.current(work, game)
    if turn is None:
        raise RefusedByRules("no-open-turn", tag=game.tag)
    proposals.propose(work, game, "draw", {}, row.seat, turn.number)


def vote(work: Work, said: Said, command: Command) -> LineVerdict:
    """Take a vote: on the proposal that the letter answers, on the one it numbers, or on the only open one."""
    text = said.written(command)
    read = _VOTE.fullmatch(commands.folded(command.argument))
    if read is None:
        return LineVerdict(text=text, mark="command-refused", key="vote-unread")
    open_now = proposals.open_ones(work, said.table.game)
    numbered = {proposals.number(work, one): one for one in open_now}
    if not numbered:
        return LineVerdict(text=text, mark="command-refused", key="vote-none")
    meant = _meant(said.who.answered, read[1] or read[3], numbered)
    if meant is None:
        return LineVerdict(text=text, mark="command-refused", key="vote-which", facts={"numbers": list(numbered)})
    number, proposal = meant
    if said.tenure.seat not in proposals.voters(work, said.table.game, proposal):
        return LineVerdict(text=text, mark="command-refused", key="vote-not-yours")
    proposals.vote(work, proposal, said.tenure.seat, yes=read[2] in _YES)
    return LineVerdict(text=text, mark="command", key="vote", facts={"yes": read[2] in _YES, "number": number})


def _meant(answered: Letter | None, typed: str | None, numbered: dict[int, Proposal]) -> tuple[int, Proposal] | None:
    """Return the open proposal that a vote is about, None where that is not clear."""
    if typed is not None:
        return (int(typed), numbered[int(typed)]) if int(typed) in numbered else None
    if answered is not None and answered.kind == "proposal":
        about = answered.key.split("/")[2]
        return next(((number, one) for number, one in numbered.items() if str(one.id) == about), None)
    return next(iter(numbered.items())) if len(numbered) == 1 else None
