"""A game in full sail: the same report, receipt and opening letter in both languages, for tests and for the README."""

from __future__ import annotations

from typing import Literal

import msgspec

from adjudicator.letters import (
    Closing,
    DieThrown,
    GameHead,
    LineVerdict,
    Luck,
    Notice,
    Pin,
    Purpose,
    Reader,
    Receipt,
    Report,
    SeatStatus,
)
from engine.core.codec import encode
from engine.core.contract import Complaint, Event, Note, Outcome
from engine.pirates.options import PiratesOptions
from engine.pirates.state import (
    Carried,
    GameEnded,
    PiratesView,
    PortEntered,
    PortLeft,
    Rhumb,
    RoundBegan,
    RunCut,
    Ship,
    ShipHit,
    ShipMoved,
    ShipRepaired,
    ShipStopped,
    ShipSunk,
    ShotFired,
    ShotNotFired,
    Wind,
    WindSpun,
)

Tongue = Literal["ru", "en"]

ROSTER = ("spain-1", "spain-2", "pirates-1", "pirates-2", "pirates-3")
NAMES = {
    1: "Сан-Фелипе",
    2: "Санта-Мария",
    3: "Эспириту-Санто",
    4: "Месть",
    5: "Ласточка",
    6: "Чёрный Джек",
    7: "Фортуна",
    8: "Морской Волк",
    9: "Аделаида",
}
TITLES = {
    "spain-1": {"ru": "Испания-1", "en": "Spain-1"},
    "spain-2": {"ru": "Испания-2", "en": "Spain-2"},
    "pirates-1": {"ru": "Пираты-1", "en": "Pirates-1"},
    "pirates-2": {"ru": "Пираты-2", "en": "Pirates-2"},
    "pirates-3": {"ru": "Пираты-3", "en": "Pirates-3"},
}
OWNERS = {
    1: "spain-1",
    2: "spain-1",
    3: "spain-2",
    4: "pirates-1",
    5: "pirates-1",
    6: "pirates-2",
    7: "pirates-2",
    8: "pirates-3",
    9: "pirates-3",
}


def ship(number: int, cell: str | None, hits: int = 0, **changes: object) -> Ship:
    """A ship of the default fleet with the names of P1."""
    kind: Literal["galleon", "brigantine"] = "galleon" if number < 4 else "brigantine"
    made = Ship(
        number=number,
        kind=kind,
        name=NAMES[number],
        owner=OWNERS[number],
        side="spain" if number < 4 else "pirates",
        home=OWNERS[number] if number < 4 else "",
        cell=cell,
        hits=hits,
        fate="afloat" if cell else "sunk",
    )
    return msgspec.structs.replace(made, **changes)


def view(
    ships: tuple[Ship, ...], *, seat: str = "spain-1", number: int = 12, wind: Wind | None = None, gold: int = 3
) -> PiratesView:
    """What a seat sees after a turn."""
    return PiratesView(
        seat=seat,
        side="spain" if seat.startswith("spain") else "pirates",
        options=PiratesOptions(),
        roster=ROSTER,
        round=number,
        wind=wind or Wind(rhumb="NE", force="fresh"),
        ships=ships,
        gold=gold if seat.startswith("spain") else 0,
    )


FLEET = (
    ship(1, "P8", 1),
    ship(2, "L13"),
    ship(3, "N5"),
    ship(4, "Q11"),
    ship(5, "M13"),
    ship(6, "R9"),
    ship(7, "J26"),
    ship(8, "N9", 1),
    ship(9, None, 2),
)


def shot(by: int, at: int, when: Literal["before", "after"], spin: Rhumb, *, silent: bool = False) -> ShotFired:
    """A shot of one ship."""
    slot = "o1" if when == "before" else "o2"
    return ShotFired(
        rule="P28",
        ships=(by,),
        target=at,
        when=when,
        spin=spin,
        hit=spin in ("N", "E", "S", "W"),
        address=f"ship{by}/{slot}/main/0",
        silent=silent,
    )


EVENTS: tuple[Event, ...] = (
    RoundBegan(rule="P21", round=11, wind=Wind(rhumb="SW", force="fresh")),
    shot(1, 8, "before", "N"),
    shot(2, 9, "before", "W"),
    shot(8, 1, "before", "NW"),
    ShipHit(rule="P31", ship=8, taken=1, hits=1, of=2, by=(1,), about=("ship8", "ship1")),
    ShipHit(rule="P31", ship=9, taken=1, hits=2, of=2, by=(2,), about=("ship9", "ship2")),
    ShipSunk(rule="P31", ship=9, cell="M12", by=(2,), about=("ship9", "ship2")),
    RunCut(rule="P15", ship=3, asked=3, allowed=2, reason="wind", course="NW"),
    PortLeft(rule="P11", ship=3, cell="P7", port="havana", about=("ship3",)),
    ShipMoved(rule="P10", ship=1, path=("O7", "P8")),
    ShipMoved(rule="P10", ship=2, path=("O10", "N11", "M12", "L13")),
    ShipMoved(rule="P10", ship=3, path=("P7", "O6", "N5")),
    ShipMoved(rule="P10", ship=5, path=("O13", "N13", "M13")),
    ShipStopped(rule="1.4", ship=5, cell="L13", other=2, reason="yield", about=("ship5", "ship2")),
    ShipMoved(rule="P10", ship=6, path=("S9", "R9")),
    PortEntered(rule="P11", ship=6, cell="R9", port="port-royal", about=("ship6",)),
    ShipMoved(rule="P10", ship=7, path=("K23", "J24")),
    ShipMoved(rule="P10", ship=8, path=("O8", "N9")),
    Carried(rule="P22", ship=7, current="azores", path=("J24", "J25", "J26"), about=("ship7",)),
    shot(2, 5, "after", "SE"),
    shot(5, 2, "after", "NW", silent=True),
    ShotNotFired(rule="P25", ship=7, when="after", reason="no-target", targets=(2,)),
    ShipRepaired(rule="P33", ship=4, hits=0, port="tortuga", about=("ship4",)),
    WindSpun(rule="P21", round=12, wind=Wind(rhumb="NE", force="fresh")),
)

HEAD = GameHead(
    tag="pirates-7",
    ruleset="pirates",
    edition="golitsyn",
    campaign="pirates-7",
    header={
        "schedule": "48h",
        "zone": "Europe/Moscow",
        "early": "ready",
        "missed": "go",
        "press": "private",
        "press_read": False,
        "press_published": True,
        "names": "shown",
        "who_in": "names",
        "dice": "salts",
        "open_orders": "turn",
        "moderator": "apart",
    },
)
PIN = Pin(seq=214, head="ba5849008f3abbb4370d61a1f1f7978de0bc2bbb1a034039da997a54af34ca81")
EARLIER = Pin(seq=197, head="bd6e8faf24fb70aa92be68874704ff7aa85c2a80821fb08b195215215149bc7b")

FACES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


def _die(address: str, face: int, key: str, **facts: object) -> DieThrown:
    return DieThrown(stream="main", batch=13, address=address, sides=8, face=face, key=key, facts=facts)


def _dice(events: tuple[Event, ...]) -> tuple[DieThrown, ...]:
    """The dice of shots, in order."""
    return tuple(
        _die(one.address, FACES.index(one.spin) + 1, "shot", ship=one.ships[0], when=one.when)
        for one in events
        if isinstance(one, ShotFired)
    )


DICE = (*_dice(EVENTS), _die("wind/x1/rhumb/0", 2, "wind-rhumb"), _die("wind/x1/force/0", 5, "wind-force"))


def reader(language: Tongue, seat: str = "spain-1", titles: dict[str, str] | None = None) -> Reader:
    """Anna in Omsk reads Russian, Boris in London reads English."""
    return Reader(
        name="Анна" if language == "ru" else "Boris",
        language=language,
        zone="Asia/Omsk" if language == "ru" else "Europe/London",
        seat=seat,
        titles=TITLES[seat] if titles is None else titles,
        address="anna@example.org" if language == "ru" else "boris@example.org",
        reply_to="judge+k7q2@example.org",
    )


def others(seat: str = "spain-1") -> tuple[SeatStatus, ...]:
    """How the other seats stand."""
    names = ("Анна", "Виктор", "Boris", "Дарья", "Ёлка")
    words: tuple[Literal["no orders", "draft", "orders in", "ready"], ...] = (
        "no orders",
        "ready",
        "orders in",
        "draft",
        "no orders",
    )
    rows = zip(ROSTER, names, words, strict=True)
    return tuple(
        SeatStatus(seat=one, titles=TITLES[one], name=name, word=word, waits=one == "pirates-2")
        for one, name, word in rows
        if one != seat
    )


def _template(language: Tongue) -> tuple[str, ...]:
    if language == "ru":
        return ("корабль 1: курс ЮЗ 2; огонь после любой", "корабль 2: стоять; огонь до 5")
    return ("ship 1: course SW 2; fire after any", "ship 2: stand; fire before 5")


def _slot(number: int) -> dict[str, object]:
    return {
        "seat": "spain-1",
        "key": f"ship{number}",
        "what": "ship",
        "piece": f"ship{number}",
        "facts": {"ship": number},
    }


def report(language: Tongue, **changes: object) -> Report:
    """The report of turn 11, told to the first Spanish seat."""
    made = Report(
        head=HEAD,
        reader=reader(language),
        turn=11,
        revision=0,
        resolved_at="2026-12-03T15:00:00Z",
        view=encode(view(FLEET)),
        events=tuple(encode(event) for event in EVENTS),
        asked=(_slot(1), _slot(2)),
        examples=_template(language)[:1],
        template=_template(language),
        next_turn=12,
        deadline="2026-12-05T15:00:00Z",
        dice=DICE,
        phrases=(("spain-1", "семь футов под килем"), ("pirates-1", "the cat is on the mat")),
        seeds=(("main", 13, "5ccdc8928d1e33980610f56fbd279ec3e728681c33e9c1abd3b2bf954acf8c4b"),),
        others=others(),
        pin=PIN,
        prev_pin=EARLIER,
    )
    return msgspec.structs.replace(made, **changes)


def opening(language: Tongue) -> Report:
    """The letter that opens the game: set-up, the gold is owed."""
    cells = ("R1", "R1", "R1", "Q11", "B36", "R9", "B38", "O9", "D39")
    ships = tuple(ship(number, cell) for number, cell in enumerate(cells, 1))
    gold = {"seat": "spain-1", "key": "gold", "what": "gold"}
    name = {
        "seat": "spain-1",
        "key": "name1",
        "what": "name",
        "piece": "ship1",
        "optional": True,
        "facts": {"ship": 1, "name": "Сан-Фелипе"},
    }
    return report(
        language,
        turn=-1,
        next_turn=0,
        view=encode(view(ships, number=0, wind=Wind(rhumb="W", force="fresh"), gold=0)),
        events=(encode(WindSpun(rule="P21", round=1, wind=Wind(rhumb="W", force="fresh"))),),
        asked=(gold, name),
        examples=("золото 2",) if language == "ru" else ("gold 2",),
        template=("золото жребий",) if language == "ru" else ("gold lot",),
        dice=DICE[-2:],
        others=others(""),
    )


def last(language: Tongue) -> Report:
    """The letter that ends the game: the prize is brought to Nassau."""
    outcome = Outcome(
        reason="gold-base",
        rule="P5",
        sides=("pirates",),
        winners=("pirates-3", "pirates-1", "pirates-2"),
        facts={"ship": 3, "port": "nassau"},
    )
    events: tuple[Event, ...] = (
        RoundBegan(rule="P21", round=17, wind=Wind(rhumb="N", force="fresh")),
        shot(1, 3, "before", "NE"),
        shot(8, 1, "before", "S"),
        ShipHit(rule="P31", ship=1, taken=1, hits=2, of=3, by=(8,), about=("ship1", "ship8")),
        ShipMoved(rule="P10", ship=3, path=("N10", "O9")),
        PortEntered(rule="P11", ship=3, cell="O9", port="nassau", about=("ship3",)),
        GameEnded(rule="P5", outcome=outcome),
    )
    prize = ship(3, "O9", 2, side="pirates", owner="pirates-3")
    ships = (ship(1, "O11", 2), FLEET[1], prize, *FLEET[3:7], ship(8, "O10"), FLEET[8])
    shown = msgspec.structs.replace(view(ships, number=17), outcome=outcome, gold_open=True)
    return report(
        language,
        turn=17,
        next_turn=-1,
        deadline="",
        view=encode(shown),
        events=tuple(encode(event) for event in events),
        asked=(),
        examples=(),
        template=(),
        others=(),
        dice=_dice(events),
        closing=Closing(
            names=(SeatStatus(seat="spain-1", titles=TITLES["spain-1"], name="Анна"),),
            looks=({"turn": 7, "who": "moderator", "what": "preview", "at": "2026-11-25T18:00:00Z"},),
            dice=(
                Purpose(key="shot", sides=8, faces=(9, 8, 7, 6, 5, 9, 8, 7), mean=442, expected=450, chi=231),
                Purpose(key="wind-force", sides=8, faces=(20, 0, 0, 0, 0, 0, 0, 21), mean=459, expected=450, chi=12312),
            ),
            luck=(Luck(seat="spain-1", key="shots", tries=21, lucky=12, expected=1050),),
        ),
        outcome=outcome,
    )


def receipt(language: Tongue) -> Receipt:
    """A receipt with everything in it: taken, cut, refused, ambiguous, commands, a phrase, press, what is missing."""
    russian = language == "ru"
    lines = (
        LineVerdict(
            text="Сан-Фелипе: ЮЗ 4, огонь после" if russian else "San Felipe: SW 4, fire after 8",
            mark="cut",
            read="корабль 1: курс ЮЗ 4; огонь после 8" if russian else "ship 1: course SW 4; fire after 8",
            notes=(
                Note(kind="repaired", key="one-off", facts={"typed": "Сан-Филипе", "read": "Сан-Фелипе"}),
                Note(
                    kind="cut",
                    key="run",
                    rule="P15",
                    facts={"ship": 1, "course": "SW", "asked": 4, "allowed": 3, "reason": "wind"},
                ),
            ),
        ),
        LineVerdict(
            text="корабль 4: курс С 1" if russian else "ship 4: course N 1",
            mark="refused",
            complaint=Complaint(
                kind="not-allowed",
                key="not-your-ship",
                lines=(1,),
                rule="P2",
                place=(0, 9 if russian else 6),
                facts={"ship": 4, "owner": "pirates-1"},
            ),
        ),
        LineVerdict(
            text="корабль 2: огонь 5" if russian else "ship 2: fire 5",
            mark="refused",
            complaint=Complaint(
                kind="ambiguous",
                key="no-phase",
                lines=(2,),
                rule="1.4",
                suggestions=(
                    ("корабль 2: огонь до 5", "корабль 2: огонь после 5")
                    if russian
                    else ("ship 2: fire before 5", "ship 2: fire after 5")
                ),
            ),
        ),
        LineVerdict(
            text="соль: семь футов под килем" if russian else "salt: seven feet under the keel",
            mark="command",
            key="salt",
            facts={"phrase": "семь футов под килем" if russian else "seven feet under the keel"},
        ),
        LineVerdict(text="ждать" if russian else "wait", mark="command", key="wait"),
        LineVerdict(
            text="cnfnec" if russian else "stauts",
            mark="command",
            key="status",
            notes=(
                Note(
                    kind="repaired",
                    key="command-layout" if russian else "command-one-off",
                    facts={"typed": "cnfnec", "read": "статус"} if russian else {"typed": "stauts", "read": "status"},
                ),
            ),
        ),
        LineVerdict(
            text="отмна" if russian else "clera",
            mark="command-refused",
            key="nearly",
            facts={"read": "отмена" if russian else "clear"},
        ),
        LineVerdict(
            text="письмо Виктору:" if russian else "press to Victor:",
            mark="press",
            key="press",
            facts={
                "to": "Виктору" if russian else "Victor",
                "seats": [TITLES["spain-2"]],
                "lines": ["Держись у *Гаваны*,", "я их отвлеку <b>на себя</b>."]
                if russian
                else ["Keep close to *Havana*,", "I shall draw them off."],
            },
        ),
    )
    return Receipt(
        head=HEAD,
        reader=reader(language),
        number=4,
        turn=12,
        phase="turn",
        understood=False,
        lines=lines,
        set_aside=14,
        in_force=(_template(language)[0],),
        missing=(_slot(2),),
        word="draft",
        deadline="2026-12-05T15:00:00Z",
        now="2026-12-04T09:40:00Z",
        others=others(),
        pin=PIN,
        prev_pin=EARLIER,
        commitment="5146e82ac05db640fa8a6cb73d2bd8504e4aa4ce1ced39abc0bd89e95f3dad72",
        phrase="семь футов под килем" if russian else "seven feet under the keel",
        view=encode(view(FLEET)),
    )


def press(language: Tongue) -> Notice:
    """A player's letter that tries to pass for the judge."""
    return Notice(
        kind="press",
        reader=reader(language, "pirates-1"),
        head=HEAD,
        pin=PIN,
        facts={
            "turn": 12,
            "seat": "spain-1",
            "titles": TITLES["spain-1"],
            "name": "Анна",
            "to": [TITLES["pirates-1"]],
            "judge": False,
            "all": False,
            "by": "player",
            "read": False,
            "published": False,
            "text": "# Решение судьи\nХод **отменён**, смотрите [сюда](https://evil.example/).\n\n<b>Судья</b>",
        },
    )
