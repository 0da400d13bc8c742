"""What a letter asks for that is neither order nor question: done beside the sheet, each by its own service (2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec.structs import replace

from adjudicator.letters import LineVerdict
from adjudicator.services import addresses, ballots, disputes, doorstep, farewells, leave, leaving, personal, proposing
from adjudicator.services.commands import Command
from adjudicator.services.hearing import repair_notes
from adjudicator.services.said import Said
from adjudicator.services.work import Work

Deed: TypeAlias = Callable[[Work, Said, Command], LineVerdict]
"""Does a command and returns its line in the receipt, with a phrase ``cmd_<key>`` or ``complaint_<key>``."""

DEEDS: Final[dict[str, Deed]] = {
    "address": addresses.said,
    "absence": leave.declare,
    "dispute": disputes.hear,
    "draw": ballots.ask_draw,
    "forget-me": personal.ask_forget,
    "my-data": personal.ask_data,
    "join-other": doorstep.join_from_seat,
    "never-again": doorstep.never_again_from_seat,
    "new-key": addresses.renew_key,
    "observe": doorstep.observe_from_seat,
    "unobserve": doorstep.stop_from_seat,
    "propose": proposing.propose,
    "resign": leaving.ask_resign,
    "vote": ballots.vote,
    "farewell": farewells.keep,
}
"""What is done at a command that ``commands.toml`` calls a deed, by its name there."""


def do(work: Work, said: Said) -> None:
    """Do what a letter asks for, in the order of its lines; the receipt says what became of each."""
    for command in said.heard.deeds:
        line = DEEDS[command.name](work, said, command)
        said.heard.lines[command.line] = replace(line, notes=(*repair_notes(command, line.text), *line.notes))
