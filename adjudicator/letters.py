"""What goes into each letter, as values: the service fills them, templates turn them into words, nothing else is read.

All of them survive JSON: a letter row keeps its value, so its bytes do not depend on when they are made.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from engine.core.contract import Complaint, Note, Outcome, Value

SeatWord: TypeAlias = Literal["owes nothing", "no orders", "draft", "orders in", "ready"]
"""The one word of a seat (play-by-mail 1.1)."""


class GameHead(Value, frozen=True):
    """The header of a game, printed in every report (play-by-mail 0).

    ``tag`` is ``pirates-7``; ``header`` holds the switches by name: pace, early, missed, press, names, who_in, dice,
    open_orders, moderator.
    """

    tag: str
    ruleset: str
    edition: str
    campaign: str
    header: dict[str, Any] = {}
    options: dict[str, Any] = {}


class Reader(Value, frozen=True):
    """Who reads a letter: name as he gave it, language, IANA zone, seat ("" for observers) and that seat's titles."""

    name: str
    language: Literal["ru", "en"]
    zone: str
    seat: str = ""
    titles: dict[str, str] = {}
    address: str = ""
    reply_to: str = ""


class Pin(Value, frozen=True):
    """A point of the log: sequence number and full head (fair-play 7)."""

    seq: int
    head: str


class SeatStatus(Value, frozen=True):
    """What the game shows of another seat: titles, holder's name (if shown) and its word (None where hidden)."""

    seat: str
    titles: dict[str, str]
    name: str = ""
    word: SeatWord | None = None
    waits: bool = False


class LineVerdict(Value, frozen=True):
    """One line of a letter as written, beside how it was read.

    mark: ``ok`` order accepted; ``cut`` accepted, will be cut; ``refused``; ``command`` a command done;
    ``command-refused``; ``phrase`` a dice phrase taken; ``press`` a press block. ``read`` is the canonical order line.
    ``key`` and ``facts`` name the phrase of a command's effect.
    """

    text: str
    mark: Literal["ok", "cut", "refused", "command", "command-refused", "phrase", "press"]
    read: str = ""
    notes: tuple[Note, ...] = ()
    complaint: Complaint | None = None
    key: str = ""
    facts: dict[str, Any] = {}


class Receipt(Value, frozen=True):
    """The answer to a letter with at least one line of intent (play-by-mail 3), in the order it is printed."""

    head: GameHead
    reader: Reader
    number: int
    turn: int
    phase: str
    understood: bool
    lines: tuple[LineVerdict, ...]
    unheard: tuple[str, ...] = ()
    """Own lines that reach nobody, where the rules want that said (`engine.core.contract.Reading.unheard`)."""
    at_once: int = 0
    """Commands that wait for no lock."""
    set_aside: int = 0
    repairs: tuple[str, ...] = ()
    """What was mended in reading the mail (`mail.message.Incoming.repairs`)."""
    echoed: int = 0
    """Own lines that equal lines of ours, where there are enough of them to warn."""
    reread: str = ""
    """When a mail arrived that lay in quarantine and could be read only now."""
    edited_quote: tuple[LineVerdict, ...] = ()
    in_force: tuple[str, ...] = ()
    standing: tuple[str, ...] = ()
    missing: tuple[dict[str, Any], ...] = ()
    word: SeatWord = "no orders"
    deadline: str = ""
    now: str = ""
    others: tuple[SeatStatus, ...] = ()
    count_in: tuple[int, int] | None = None
    pin: Pin | None = None
    prev_pin: Pin | None = None
    commitment: str = ""
    phrase: str = ""
    phrase_automatic: bool = False
    late: dict[str, Any] | None = None
    overtaken: bool = False
    reply: dict[str, Any] | None = None
    """Extra answers asked for in the same letter, by key: status, map, report, log, rules, help."""
    paused: bool = False
    """The game's clock stands still."""
    view: str = ""
    """The seat's view of the open turn, canonical JSON: complaints name ships by it, ``карта`` draws it."""
    events: tuple[str, ...] = ()
    """What ``проба`` foresees, canonical JSON of the ruleset's events."""
    asking: dict[str, Any] | None = None
    """Of a turn that waits for decisions: ``deadline`` ("" where no clock ends it), ``awaited`` [titles], ``moderator``
    whether he is awaited, and this seat's ``questions`` [number, question, answer]."""
    acted: dict[str, Any] | None = None
    """Who entered these orders for the seat, and why: who, why, link, at; ``copy``: for himself (play-by-mail 6)."""
    idle: bool = False
    """The letter changed nothing: of such answers a day has only so many (play-by-mail 7)."""


class DieThrown(Value, frozen=True):
    """A die in a report: where it was thrown, what it shows, and what it was for."""

    stream: str
    batch: int
    address: str
    sides: int
    face: int
    key: str = ""
    facts: dict[str, Any] = {}


class Purpose(Value, frozen=True):
    """The dice thrown for one purpose with so many sides.

    ``faces`` counts the faces from 1 on; ``mean`` and ``expected`` are hundredths of a face; ``chi`` is Pearson's χ²
    against equal chances, in hundredths, with ``sides`` - 1 degrees of freedom.
    """

    key: str
    sides: int
    faces: tuple[int, ...]
    mean: int
    expected: int
    chi: int

    @property
    def count(self) -> int:
        """How many dice there were."""
        return sum(self.faces)


class Luck(Value, frozen=True):
    """A seat's luck in one thing: ``lucky`` of ``tries``, where chance would have given ``expected`` hundredths."""

    seat: str
    key: str
    tries: int
    lucky: int
    expected: int


class Closing(Value, frozen=True):
    """What the last letter tells of the whole game: who was who, who looked at sealed matter, how the dice fell.

    ``replays`` are the turns that were resolved again, once for each time.
    """

    names: tuple[SeatStatus, ...] = ()
    looks: tuple[dict[str, Any], ...] = ()
    dice: tuple[Purpose, ...] = ()
    luck: tuple[Luck, ...] = ()
    replays: tuple[int, ...] = ()


class Report(Value, frozen=True):
    """A turn report, or the opening letter (turn 0), or the last letter (``outcome`` set).

    ``view`` and ``events`` are canonical JSON of the ruleset's own types: the view after the turn, the events this
    reader may know. ``template`` are his order lines ready to be edited; ``asked`` the slots he owes. Events of earlier
    turns are not in it (``журнал`` sends them).
    """

    head: GameHead
    reader: Reader
    turn: int
    revision: int
    resolved_at: str
    view: str
    events: tuple[str, ...]
    asked: tuple[dict[str, Any], ...]
    examples: tuple[str, ...]
    template: tuple[str, ...]
    next_turn: int
    deadline: str
    dice: tuple[DieThrown, ...]
    phrases: tuple[tuple[str, str], ...] = ()
    seeds: tuple[tuple[str, int, str], ...] = ()
    others: tuple[SeatStatus, ...] = ()
    corrections: tuple[dict[str, Any], ...] = ()
    pin: Pin | None = None
    prev_pin: Pin | None = None
    outcome: Outcome | None = None
    weak_chance: bool = False
    judge_awaited: bool = False
    """Whether the open turn owes the moderator alone, so that no clock closes it (play-by-mail 1.8)."""
    beacon: str = ""
    """The beacon's text where the dice come from it."""
    standing: tuple[str, ...] = ()
    verify_hint: bool = True
    closing: Closing | None = None
    forum: tuple[str, ...] = ()
    """Boards for which a copy of the public report carries forum editions (play-by-mail 5)."""
    farewells: tuple[dict[str, Any], ...] = ()
    """In the last letter: each player's words, by seat: seat, titles, name, text (play-by-mail 1.10)."""
    press: tuple[dict[str, Any], ...] = ()
    """In the last letter, where the header says so: the press, as `services.press.published` gives it."""
    preview: Literal["", "trial", "true"] = ""
    """A preview for the moderator, with trial dice or with the true ones (play-by-mail 6)."""
    corrected: dict[str, Any] | None = None
    """Of a turn resolved again: who, why, titles of the seat whose orders were corrected (none: the program erred), its
    ``orders`` if they are the reader's own, and what is different for him: ``gone`` and ``new`` events, ``before`` the
    view that the old ones belong to."""


class Notice(Value, frozen=True):
    """Any other letter: ``kind`` names its template, ``facts`` fill it.

    Kinds are ``invitation``, ``welcome``, ``reminder``, ``deadline-moved``, ``held``, ``unknown-game``,
    ``quarantined``, ``stuck``, ``moderator-bounce`` …
    """

    kind: str
    reader: Reader
    facts: dict[str, Any] = {}
    head: GameHead | None = None
    pin: Pin | None = None
    prev_pin: Pin | None = None


class Rendered(Value, frozen=True):
    """A letter in words: subject, Markdown text (is the text part), HTML, inline pictures and attached files."""

    subject: str
    text: str
    html: str
    images: tuple[tuple[str, bytes], ...] = ()
    files: tuple[tuple[str, str, bytes], ...] = ()
    """Attached files: name, media type, content."""
