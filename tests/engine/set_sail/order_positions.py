"""Positions in which the order language of «Поднять паруса!» is read: a campaign with everything open at once."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.codec import encode
from engine.core.contract import MODERATOR, Order, Question
from engine.set_sail.cards import Card, CardOption, deck
from engine.set_sail.commands import Narrate
from engine.set_sail.options import SetSailOptions
from engine.set_sail.orders import read
from engine.set_sail.state import (
    Article,
    Background,
    Clock,
    Decision,
    Enemy,
    Faction,
    Knowledge,
    Pirate,
    Plan,
    Roll,
    SetSailState,
    SetSailView,
    Ship,
    ShipSecret,
    Talk,
)
from engine.set_sail.view import view

ANNA, BORIS, VERA = "pirate-1", "pirate-2", "pirate-3"
ROSTER = (ANNA, BORIS, VERA)

CARDS = deck(
    (
        Card(
            id="zapugat",
            name="Запугать команду",
            group="special",
            option=(CardOption(id="a", text="бегут в трюм"), CardOption(id="b", text="бросают оружие")),
        ),
    )
)


def campaign() -> SetSailState:
    """Return a campaign in the middle of a turn of the players."""
    return SetSailState(
        options=SetSailOptions(),
        roster=ROSTER,
        turn=7,
        stage="turn",
        carouse=True,
        captain=ANNA,
        treasury=119,
        pirates=(
            Pirate(
                seat=ANNA,
                name="Анна Бурая",
                post="капитан",
                der=2,
                luck=3,
                knows=(Knowledge(id=9, who=BORIS, text="x"),),
            ),
            Pirate(seat=BORIS, name="Борис", post="боцман", luck=2, knows=(Knowledge(id=8, who=VERA, text="y"),)),
            Pirate(seat=VERA, name="Вера Морган", luck=1),
        ),
        ship=Ship(
            name="Каракатица",
            nav=2,
            fire=1,
            disp=1,
            hull=4,
            hull_max=4,
            secrets=(ShipSecret(id=1, text="карта"), ShipSecret(id=2, text="долг"), ShipSecret(id=3, text="шифр")),
        ),
        factions=(Faction(id="gubernator", secrets=("мы жгли порт", "шпион")),),
        enemies=(Enemy(id="gubernator", threat=True), Enemy(id="don-pedro")),
        code=(Article(id="vernost", kind="prescription", text="верность команде"),),
        clocks=(Clock(id="burya", n=2, open=True), Clock(id="pogonya", n=1)),
        plans=(Plan(id="p1", goal="украсть флагман", crew=2, gm=1),),
        talks=(
            Talk(number=2, a=ANNA, b="gubernator", threat=True, plan="p1", suitable_a=(1, 2)),
            Talk(number=3, a=BORIS, b=VERA, suitable_a=(8,)),
        ),
        rolls=(
            Roll(
                key=f"{ANNA}/o1",
                seat=ANNA,
                step="window",
                move="ugrozhat",
                stat="der",
                faces=(3, 5),
                total=9,
                band="partial",
            ),
            Roll(key=f"{BORIS}/o1", seat=BORIS, step="window", move="zataitsya", stat="izv", faces=(3, 3), band="miss"),
            Roll(key=f"{BORIS}/o2", seat=BORIS, step="choice", move="zapugat", stat="der", band="full"),
        ),
        decisions=(
            Decision(key=f"{ANNA}/o2/trade/0", seat=ANNA, kind="trade", n=1),
            Decision(key=f"{ANNA}/o2/damage/0", seat=ANNA, kind="damage", n=2, level="light"),
            Decision(key=f"{ANNA}/o2/hole/0", seat=ANNA, kind="hole", n=1),
            Decision(key=f"{ANNA}/o2/stale/0", seat=ANNA, kind="stale", text="новая"),
            Decision(
                key=f"{BORIS}/o2/choice/0", seat=BORIS, kind="choice", roll=f"{BORIS}/o2", n=1, options=("a", "b")
            ),
            Decision(key=f"{VERA}/c1/priority/0", seat=VERA, kind="priority", options=("nav", "fire", "disp", "hull")),
        ),
        cards=CARDS,
        backgrounds=(Background(id="kontrabandist", name="Контрабандист", luck=4),),
    )


def ruling_stage() -> SetSailState:
    """Return a campaign in which the moderator owes rulings and outcomes."""
    return replace(
        campaign(),
        stage="ruling",
        rolls=(
            Roll(key=f"{ANNA}/o3", seat=ANNA, move="ugrozhat", stat="der", wish_chance=True, text="нож к горлу"),
            Roll(key=f"{BORIS}/o3", seat=BORIS, text="лезу на мачту"),
            Roll(key=f"{VERA}/o1", seat=VERA, kind="scheme", goal="флагман", secrets=(1, 3)),
            Roll(key=f"{ANNA}/o1", seat=ANNA, step="offer", move="ugrozhat", stat="der", total=9, band="partial"),
            Roll(key=f"{BORIS}/o1", seat=BORIS, step="offer", move="zataitsya", total=5, band="miss"),
        ),
        decisions=(
            Decision(
                key=f"{BORIS}/o2/choice/0", seat=MODERATOR, kind="choice", n=1, options=("a", "b"), about="zapugat"
            ),
        ),
    )


def players_view(seat: str = ANNA) -> SetSailView:
    return view(campaign(), seat)


def setting_up(seat: str = ANNA) -> SetSailView:
    return view(replace(campaign(), stage="set-up", rolls=(), decisions=(), talks=()), seat)


def moderators_view() -> SetSailView:
    return view(ruling_stage(), MODERATOR)


def asked_view() -> SetSailView:
    key = f"{ANNA}/x1/fate/0"
    question = Question(key=key, seat=ANNA, what="fate", choices=(), default=encode(Narrate(key=key, text="")))
    return view(campaign(), ANNA, (question,))


def only(found: SetSailView, *lines: str, language: str = "ru") -> Order:
    """Return the one order that lines are; anything else fails."""
    reading = read(found, (), lines, language)  # type: ignore[arg-type]
    assert [(one.key, one.facts, one.suggestions) for one in reading.complaints] == [], lines
    assert len(reading.orders) == 1, (lines, reading)
    return reading.orders[0].order


def keys(found: SetSailView, *lines: str) -> list[str]:
    """Return the keys of the complaints about lines that hold no order."""
    reading = read(found, (), lines, "ru")
    assert reading.orders == (), reading.orders
    return [one.key for one in reading.complaints]
