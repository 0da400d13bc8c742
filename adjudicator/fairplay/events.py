"""The closed list of log events: what each says to everybody, and what it only commits to (fair-play 7).

Common to all: ``seq`` counts from 1 without a gap; ``type`` is the class's name in lower case; ``at`` is the time of
the cause in UTC (arrival of a mail, deadline, command), ``2026-01-09T20:00:00Z``. ``turn`` is null where the game has
no turn yet: everything about ``start``. ``batch`` is a batch of ``main``. A field that equals its default is left out
of the line. The log holds seats and player ids (p1, p2 … in the order of joining), never names, addresses or headers.

Private parts. Types with one private part carry ``private`` as a string; their nonce part is ``-``. The types with a
part for each seat or secret (`Question`, `Lock`, `Result`, `Replay`) carry an object, part name to commitment, even
where it has one entry; it is left out where it has none. The classes ``…Part`` say what the hidden objects hold.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from engine.core.contract import Origin as GivenBy

Id: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9_-]{1,32}\Z")]
Player: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^p[1-9][0-9]{0,8}\Z")]
Hash: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}\Z")]
Row: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^([0-9a-f]{64}|-)\Z")]
Time: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\Z")]
Count: TypeAlias = Annotated[int, msgspec.Meta(ge=1, lt=1 << 53)]
Turn: TypeAlias = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]
Length: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=1 << 16)]
"""Of a chain; capped, for whoever checks a log walks along it."""
BatchKey: TypeAlias = Annotated[str, msgspec.Meta(pattern=r"^[1-9][0-9]{0,15}\Z")]
"""A batch number as the key of an object."""
ThrowRow: TypeAlias = tuple[Id, Count, str, Annotated[int, msgspec.Meta(ge=2, le=1 << 32)], Count]
"""One die: stream, batch, address, sides, face."""
ByBatch: TypeAlias = dict[Id, dict[BatchKey, Hash]]
"""Stream to batch to hash."""
Parts: TypeAlias = dict[Id, Hash]
"""Part name (a seat, ``moderator``, a secret) to commitment."""
Plain: TypeAlias = dict[str, Any]
"""A value of the ruleset as `engine.core.codec.plain` gives it."""

Origin: TypeAlias = Literal["sent", "standing", "silent", "moderator"]
"""Where an order in force came from: the player, his standing orders, the ruleset's silent default, the moderator."""
AnswerOrigin: TypeAlias = GivenBy


class _Strict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A value that takes its own fields and no others."""


class LogEvent(_Strict, frozen=True, kw_only=True, tag_field="type", tag=str.lower):
    """What all events have; ``seq`` is 0, and ``private`` empty, until the event is entered in a log."""

    at: Time
    seq: Count = 0


# The game begins ------------------------------------------------------------------------------------------------------


class Genesis(LogEvent, frozen=True, kw_only=True):
    """The first event, written by ``create``.

    ``campaign`` is the game's name with 8 hex digits. ``ruleset`` and ``revision`` say by which rules; ``edition``
    names the preset; ``options`` is the whole options object, defaults too
    (`adjudicator.fairplay.record.options_object`); ``data`` a checked document the group brought (a board). ``seats``
    are the seats in roster order. ``anchors`` gives s_0 of ``main`` and of each set-up stream, ``n`` the length of
    each chain. ``mode`` is where entropy comes from, ``open_orders`` when orders are opened, ``moderator`` whether he
    plays.
    """

    campaign: Id
    ruleset: Id
    revision: Count
    edition: str
    options: Plain
    seats: tuple[Id, ...]
    anchors: dict[Id, Hash]
    n: Length
    mode: Literal["salts", "beacon"]
    open_orders: Literal["turn", "end"]
    moderator: Literal["apart", "plays", "none"] = "apart"
    data: Plain | None = None


class Anchor(LogEvent, frozen=True, kw_only=True):
    """Anchor and length of a chain begun later than genesis, before the first phrase of its first batch."""

    stream: Id
    anchor: Hash
    n: Length


class Invite(LogEvent, frozen=True, kw_only=True):
    """A letter of invitation: the ``number``-th of the game, for a seat or for any."""

    number: Count
    seat: Id | None = None


class Join(LogEvent, frozen=True, kw_only=True):
    """A player is in, before ``start`` or later to take a seat over; ``seat`` is the one he asked for."""

    player: Player
    seat: Id | None = None


class Tenure(LogEvent, frozen=True, kw_only=True):
    """From ``turn`` on a seat is held by another player, or by nobody.

    The first holders stand in the result of ``start``.
    """

    turn: Turn
    seat: Id
    reason: Literal["substitute", "eject", "resign", "return", "hand-over"]
    player: Player | None = None


# A batch --------------------------------------------------------------------------------------------------------------


class Open(LogEvent, frozen=True, kw_only=True):
    """A turn is open, with the batch of its dice.

    ``roster`` lists the ids of the rows: the seats held by players, in ASCII order. ``deadline`` is null where no
    clock locks the turn. ``round`` is the beacon's, first after the deadline, in mode ``beacon``. The batch of
    ``start`` has no such event: genesis opens it, and its rows are all players that have joined.
    """

    turn: Turn
    batch: Count
    roster: tuple[Id, ...]
    deadline: Time | None = None
    round: Count | None = None


class Deadline(LogEvent, frozen=True, kw_only=True):
    """Another deadline for the open batch, and a new, still future beacon round; ``reason`` is a key for templates."""

    turn: Turn
    batch: Count
    deadline: Time | None
    reason: str
    round: Count | None = None


class Order(LogEvent, frozen=True, kw_only=True):
    """A mail with accepted orders. ``seat`` only where the game shows names in who-is-in. Private: `OrderPart`."""

    turn: Turn
    batch: Count
    private: Hash = ""
    seat: Id | None = None


class OrderPart(_Strict, frozen=True, kw_only=True):
    """``mail`` is the SHA-256 of the raw mail, ``text`` that of its own text, ``orders`` what was accepted of it."""

    seat: Id
    mail: Hash
    text: Hash
    orders: tuple[Plain, ...]


class Phrase(LogEvent, frozen=True, kw_only=True):
    """The first phrase a player sends for a batch; later ones are not logged, for they do not count.

    Private: `PhrasePart`.

    Automatic phrases are no events: they stand as rows in the lock. ``turn`` is null before ``start``.
    """

    turn: Turn | None
    batch: Count
    private: Hash = ""


class PhrasePart(_Strict, frozen=True, kw_only=True):
    """``row`` is the player (batch 1 of a stream) or seat, ``phrase`` is normalised."""

    row: Id
    phrase: str


class Lock(LogEvent, frozen=True, kw_only=True):
    """The accepted orders, or the answers to one group of questions, are frozen; from here nobody changes anything.

    ``streams`` lists every batch fixed by it, ``main`` as well; ``rows`` the rows of each stream's entropy document,
    ``phrases`` the phrases that players sent. (An automatic phrase shows as its row only.) Batch 1 of any stream has
    one row for each player joined so far, later batches of ``main`` the roster of the batch. ``round`` is the
    beacon's round, in mode ``beacon``; ``decided`` the time from which it was reckoned if the lock came before the
    deadline. ``mails`` are the SHA-256 of all raw mails received for the batch, sorted. ``rulings`` are the ``seq``
    of rulings that count for it. ``question`` is the ``seq`` of the questions answered, null for orders.
    ``at_once``: the turn is a moderator's command done at once (`engine.core.contract.Moderated.interlude`), and the
    other seats' orders count for the turn after it. Private parts: by seat `OrdersPart` or `AnswersPart`; by secret
    what `Ruleset.seal` gives (``{"gold":2}``).
    """

    turn: Turn | None
    batch: Count | None
    streams: dict[Id, Count]
    rows: dict[Id, dict[Id, Row]]
    phrases: dict[Id, str] = {}
    round: Count | None = None
    decided: Time | None = None
    mails: tuple[Hash, ...] = ()
    rulings: tuple[Count, ...] = ()
    question: Count | None = None
    at_once: bool = False
    private: Parts = {}


class OrdersPart(_Strict, frozen=True, kw_only=True, rename={"origins": "from"}):
    """A seat's orders in force, secret ones left out, and where each came from."""

    orders: tuple[Plain, ...]
    origins: tuple[Origin, ...]


class AnswersPart(_Strict, frozen=True, kw_only=True, rename={"origins": "from"}):
    """A seat's answers by question key, and who gave each."""

    answers: dict[str, str]
    origins: dict[str, AnswerOrigin]


class Beacon(LogEvent, frozen=True, kw_only=True):
    """The value of the round that a lock names.

    Without ``value``: the named round is missing, and another, still future one takes its place (rule B). ``lock`` is
    the ``seq`` of the lock.
    """

    turn: Turn | None
    lock: Count
    round: Count
    value: str | None = None


class Question(LogEvent, frozen=True, kw_only=True):
    """Questions asked together in mid-turn; their answers are locked with the next batch of ``main``, opened here.

    ``seats`` are those asked. Private, by seat: `QuestionPart`.
    """

    turn: Turn
    batch: Count
    group: Count
    seats: tuple[Id, ...]
    roster: tuple[Id, ...]
    deadline: Time | None = None
    round: Count | None = None
    private: Parts = {}


class QuestionPart(_Strict, frozen=True, kw_only=True):
    """The questions to a seat, as `engine.core.contract.Question` in plain form."""

    questions: tuple[Plain, ...]


class Answer(LogEvent, frozen=True, kw_only=True):
    """A mail with accepted answers. ``seat`` as in `Order`. Private: `AnswerPart`."""

    turn: Turn
    batch: Count
    private: Hash = ""
    seat: Id | None = None


class AnswerPart(_Strict, frozen=True, kw_only=True):
    """``answers`` by question key; ``mail`` and ``text`` as in `OrderPart`."""

    seat: Id
    mail: Hash
    text: Hash
    answers: dict[str, str]


class Result(LogEvent, frozen=True, kw_only=True):
    """What came of a turn, or of ``start`` (``turn`` null).

    ``batches`` are those of ``main`` the turn used, in order; ``seeds`` and ``entropy`` (H of the document) belong to
    all batches opened now, those of a secret whose hour has come as well. ``dice`` are the dice of streams that are
    open, in the order thrown; ``events`` what all may know, in order. ``revision`` is the ruleset's, ``replay``
    counts the revisions of the turn. ``seats`` stands in the result of ``start``: who holds which seat. ``outcome``
    once the game has one. Private, by seat (and ``moderator``: what no seat knows): `EventsPart`; by secret still
    sealed: `SecretPart`.
    """

    turn: Turn | None
    revision: Count
    batches: tuple[Count, ...]
    seeds: ByBatch
    entropy: ByBatch
    dice: tuple[ThrowRow, ...]
    events: tuple[Plain, ...]
    replay: Turn = 0
    seats: dict[Id, Player] | None = None
    outcome: Plain | None = None
    private: Parts = {}


class EventsPart(_Strict, frozen=True, kw_only=True):
    """Events a seat knows and not everybody, each with its place (from 0) among all events of the turn.

    ``dice`` are those of ``main`` that were thrown for such events.
    """

    events: tuple[tuple[Turn, Plain], ...]
    dice: tuple[ThrowRow, ...] = ()


class SecretPart(msgspec.Struct, frozen=True, kw_only=True):
    """The dice of a secret's own stream; other fields are the ruleset's (a deck)."""

    dice: tuple[ThrowRow, ...]


class Burn(LogEvent, frozen=True, kw_only=True):
    """Batches locked and never resolved, or never to be locked: their seeds are published with no dice (rule U)."""

    seeds: ByBatch
    reason: str


class Rekey(LogEvent, frozen=True, kw_only=True):
    """The seeds were lost: new chains, each beginning after the last batch used, before the next batch opens."""

    chains: dict[Id, RekeyChain]
    reason: str


class RekeyChain(_Strict, frozen=True, kw_only=True):
    """``anchor`` is s_after, and the chain ends at ``n``.

    ``after`` is the last batch opened before; if it was not locked yet, it is given up with the old chain.
    """

    anchor: Hash
    after: Turn
    n: Length


# People and corrections -----------------------------------------------------------------------------------------------


class Ruling(LogEvent, frozen=True, kw_only=True):
    """The moderator's word, in full.

    ``options`` are switches that hold from ``turn`` on; ``dice`` are real dice thrown by hand, which nobody can
    verify; ``seat`` is whom he acted for, if anybody.
    """

    turn: Turn
    text: str
    options: Plain | None = None
    dice: tuple[ThrowRow, ...] = ()
    seat: Id | None = None


class Look(LogEvent, frozen=True, kw_only=True):
    """Somebody looked at what is sealed; ``what`` is a key for templates (``orders``, ``preview``, ``state`` …)."""

    turn: Turn | None
    who: Literal["moderator", "operator"]
    what: str


class Absence(LogEvent, frozen=True, kw_only=True):
    """An absence was declared. ``seat`` only where the game shows it. Private: `AbsencePart`."""

    turn: Turn | None
    private: Hash = ""
    seat: Id | None = None


class AbsencePart(_Strict, frozen=True, kw_only=True, rename={"first": "from", "last": "to"}):
    """Both days belong to it; ``waits`` is false for «без переноса». ``withdrawn``: it was taken back in time."""

    seat: Id
    first: str
    last: str
    waits: bool = True
    withdrawn: bool = False


class Press(LogEvent, frozen=True, kw_only=True):
    """A letter between players. Private: `PressPart`."""

    turn: Turn | None
    private: Hash = ""


class PressPart(_Strict, frozen=True, kw_only=True, rename={"writer": "from", "readers": "to"}):
    """``to`` lists seats, or ``*``; the text is as sent."""

    writer: Id
    readers: tuple[str, ...]
    text: str
    anonymous: bool = False


class Dispute(LogEvent, frozen=True, kw_only=True):
    """A turn is disputed, or the dispute is decided. Private, where the text is not for all: `DisputePart`.

    ``rule``: a `Ruling` before it answers the dispute.
    """

    turn: Turn
    state: Literal["open", "stands", "rule", "replay", "void", "lapsed"]
    seat: Id | None = None
    reason: str = ""
    private: Hash | None = None


class DisputePart(_Strict, frozen=True, kw_only=True):
    """What the player wrote."""

    seat: Id
    text: str


class Replay(LogEvent, frozen=True, kw_only=True):
    """A turn is resolved again from the same batches with corrected orders (rule C); its new result follows.

    ``replay`` is the new revision of the turn, ``result`` the ``seq`` of the result replaced; turns after it, replayed
    forward, have a replay of their own. Private, by seat that changed: `ReplayPart`; by secret as in `Lock`.
    """

    turn: Turn
    replay: Count
    result: Count
    reason: str
    by: str = "moderator"
    private: Parts = {}


class ReplayPart(_Strict, frozen=True, kw_only=True, rename={"origins": "from"}):
    """Orders that count instead of those locked (null: the locked ones stand), and answers that do."""

    orders: tuple[Plain, ...] | None = None
    origins: tuple[Origin, ...] | None = None
    answers: dict[str, str] = {}


class Void(LogEvent, frozen=True, kw_only=True):
    """A turn does not count and is played anew in a new batch.

    ``assent`` lists the seats that agreed, none where the moderator gives his public reason.
    """

    turn: Turn
    reason: str
    assent: tuple[Id, ...] = ()


class Rollback(LogEvent, frozen=True, kw_only=True):
    """The game goes back to the opening of ``turn``; ``keep`` makes drafts of the orders that are dropped."""

    turn: Turn
    reason: str
    keep: bool = False


class Restored(LogEvent, frozen=True, kw_only=True):
    """The database was put back from a copy; ``pin`` and ``head`` are the last pin common to it and the mailboxes."""

    pin: Turn
    head: Hash


class Posted(LogEvent, frozen=True, kw_only=True):
    """A public report was posted; ``place`` says where, ``text`` is the SHA-256 of what was posted."""

    turn: Turn | None
    place: str
    text: Hash


class Finish(LogEvent, frozen=True, kw_only=True):
    """The game is over: all streams are opened here, all sealed matter by openings in the last letter."""

    reason: Literal["outcome", "draw", "finish"]
    seeds: ByBatch
    outcome: Plain | None = None


AnyEvent: TypeAlias = (
    Genesis
    | Anchor
    | Invite
    | Join
    | Open
    | Phrase
    | Order
    | Lock
    | Beacon
    | Question
    | Answer
    | Result
    | Ruling
    | Look
    | Deadline
    | Absence
    | Press
    | Tenure
    | Dispute
    | Replay
    | Void
    | Burn
    | Rollback
    | Rekey
    | Restored
    | Posted
    | Finish
)

TYPES: Final = tuple(cls.__struct_config__.tag for cls in AnyEvent.__args__)
"""The closed list, in the order of fair-play 7."""


def read_event(plain: Plain) -> AnyEvent:
    """Return the event of a line. Raises msgspec.ValidationError, naming the field, for anything else."""
    event: AnyEvent = msgspec.convert(plain, AnyEvent)
    if event.seq == 0:
        raise msgspec.ValidationError("Object missing required field `seq`")
    if getattr(event, "private", None) == "":
        raise msgspec.ValidationError("Object missing required field `private`")
    return event


def write_event(event: AnyEvent) -> Plain:
    """Return the event as its line holds it."""
    plain: Plain = msgspec.json.decode(msgspec.json.encode(event))
    return plain
