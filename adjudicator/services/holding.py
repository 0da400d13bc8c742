"""A mail whose sender is not proven is held: who it may be from is asked, and shown how it would be read (4)."""

from __future__ import annotations

from typing import Any, Final

from adjudicator.services import positions, replies, speaking, verdicts
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Tenure
from engine.core import codec
from engine.core.contract import MODERATOR

SHOWN: Final = 40
"""Lines of a held mail that its answer shows."""


def hold(work: Work, mail: Opened, who: Speaker, game: Game | None) -> None:
    """Hold a mail, which changes nothing; a registered address is asked whether it was its holder who wrote, no other.

    That is the address the mail says it is from or, where that one is unknown, the holder's of the token it shows.
    """
    verdicts.settle(work, mail.row, "held", who.doubt)
    verdicts.hold(work, mail.row, game.id if game is not None else None, who.doubt)
    if who.doubt in ("no-address", "robot") or (who.doubt == "unknown-sender" and who.shown is None):
        return
    tenure = who.shown or (who.tenures[0] if len(who.tenures) == 1 else None)
    facts: dict[str, Any] = {"why": who.doubt, "lines": [line.raw for line in mail.own[:SHOWN]]}
    if tenure is not None and game is not None:
        facts["as_read"] = _as_read(work, mail, who, game, tenure)
    if who.shown is not None:
        facts["sender"] = who.address
    replies.polite(work, mail, "held", facts, who=who, game=game, tenure=who.shown)


def _as_read(work: Work, mail: Opened, who: Speaker, game: Game, tenure: Tenure) -> list[Any]:
    """Return the lines of a mail as its receipt would say them; none where they are for more than the open turn."""
    turn = positions.current(work, game)
    if turn is None or tenure.seat == MODERATOR or "forwarded" in mail.reading.held:
        return []
    heard = speaking.hear(work, mail, who, positions.table(game), tenure, turn).heard
    if heard.press or heard.answers or heard.unanswered:
        return []
    return [codec.plain(line) for line in heard.verdicts()[:SHOWN]]
