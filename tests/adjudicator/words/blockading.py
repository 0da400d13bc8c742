"""A game of «Блокада» in full steam: the same opening, layout, report, question, receipts and last letter twice."""

from __future__ import annotations

import msgspec

from adjudicator.letters import DieThrown, GameHead, LineVerdict, Notice, Reader, Receipt, Report, SeatStatus
from engine.blockade.options import EDITIONS, BlockadeOptions
from engine.blockade.state import SEATS, BlockadeState, BlockadeView, Ship
from engine.core.codec import encode, plain
from engine.core.contract import Answers, Event, Language, Outcome, Pause, Resolution
from engine.core.dice import LoadedDice
from engine.core.registry import ruleset
from tests.adjudicator.words import samples
from tests.adjudicator.words.samples import EARLIER, HEAD, PIN

BLOCKADE = ruleset("blockade")
TITLES = {seat.id: seat.titles for seat in BLOCKADE.seats(BlockadeOptions(), 2)}
WATERS: GameHead = msgspec.structs.replace(
    HEAD, tag="blockade-2", ruleset="blockade", edition="sealed", campaign="blockade-2"
)
ISLANDS = (
    ("E8", "F8", "G8", "G9", "G10"),
    ("Q9", "R9", "S9", "T9", "T10"),
    ("O17", "P17", "P18", "Q18", "Q19"),
    ("C19", "D19", "D20", "D21", "E21"),
)
ROCKS = ("M5", "H15")
ORDERS = {
    "first": ("план: = = П; огонь все; рывок: уход; доворот: авто",),
    "second": ("plan: = = =; fire all; dash: ram; turn: auto",),
}
FACES = {"blockader/o1/starboard/0": 5, "runner/o1/port/0": 3, "blockader/o2/starboard/0": 1}
"""Bow to bow over the rocks: a miss, a hit, and the hit that disables; every die of the turn."""


def position(mode: str = "sealed") -> BlockadeState:
    """The position before the turn: the Blockader moves first, ten squares from the Runner after her step."""
    return BlockadeState(
        options=EDITIONS[mode],
        roster=SEATS,
        turn=5,
        stage="play",
        ships=(
            Ship(piece="runner", seat="first", cell="L11", heading="N", points=2, moves=9),
            Ship(piece="blockader", seat="second", cell="F14", heading="N", moves=9),
        ),
        toss="first",
        islands=ISLANDS,
        rocks=ROCKS,
        first="blockader",
    )


def sheets(state: BlockadeState) -> dict[str, tuple[object, ...]]:
    """What both seats have ordered."""
    found = {}
    for seat in SEATS:
        view = BLOCKADE.view(state, seat)
        read = BLOCKADE.read(view, (), ORDERS[seat], "ru").sheet
        found[seat] = (*read, *BLOCKADE.silent(view, read))
    return found  # type: ignore[return-value]


def played() -> Resolution:
    """The turn played: a miss, a hit, the Runner disabled, a dash that does not reach her."""
    dice = LoadedDice(dict(FACES))
    result = BLOCKADE.resolve(position(), sheets(position()), dice, Answers({}, dice))  # type: ignore[arg-type]
    assert isinstance(result, Resolution)
    return result


def paused() -> Pause:
    """The same in strict play, where the Runner is asked whither to turn, and the Blockader whither to dash."""
    state = position("strict")
    dice = LoadedDice({"blockader/o1/starboard/0": 1})
    result = BLOCKADE.resolve(state, sheets(state), dice, Answers({}, dice))  # type: ignore[arg-type]
    assert isinstance(result, Pause)
    return result


def dashing() -> Pause:
    """The second question of strict play: the Runner has answered, the Blockader is asked."""
    state = position("strict")
    dice = LoadedDice({"blockader/o1/starboard/0": 1})
    given = {question.key: question.default for question in paused().questions}
    result = BLOCKADE.resolve(state, sheets(state), dice, Answers(given, dice))  # type: ignore[arg-type]
    assert isinstance(result, Pause)
    return result


def reader(language: Language, seat: str) -> Reader:
    """Anna in Omsk reads Russian, Boris in London reads English."""
    return samples.reader(language, seat, TITLES.get(seat, {"ru": seat, "en": seat}))


def _others(seat: str) -> tuple[SeatStatus, ...]:
    names = dict(zip(SEATS, ("Анна", "Boris"), strict=True))
    return tuple(
        SeatStatus(seat=one, titles=TITLES[one], name=names[one], word="no orders") for one in SEATS if one != seat
    )


def told(language: Language, seat: str, state: object, events: tuple[Event, ...], **changes: object) -> Report:
    """A report of what a seat may know of these events, after them."""
    view: BlockadeView = BLOCKADE.view(state, seat)  # type: ignore[arg-type]
    made = Report(
        head=WATERS,
        reader=reader(language, seat),
        turn=5,
        revision=0,
        resolved_at="2026-12-03T15:00:00Z",
        view=encode(view),
        events=tuple(encode(event) for event in events if event.known_to(seat)),
        asked=tuple(plain(slot) for slot in BLOCKADE.owed(view) if slot.seat == seat),
        examples=BLOCKADE.examples(view, language),
        template=BLOCKADE.template(view, language),
        next_turn=6,
        deadline="2026-12-05T15:00:00Z",
        dice=(),
        others=_others(seat),
        pin=PIN,
        prev_pin=EARLIER,
    )
    return msgspec.structs.replace(made, **changes)


def _thrown() -> tuple[DieThrown, ...]:
    found = []
    for address, face in FACES.items():
        key, facts = BLOCKADE.dice_purpose(address)
        found.append(DieThrown(address=address, face=face, sides=6, key=key, facts=facts, stream="main", batch=7))
    return tuple(found)


def _seat(language: Language) -> str:
    return "first" if language == "ru" else "second"


def report(language: Language) -> Report:
    """The report of a turn with shots and a dash."""
    result = played()
    return told(language, _seat(language), result.state, result.events, dice=_thrown())


def opening(language: Language) -> Report:
    """The letter that opens the game: sides and squares are asked for."""
    began = BLOCKADE.start(BlockadeOptions(), SEATS, LoadedDice({}))
    changes = {"turn": -1, "next_turn": 0, "prev_pin": None}
    return told(language, _seat(language), began.state, began.events, **changes)


def settled() -> Resolution:
    """Sides, places and the toss: Anna runs and lays out."""
    state = BLOCKADE.start(BlockadeOptions(), SEATS, LoadedDice({})).state
    wishes = {"first": ("сторона: прорыв", "гавань K1"), "second": ("side: blockader", "corner W23")}
    said = {seat: BLOCKADE.read(BLOCKADE.view(state, seat), (), lines, "ru").sheet for seat, lines in wishes.items()}
    dice = LoadedDice({"toss/x1/main/0": 1})
    result = BLOCKADE.resolve(state, said, dice, Answers({}, dice))
    assert isinstance(result, Resolution)
    return result


def layout(language: Language) -> Report:
    """The report of the set-up, in which the winner of the toss is asked for the islands."""
    result = settled()
    return told(language, _seat(language), result.state, result.events, turn=0, next_turn=1)


def last(language: Language) -> Report:
    """The letter that ends the game, by points agreed upon."""
    result = played()
    outcome = Outcome(
        reason="ram",
        rule="B22",
        sides=("blockader",),
        winners=("second",),
        facts={"points": {"runner": 3, "blockader": 4}, "cell": "K13", "how": ""},
    )
    state = msgspec.structs.replace(result.state, outcome=outcome)
    changes = {"next_turn": -1, "deadline": "", "asked": (), "examples": (), "template": (), "others": ()}
    return told(language, _seat(language), state, result.events, outcome=outcome, **changes)


def _notice(language: Language, pause: Pause) -> Notice:
    seat = pause.questions[0].seat
    view = BLOCKADE.view(pause.position, seat, pause.questions)
    return Notice(
        kind="question",
        reader=reader(language, seat),
        head=msgspec.structs.replace(WATERS, edition="strict"),
        pin=PIN,
        facts={
            "turn": 5,
            "deadline": "2026-12-03T21:00:00Z",
            "now": "2026-12-03T15:00:00Z",
            "awaited": [],
            "moderator": False,
            "early": "ready",
            "view": encode(view),
            "events": [encode(event) for event in pause.events if event.known_to(seat)],
            "questions": [{"number": n, "question": plain(one)} for n, one in enumerate(pause.questions, 1)],
        },
    )


def question(language: Language) -> Notice:
    """The letter that asks a disabled ship whither to turn her bow."""
    return _notice(language, paused())


def dash(language: Language) -> Notice:
    """The letter that asks the firer whither to dash."""
    return _notice(language, dashing())


LINES = {
    "ru": ("план: П П = Л", "агонь не стрелять", "рывок: P", "доворот: лево"),
    "en": ("plan: s s = p", "fire hodl", "dash: run", "turn: left"),
}


def _receipt(language: Language, state: BlockadeState, seat: str, lines: tuple[str, ...]) -> Receipt:
    view: BlockadeView = BLOCKADE.view(state, seat)
    reading = BLOCKADE.read(view, (), lines, language)
    verdicts: dict[int, LineVerdict] = {}
    for one in reading.orders:
        text = "; ".join(lines[place] for place in one.lines)
        cut = any(note.kind == "cut" for note in one.notes)
        read = BLOCKADE.write(one.order, language, view)
        verdicts[one.lines[0]] = LineVerdict(text=text, mark="cut" if cut else "ok", read=read, notes=one.notes)
    for complaint in reading.complaints:
        text = "; ".join(lines[place] for place in complaint.lines)
        verdicts[complaint.lines[0]] = LineVerdict(text=text, mark="refused", complaint=complaint)
    return Receipt(
        head=WATERS,
        reader=reader(language, seat),
        number=4,
        turn=state.turn,
        phase="turn" if state.stage == "play" else "set-up",
        understood=False,
        lines=tuple(verdicts[place] for place in sorted(verdicts)),
        in_force=tuple(BLOCKADE.write(order, language, view) for order in reading.sheet),
        word="draft",
        deadline="2026-12-05T15:00:00Z",
        now="2026-12-03T17:00:00Z",
        view=encode(view),
        reply={"help": {"examples": BLOCKADE.examples(view, language)}},
        others=_others(seat),
        pin=PIN,
    )


def receipt(language: Language) -> Receipt:
    """A receipt with a plan cut, steps that land will change, a line mended and one refused."""
    state = position()
    near = msgspec.structs.replace(state.ships[0], cell="L4")
    other = msgspec.structs.replace(state.ships[1], cell="F7")
    shore = msgspec.structs.replace(state, ships=(near, other))
    return _receipt(language, shore, _seat(language), LINES[language])


BAD_LAYOUT = {
    "ru": (
        "остров E8 F8 G8 G9 G10",
        "остров K12 L12 M12 L13 L11",
        "остров N13 O13 P13 Q13 R13",
        "остров O17 P17 P18 Q18 Q19",
    ),
    "en": (
        "island E8 F8 G8 G9 G10",
        "island K12 L12 M12 L13 L11",
        "island N13 O13 P13 Q13 R13",
        "island O17 P17 P18 Q18 Q19",
    ),
}


GOOD_LAYOUT = {
    "ru": "; ".join(f"остров {' '.join(island)}" for island in ISLANDS) + "; скала M5; скала H15",
    "en": "; ".join(f"island {' '.join(island)}" for island in ISLANDS) + "; rock M5; rock H15",
}


def accepted_layout(language: Language) -> Receipt:
    """A receipt for a layout, which is longer than a line of a letter."""
    state = settled().state
    assert isinstance(state, BlockadeState)
    return msgspec.structs.replace(_receipt(language, state, state.toss, (GOOD_LAYOUT[language],)), reply=None)


def refused_layout(language: Language) -> Receipt:
    """A receipt that refuses a layout and draws why: two islands touch at a corner."""
    rocks = ("скала M5", "скала H15") if language == "ru" else ("rock M5", "rock H15")
    state = settled().state
    assert isinstance(state, BlockadeState)
    return msgspec.structs.replace(_receipt(language, state, state.toss, (*BAD_LAYOUT[language], *rocks)), reply=None)
