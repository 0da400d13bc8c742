"""Nothing is kept longer than play-by-mail 8 says: the ``tidy`` job empties what is due and says how much."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any, Final

from sqlmodel import col, exists, or_, select

from adjudicator.services import outbox, personal
from adjudicator.services.work import House, Work
from adjudicator.storage.tables import Asked, Game, Letter, Mail, MailGame
from engine.core.contract import Value

AFTER_GAME: Final = timedelta(days=90)
"""How long a game's mail is kept whole after its end."""
STRANGERS: Final = timedelta(days=30)
"""How long mail is kept that belongs to no game."""
HANDED_OVER: Final = timedelta(days=30)
"""How long the bytes of a letter are kept after it was handed over."""
CHUNK: Final = 200
"""Rows that share a transaction: nobody waits long for tidying."""


class Tidied(Value, frozen=True):
    """How much was emptied: mails of games long over, mails of nobody's game, letters handed over long ago."""

    games: int = 0
    strangers: int = 0
    letters: int = 0

    @property
    def any(self) -> bool:
        """Whether there was anything to do."""
        return bool(self.games or self.strangers or self.letters)


def tidy(house: House) -> Tidied:
    """Empty all that is due now, a few rows at a time; return how much it was."""
    return Tidied(
        games=_all(house, _mails_of_old_games, personal.empty_mail),
        strangers=_all(house, _mails_of_strangers, personal.empty_mail),
        letters=_all(house, _old_letters, _empty_letter) + _last_letters(house),
    )


def _all(house: House, due: Callable[[Work], Any], empty: Callable[[Work, Any], None]) -> int:
    count = 0
    while True:
        with house.unit("tidy") as work:
            rows: Iterable[Any] = work.session.exec(due(work).limit(CHUNK)).all()
            done = 0
            for row in rows:
                empty(work, row)
                done += 1
        count += done
        if done < CHUNK:
            return count


def _mails_of_old_games(work: Work) -> Any:
    """Mails of games that are all over for long; one that belongs to a running game as well is kept for that."""
    of_mine = MailGame.mail_id == Mail.id
    kept = (
        select(MailGame.id)
        .join(Game, col(Game.id) == col(MailGame.game_id))
        .where(of_mine, or_(col(Game.finished).is_(None), col(Game.finished) > work.now - AFTER_GAME))
    )
    return (
        select(Mail)
        .where(
            col(Mail.tidied).is_(False),
            Mail.verdict != "new",
            exists().where(col(MailGame.mail_id) == col(Mail.id)),
            ~exists(kept),
        )
        .order_by(col(Mail.id))
    )


def _mails_of_strangers(work: Work) -> Any:
    return (
        select(Mail)
        .where(
            col(Mail.tidied).is_(False),
            Mail.verdict != "new",
            col(Mail.seen) < work.now - STRANGERS,
            ~exists().where(col(MailGame.mail_id) == col(Mail.id)),
        )
        .order_by(col(Mail.id))
    )


def _old_letters(work: Work) -> Any:
    """Letters handed over long ago, or given up; what a report says is kept as long as its game's mail."""
    over = select(Game.id).where(col(Game.finished).is_not(None), col(Game.finished) <= work.now - AFTER_GAME)
    old = or_(
        col(Letter.sent) < work.now - HANDED_OVER,
        col(Letter.status).in_(("failed", "withdrawn")) & (col(Letter.created) < work.now - HANDED_OVER),
    )
    emptied = or_(
        col(Letter.raw).is_not(None),
        (col(Letter.value) != b"") & or_(Letter.kind != "report", col(Letter.game_id).in_(over)),
    )
    return select(Letter).where(old, emptied).order_by(col(Letter.id))


def _empty_letter(work: Work, letter: Letter) -> None:
    game = work.session.get(Game, letter.game_id) if letter.game_id is not None else None
    over = game is None or (game.finished is not None and game.finished <= work.now - AFTER_GAME)
    if over or letter.kind != "report":
        outbox.empty(work, letter)
        return
    letter.raw, letter.text = None, None  # what it says stays: ``отчёт N`` sends it again
    work.session.add(letter)


def _last_letters(house: House) -> int:
    """Empty the last two letters to those who had themselves forgotten, once they are sent."""
    with house.unit("tidy") as work:
        query = select(Asked).where(Asked.kind == "forget-me", col(Asked.settled).is_not(None), Asked.address != "")
        count = 0
        for row in work.session.exec(query.order_by(col(Asked.id))).all():
            keys = (f"confirm/forget-me/{row.id}/", f"confirmed/{row.id}/")
            mine = or_(*(col(Letter.key).startswith(key) for key in keys))
            letters = work.session.exec(select(Letter).where(mine)).all()
            if all(letter.status in ("sent", "failed") for letter in letters):
                for letter in letters:
                    outbox.empty(work, letter, address=True)
                row.address = ""
                work.session.add(row)
                count += len(letters)
        return count
