"""Delivery failures tied to the letter that failed; they never resign a player (play-by-mail 7, RFC 3464)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from adjudicator.services import failing, outbox, turns
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Letter
from mail.bounce import Bounce

ABOUT_FAILURES: Final = ("bounced", "refused-letter", "address-fails")
"""Notices that tell of a failure: if one of them fails itself nobody is told, or two dead mailboxes would never end."""


def take(work: Work, failures: Sequence[Bounce]) -> None:
    """Note failures of letters that we really sent; a report that quotes none of ours proves nothing and is ignored.

    Every letter of ours has one reader. Where a report names several recipients the letter was passed on by his server,
    and it has failed only if it reached none of them and is on the way to none.
    """
    found: dict[int | None, tuple[Letter, list[Bounce]]] = {}
    for failure in failures:
        if (letter := _letter(work, failure)) is not None:
            found.setdefault(letter.id, (letter, []))[1].append(failure)
    for letter, told in found.values():
        if all(one.permanent for one in told):
            _fail(work, letter, next((one for one in told if one.recipient == letter.address), told[0]))


def _letter(work: Work, failure: Bounce) -> Letter | None:
    """Return the letter of ours that a report returns: by its Message-ID, else by our own mark."""
    domain = work.config.service.address.rpartition("@")[2]
    marked = (f"<{failure.outbox_id}@{domain}>",) if failure.outbox_id else ()
    named = (outbox.letter(work, name) for name in (*failure.mentioned, *marked))
    return next((letter for letter in named if letter is not None), None)


def _fail(work: Work, letter: Letter, failure: Bounce) -> None:
    if letter.trouble and letter.status in ("sent", "failed"):
        return  # a second report on the same letter tells nothing new of its address
    letter.trouble = f"{failure.status} {failure.diagnostic}".strip()[:500] or failure.action
    if letter.opening:
        work.forget("openings", letter.game_id)
        letter.sent = None  # a bounced opening letter is «not told»: the turn waits for the seat (play-by-mail 1.4)
        letter.status = "failed"
    work.session.add(letter)
    known = failing.note(work, letter.address)
    if (known and not letter.opening) or letter.kind in ABOUT_FAILURES:
        return
    game = work.session.get(Game, letter.game_id) if letter.game_id else None
    facts = {"address": letter.address, "seat": letter.seat, "turn": letter.turn, "why": letter.trouble}
    facts["opening"] = letter.opening
    if game is not None and letter.opening:
        turns.tell_moderator(work, game, "bounced", f"{letter.id}", facts, turn=letter.turn)
    else:
        turns.tell_operators(work, "bounced", f"{letter.id}", facts, game)
