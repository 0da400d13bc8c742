"""Delivery failures tied to the letter that failed; they never resign a player (play-by-mail 7, RFC 3464)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmodel import select

from adjudicator.services import failing, turns
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Letter
from mail.bounce import Bounce


def take(work: Work, failures: Sequence[Bounce]) -> None:
    """Note failures of letters that we really sent; a report that quotes none of ours proves nothing and is ignored."""
    for failure in failures:
        letter = work.session.exec(select(Letter).where(Letter.message_id == failure.original)).first()
        if letter is None or not failure.permanent:
            continue
        letter.trouble = f"{failure.status} {failure.diagnostic}"[:500]
        if letter.opening:
            work.forget("openings", letter.game_id)
            letter.sent = None  # a bounced opening letter is «not told»: the turn waits for the seat (play-by-mail 1.4)
            letter.status = "failed"
        work.session.add(letter)
        if failing.note(work, letter.address) and not letter.opening:
            continue
        game = work.session.get(Game, letter.game_id) if letter.game_id else None
        facts = {"address": letter.address, "seat": letter.seat, "turn": letter.turn, "why": letter.trouble}
        facts["opening"] = letter.opening
        if game is not None and letter.opening:
            turns.tell_moderator(work, game, "bounced", f"{letter.id}", facts, turn=letter.turn)
        else:
            turns.tell_operators(work, "bounced", f"{letter.id}", facts, game)
