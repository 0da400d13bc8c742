"""Seeds and keys of a game: drawn at ``create``, kept sealed, used one batch at a time (fair-play 3)."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

from sqlmodel import select

from adjudicator.fairplay import chain
from adjudicator.services import header
from adjudicator.services.work import Work
from adjudicator.storage.tables import Game, Phrase, Secret
from engine.core.contract import Value
from engine.core.dice import MAIN

GAME_KEY = "game-key"


Source: TypeAlias = Callable[[int], bytes]
"""Gives so many bytes that nobody can foresee."""


def draw(work: Work, game: Game, streams: tuple[str, ...], source: Source = secrets.token_bytes) -> dict[str, str]:
    """Draw the game key and the last seed of every stream, and return the anchors in hex."""
    _keep(work, game, GAME_KEY, source(chain.SEED_LENGTH))
    anchors = {}
    for stream in streams:
        last = source(chain.SEED_LENGTH)
        _keep(work, game, f"seed/{stream}", last)
        anchors[stream] = _chain(game.campaign, stream, last)[0].hex()
    return anchors


def _keep(work: Work, game: Game, name: str, value: bytes) -> None:
    work.add(Secret(game_id=game.id, name=name, value=work.vault.seal(value)))


def _kept(work: Work, game: Game, name: str) -> bytes:
    row = work.session.exec(select(Secret).where(Secret.game_id == game.id, Secret.name == name)).one()
    return work.vault.open(row.value)


def game_key(work: Work, game: Game) -> bytes:
    """Return the key that the nonces of private parts come from."""
    return work.once(("game-key", game.id), lambda: _kept(work, game, GAME_KEY))


@lru_cache(maxsize=64)
def _chain(campaign: str, stream: str, last: bytes) -> tuple[bytes, ...]:
    return chain.chain(campaign, stream, last)


def seed(work: Work, game: Game, stream: str, batch: int) -> bytes:
    """Return s_t of a stream."""
    return _chain(game.campaign, stream, _kept(work, game, f"seed/{stream}"))[batch]


class Spoken(Value, frozen=True):
    """The phrases of a batch by row id, in ASCII order; ``sent`` are the rows whose player spoke himself."""

    phrases: dict[str, str]
    sent: tuple[str, ...]

    def row(self, name: str) -> str:
        """Return what the entropy document says of a row."""
        return chain.row(self.phrases.get(name))


def spoken(work: Work, game: Game, batch: int) -> Spoken:
    """Return the normalised phrases of a batch of ``main``; those of batch 1 serve the set-up streams too."""
    return work.once(("spoken", game.id, batch), lambda: _spoken(work, game, batch))


def by_beacon(game: Game) -> bool:
    """Say whether a game's dice come from the beacon: then no phrase counts, and none is kept (fair-play 3.2)."""
    return header.read(game.header).dice == "beacon"


def _spoken(work: Work, game: Game, batch: int) -> Spoken:
    if by_beacon(game):
        return Spoken(phrases={}, sent=())
    query = select(Phrase).where(Phrase.game_id == game.id, Phrase.stream == MAIN, Phrase.batch == batch)
    rows = sorted(work.session.exec(query), key=lambda row: row.row)
    return Spoken(
        phrases={row.row: work.vault.open(row.phrase).decode() for row in rows},
        sent=tuple(row.row for row in rows if not row.automatic),
    )


def keep_phrase(work: Work, game: Game, row: str, phrase: str, batch: int, *, automatic: bool) -> bool:
    """Keep a phrase for a batch of ``main`` unless the row has one; a player's word replaces an automatic one.

    Returns whether this phrase now counts.
    """
    before = spoken(work, game, batch)
    if by_beacon(game):
        return False
    if row in before.phrases and (automatic or row in before.sent):
        return False
    phrase = chain.normalised(phrase)
    sent = before.sent if automatic else tuple(sorted({*before.sent, row}))
    work.memo["spoken"][game.id, batch] = Spoken(
        phrases=dict(sorted({**before.phrases, row: phrase}.items())), sent=sent
    )
    known = None
    if row in before.phrases:
        query = select(Phrase).where(Phrase.game_id == game.id, Phrase.stream == MAIN, Phrase.batch == batch)
        known = work.session.exec(query.where(Phrase.row == row)).one()
    sealed = work.vault.seal(phrase.encode())
    if known is None:
        work.write(Phrase, game_id=game.id, batch=batch, row=row, phrase=sealed, automatic=automatic, arrival=work.now)
        return True
    known.phrase, known.automatic, known.arrival = sealed, False, work.now
    work.session.add(known)
    return True


def entropy(game: Game, stream: str, batch: int, rows: Mapping[str, str], beacon: str) -> bytes:
    """Return the entropy document of a batch for the rows of its roster and the beacon's text, ``-`` without one."""
    return chain.entropy_document(game.campaign, stream, batch, rows, beacon)


def key(work: Work, game: Game, stream: str, batch: int, document: bytes) -> bytes:
    """Return K_t; only for a batch that is locked (fair-play rule L)."""
    return chain.batch_key(game.campaign, stream, batch, seed(work, game, stream, batch), document)
