"""What a proven player's letter said for one seat: the mail, who spoke, and how it was heard."""

from __future__ import annotations

from dataclasses import dataclass

from adjudicator.services.commands import Command
from adjudicator.services.hearing import Heard, Hearing
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.positions import Table
from adjudicator.storage.tables import Tenure, Turn


@dataclass(frozen=True, slots=True)
class Said:
    """A letter heard for a seat of a game, ``turn`` being the one that is open, asking or stuck there."""

    mail: Opened
    who: Speaker
    table: Table
    tenure: Tenure
    turn: Turn
    against: Hearing
    heard: Heard

    def written(self, command: Command) -> str:
        """Return the line of a command as its writer wrote it."""
        return self.mail.own[command.line].raw.strip()
