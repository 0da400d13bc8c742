"""What a proven player's letter said for one seat: the mail, who spoke, and how it was heard."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.services.commands import Command
from adjudicator.services.hearing import Heard, Hearing
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.positions import Table
from adjudicator.storage.tables import Asking, Tenure, Turn


@dataclass(frozen=True, slots=True)
class Said:
    """A letter heard for a seat of a game, ``turn`` being the one that is open, asking or stuck there.

    ``group`` is the group of questions whose answers the letter may give: the batch of dice is then that group's.
    """

    mail: Opened
    who: Speaker
    table: Table
    tenure: Tenure
    turn: Turn
    against: Hearing
    heard: Heard
    group: Asking | None = None

    @property
    def batch(self) -> int:
        """The batch of dice that the letter's phrase is for."""
        return self.turn.batch if self.group is None else self.group.batch

    def written(self, command: Command) -> str:
        """Return the line of a command as its writer wrote it."""
        return self.mail.own[command.line].raw.strip()
