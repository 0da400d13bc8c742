"""The contract between the service and every ruleset, as types.

A turn is a pure function: ``resolve(state, sheets, dice, answers)`` gives a `Resolution` or a `Pause`. Everything the
service, the reports, the case files and the bots know of a game goes through the methods of `Ruleset`; the conformance
suite (``tests/engine/test_conformance.py``) holds every registered ruleset to the laws stated here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, Protocol, TypeAlias, cast, runtime_checkable

import msgspec

from engine.core.dice import Dice

Seat: TypeAlias = str
"""Id of a place in a game, ``[a-z0-9_-]{1,32}``: ``spain-1``."""

Language: TypeAlias = Literal["ru", "en"]
Facts: TypeAlias = Mapping[str, Any]
"""Values a template may name; only str, int, bool, None and tuples or mappings of these."""

MODERATOR: Final[Seat] = "moderator"
"""The viewer who may know everything the state holds; where rules need him, also a seat that owes orders."""
PUBLIC: Final[Seat] = "public"
"""The viewer who may know only what everybody knows: observers, the forum, the public log."""
EVERYONE: Final[tuple[Seat, ...]] = ("*",)
"""The audience of an event that everybody may know."""


def kebab(name: str) -> str:
    """Return the tag of a class: ``ShipOrder`` is ``ship-order``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


class Value(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A frozen value that survives JSON. Frozen, it can be in no cycle, so it is none of the garbage collector's."""


class Options(Value, frozen=True):
    """The switches of a ruleset, named and valued as on its page; an edition is a preset of them."""


class State(Value, frozen=True):
    """All that is true in a game after a turn, as one JSON document; a turn never reads history."""

    schema: int = 1


class Order(Value, frozen=True, tag_field="type", tag=kebab):
    """One thing a seat wants done, about one slot (a ship, a pirate, a bid).

    ``secret`` names the sealed matter that an order of this class is (Пираты: ``gold``): it enters the log as a part
    of its own, opened when the ruleset says so; None for ordinary orders. ``lasts``: it stands from turn to turn, as
    though it were written as a standing order (Шакал: a policy). ``at_once``: a moderator's command, which waits for
    no lock where its writer owes nothing (`Moderated.interlude`). ``queues``: who came first counts; the lock puts
    into its field ``arrival`` its place, from 1, among the orders of its kind.
    """

    secret: ClassVar[str | None] = None
    lasts: ClassVar[bool] = False
    at_once: ClassVar[bool] = False
    queues: ClassVar[bool] = False

    @property
    def slot(self) -> str:
        """Key of the slot that this order fills; a later order for the same slot replaces it."""
        raise NotImplementedError

    @property
    def precedes(self) -> str:
        """Key of a slot that no other seat may have filled before this order is laid (fair-play N), "" for none."""
        return ""

    @property
    def trace(self) -> Order | None:
        """What later letters of this turn must know of it even where it is dropped: a number taken (fair-play 3.5).

        `read` finds it on the sheet it is given; it is neither in force nor locked.
        """
        return None


Sheet: TypeAlias = tuple[Order, ...]
"""Orders of one seat in force, in the order of the lines they came from."""


class Event(Value, frozen=True, tag_field="type", tag=kebab):
    """Something that happened, by which rule, and who may know it.

    ``about`` lists the pieces (``ship4``) in whose журнал the event is entered; facts of the event are the fields of
    its class. Words are the business of templates.
    """

    rule: str
    audience: tuple[Seat, ...] = EVERYONE
    about: tuple[str, ...] = ()

    @property
    def dice(self) -> str:
        """How the addresses of the dice begin that were thrown for this event; "" where the dice hide nothing.

        Of an event that not everybody may know its dice are known to its audience alone: that they were thrown at all
        would tell of it.
        """
        return ""

    def known_to(self, seat: Seat) -> bool:
        """Say whether ``seat`` may know of this event."""
        return seat == MODERATOR or self.audience == EVERYONE or seat in self.audience


class Choice(Value, frozen=True):
    """One option of a question: ``word`` is what answers it and names its phrase, ``facts`` fill the phrase."""

    word: str
    facts: dict[str, Any] = {}


Origin: TypeAlias = Literal["seat", "policy", "default", "moderator"]
"""Who gave an answer: the seat asked, its policy, the question's default, or the moderator for the seat."""


class Question(Value, frozen=True):
    """A decision the rules need in mid-turn (play-by-mail 1.8); ``key`` is an address, like ``white/o1/plane/0``.

    An answer is the ``word`` of a choice. An *open* question has no choices: its answer, ``policy`` and ``default`` are
    orders of the ruleset as `engine.core.codec.encode` writes them, whose slot is ``key``; ``read`` reads them from
    the view that carries the question, ``write`` says them in words. ``policy`` is what the seat's own sheet says to
    such a question, "" if it says nothing: it counts where no answer comes, before the default. ``facts`` fill the
    question's phrase; they, the choices and the offers hold nothing that the seat may not know.

    ``offers`` are likely answers to an open question, listed under numbers in this order: ``word`` is an answer like
    the default, ``facts`` say why one might want it. Any other answer may be given in words.
    """

    key: str
    seat: Seat
    what: str
    choices: tuple[Choice, ...]
    default: str
    facts: dict[str, Any] = {}
    policy: str = ""
    offers: tuple[Choice, ...] = ()

    def answered_by(self, word: str) -> bool:
        """Say whether a word can be an answer; of an open question only the ruleset can say more."""
        return bool(word) and (not self.choices or word in [choice.word for choice in self.choices])

    @property
    def unanswered(self) -> tuple[str, Origin]:
        """What counts where no answer comes, and whose word it is: the policy's, else the default."""
        return (self.policy, "policy") if self.answered_by(self.policy) else (self.default, "default")


class Outcome(Value, frozen=True):
    """How a game ended: ``sides`` and ``winners`` (the seat named first brought it home), none for a draw."""

    reason: str
    rule: str
    sides: tuple[str, ...] = ()
    winners: tuple[Seat, ...] = ()
    facts: dict[str, Any] = {}


class Resolution(Value, frozen=True):
    """The result of a turn: the next state and everything that happened, in order."""

    state: State
    events: tuple[Event, ...]


class Pause(Value, frozen=True):
    """A turn that waits for decisions: questions that do not depend on each other, and what has happened so far.

    ``position`` serves views only and is never stored.
    """

    questions: tuple[Question, ...]
    events: tuple[Event, ...]
    position: State


class AwaitingAnswer(Exception):
    """Raised by `Answers.take` when the turn cannot go on; ``resolve`` turns it into a `Pause`."""

    def __init__(self, questions: tuple[Question, ...]) -> None:
        super().__init__(", ".join(question.key for question in questions))
        self.questions = questions


class Answers:
    """Answers by question key, and who gave each.

    Taking an answer moves the dice to that answer's batch (fair-play D): ``groups`` says in which group, counted from
    1, each key was asked; questions of one group may be taken one by one. A key that ``groups`` does not name is the
    next group.
    """

    def __init__(
        self,
        given: Mapping[str, str] | None = None,
        dice: Dice | None = None,
        *,
        origins: Mapping[str, Origin] | None = None,
        groups: Mapping[str, int] | None = None,
    ) -> None:
        self._given = dict(given or {})
        self._dice = dice
        self._origins = dict(origins or {})
        self._groups = dict(groups or {})
        self._group = 0
        self.taken: list[str] = []

    def take(self, *questions: Question) -> tuple[str, ...]:
        """Return the answers to questions asked together, or raise `AwaitingAnswer` with those still open.

        Raises ValueError for an answer that is not among the choices of its question.
        """
        self.demand(*questions)
        self._move_to(max((self._groups.get(one.key, self._group + 1) for one in questions), default=self._group))
        words = []
        for question in questions:
            word = self._given[question.key]
            if question.choices and word not in [choice.word for choice in question.choices]:
                raise ValueError(f"{word!r} does not answer {question.key!r}")
            self.taken.append(question.key)
            words.append(word)
        return tuple(words)

    def demand(self, *questions: Question) -> None:
        """Raise `AwaitingAnswer` with those of the questions that are still open; take none, and move no dice.

        For questions that do not depend on each other and are taken one by one later: so they are asked together.
        """
        missing = tuple(question for question in questions if question.key not in self._given)
        if missing:
            raise AwaitingAnswer(missing)

    def origin(self, question: Question) -> Origin:
        """Return who answered a question that was taken: the seat, its policy, the default or the moderator."""
        return self._origins.get(question.key, "seat")

    def _move_to(self, group: int) -> None:
        """Move the dice on to the batch of a group; they never move back."""
        while self._group < group:
            self._group += 1
            if self._dice is not None:
                self._dice.advance()


class Slot(Value, frozen=True):
    """Something a seat owes: ``key`` as in `Order.slot`, ``what`` names its phrase, ``piece`` the piece if it is one.

    ``optional`` slots may be filled but are never waited for (a ship's name in set-up).
    """

    seat: Seat
    key: str
    what: str
    piece: str = ""
    optional: bool = False
    facts: dict[str, Any] = {}


class Note(Value, frozen=True):
    """Something a receipt says beside an order that was read.

    kind ``repaired``: what was mended in the reading; ``drops``: part of an earlier order that this line replaces;
    ``warning``: legal but surprising; ``cut``: the part that will not be done. ``key`` names the phrase.
    """

    kind: Literal["repaired", "drops", "warning", "cut"]
    key: str
    rule: str = ""
    facts: dict[str, Any] = {}


class ReadOrder(Value, frozen=True):
    """An order, the line numbers it came from (0-based places in ``lines``), and what the receipt says beside it."""

    order: Order
    lines: tuple[int, ...]
    notes: tuple[Note, ...] = ()


class Complaint(Value, frozen=True):
    """A line that is not an order now: why, where in the line, by which rule, and what it could have meant.

    kind: ``unread`` (cannot be read), ``not-allowed`` (not in this position), ``ambiguous`` (two readings). ``place``
    is a half-open span of characters in the first line, or None. ``suggestions`` are lines a player could send as they
    stand.
    """

    kind: Literal["unread", "not-allowed", "ambiguous"]
    key: str
    lines: tuple[int, ...]
    rule: str = ""
    place: tuple[int, int] | None = None
    facts: dict[str, Any] = {}
    suggestions: tuple[str, ...] = ()


class Reading(Value, frozen=True):
    """What was understood of some lines. Every line is in exactly one of ``orders``, ``complaints`` and ``prose``.

    ``told`` are orders that prose makes by being there (what a pirate says): they count like others, but no line of
    theirs is an order, so press that holds it is still press. ``sheet`` is the seat's sheet after orders and what is
    told have been laid upon the one given. ``traces`` are what refused lines leave behind (`Order.trace`).
    ``unheard`` are lines of prose that reach nobody, where the receipt is to say so: they might have been meant for
    somebody.
    """

    orders: tuple[ReadOrder, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    prose: tuple[int, ...] = ()
    told: tuple[ReadOrder, ...] = ()
    sheet: tuple[Order, ...] = ()
    traces: tuple[Order, ...] = ()
    unheard: tuple[int, ...] = ()


class SeatInfo(Value, frozen=True):
    """A place in a game: id, side and titles in both languages, in roster order; ``pieces`` it begins with."""

    id: Seat
    side: str
    titles: dict[str, str]
    pieces: tuple[str, ...] = ()


class Secret(Value, frozen=True):
    """Sealed matter of a game: who knows it already, and whether it is now open to all.

    Its name is both the private part of the log and the stream of its own, if it has one (fair-play 3).
    """

    name: str
    audience: tuple[Seat, ...] = ()
    open: bool = False


@runtime_checkable
class View(Protocol):
    """Exactly what one viewer may know. Rulesets return a struct of their own that has at least these fields."""

    @property
    def seat(self) -> Seat:
        """The viewer: a seat, `PUBLIC` or `MODERATOR`."""
        ...

    @property
    def questions(self) -> tuple[Question, ...]:
        """Open questions to this viewer; empty outside a pause."""
        ...


class Info(Value, frozen=True):
    """Static facts of a ruleset.

    ``longest`` is the largest number of turns, None if open-ended; ``usual`` between which numbers half of all games
    between bots end, None where nobody has measured it; ``streams`` are the set-up streams of dice;
    ``order`` and ``event`` are the unions of the ruleset's classes. ``open_orders`` is ``end`` where orders, policies
    and answers are the secret of whoever wrote them for the whole game: then no game may open them earlier.
    ``as_written``: lines of a letter reach `Ruleset.read` with their dashes, quotes and list marks, for what people
    tell is part of the game; else in plain form.
    ``moderated``: the moderator runs the story and knows all that the state holds; he is told of every turn like a
    seat, and the ruleset is `Moderated`.
    """

    name: str
    revision: int
    titles: dict[str, str]
    seats: tuple[int, int]
    longest: int | None
    options: type
    state: type
    order: Any
    event: Any
    editions: dict[str, Options]
    streams: tuple[str, ...] = ()
    usual: tuple[int, int] | None = None
    open_orders: Literal["turn", "end"] = "turn"
    as_written: bool = False
    moderated: bool = False


Choose: TypeAlias = Callable[[int], int]
"""Chance handed to a bot: ``choose(n)`` gives a number from 0 to n-1."""


class Ruleset(Protocol):
    """A set of rules. All methods are pure and deterministic and leave their arguments unchanged."""

    @property
    def info(self) -> Info:
        """Static facts."""
        ...

    def seats(self, options: Options, players: int) -> tuple[SeatInfo, ...]:
        """Return the places of a game for so many players, in roster order; ValueError outside ``info.seats``."""
        ...

    def start(self, options: Options, seats: Sequence[Seat], dice: Dice, *, data: Facts | None = None) -> Resolution:
        """Return the position before the first turn. ``data`` is a checked document a group brought (a board)."""
        ...

    def phase(self, state: State) -> Literal["turn", "set-up", "window", "vote", "ruling"]:
        """Return the kind of turn that is open, which the game's settings map to a length."""
        ...

    def view(self, state: State, seat: Seat, questions: tuple[Question, ...] = ()) -> Any:
        """Return exactly what this viewer may know, with the open questions put to him."""
        ...

    def owed(self, view: Any) -> tuple[Slot, ...]:
        """Return the slots the viewer may know to be owed; from the moderator's view all.

        Empty exactly when there is an outcome.
        """
        ...

    def read(self, view: Any, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
        """Read lines against what the seat sees; never raises.

        Both languages are understood, ``language`` breaks ties.
        """
        ...

    def write(self, order: Order, language: Language, view: Any | None = None) -> str:
        """Return the line that reads back as this order. With a view, pieces are written by the names they bear."""
        ...

    def fold(self, view: Any, sheet: Sheet, orders: Iterable[Order]) -> Sheet:
        """Lay orders upon a sheet, each replacing what the seat said before about the same piece."""
        ...

    def merge(self, view: Any, sheet: Sheet, standing: Sheet) -> Sheet:
        """Fill slots that have no order from standing orders; nothing of ``sheet`` is dropped."""
        ...

    def silent(self, view: Any, sheet: Sheet) -> Sheet:
        """Return orders for the owed slots that have none."""
        ...

    def template(self, view: Any, language: Language) -> tuple[str, ...]:
        """Return the seat's order lines ready to be edited and sent, all legal in this position."""
        ...

    def examples(self, view: Any, language: Language) -> tuple[str, ...]:
        """Return a few order lines that show the language of orders, all legal in this position."""
        ...

    def legal(self, view: Any, slot: str) -> Iterator[Order]:
        """Yield the legal orders for a slot in a fixed order, lazily."""
        ...

    def foresee(self, view: Any, sheet: Sheet) -> tuple[Event, ...]:
        """Return the events of one's own orders on what is seen, nobody else moving and without dice."""
        ...

    def resolve(self, state: State, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers) -> Resolution | Pause:
        """Resolve the turn. Seats without a sheet owe nothing or are filled by the caller beforehand."""
        ...

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game ended, or None."""
        ...

    def secrets(self, state: State) -> tuple[Secret, ...]:
        """Return the sealed matter that exists at this state, who knows it and whether it is open."""
        ...

    def seal(self, state: State, seat: Seat, sheet: Sheet) -> dict[str, dict[str, Any]]:
        """Return the objects of a seat's secret orders by secret name: ``{"gold": {"gold": 2}}``."""
        ...

    def unseal(self, state: State, name: str, sealed: Mapping[str, Any]) -> tuple[Seat, Sheet]:
        """Return the seat and orders that an object made by `seal` stands for."""
        ...

    def draw(self, view: Any) -> Any:
        """Return the board as an `engine.core.drawing.Drawing`, labels as keys."""
        ...

    def table(self, view: Any) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
        """Return the state table of a report: column keys, and rows of facts."""
        ...

    def dice_purpose(self, address: str) -> tuple[str, dict[str, Any]]:
        """Return the phrase key and facts that say what a die was thrown for."""
        ...

    def bot(self, view: Any, choose: Choose) -> Sheet:
        """Return orders of a sane player for all owed slots of the viewer."""
        ...


class Moderated(Ruleset, Protocol):
    """A set of rules that a moderator runs, who does some things at once, as a turn of its own."""

    def interlude(self, state: State, commands: Sheet, dice: Dice, answers: Answers) -> Resolution | Pause:
        """Do the moderator's commands and nothing else; what was open before is open after."""
        ...

    def kept(self, state: State) -> tuple[str, ...]:
        """Return texts that nobody outside may read, not even when the game is over: those of a private file."""
        ...


def resolve_turn(
    ruleset: Ruleset, state: State, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers, *, at_once: bool
) -> Resolution | Pause:
    """Resolve a turn, or what it is where a moderator's commands are done ``at_once``: these alone."""
    master = moderated(ruleset) if at_once else None
    if master is None:
        return ruleset.resolve(state, sheets, dice, answers)
    return master.interlude(state, sheets.get(MODERATOR, ()), dice, answers)


def moderated(ruleset: Ruleset) -> Moderated | None:
    """Return a ruleset that a moderator runs as what it is, None for any other."""
    return cast("Moderated", ruleset) if ruleset.info.moderated else None
