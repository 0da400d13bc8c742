"""Whatever «Шакал» can say has its phrase in both languages, whole for every kind of event, refusal and option."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

import engine.jackal
from adjudicator.services.render import render
from adjudicator.words.environment import Phrases, phrase_files, source
from engine.core.contract import Answers, Event, Language, Pause
from engine.core.registry import ruleset
from engine.core.selfplay import Chance
from engine.jackal import events
from engine.jackal.events import JackalEvent
from engine.jackal.options import EDITIONS, JackalOptions
from engine.jackal.rules import entering
from engine.jackal.state import COLOURS, JackalView
from engine.jackal.story import cast, steps, tell
from engine.jackal.tiles import KINDS
from tests.adjudicator.words import island

LANGUAGES: tuple[Language, ...] = ("ru", "en")
JACKAL = ruleset("jackal")
CODE = "\n".join(
    path.read_text("utf-8") for path in sorted(Path(engine.jackal.__path__[0]).rglob("*.py")) if path.name != "bots.py"
)
SAMPLES: dict[str, Any] = {
    "unit": "W1",
    "by": "Y2",
    "cell": "G7",
    "start": "G6",
    "ship": "M7",
    "cells": ("H3", "I3"),
    "tiles": ("a3", "cannon"),
    "rotations": (1, 2),
    "to": ("I3", "H3"),
    "items": ("coin", "coin", "treasure"),
    "load": ("coin",),
    "colours": ("white", "yellow"),
    "commanders": ("yellow", "white"),
    "slots": ("white-1",),
    "lapsed": ("red-1",),
    "gold": 3,
    "seat": "white",
    "commander": "white",
    "item": "coin",
    "why": "trapped",
    "reason": "leader",
    "words": "",
    "turns": (),
    "tile": "spin3",
    "was": "yellow",
    "audience": ("*",),
    "about": (),
    "rule": "J5.1",
}


def macros(language: str) -> set[str]:
    text = "\n".join(source(name) or "" for name in phrase_files("jackal", language))
    return set(re.findall(r"\{%-? macro (\w+)\(", text))


def samples_of(kind: type[Event]) -> Iterator[Event]:
    """Yield an event of a kind for every value that a field of fixed words can take."""
    hints = get_type_hints(kind)
    choices: list[list[Any]] = []
    fields = [field.name for field in msgspec.structs.fields(kind)]
    for name in fields:
        hint = hints[name]
        if get_origin(hint) is Literal and name not in ("colour", "was", "first", "commander"):
            choices.append(list(get_args(hint)))
        elif name in ("colour", "first"):
            choices.append(["white", "red"])
        elif hint is bool:
            choices.append([False, True])
        elif kind is events.GameEnded and name == "gold":
            choices.append([(1, 2, 5, 0)])
        elif name in SAMPLES:
            choices.append([SAMPLES[name]])
        else:
            choices.append([0, 1, 2, 5])
    for values in itertools.product(*choices):
        yield kind(**dict(zip(fields, values, strict=True)))


def view() -> JackalView:
    seen: JackalView = JACKAL.view(island.position(), "white")
    return seen


def names_of(shown: JackalView) -> dict[str, Any]:
    return {**cast(shown), "titles": island.TITLES, "zone": "Asia/Omsk"}


def test_both_languages_have_the_same_phrases() -> None:
    assert macros("ru") == macros("en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(JackalEvent))
def test_every_event_is_told_in_journal_and_story(kind: type[Event], language: Language) -> None:
    say, shown = Phrases(language, "jackal"), view()
    for event in samples_of(kind):
        for one in steps(shown, (event,)):
            said = say("journal", one.scene.key, one.scene.facts, names_of(shown))
            assert said, event
            assert "None" not in said, said
        for scene in tell(shown, (event,)).story:
            said = say("scene", scene.key, scene.facts, names_of(shown))
            assert said or isinstance(event, events.TurnBegan), event
            assert "None" not in said, said


CHAIN = [
    *(events.Struck, events.FridayTurned, events.Died, events.Vanished, events.Joined, events.Converted),
    *(events.BottlesFound, events.BottleSpent, events.MoodChanged, events.LoadsChanged, events.GoldScored),
    *(events.ShipMoved, events.PickedUp, events.Raised, events.OathSworn, events.PlaneWaits, events.Peeked),
    *(events.EarthQuaked, events.CannonFired, events.BoatLaunched, events.Moved),
]
"""What can happen in a chain; gold found is told with its tile, which cites the rule."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", CHAIN)
def test_every_step_of_a_chain_cites_its_rule(kind: type[Event], language: Language) -> None:
    say, shown = Phrases(language, "jackal"), view()
    action = events.ActionTaken(rule="J2.2", colour="red", number=1, commander="red", act="step", unit="R1", start="F6")
    step = events.Moved(rule="J3.1", unit="R1", start="F6", cell="G6", how="step")
    for event in samples_of(kind):
        cited = msgspec.structs.replace(event, rule="R99")
        (scene,) = tell(shown, (action, step, cited)).story

        assert "(R99)" in str(say("scene", scene.key, scene.facts, names_of(shown))), event


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_a_phrase(language: Language) -> None:
    say = Phrases(language, "jackal")
    illegal = set(re.findall(r'Illegal\("([a-z-]+)"', CODE)) | {"not-yours", "not-alive"}
    barred = set(re.findall(r'"([a-z]+-[a-z-]+)"', Path(entering.__file__).read_text("utf-8")))
    unread = set(re.findall(r'(?:fail|expect)\([^\n]*"([a-z-]+)"\)', CODE)) - {"rotate", "items", "take", "to"}
    refused = set(re.findall(r'Refused\("[a-z-]+", "([a-z-]+)"', CODE)) | {"two-readings"}
    keys = illegal | barred | unread | refused

    assert len(keys) > 60
    assert sorted(key for key in keys if not say.has("complaint", key)) == []
    for key in illegal | barred:
        facts = {"alternative": 1, "why": key, "cell": "G7", "many": True}
        said = str(say("note_warning", "not-now", facts, names_of(view())))
        assert "-" not in key or key not in said, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_note_has_a_phrase(language: Language) -> None:
    say = Phrases(language, "jackal")
    found = set(re.findall(r'Note\(\s*kind="([a-z]+)", key="([a-z-]+)"', CODE))
    repairs = {("repaired", how) for how in ("declined", "lookalike", "part", "layout", "translit", "one-off")}

    assert len(found) > 4
    assert sorted(one for one in found | repairs if not say.has(f"note_{one[0]}", one[1])) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_value_and_edition_has_a_phrase(language: Language) -> None:
    say = Phrases(language, "jackal")
    for field in msgspec.structs.fields(JackalOptions):
        values = get_args(field.type) if get_origin(field.type) is Literal else (1, 2, 3)
        for value in values:
            assert say("option", field.name, {"value": value}), field.name
    assert [name for name in EDITIONS if say("", "edition", {"edition": name}) == name] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tile_colour_question_and_outcome_has_words(language: Language) -> None:
    say, names = Phrases(language, "jackal"), names_of(view())
    for key in KINDS:
        facts = {"cells": ("H3", "I3"), "tiles": (key, key), "cell": "G6", "number": 2}
        assert say("question", "lay", facts, names)
    for topic in ("arrow", "horse", "ice", "cave", "lighthouse", "quake"):
        assert say("question", topic, {"cell": "G6", "number": 4}, names)
    for topic, waits, laden, ship in itertools.product(("plane", "ice"), (True, False), (True, False), (True, False)):
        flight = {"cell": "G6", "cells": ("F2", "G1"), "waits": waits, "laden": laden, "ship": ship, "barred": ("C3",)}
        assert "C3" in say("question", topic, flight, names)
    reasons = re.findall(r'outcome\((?:self\.)?board, "([a-z-]+)"', CODE)
    assert len(set(reasons)) == 6
    for reason in reasons:
        facts = {"gold": dict.fromkeys(COLOURS, 3), "left": 2}
        assert say("outcome", reason, {"reason": reason, "sides": ("white",), "facts": facts}, names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_offer_says_the_answer_and_what_for(language: Language) -> None:
    say, names = Phrases(language, "jackal"), names_of(view())
    facts = {
        "answer": "F2",
        "waits": False,
        "gold": 3,
        "colour": "white",
        "items": ("coin", "coin"),
        "enemies": ("Y1", "FR"),
        "units": ("W2",),
        "tile": "chest5",
    }
    whys = {
        "plane": ("stay", "ship", "ally", "near-ship", "gold", "strike", "free", "raise", "closed-near", "closed-many"),
        "lighthouse": ("near-men", "near-ship", "near-finder", "closed-many"),
        "lay": ("as-it-was", "gold-near"),
        "quake": ("far", "gold-seen", "harm-away"),
    }
    assert {why for all_ in whys.values() for why in all_} == set(re.findall(r'"why": "([a-z-]+)"', CODE)) | {
        *whys["lighthouse"],
        "ship",
        "ally",
    }

    for topic, all_ in whys.items():
        said = [say("offer", topic, {**facts, "why": why}, names) for why in all_]
        assert all(one.startswith("F2") for one in said)
        assert len(set(said)) == len(said)
    assert say("offer", "ice", {**facts, "why": "gold"}, names) == say(
        "offer", "plane", {**facts, "why": "gold"}, names
    )


@pytest.mark.parametrize("address", ["gm/x1/first/0", "gm/deck/shuffle/3", "gm/deck/turn/3", "red/o1/oath/0"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_die_says_what_it_was_for(address: str, language: Language) -> None:
    say = Phrases(language, "jackal")
    key, facts = JACKAL.dice_purpose(address)

    assert say("die", key, {**facts, "face": 26, "sides": 26})
    assert say("purpose", key, {"sides": 26})
    assert key != "oath" or "«" in say("face", key, {**facts, "face": 26}) or '"' in say("face", key, {"face": 26})


class Faces:
    """Dice that always fall alike but for the deck."""

    def __init__(self, seed: str) -> None:
        self.chance = Chance(seed.encode())

    def die(self, _address: str, sides: int, _stream: str = "main") -> int:
        return self.chance(sides) + 1

    def permutation(self, _address: str, count: int, _stream: str = "main") -> tuple[int, ...]:
        left = list(range(count))
        return tuple(left.pop(self.chance(len(left))) for _ in range(count))

    def advance(self) -> None:
        """Nothing depends on the batch."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("edition", "players", "changes"),
    [("tl", 2, {}), ("oe", 3, {}), ("ti", 4, {"teams": "yes"}), ("cl", 4, {"actions_per_round": 3})],
)
def test_reports_of_a_bots_game_are_whole_and_fit_76_columns(
    edition: str, players: int, changes: dict[str, Any], language: Language
) -> None:
    options = msgspec.structs.replace(EDITIONS[edition], **changes)
    roster = [seat.id for seat in JACKAL.seats(options, players)]
    dice: Any = Faces(f"{edition}/{players}")
    choose = Chance(b"words")
    state = JACKAL.start(options, roster, dice).state
    for number in range(60):
        sheets = {seat: JACKAL.bot(JACKAL.view(state, seat), choose) for seat in roster}
        answers: dict[str, str] = {}
        while isinstance(result := JACKAL.resolve(state, sheets, dice, Answers(answers)), Pause):
            answers |= {one.key: one.choices[0].word if one.choices else one.default for one in result.questions}
        state = result.state
        if number % 12 == 0:
            seat = roster[number % players]
            letter = island.told(language, seat, state, result.events)
            text = render(letter).text
            assert max(map(len, text.splitlines())) <= 76
            assert "None" not in text
            assert not re.search(r"\w[–—]?  \w", text.split("```")[0])
