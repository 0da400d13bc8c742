"""The tables. Constraints carry the promises: one row a fetched mail, a turn and revision, a log entry, a letter.

States, orders, seeds and openings are kept sealed with the service key (`storage.vault`): a dump shows nothing hidden.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

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

GAME_STATUS = ("created", "starting", "running", "finished")
TURN_STATUS = ("open", "locked", "asking", "resolved", "stuck", "withdrawn")
MAIL_VERDICT = ("new", "orders", "held", "automatic", "bounce", "quarantined", "empty", "late")
LETTER_STATUS = ("new", "rendered", "sending", "sent", "failed", "withdrawn")
HAND_OVER = ("none", "uncertain", "sure")
PROPOSAL_STATUS = ("open", "carried", "refused", "lapsed", "withdrawn")
DISPUTE_STATUS = ("open", "stands", "rule", "lapsed")


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
    """A person: name as he gave it, language, zone. Reports go to his main address.

    ``forgotten`` is when he had himself forgotten: name and addresses are gone (play-by-mail 8).
    """

    id: int | None = Field(default=None, primary_key=True)
    name: str = ""
    language: str = "ru"
    zone: str = "Europe/Moscow"
    created: datetime = instant()
    forgotten: datetime | None = instant(nullable=True)


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
    """One played instance of a ruleset: ``header`` and ``options`` as JSON, ``seq`` and ``head`` the end of its log.

    ``paused`` is since when its clock stands still, ``desk`` the hour of its last desk letter (play-by-mail 6);
    ``final`` the position it ended with (sealed).
    """

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
    paused: datetime | None = instant(nullable=True)
    desk: datetime | None = instant(nullable=True)
    seq: int = 0
    head: str = "0" * 64
    next_batch: int = 1
    final: bytes | None = Field(default=None, sa_column=Column(LargeBinary))


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
    """Who holds a seat and since when; a rise of ``key_version`` revokes the seat's token.

    The moderator's place is a seat of its own (``moderator``). ``missed`` counts the turns missed in a row,
    ``automatic`` those played by standing orders alone, ``counted`` the last turn that was counted (play-by-mail
    1.7). ``farewell`` are his lines for the last letter (sealed).
    """

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: str
    player_id: int = Field(foreign_key="player.id", index=True)
    since: datetime = instant()
    until: datetime | None = instant(nullable=True)
    key_version: int = 1
    reported_seq: int = 0
    missed: int = 0
    automatic: int = 0
    counted: int | None = None
    farewell: bytes | None = Field(default=None, sa_column=Column(LargeBinary))


class Invitation(SQLModel, table=True):
    """A letter that asks somebody to play, or confirms a stranger's wish to (``stranger``; play-by-mail 0).

    ``join_id`` is p1, p2 … in the order of joining, "" before. ``substitute`` is the seat of a running game that the
    invited person is to take over. ``second`` is the moderator's word that an address may hold a second seat of the
    game (4).
    """

    __table_args__ = (UniqueConstraint("game_id", "address", "second"),)

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
    stranger: bool = False
    substitute: str = ""
    second: bool = False


class Unwanted(SQLModel, table=True):
    """An address that wants no more letters of ours: it is never invited again (play-by-mail 0)."""

    id: int | None = Field(default=None, primary_key=True)
    address: str = Field(unique=True)
    since: datetime = instant()


class Observer(SQLModel, table=True):
    """Somebody who watches a game: he gets its public reports until he wants no more (play-by-mail 5)."""

    __table_args__ = (UniqueConstraint("game_id", "address"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    address: str = Field(index=True)
    name: str = ""
    language: str = "ru"
    zone: str = "Europe/Moscow"
    since: datetime = instant()
    until: datetime | None = instant(nullable=True)
    reported_seq: int = 0


class Turn(SQLModel, table=True):
    """One batch of sealed orders.

    ``state`` is the position the turn opened with; ``standing`` and ``orders`` are JSON by seat. ``period`` is the
    usual length in seconds, from which notice and spans are reckoned (play-by-mail 1.4, 1.5). ``check`` is when to look
    at an open turn next; whatever happens to it in between sets it to now. ``grace`` is until when late seats may still
    send, those that were in at ``frozen`` being closed (play-by-mail 1.7); ``let_go`` that the moderator lets it go on
    without them; ``prolonged`` that a window was given its 12 hours (1.8).
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
    grace: datetime | None = instant(nullable=True)
    frozen: datetime | None = instant(nullable=True)
    let_go: bool = False
    prolonged: bool = False


class Asking(SQLModel, table=True):
    """A group of questions asked in mid-turn (play-by-mail 1.8, fair-play D): its dice are a batch of their own.

    ``questions`` are the ruleset's (sealed); the answers come as readings of this ``number``; ``answers`` is what the
    lock of the group froze, by key, and ``origins`` who gave each.
    """

    __table_args__ = (UniqueConstraint("turn_id", "number"),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    turn_id: int = Field(foreign_key="turn.id", index=True)
    number: int
    batch: int
    asked: datetime = instant()
    deadline: datetime = instant()
    question_seq: int
    questions: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    locked: datetime | None = instant(nullable=True)
    lock_seq: int | None = None
    answers: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    origins: bytes | None = Field(default=None, sa_column=Column(LargeBinary))
    reminded: bool = False
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
    ``content`` the hash of its bytes without trace headers; ``raw`` the bytes as received (sealed). ``proof`` is by
    what its sender was proven (`services.identity`), or the doubt; ``grounds`` what was found for it, as JSON.
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
    proof: str = ""
    grounds: str = long_text()
    twin: int | None = None
    tidied: bool = False


class MailGame(SQLModel, table=True):
    """A mail assigned to a game: its hash stands in that game's next lock (fair-play 6).

    ``held`` is why what it says of this game is held, "" if it is not: the parts of a letter are each proven for
    themselves (play-by-mail 4).
    """

    __table_args__ = (UniqueConstraint("mail_id", "game_id"),)
    ONCE: ClassVar = ("mail_id", "game_id")

    id: int | None = Field(default=None, primary_key=True)
    mail_id: int = Field(foreign_key="mail.id", index=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    lock_seq: int | None = None
    held: str = ""


class Reading(SQLModel, table=True):
    """What one mail said for one seat and turn: ``effects`` is what the fold of a sheet is made of (JSON, sealed).

    ``asking`` is 0 for the turn's orders, else the number of the questions it answers (`Asking`). ``mail_id`` is null
    for what the moderator or operator entered for the seat: ``by`` says who.
    """

    __table_args__ = (
        UniqueConstraint("mail_id", "game_id", "seat", "turn"),
        UniqueConstraint("game_id", "seat", "number"),
    )

    id: int | None = Field(default=None, primary_key=True)
    mail_id: int | None = Field(default=None, foreign_key="mail.id", index=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: str
    turn: int
    asking: int = 0
    number: int
    arrival: datetime = instant()
    mailbox: str
    uid: int = whole()
    written: datetime | None = instant(nullable=True)
    effects: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    late: bool = False
    has_orders: bool = False
    by: str = ""


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
    """A press letter as sent: who wrote to whom, and the text (sealed). ``anonymous`` hides the writer.

    ``turn`` is -1 for what the judge was written before the start or after the end; ``seat`` is then p1, p2 … if the
    writer held none.
    """

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    mail_id: int = Field(foreign_key="mail.id")
    turn: int
    seat: str
    recipients: str
    text: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    arrival: datetime = instant()
    anonymous: bool = False


class Absence(SQLModel, table=True):
    """A declared absence (play-by-mail 1.7): both days belong to it, in ``zone``; ``waits``: deadlines go past it.

    ``withdrawn`` is when its player took it back, before it had begun.
    """

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    seat: str
    tenure_id: int = Field(foreign_key="tenure.id")
    first: date
    last: date
    zone: str
    waits: bool = True
    declared: datetime = instant()
    withdrawn: datetime | None = instant(nullable=True)
    mail_id: int | None = Field(default=None, foreign_key="mail.id")


class Asked(SQLModel, table=True):
    """Something that is done only once its writer has confirmed it by an answer (play-by-mail 2, 4).

    ``kind`` is the command, ``facts`` what it is about (JSON, sealed); ``turn`` the turn it was meant for, on which it
    lapses.
    """

    id: int | None = Field(default=None, primary_key=True)
    game_id: int | None = Field(default=None, foreign_key="game.id", index=True)
    seat: str = ""
    tenure_id: int | None = Field(default=None, foreign_key="tenure.id")
    player_id: int | None = Field(default=None, foreign_key="player.id")
    address: str = ""
    kind: str
    turn: int | None = None
    facts: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    created: datetime = instant()
    settled: datetime | None = instant(nullable=True)


class Proposal(SQLModel, table=True):
    """Something the seats vote on: a draw, or a moderator's verb where he plays or there is none (play-by-mail 6).

    It lapses with the report of ``turn``. ``facts`` as in `Asked`.
    """

    __table_args__ = (one_of("status", PROPOSAL_STATUS),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    kind: str
    turn: int
    seat: str
    facts: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    created: datetime = instant()
    status: str = "open"
    settled: datetime | None = instant(nullable=True)


class Vote(SQLModel, table=True):
    """One seat's voice on a proposal; the last one counts, and none is shown before the count (sealed)."""

    __table_args__ = (UniqueConstraint("proposal_id", "seat"),)

    id: int | None = Field(default=None, primary_key=True)
    proposal_id: int = Field(foreign_key="proposal.id", index=True)
    seat: str
    voice: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    arrival: datetime = instant()


class Dispute(SQLModel, table=True):
    """A player disputes a turn (play-by-mail 6): the next turn may lock but is not resolved before ``until``."""

    __table_args__ = (one_of("status", DISPUTE_STATUS),)

    id: int | None = Field(default=None, primary_key=True)
    game_id: int = Field(foreign_key="game.id", index=True)
    turn: int
    seat: str
    text: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    opened: datetime = instant()
    until: datetime | None = instant(nullable=True)
    status: str = "open"
    outcome: str = long_text()
    settled: datetime | None = instant(nullable=True)


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
    address: str = Field(index=True)
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
