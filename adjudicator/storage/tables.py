"""The tables. Constraints carry the promises: one row a fetched mail, a turn and revision, a log entry, a letter.

States, orders, seeds and openings are kept sealed with the service key (`storage.vault`): a dump shows nothing hidden.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, Column, Index, LargeBinary, MetaData, Text, UniqueConstraint
from sqlmodel import Field, SQLModel

from adjudicator.storage.columns import Utc, one_of

NAMING = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}
SQLModel.metadata = MetaData(naming_convention=NAMING)

GAME_STATUS = ("created", "running", "finished")
TURN_STATUS = ("open", "locked", "asking", "resolved", "stuck", "withdrawn")
MAIL_VERDICT = ("new", "orders", "held", "automatic", "bounce", "quarantined", "empty", "late")
LETTER_STATUS = ("new", "rendered", "sending", "sent", "failed", "withdrawn")
HAND_OVER = ("none", "uncertain", "sure")


def instant(*, nullable: bool = False, index: bool = False) -> Any:
    """Return a column of aware UTC instants."""
    return Field(sa_column=Column(Utc, nullable=nullable, index=index))


def long_text(default: str | None = "") -> Any:
    """Return a column of unlimited text."""
    return Field(default=default, sa_column=Column(Text, nullable=default is None))


def whole(*, default: int | None = None) -> Any:
    """Return a column of 64-bit integers.

    UIDs and UIDVALIDITY are unsigned 32-bit numbers (RFC 9051 2.3.1.1), and those of a Maildir longer still.
    """
    if default is None:
        return Field(sa_column=Column(BigInteger, nullable=False))
    return Field(default=default, sa_column=Column(BigInteger, nullable=False))


class Player(SQLModel, table=True):
    """A person: name as he gave it, language, zone. Reports go to his main address."""

    id: int | None = Field(default=None, primary_key=True)
    name: str = ""
    language: str = "ru"
    zone: str = "Europe/Moscow"
    created: datetime = instant()


class Address(SQLModel, table=True):
    """A registered address of a player, folded (play-by-mail 4). One address may belong to several people."""

    __table_args__ = (UniqueConstraint("player_id", "address"),)

    id: int | None = Field(default=None, primary_key=True)
    player_id: int = Field(foreign_key="player.id", index=True)
    address: str = Field(index=True)
    main: bool = True
    confirmed: datetime = instant()
    failures: int = 0
    failed: datetime | None = instant(nullable=True)


class Game(SQLModel, table=True):
    """One played instance of a ruleset: ``header`` and ``options`` as JSON, ``seq`` and ``head`` the end of its log."""

    __table_args__ = (one_of("status", GAME_STATUS),)

    id: int | None = Field(default=None, primary_key=True)
    tag: str = Field(unique=True)
    campaign: str = Field(unique=True)
    ruleset: str
    revision: int
    edition: str
    options: str = long_text()
    board: str = long_text()
    header: str = long_text()
    players: int
    status: str = "created"
    created: datetime = instant()
    started: datetime | None = instant(nullable=True)
    finished: datetime | None = instant(nullable=True)
    seq: int = 0
    head: str = "0" * 64
    next_batch: int = 1


class Seat(SQLModel, table=True):
    """A place in a game; ``place`` is its number in the roster, ``titles`` JSON by language."""

    __table_args__ = (UniqueConstraint("game_id", "seat"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: str
    side: str
    titles: str = long_text()
    place: int


class Tenure(SQLModel, table=True):
    """Who holds a seat and since when; a rise of ``key_version`` revokes the seat's token."""

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: str
    player_id: int = Field(foreign_key="player.id", index=True)
    since: datetime = instant()
    until: datetime | None = instant(nullable=True)
    key_version: int = 1
    reported_seq: int = 0


class Invitation(SQLModel, table=True):
    """A letter that asks somebody to play. ``join_id`` is p1, p2 … in the order of joining, "" before."""

    __table_args__ = (UniqueConstraint("game_id", "address"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    address: str = Field(index=True)
    name: str = ""
    language: str = "ru"
    seat: str = ""
    created: datetime = instant()
    joined: datetime | None = instant(nullable=True)
    refused: datetime | None = instant(nullable=True)
    join_id: str = ""
    player_id: int | None = Field(default=None, foreign_key="player.id")


class Turn(SQLModel, table=True):
    """One batch of sealed orders.

    ``state`` is the position the turn opened with; ``standing`` and ``orders`` are JSON by seat. ``period`` is the
    usual length in seconds, from which notice and spans are reckoned (play-by-mail 1.4, 1.5). ``check`` is when to look
    at an open turn next; whatever happens to it in between sets it to now.
    """

    __table_args__ = (UniqueConstraint("game_id", "number", "revision"), one_of("status", TURN_STATUS))

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    number: int
    revision: int = 0
    status: str = Field(default="open", index=True)
    phase: str = "turn"
    opened: datetime = instant()
    deadline: datetime = instant()
    period: int
    batch: int
    state: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    standing: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    orders: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    locked: datetime | None = instant(nullable=True)
    lock_seq: int | None = None
    resolved: datetime | None = instant(nullable=True)
    result_seq: int | None = None
    events: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    dice: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    attempts: int = 0
    retry: datetime | None = instant(nullable=True)
    trouble: str = long_text()
    reminded: str = ""
    check: datetime = instant(index=True)


class Phrase(SQLModel, table=True):
    """A player's phrase for a batch of dice (fair-play 2): the first one counts."""

    __table_args__ = (UniqueConstraint("game_id", "stream", "batch", "row"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    stream: str = "main"
    batch: int
    row: str
    phrase: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    automatic: bool = False
    arrival: datetime = instant()


class Mailbox(SQLModel, table=True):
    """How far a source has been read (RFC 9051: UIDVALIDITY, UID), and when it was last read with success."""

    id: int | None = Field(default=None, primary_key=True)
    name: str = Field(unique=True)
    uidvalidity: int = whole(default=0)
    uid: int = whole(default=0)
    good: datetime | None = instant(nullable=True)
    trouble: str = long_text()
    owner: str = ""
    lease: datetime | None = instant(nullable=True)


class Mail(SQLModel, table=True):
    """A mail as it came.

    ``arrival`` is the server's word, ``counts`` the instant it counts from (doubtful mail: when first seen),
    ``content`` the hash of its bytes without trace headers; ``raw`` the bytes as received (sealed).
    """

    __table_args__ = (UniqueConstraint("mailbox", "uidvalidity", "uid"), one_of("verdict", MAIL_VERDICT))

    id: int | None = Field(default=None, primary_key=True)
    mailbox: str
    uidvalidity: int = whole()
    uid: int = whole()
    arrival: datetime = instant(index=True)
    counts: datetime = instant()
    seen: datetime = instant()
    size: int
    raw: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    sha256: str = Field(index=True)
    content: str = Field(index=True)
    verdict: str = Field(default="new", index=True)
    why: str = long_text()
    attempts: int = 0
    sender: str = ""
    message_id: str = Field(default="", index=True)
    subject: str = long_text()
    twin: int | None = None
    tidied: bool = False


class MailGame(SQLModel, table=True):
    """A mail assigned to a game: its hash stands in that game's next lock (fair-play 6)."""

    __table_args__ = (UniqueConstraint("mail_id", "game_id"),)

    id: int | None = Field(default=None, primary_key=True)
    mail_id: int = Field(foreign_key="mail.id", index=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    lock_seq: int | None = None


class Reading(SQLModel, table=True):
    """What one mail said for one seat and turn: ``effects`` is what the fold of a sheet is made of (JSON, sealed)."""

    __table_args__ = (
        UniqueConstraint("mail_id", "game_id", "seat", "turn"),
        UniqueConstraint("game_id", "seat", "number"),
    )

    id: int | None = Field(default=None, primary_key=True)
    mail_id: int = Field(foreign_key="mail.id", index=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: str
    turn: int
    number: int
    arrival: datetime = instant()
    mailbox: str
    uid: int = whole()
    written: datetime | None = instant(nullable=True)
    effects: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    late: bool = False
    has_orders: bool = False


class LogEntry(SQLModel, table=True):
    """One event of a game's log, exactly as hashed; ``parts``: its private objects, nonces and who may open them."""

    __table_args__ = (UniqueConstraint("game_id", "seq"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seq: int
    head: str
    event: str = long_text()
    parts: bytes | None = Field(default=None, sa_column=Column(LargeBinary))


class Opening(SQLModel, table=True):
    """A private part of the log opened to all from a later event on."""

    __table_args__ = (UniqueConstraint("game_id", "seq", "part"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seq: int
    part: str
    since: int


class Press(SQLModel, table=True):
    """A press letter as sent: who wrote to whom, and the text (sealed)."""

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    mail_id: int = Field(foreign_key="mail.id")
    turn: int
    seat: str
    recipients: str
    text: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    arrival: datetime = instant()


class Letter(SQLModel, table=True):
    """A letter to one reader for one cause.

    ``key`` names both, so a letter is written once; ``value`` is what it says (`adjudicator.letters`, sealed); ``raw``
    the bytes, made once and sent as they are on every retry; ``text`` its text part (compressed, sealed): what we wrote
    and find quoted is never an order (play-by-mail 3.3).
    """

    __table_args__ = (
        one_of("status", LETTER_STATUS),
        Index("ix_letter_status_due", "status", "due"),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    message_id: str = Field(unique=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    seat: str = ""
    tenure_id: int | None = Field(default=None, foreign_key="tenure.id")
    key_version: int = 1
    turn: int | None = None
    opening: bool = False
    kind: str
    address: str
    value: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    in_reply_to: str = Field(default="", sa_column=Column(Text, nullable=False))
    thread: str = Field(default="", sa_column=Column(Text, nullable=False))
    created: datetime = instant()
    status: str = "new"
    raw: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    text: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    sha256: str = ""
    attempts: int = 0
    uncertain: bool = False
    due: datetime = instant()
    owner: str = ""
    lease: datetime | None = instant(nullable=True)
    sent: datetime | None = instant(nullable=True)
    trouble: str = long_text()


class Secret(SQLModel, table=True):
    """Seeds and keys of a game, sealed with the service key."""

    __table_args__ = (UniqueConstraint("game_id", "name"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    name: str
    value: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
