"""Mail that calls itself automatic and yet gives orders under a seat's key: held for a person (mail-facts 3).

ServiceNow marks what people write as generated, forms on web pages say that they answer by themselves: such a mail is
neither executed nor thrown away, and nobody is answered.
"""

from __future__ import annotations

from typing import Final

from adjudicator.services import identity, outbox, people, positions
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Tenure
from engine.core.contract import Language
from mail import read as mail_read
from mail.addresses import canonical
from mail.read import MailReading, Verdict
from mail.text import line_key

_MACHINES: Final = ("report", "adjudicator")
"""Signals that no person's mail shows, whatever his programs do to it."""


def ordered_for(work: Work, reading: MailReading) -> Game | None:
    """Return the game for whose seat such a mail gives orders of its own, None if it gives none.

    A postmaster may be a player: what comes from his address and reports no failure is looked at, too.
    """
    robot = reading.verdict is Verdict.AUTOMATIC and reading.why not in _MACHINES
    postmaster = reading.verdict is Verdict.BOUNCE and reading.why == "daemon-sender" and not reading.bounces
    tenure = identity.seat_shown(work, reading) if robot or postmaster else None
    if tenure is None:
        return None
    game = work.session.get_one(Game, tenure.game_id)
    return game if _orders(work, reading, tenure, game) else None


def _orders(work: Work, reading: MailReading, tenure: Tenure, game: Game) -> bool:
    """Say whether any line of the mail that we did not write ourselves is an order of the open turn."""
    turn = positions.current(work, game)
    if turn is None:
        return False
    person = people.player(work, tenure.player_id)
    incoming = reading.incoming
    ours = outbox.keys_sent(
        work, canonical(people.main_address(work, person)), (*incoming.in_reply_to, *incoming.references)
    )
    own = mail_read.reread(reading, sent_lines=ours).text.own
    table = positions.table(game)
    view = positions.view_of(work, table, turn, tenure.seat)
    texts = tuple(line.text for line in own if line_key(line.raw) not in ours)
    language: Language = "en" if person.language == "en" else "ru"
    return any(text.strip() for text in texts) and bool(table.ruleset.read(view, (), texts, language).orders)
