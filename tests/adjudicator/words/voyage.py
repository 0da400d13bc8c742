"""A campaign of «Поднять паруса!» in full sail: the letters of a scene to a player, the moderator and the public."""

from __future__ import annotations

from typing import Final

import msgspec

from adjudicator.letters import GameHead, LineVerdict, Notice, Reader, Receipt, Report, SeatStatus
from engine.core.codec import encode, plain
from engine.core.contract import MODERATOR, PUBLIC, Answers, Event, Language, Order, Outcome, Pause, Resolution
from engine.core.dice import LoadedDice
from engine.core.registry import ruleset
from engine.set_sail.options import SetSailOptions
from engine.set_sail.state import (
    Ambush,
    Article,
    Background,
    Clock,
    Enemy,
    Faction,
    Knowledge,
    Pirate,
    Plan,
    Player,
    SetSailState,
    SetSailView,
    Ship,
    ShipSecret,
    Wound,
)
from tests.adjudicator.words import samples
from tests.adjudicator.words.samples import EARLIER, HEAD, PIN

SAIL: Final = ruleset("set_sail")
ANNA, BORIS, VERA = "pirate-1", "pirate-2", "pirate-3"
ROSTER: Final = (ANNA, BORIS, VERA)
TITLES: Final = {seat.id: seat.titles for seat in SAIL.seats(SetSailOptions(), 3)}
VOYAGE: GameHead = msgspec.structs.replace(
    HEAD,
    tag="sail-2",
    ruleset="set_sail",
    edition="house",
    campaign="sail-2",
    header={**HEAD.header, "open_orders": "end", "moderator": "apart"},
)
START: Final = SAIL.start(SetSailOptions(), ROSTER, LoadedDice({}))

MODERATORS: Final = """рассказ:
Фонари «Святой Агаты» гаснут один за другим. На шкафуте пахнет порохом и апельсинами,
и кто-то по ту сторону борта очень старается не дышать.

Часовой оборачивается. Он ещё не понял, что увидел.
конец рассказа
бросок Анна o1: Угрожать насилием, дерзость
бросок Борис o1: Затаиться, изворотливость
урон Вера 1 серьёзная
пробоина 1
тайна: у капитана «Агаты» двойное дно в сундуке
часы погоня 3
переговоры: Борис — губернатор; угроза; тайны 1
"""
PLAYERS: Final = {
    ANNA: (
        "говорю: — Тише, черти. Кто чихнёт, того за борт.",
        "заявка: Угрожать насилием, дерзость — приставляю часовому нож к горлу",
        "говорю: — Ключи. И без геройства: до рассвета ещё далеко.",
    ),
    BORIS: ("заявка втайне: Затаиться, изворотливость — крадусь в каюту капитана",),
    VERA: ("помощь Анна o1: шепчу ей, где ключи", "без хода"),
}


def position() -> SetSailState:
    """The position before the turn of the players."""
    start: SetSailState = START.state
    return msgspec.structs.replace(
        start,
        turn=11,
        stage="turn",
        chapter=2,
        scene=5,
        captain=ANNA,
        treasury=119,
        battle=False,
        players=(Player(seat=ANNA, struck=("scar",)), Player(seat=BORIS), Player(seat=VERA)),
        pirates=(
            Pirate(
                seat=ANNA,
                name="Анна Бурая",
                post="капитан",
                background="kontrabandist",
                der=2,
                izv=1,
                rep=1,
                luck=3,
                luck_start=4,
                purse=67,
                wounds=(Wound(level="light", unspent=True),),
                ambush=(Ambush(enemy="gubernator"),),
            ),
            Pirate(
                seat=BORIS,
                name="Борис Кок",
                post="кок",
                izv=2,
                dal=-1,
                luck=2,
                luck_start=3,
                knows=(Knowledge(id=9, who=VERA, text="Вера грамотная"),),
            ),
            Pirate(seat=VERA, name="Вера Морган", dal=2, der=-1, luck=1, luck_start=3),
        ),
        ship=Ship(
            name="Каракатица",
            kind="бригантина",
            nav=2,
            fire=1,
            disp=1,
            hull=3,
            hull_max=4,
            met=("blood",),
            secrets=(
                ShipSecret(id=1, text="губернатор должен ростовщику", about="gubernator"),
                ShipSecret(id=2, text="на рифе есть проход"),
            ),
        ),
        factions=(Faction(id="gubernator", secrets=("это вы сожгли склад",)),),
        enemies=(Enemy(id="gubernator", threat=True, name="губернатор Порт-Рояля"),),
        code=(Article(id="vernost", kind="prescription", text="раненого не бросают", name="верность"),),
        clocks=(Clock(id="rassvet", n=2, open=True, name="Рассвет"),),
        plans=(Plan(id="p1", goal="увести «Святую Агату»", crew=2, gm=1),),
        backgrounds=(Background(id="kontrabandist", name="контрабандистка", luck=4),),
        secrets_found=9,
        plans_made=1,
    )


def said(seat: str, state: SetSailState, lines: tuple[str, ...]) -> tuple[Order, ...]:
    """The orders of lines; every one of them must be read."""
    view: SetSailView = SAIL.view(state, seat)
    reading = SAIL.read(view, (), lines, "ru")
    assert reading.complaints == (), reading.complaints
    return (*reading.sheet, *SAIL.silent(view, reading.sheet))


def played() -> tuple[Resolution, Resolution]:
    """The players' part of a turn, then the moderator's."""
    state = position()
    sheets = {seat: said(seat, state, PLAYERS[seat][:2] if seat == ANNA else PLAYERS[seat][-1:]) for seat in ROSTER}
    first = SAIL.resolve(state, sheets, LoadedDice({}), Answers())
    assert isinstance(first, Resolution)
    ruled = {MODERATOR: said(MODERATOR, first.state, tuple(MODERATORS.strip().splitlines()))}
    faces = dict(
        zip((f"{seat}/o1/main/{place}" for seat in (ANNA, BORIS) for place in (0, 1)), (3, 4, 6, 5), strict=True)
    )
    second = SAIL.resolve(first.state, ruled, LoadedDice(faces), Answers())
    assert isinstance(second, Resolution)
    return first, second


def reader(language: Language, seat: str) -> Reader:
    """Anna in Omsk reads Russian, Boris in London reads English; the public has no address."""
    if seat == PUBLIC:
        return msgspec.structs.replace(samples.reader(language, "", {}), address="")
    return samples.reader(language, seat, TITLES.get(seat, {}))


def _others(seat: str) -> tuple[SeatStatus, ...]:
    return tuple(
        SeatStatus(seat=one, titles=TITLES[one], name=name, word="no orders", waits=False)
        for one, name in zip(ROSTER, ("Анна", "Boris", "Вера"), strict=True)
        if one != seat
    )


def told(language: Language, seat: str, state: object, events: tuple[Event, ...], **changes: object) -> Report:
    """A report of what a reader may know of these events, after them; a seat of "public" is anybody's."""
    view: SetSailView = SAIL.view(state, seat)  # type: ignore[arg-type]
    made = Report(
        head=VOYAGE,
        reader=reader(language, seat),
        turn=12,
        revision=0,
        resolved_at="2026-12-03T15:00:00Z",
        view=encode(view),
        events=tuple(encode(event) for event in events if event.known_to(seat)),
        asked=tuple(plain(slot) for slot in SAIL.owed(view) if slot.seat == seat),
        examples=SAIL.examples(view, language) if seat != PUBLIC else (),
        template=SAIL.template(view, language) if seat != PUBLIC else (),
        standing=(),
        next_turn=13,
        deadline="2026-12-05T15:00:00Z",
        dice=(),
        others=_others(seat),
        pin=PIN,
        prev_pin=EARLIER,
    )
    return msgspec.structs.replace(made, **changes)


def report(language: Language, seat: str = ANNA) -> Report:
    """The report of a scene: prose, a roll with its window open, talks, a hole, a secret."""
    first, second = played()
    return told(language, seat, second.state, (*first.events, *second.events))


def desk(language: Language) -> Report:
    """The moderator's report after the players' turn: what he owes."""
    first, _ = played()
    return told(language, MODERATOR, first.state, first.events)


def public(language: Language) -> Report:
    """The same scene as anybody may read it."""
    return report(language, PUBLIC)


def opening(language: Language) -> Report:
    """The letter that opens the campaign."""
    changes = {"turn": -1, "next_turn": 0, "prev_pin": None}
    return told(language, ANNA, START.state, START.events, **changes)


def last(language: Language) -> Report:
    """The letter that ends the campaign."""
    first, second = played()
    outcome = Outcome(reason="finish", rule="play-by-mail 1.10", sides=(), winners=(), facts={})
    changes = {"next_turn": -1, "deadline": "", "asked": (), "examples": (), "template": (), "others": ()}
    return told(language, ANNA, second.state, (*first.events, *second.events), outcome=outcome, **changes)


def question(language: Language) -> Notice:
    """The letter that asks a pirate how he tries to cheat Fate."""
    first, second = played()
    del first
    view: SetSailView = SAIL.view(second.state, MODERATOR)
    commands = SAIL.read(view, (), ("судьба: Вера",), "ru").sheet
    pause = SAIL.interlude(second.state, commands, LoadedDice({}), Answers())  # type: ignore[attr-defined]
    assert isinstance(pause, Pause)
    asked = SAIL.view(pause.position, VERA, pause.questions)
    return Notice(
        kind="question",
        reader=reader(language, VERA),
        head=VOYAGE,
        pin=PIN,
        facts={
            "turn": 12,
            "deadline": "2026-12-03T21:00:00Z",
            "now": "2026-12-03T15:00:00Z",
            "awaited": [],
            "moderator": False,
            "early": "ready",
            "view": encode(asked),
            "events": [encode(event) for event in pause.events if event.known_to(VERA)],
            "questions": [{"number": n, "question": plain(one)} for n, one in enumerate(pause.questions, 1)],
        },
    )


LINES: Final = {
    "ru": (
        "Вера подмигивает и отступает в тень.",
        "помошь Анне: шепчу ей, где ключи",
        "урон: фарт 1",
        "ставка слва",
    ),
    "en": (
        "Vera winks and steps back into the shadow.",
        "halp Анна o1: I whisper where the keys are",
        "damage: luck 1",
        "bid glry",
    ),
}


def receipt(language: Language) -> Receipt:
    """A receipt for a letter of prose and orders, some of them mistaken."""
    _, second = played()
    view: SetSailView = SAIL.view(second.state, VERA)
    lines = LINES[language]
    reading = SAIL.read(view, (), lines, language)
    verdicts: dict[int, LineVerdict] = {}
    for one in reading.orders:
        text = " ".join(lines[place] for place in one.lines)
        written = SAIL.write(one.order, language, view)
        verdicts[one.lines[0]] = LineVerdict(text=text, mark="ok", read=written, notes=one.notes)
    for complaint in reading.complaints:
        place = complaint.lines[0]
        verdicts[place] = LineVerdict(text=lines[place], mark="refused", complaint=complaint)
    return Receipt(
        head=VOYAGE,
        reader=reader(language, VERA),
        number=4,
        turn=13,
        phase="turn",
        understood=False,
        lines=tuple(verdicts[place] for place in sorted(verdicts)),
        unheard=tuple(lines[place] for place in reading.unheard),
        in_force=tuple(SAIL.write(order, language, view) for order in reading.sheet),
        word="draft",
        deadline="2026-12-05T15:00:00Z",
        now="2026-12-03T17:00:00Z",
        view=encode(view),
        reply={"help": {"examples": SAIL.examples(view, language)}},
        others=_others(VERA),
        pin=PIN,
    )
