"""«Контрабандисты», a game that asks: decisions of seats and moderator, one by one and together; windows, rulings.

In each round every seat searches one of three holds, throws a die for it and learns in private whether the goods lie
there (S1, S2). Then come the groups of questions that the option ``asks`` names, one word a group (S3):

``all``: every seat, whether to shout; who shouts throws once more · ``first``: the first seat alone ·
``each``: every seat for itself, as independent questions that are taken one by one · ``point``: the first seat points
at a hold, an open question · ``both``: the first seat two things at once · ``judge``: the moderator says how the tide
stands.

A sheet may hold a policy for shouting (S4). In a round of kind ``ruling`` the moderator alone owes, a tide (S5).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, cast

from msgspec.structs import replace

from engine.core.codec import decode as read_json
from engine.core.codec import encode
from engine.core.contract import (
    MODERATOR,
    PUBLIC,
    Answers,
    AwaitingAnswer,
    Choice,
    Choose,
    Complaint,
    Event,
    Facts,
    Info,
    Language,
    Options,
    Order,
    Origin,
    Outcome,
    Pause,
    Question,
    Reading,
    ReadOrder,
    Resolution,
    Ruleset,
    Seat,
    SeatInfo,
    Secret,
    Sheet,
    Slot,
    State,
    Value,
)
from engine.core.dice import Dice
from engine.core.drawing import Drawing, Label, Pen, Rect

HOLDS: Final = 3


class SmugglersOptions(Options, frozen=True, kw_only=True):
    asks: str = "first"
    kind: Literal["turn", "window", "ruling"] = "turn"
    rounds: int = 2
    set_up: bool = False


class SmugglersState(State, frozen=True, kw_only=True):
    options: SmugglersOptions
    roster: tuple[Seat, ...]
    turn: int
    goods: int
    scores: tuple[int, ...]


class SmugglersView(Value, frozen=True, kw_only=True):
    """The goods are nobody's to see but the moderator's."""

    seat: Seat
    options: SmugglersOptions
    roster: tuple[Seat, ...]
    turn: int
    scores: tuple[int, ...]
    questions: tuple[Question, ...] = ()
    goods: int = 0


class Search(Order, frozen=True, kw_only=True):
    hold: int

    @property
    def slot(self) -> str:
        return "search"


class Policy(Order, frozen=True, kw_only=True):
    shout: Literal["yes", "no"]

    @property
    def slot(self) -> str:
        return "policy"


class Point(Order, frozen=True, kw_only=True):
    """An answer to an open question, whose key is its slot."""

    key: str
    hold: int

    @property
    def slot(self) -> str:
        return self.key


class Tide(Order, frozen=True, kw_only=True):
    high: bool

    @property
    def slot(self) -> str:
        return "tide"


class Searched(Event, frozen=True, kw_only=True):
    seat: Seat
    hold: int
    face: int


class Found(Event, frozen=True, kw_only=True):
    seat: Seat
    here: bool


class Shouted(Event, frozen=True, kw_only=True):
    seat: Seat
    face: int
    origin: Origin


class Pointed(Event, frozen=True, kw_only=True):
    seat: Seat
    hold: int


class TideStands(Event, frozen=True, kw_only=True):
    high: bool


SmugglersOrder = Search | Policy | Point | Tide
SmugglersEvent = Searched | Found | Shouted | Pointed | TideStands
WORDS: Final = {
    "search": re.compile(r"(?:искать|search) (\d)"),
    "policy": re.compile(r"(?:политика|policy): ?(да|нет|yes|no)"),
    "point": re.compile(r"(?:показать|point) (\d)"),
    "tide": re.compile(r"(?:прилив|tide):? ?(высокий|низкий|high|low)"),
}
YES: Final = ("да", "yes")
HIGH: Final = ("высокий", "high")


class Smugglers:
    @property
    def info(self) -> Info:
        return Info(
            name="smugglers",
            revision=1,
            titles={"ru": "Контрабандисты", "en": "Smugglers"},
            seats=(2, 4),
            longest=10,
            options=SmugglersOptions,
            state=SmugglersState,
            order=SmugglersOrder,
            event=SmugglersEvent,
            editions={"classic": SmugglersOptions()},
        )

    def seats(self, options: SmugglersOptions, players: int) -> tuple[SeatInfo, ...]:
        if not 2 <= players <= 4:
            raise ValueError(f"{players} players")
        return tuple(
            SeatInfo(id=f"crew-{number}", side="", titles={"ru": f"Команда {number}", "en": f"Crew {number}"})
            for number in range(1, players + 1)
        )

    def start(
        self, options: SmugglersOptions, seats: Sequence[Seat], dice: Dice, *, data: Facts | None = None
    ) -> Resolution:
        goods = dice.die("gm/x1/main/0", HOLDS)
        state = SmugglersState(options=options, roster=tuple(seats), turn=1, goods=goods, scores=(0,) * len(seats))
        return Resolution(state=state, events=())

    def phase(self, state: SmugglersState) -> Literal["turn", "window", "ruling"]:
        return state.options.kind

    def view(self, state: SmugglersState, seat: Seat, questions: tuple[Question, ...] = ()) -> SmugglersView:
        return SmugglersView(
            seat=seat,
            options=state.options,
            roster=state.roster,
            turn=state.turn,
            scores=state.scores,
            questions=questions,
            goods=state.goods if seat == MODERATOR else 0,
        )

    def owed(self, view: SmugglersView) -> tuple[Slot, ...]:
        if view.turn > view.options.rounds:
            return ()
        if view.options.kind == "ruling":
            return (Slot(seat=MODERATOR, key="tide", what="tide"),)
        seats = view.roster if view.seat in (MODERATOR, PUBLIC) else (view.seat,)
        searches = tuple(Slot(seat=seat, key="search", what="search") for seat in seats)
        return searches + tuple(Slot(seat=seat, key="policy", what="policy", optional=True) for seat in seats)

    # Orders -----------------------------------------------------------------------------------------------------------

    def read(self, view: SmugglersView, sheet: Sheet, lines: Sequence[str], language: Language) -> Reading:
        orders: list[ReadOrder] = []
        complaints: list[Complaint] = []
        prose: list[int] = []
        for number, line in enumerate(lines):
            found = self._read(view, " ".join(line.split()).casefold())
            if isinstance(found, str):
                complaints.append(Complaint(kind="not-allowed", key=found, lines=(number,), rule="S1"))
            elif found is None:
                prose.append(number)
            else:
                orders.append(ReadOrder(order=found, lines=(number,)))
        laid = self.fold(view, sheet, [one.order for one in orders])
        return Reading(orders=tuple(orders), complaints=tuple(complaints), prose=tuple(prose), sheet=laid)

    def _read(self, view: SmugglersView, text: str) -> Order | str | None:
        """Return the order that a line is, the key of a complaint, or nothing."""
        for kind, pattern in WORDS.items():
            found = pattern.fullmatch(text)
            if found is None:
                continue
            if kind in ("search", "point") and not 1 <= int(found[1]) <= HOLDS:
                return "no-such-hold"
            match kind:
                case "search":
                    return Search(hold=int(found[1]))
                case "policy":
                    return Policy(shout="yes" if found[1] in YES else "no")
                case "tide":
                    return Tide(high=found[1] in HIGH)
                case "point":
                    keys = [one.key for one in view.questions if one.what == "point"]
                    return Point(key=keys[0], hold=int(found[1])) if keys else None
        return None

    def write(self, order: Order, language: Language, view: Any | None = None) -> str:
        match order:
            case Search(hold=hold):
                return f"искать {hold}" if language == "ru" else f"search {hold}"
            case Policy(shout=shout):
                return f"политика: {'да' if shout == 'yes' else 'нет'}" if language == "ru" else f"policy: {shout}"
            case Point(hold=hold):
                return f"показать {hold}" if language == "ru" else f"point {hold}"
            case Tide(high=high):
                return f"прилив: {'высокий' if high else 'низкий'}" if language == "ru" else f"tide: {_tide(high)}"
        raise TypeError(f"no order of smugglers: {order!r}")

    def fold(self, view: SmugglersView, sheet: Sheet, orders: Iterable[Order]) -> Sheet:
        laid = {order.slot: order for order in sheet}
        for order in orders:
            laid.pop(order.slot, None)
            laid[order.slot] = order
        return tuple(laid.values())

    def merge(self, view: SmugglersView, sheet: Sheet, standing: Sheet) -> Sheet:
        filled = {order.slot for order in sheet}
        return sheet + tuple(order for order in standing if order.slot not in filled)

    def silent(self, view: SmugglersView, sheet: Sheet) -> Sheet:
        filled = {order.slot for order in sheet}
        owed = [slot.key for slot in self.owed(view) if slot.seat == view.seat and not slot.optional]
        made: dict[str, Order] = {"search": Search(hold=1), "tide": Tide(high=False)}
        return tuple(made[key] for key in owed if key not in filled)

    def template(self, view: SmugglersView, language: Language) -> tuple[str, ...]:
        return tuple(self.write(order, language) for order in self.silent(view, ()))

    def examples(self, view: SmugglersView, language: Language) -> tuple[str, ...]:
        return self.template(view, language)

    def legal(self, view: SmugglersView, slot: str) -> Iterator[Order]:
        yield from (Search(hold=hold) for hold in range(1, HOLDS + 1))

    def foresee(self, view: SmugglersView, sheet: Sheet) -> tuple[Event, ...]:
        return ()

    # A round ----------------------------------------------------------------------------------------------------------

    def resolve(
        self, state: SmugglersState, sheets: Mapping[Seat, Sheet], dice: Dice, answers: Answers
    ) -> Resolution | Pause:
        events: list[Event] = []
        scores = list(state.scores)
        try:
            if state.options.kind == "ruling":
                events += [
                    TideStands(rule="S5", high=order.high) for order in sheets[MODERATOR] if isinstance(order, Tide)
                ]
            else:
                self._search(state, sheets, dice, events, scores)
            for group, what in enumerate(state.options.asks.split(), 1):
                self._group(state, sheets, dice, answers, events, scores, (group, what))
        except AwaitingAnswer as awaiting:
            position = replace(state, scores=tuple(scores))
            return Pause(questions=awaiting.questions, events=tuple(events), position=position)
        return Resolution(state=replace(state, turn=state.turn + 1, scores=tuple(scores)), events=tuple(events))

    def _search(
        self, state: SmugglersState, sheets: Mapping[Seat, Sheet], dice: Dice, events: list[Event], scores: list[int]
    ) -> None:
        for number, seat in enumerate(state.roster):
            hold = next(order.hold for order in sheets[seat] if isinstance(order, Search))
            face = dice.die(f"{seat}/o1/main/0", 6)
            events.append(Searched(rule="S1", seat=seat, hold=hold, face=face))
            events.append(Found(rule="S2", seat=seat, here=hold == state.goods, audience=(seat,)))
            scores[number] += face

    def _group(
        self,
        state: SmugglersState,
        sheets: Mapping[Seat, Sheet],
        dice: Dice,
        answers: Answers,
        events: list[Event],
        scores: list[int],
        asked: tuple[int, str],
    ) -> None:
        group, what = asked
        match what:
            case "judge":
                choices = (Choice(word="high"), Choice(word="low"))
                key = f"gm/o{group}/tide/0"
                put = Question(key=key, seat=MODERATOR, what="tide", choices=choices, default="low")
                events.append(TideStands(rule="S3", high=answers.take(put) == ("high",)))
            case "point":
                put = _point(state.roster[0], group)
                (said,) = answers.take(put)
                events.append(Pointed(rule="S3", seat=put.seat, hold=read_json(said, SmugglersOrder).hold))
            case _:
                seats = state.roster[:1] if what in ("first", "both") else state.roster
                questions = [_shout(state, seat, group, sheets.get(seat, ())) for seat in seats]
                if what == "both":
                    questions.append(replace(questions[0], key=f"{seats[0]}/o{group}/shout/1"))
                if what == "each":
                    answers.demand(*questions)
                    words = [answers.take(question)[0] for question in questions]
                else:
                    words = list(answers.take(*questions))
                for question, word in zip(questions, words, strict=True):
                    if word == "yes":
                        face = dice.die(f"{question.seat}/o{group}/shout/{question.key[-1]}", 6)
                        origin = answers.origin(question)
                        events.append(Shouted(rule="S3", seat=question.seat, face=face, origin=origin))
                        scores[state.roster.index(question.seat)] += face

    def outcome(self, state: SmugglersState) -> Outcome | None:
        if state.turn <= state.options.rounds:
            return None
        best = max(state.scores)
        winners = [seat for seat, score in zip(state.roster, state.scores, strict=True) if score == best]
        return Outcome(reason="score", rule="S6", winners=tuple(winners))

    def secrets(self, state: SmugglersState) -> tuple[Secret, ...]:
        return ()

    def seal(self, state: SmugglersState, seat: Seat, sheet: Sheet) -> dict[str, dict[str, Any]]:
        return {}

    def unseal(self, state: SmugglersState, name: str, sealed: Mapping[str, Any]) -> tuple[Seat, Sheet]:
        raise KeyError(name)

    def draw(self, view: SmugglersView) -> Drawing:
        """Return a hull for every crew."""
        hulls = tuple(
            Rect(x=10.0 + 30 * place, y=10.0, width=20.0, height=20.0, pen=Pen(fill="#888888"))
            for place in range(len(view.roster))
        )
        chart = Label(key="chart")
        return Drawing(width=140, height=40, background="#ffffff", base=hulls, overlay=(), alt=chart, rows=("=" * 20,))

    def table(self, view: SmugglersView) -> tuple[tuple[str, ...], tuple[tuple[Any, ...], ...]]:
        return ("seat", "score"), tuple(zip(view.roster, view.scores, strict=True))

    def dice_purpose(self, address: str) -> tuple[str, dict[str, Any]]:
        return "", {}

    def bot(self, view: SmugglersView, choose: Choose) -> Sheet:
        return self.silent(view, ())


def _tide(high: bool) -> str:
    return "high" if high else "low"


def _shout(state: SmugglersState, seat: Seat, group: int, sheet: Sheet) -> Question:
    policy = next((order.shout for order in sheet if isinstance(order, Policy)), "")
    choices = (Choice(word="yes", facts={"seat": seat}), Choice(word="no"))
    return Question(
        key=f"{seat}/o{group}/shout/0",
        seat=seat,
        what="shout",
        choices=choices,
        default="no",
        facts={"round": state.turn},
        policy=policy,
    )


def _point(seat: Seat, group: int) -> Question:
    key = f"{seat}/o{group}/point/0"
    offers = tuple(Choice(word=encode(Point(key=key, hold=hold)), facts={"dark": hold == HOLDS}) for hold in (HOLDS, 1))
    return Question(key=key, seat=seat, what="point", choices=(), default=encode(Point(key=key, hold=1)), offers=offers)


RULESET = cast("Ruleset", Smugglers())
