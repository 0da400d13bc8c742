"""``да`` and ``нет`` to a letter that asks «do you mean it?»: the matter is done, dropped or too late (2, 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from adjudicator.errors import RefusedByRules
from adjudicator.letters import Notice, Reader
from adjudicator.services import (
    addresses,
    asked,
    ballots,
    hosting,
    households,
    leaving,
    logbook,
    mandate,
    missing,
    mistyped,
    observing,
    outbox,
    people,
    personal,
    positions,
    verdicts,
)
from adjudicator.services.identity import Speaker
from adjudicator.services.opened import Opened
from adjudicator.services.work import Work
from adjudicator.storage.tables import Asked, Game, Letter, Tenure

Does: TypeAlias = Callable[[Work, Asked, dict[str, Any], Opened], None]
"""Does what was asked; raises `RefusedByRules` before it has changed anything if that cannot be done any more."""

DOES: Final[dict[str, Does]] = {
    "address": addresses.confirmed,
    "address-back": addresses.confirmed,
    "create": hosting.confirmed,
    "draw": ballots.propose_draw,
    "forget-me": personal.forget,
    **dict.fromkeys(mandate.CONFIRMED, mandate.confirmed),
    "observe": observing.confirmed,
    "resign": leaving.resign,
    "second-seat": households.allow,
    "there": missing.is_there,
}
"""What a ``да`` does, by kind of matter. Its writer is told afterwards (``matter_<kind>``); others the deed tells."""

_IN_HAND: Final = ("", "unproven", "unknown-sender")
"""Doubts that the Message-ID of our letter to this very address settles (play-by-mail 4b)."""


def heard(work: Work, mail: Opened, who: Speaker) -> bool:
    """Do what a short answer to such a letter says and tell its writer; return whether the mail was one."""
    answer = mistyped.short_answer(mail.texts)
    row = asked.of_letter(work, who.answered)
    if answer is None or answer.turn is not None or answer.choice or row is None or not _may_answer(work, row, who):
        return False
    verdicts.settle(work, mail.row, "orders", f"answers {row.id}")
    game = work.game_by_id(row.game_id) if row.game_id is not None else None
    kind, facts = _decide(work, row, mail, game, no=answer.no)
    _tell(work, row, mail, who.answered, game, kind, facts)
    return True


def _may_answer(work: Work, row: Asked, who: Speaker) -> bool:
    """Say whether a mail's writer is the one who was asked, and proven (4)."""
    own = [person.id for person in who.players]
    if row.tenure_id is not None:
        tenure = work.session.get_one(Tenure, row.tenure_id)
        return not who.doubt and tenure.player_id in own
    if row.player_id is not None and row.player_id not in own:
        return False
    return who.doubt in (_IN_HAND if who.address == row.address else ("",))


def _decide(work: Work, row: Asked, mail: Opened, game: Game | None, *, no: bool) -> tuple[str, dict[str, Any]]:
    """Do or drop the matter; return the notice that says so, and its facts."""
    facts: dict[str, Any] = work.vault.open_value(row.facts, dict[str, Any])
    if row.settled is not None:
        return "confirmed-late", {"late": "settled"}
    row.settled = work.now
    work.session.add(row)
    if no:
        return "confirmed-not", facts
    late = _late(work, row, game)
    if late is not None:
        return "confirmed-late", late
    try:
        DOES[row.kind](work, row, facts, mail)
    except RefusedByRules as refusal:
        return "confirmed-refused", {**facts, **refusal.facts, "why": refusal.key}
    return "confirmed", facts


def _late(work: Work, row: Asked, game: Game | None) -> dict[str, Any] | None:
    """Return why it is too late for a matter: the seat has changed hands, the game is over, the turn is another."""
    if row.tenure_id is not None and work.session.get_one(Tenure, row.tenure_id).until is not None:
        return {"late": "tenure"}
    if game is None:
        return None
    if game.status == "finished":
        return {"late": "over"}
    turn = positions.current(work, game)
    if row.turn is not None and (turn is None or turn.number != row.turn):
        return {"late": "turn", "turn": row.turn, "open": turn.number if turn else None}
    return None


def _tell(
    work: Work, row: Asked, mail: Opened, letter: Letter | None, game: Game | None, kind: str, facts: dict[str, Any]
) -> None:
    notice = Notice(
        kind=kind,
        reader=_reader(work, row, letter),
        facts={**facts, "what": row.kind},
        head=positions.table(game).head if game else None,
        pin=logbook.pin(game) if game else None,
    )
    tenure = work.session.get(Tenure, row.tenure_id) if row.tenure_id is not None else None
    address = people.main_address(work, people.player(work, tenure.player_id)) if tenure else row.address
    outbox.queue(
        work,
        f"{kind}/{row.id}/{mail.row.id}",
        address,
        outbox.Envelope(notice=notice),
        game=game,
        tenure=tenure,
        in_reply_to=mail.row.message_id,
    )


def _reader(work: Work, row: Asked, letter: Letter | None) -> Reader:
    """Return the reader of the letter that asked, if that is kept: he may hold no seat any more."""
    envelope = outbox.envelope_of(work, letter) if letter is not None else None
    return envelope.value.reader if envelope is not None else outbox.operator(work, row.address)
