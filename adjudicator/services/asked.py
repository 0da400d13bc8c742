"""Things done only once their writer has confirmed them by an answer: what he wants is kept, and he is asked (4).

The answer is heard by `services.confirmed`, whose table says what is done.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from sqlmodel import col, select

from adjudicator.letters import Notice, Reader
from adjudicator.services import logbook, outbox, positions
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Game, Letter, Tenure
from engine.core import codec
from mail.addresses import canonical
from mail.loops import IDENTICAL_ANSWERS

DAY: Final = timedelta(days=1)


def ask(
    work: Work,
    kind: str,
    reader: Reader,
    facts: Mapping[str, Any],
    *,
    cause: str,
    game: Game | None = None,
    tenure: Tenure | None = None,
    player_id: int | None = None,
    turn: int | None = None,
    in_reply_to: str = "",
) -> Asked:
    """Ask somebody whether he means it; his ``да`` in answer does it, his ``нет`` drops it (play-by-mail 2, 4).

    ``kind`` is a line of `services.confirmed.DOES`; its phrases are ``notice_confirm_<kind>``,
    ``notice_subject_confirm_<kind>`` and ``matter_<kind>``, filled by ``facts``, which the deed gets back. The answer
    counts from the holder of ``tenure``, else from ``player_id``, else from ``reader.address``. With ``turn`` the
    matter lapses once the game has moved on from it (1.9). ``cause`` names what led to it, usually the mail. Who was
    asked the very same twice within a day and has not answered is not asked again (7).
    """
    before = _unanswered(work, kind, canonical(reader.address), dict(facts), game, tenure, turn)
    if len(before) >= IDENTICAL_ANSWERS:
        return before[-1]
    row = work.add(
        Asked(
            game_id=game.id if game else None,
            seat=tenure.seat if tenure else "",
            tenure_id=tenure.id if tenure else None,
            player_id=player_id,
            address=canonical(reader.address),
            kind=kind,
            turn=turn,
            facts=work.vault.seal_value(dict(facts)),
            created=work.now,
        )
    )
    notice = Notice(
        kind=f"confirm-{kind}",
        reader=reader,
        facts={**facts, "turn": turn} if turn is not None else dict(facts),
        head=positions.table(game).head if game else None,
        pin=logbook.pin(game) if game else None,
    )
    outbox.queue(
        work,
        f"confirm/{kind}/{row.id}/{cause}",
        reader.address,
        outbox.Envelope(notice=notice),
        game=game,
        tenure=tenure,
        turn=turn,
        in_reply_to=in_reply_to,
    )
    return row


def _unanswered(
    work: Work,
    kind: str,
    address: str,
    facts: dict[str, Any],
    game: Game | None,
    tenure: Tenure | None,
    turn: int | None,
) -> list[Asked]:
    """Return what somebody was asked within a day in these words and has not answered, oldest first."""
    query = select(Asked).where(
        Asked.kind == kind,
        Asked.address == address,
        Asked.game_id == (game.id if game else None),
        Asked.tenure_id == (tenure.id if tenure else None),
        Asked.turn == turn,
        col(Asked.settled).is_(None),
        col(Asked.created) > work.now - DAY,
    )
    plain = codec.encode(facts)
    rows = work.session.exec(query.order_by(col(Asked.id))).all()
    return [row for row in rows if codec.encode(work.vault.open_value(row.facts, dict[str, Any])) == plain]


def of_letter(work: Work, letter: Letter | None) -> Asked | None:
    """Return what a letter of ours asks to be confirmed, None if it asks no such thing."""
    if letter is None or letter.kind != "confirm":
        return None
    return work.session.get(Asked, int(letter.key.split("/")[2]))
