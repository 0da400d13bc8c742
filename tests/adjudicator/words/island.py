"""A game of «Шакал» in full sail: the same report, receipt, question and last letter in both languages."""

from __future__ import annotations

import msgspec

from adjudicator.letters import GameHead, LineVerdict, Notice, Reader, Receipt, Report, SeatStatus
from engine.core.codec import encode, plain
from engine.core.contract import Answers, Event, Language, Outcome, Pause, Question, Resolution
from engine.core.dice import LoadedDice
from engine.core.registry import ruleset
from engine.jackal.commands import Decision, PolicyOrder
from engine.jackal.notation import FACES, read_position
from engine.jackal.options import JackalOptions
from engine.jackal.state import JackalState, JackalView
from tests.adjudicator.words import samples
from tests.adjudicator.words.samples import EARLIER, HEAD, PIN

JACKAL = ruleset("jackal")
ROSTER = ("white", "yellow", "black", "red")
TITLES = {seat.id: seat.titles for seat in JACKAL.seats(JackalOptions(), 4)}
ISLAND: GameHead = msgspec.structs.replace(
    HEAD,
    tag="jackal-3",
    ruleset="jackal",
    edition="tl",
    campaign="jackal-3",
    header={**HEAD.header, "open_orders": "end"},
)
POSITION = """
all closed, open F6 E6 E7 F7 G2 G3 K7 K8 E10 C5 C6 C8 C9 L7 F12 G12, W1 F6, C7 = spin3, W2 C7/2, W3 G2, coin@F6*2,
G6 = a1d closed, H5 = ice closed, I4 = chest2 closed, Y1 K8, Y2 K7, J8 = caramba closed, B1 E10, B2 dead,
E11 = trap closed, R1 C6, R2 C5, FR red C5, D6 = lighthouse closed, H3 = chest5 closed, I3 = croc closed,
J3 = keg closed, K3 = fort closed, F9 = cave closed, E5 = horse closed, D9 = plane closed, E9 = rum2 closed,
B6 = quake closed, G9 = jungle closed, K5 = cannibal closed, treasure@C9, E6 = a3, F7 = horse, C8 = cave, L7 = cannon N,
F12 = keg, G12 = fort_girl, gold white 4, gold yellow 3, bottles red 1, bottles white 1
"""
ORDERS = {
    "white": ("Б1 на C6 +монета", "иначе Б1 на G6 (стрелка: СВ)"),
    "yellow": ("Ж1 на J8",),
    "black": ("Ч1 на E11",),
    "red": ("К1 на D6 (маяк: H3, I3, J3, K3)",),
}


def position() -> JackalState:
    """The position before the round."""
    return read_position(POSITION.replace("\n", " "), JackalOptions(), ROSTER, None)


def _answer(question: Question) -> str:
    if question.what == "lay":
        return encode(Decision(key=question.key, lay=(("H3", "K3"), ("K3", "H3"))))
    return question.default


def played() -> tuple[Resolution, Pause | None]:
    """The round played, and the pause in it."""
    state = position()
    sheets = {}
    for seat in ROSTER:
        view = JACKAL.view(state, seat)
        read = JACKAL.read(view, (), ORDERS[seat], "ru").sheet
        sheets[seat] = (*read, *JACKAL.silent(view, read))
    answers: dict[str, str] = {}
    pause = None
    while True:
        dice = LoadedDice({**FACES, "yellow/o1/oath/0": 3})
        result = JACKAL.resolve(state, sheets, dice, Answers(answers, dice))
        if isinstance(result, Resolution):
            return result, pause
        pause = result
        answers |= {question.key: _answer(question) for question in result.questions}


def reader(language: Language, seat: str) -> Reader:
    """Anna in Omsk reads Russian, Boris in London reads English."""
    return samples.reader(language, seat, TITLES.get(seat, {"ru": seat, "en": seat}))


def _others(seat: str) -> tuple[SeatStatus, ...]:
    return tuple(
        SeatStatus(seat=one, titles=TITLES[one], name=name, word="no orders", waits=False)
        for one, name in zip(ROSTER, ("Анна", "Boris", "Вера", "Galya"), strict=True)
        if one != seat
    )


def report(language: Language, seat: str = "red") -> Report:
    """The report of a round with a chain, an oath, a trap and a lighthouse, told to the seat that looked from it."""
    result, _ = played()
    return told(language, seat, result.state, result.events)


def told(language: Language, seat: str, state: object, events: tuple[Event, ...], **changes: object) -> Report:
    """A report of what a seat may know of these events, after them."""
    view: JackalView = JACKAL.view(state, seat)  # type: ignore[arg-type]
    policy = JACKAL.read(view, (), ("политика: стрелка = не в воду, к закрытым; самолёт = остаться",), "ru").sheet
    assert isinstance(policy[0], PolicyOrder)
    made = Report(
        head=ISLAND,
        reader=reader(language, seat),
        turn=11,
        revision=0,
        resolved_at="2026-12-03T15:00:00Z",
        view=encode(view),
        events=tuple(encode(event) for event in events if event.known_to(seat)),
        asked=tuple(plain(slot) for slot in JACKAL.owed(view) if slot.seat == seat),
        examples=JACKAL.examples(view, language),
        template=JACKAL.template(view, language),
        standing=tuple(JACKAL.write(order, language, view) for order in policy),
        next_turn=12,
        deadline="2026-12-05T15:00:00Z",
        dice=(),
        others=_others(seat),
        pin=PIN,
        prev_pin=EARLIER,
    )
    return msgspec.structs.replace(made, **changes)


def opening(language: Language) -> Report:
    """The letter that opens the game."""
    began = JACKAL.start(JackalOptions(), ROSTER, LoadedDice(dict(FACES)))
    return told(language, "white", began.state, began.events, turn=-1, next_turn=1, standing=(), prev_pin=None)


def last(language: Language) -> Report:
    """The letter that ends the game."""
    result, _ = played()
    outcome = Outcome(
        reason="leader",
        rule="J11.3",
        sides=("white",),
        winners=("white",),
        facts={"gold": {"white": 24, "yellow": 6, "black": 2, "red": 3}, "left": 5},
    )
    state = msgspec.structs.replace(result.state, outcome=outcome, plan=())
    changes = {"next_turn": -1, "deadline": "", "asked": (), "examples": (), "template": (), "others": ()}
    return told(language, "white", state, result.events, outcome=outcome, standing=(), **changes)


def question(language: Language) -> Notice:
    """The letter that asks how to lay back what was seen from the lighthouse."""
    _, pause = played()
    assert pause is not None
    view = JACKAL.view(pause.position, "red", pause.questions)
    return Notice(
        kind="question",
        reader=reader(language, "red"),
        head=ISLAND,
        pin=PIN,
        facts={
            "turn": 11,
            "deadline": "2026-12-03T21:00:00Z",
            "now": "2026-12-03T15:00:00Z",
            "awaited": [],
            "moderator": False,
            "early": "ready",
            "view": encode(view),
            "events": [encode(event) for event in pause.events if event.known_to("red")],
            "questions": [{"number": n, "question": plain(one)} for n, one in enumerate(pause.questions, 1)],
        },
    )


LINES = {
    "ru": ("Б1 на E6 +манета", "Б2 щаг", "B1 на G6", "КОР на В3", "Б3 на G3 (стрелка: С, СВ; конь: к кораблю)"),
    "en": ("W1 to E6 +coim", "W2 stap", "R1 to C7", "SHIP to B3", "W3 to G3 (arrow: N, NE; horse: to ship)"),
}


def receipt(language: Language) -> Receipt:
    """A receipt with lines that were mended, refused and warned of."""
    view: JackalView = JACKAL.view(position(), "white")
    reading = JACKAL.read(view, (), LINES[language], language)
    verdicts: dict[int, LineVerdict] = {}
    for one in reading.orders:
        verdicts[one.lines[0]] = LineVerdict(
            text=LINES[language][one.lines[0]],
            mark="ok",
            read=JACKAL.write(one.order, language, view),
            notes=one.notes,
        )
    for complaint in reading.complaints:
        place = complaint.lines[0]
        verdicts[place] = LineVerdict(text=LINES[language][place], mark="refused", complaint=complaint)
    return Receipt(
        head=ISLAND,
        reader=reader(language, "white"),
        number=4,
        turn=11,
        phase="turn",
        understood=False,
        lines=tuple(verdicts[place] for place in sorted(verdicts)),
        in_force=tuple(JACKAL.write(order, language, view) for order in reading.sheet),
        word="draft",
        deadline="2026-12-05T15:00:00Z",
        now="2026-12-03T17:00:00Z",
        view=encode(view),
        reply={"help": {"examples": JACKAL.examples(view, language)}},
        others=_others("white"),
        pin=PIN,
    )
