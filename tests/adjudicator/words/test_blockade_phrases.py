"""Whatever «Блокада» can say has its phrase in both languages, whole for every kind of event, refusal and option."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest

import engine.blockade
from adjudicator.services.render import render
from adjudicator.words.environment import Phrases, phrase_files, source
from engine.blockade.events import BlockadeEvent
from engine.blockade.layout import Condition
from engine.blockade.options import EDITIONS, BlockadeOptions
from engine.blockade.rules.ending import RULES
from engine.blockade.state import BlockadeView
from engine.blockade.story import cast, steps, tell
from engine.core.contract import Answers, Event, Language, Pause, Slot
from engine.core.registry import ruleset
from engine.core.selfplay import Chance
from tests.adjudicator.words import blockading

LANGUAGES: tuple[Language, ...] = ("ru", "en")
BLOCKADE = ruleset("blockade")
CODE = "\n".join(
    path.read_text("utf-8")
    for path in sorted(Path(engine.blockade.__path__[0]).rglob("*.py"))
    if path.name != "bots.py"
)
SAMPLES: dict[str, Any] = {
    "seat": "first",
    "runner": "first",
    "blockader": "second",
    "winner": "runner",
    "cell": "L12",
    "start": "L11",
    "heading": "NE",
    "islands": blockading.ISLANDS,
    "rocks": blockading.ROCKS,
    "reason": "ram",
    "points": 2,
    "void": (1, 2),
    "audience": ("*",),
    "about": ("runner", "blockader"),
    "rule": "B17",
}


def macros(language: str) -> set[str]:
    text = "\n".join(source(name) or "" for name in phrase_files("blockade", language))
    return set(re.findall(r"\{%-? macro (\w+)\(", text))


def samples_of(kind: type[Event]) -> Iterator[Event]:
    """Yield an event of a kind for every value that a field of fixed words can take."""
    hints = get_type_hints(kind)
    fields = [field.name for field in msgspec.structs.fields(kind)]
    choices: list[list[Any]] = []
    for name in fields:
        hint = hints[name]
        if name == "guns":
            choices.append([("chaser",), ("port", "starboard")])
        elif kind.__name__ == "Tossed" and name == "winner":
            choices.append(["first", "second"])
        elif kind.__name__ == "GameEnded" and name == "points":
            choices.append([(3, 4)])
        elif name != "heading" and get_origin(hint) is Literal:
            choices.append(list(get_args(hint)))
        elif hint is bool:
            choices.append([False, True])
        elif name in SAMPLES:
            choices.append([SAMPLES[name]])
        else:
            choices.append([0, 1, 2, 5])
    for values in itertools.product(*choices):
        yield kind(**dict(zip(fields, values, strict=True)))


def view(seat: str = "first") -> BlockadeView:
    seen: BlockadeView = BLOCKADE.view(blockading.position(), seat)
    return seen


def names_of(shown: BlockadeView) -> dict[str, Any]:
    return {**cast(shown), "titles": blockading.TITLES, "zone": "Asia/Omsk"}


def test_both_languages_have_the_same_phrases() -> None:
    assert macros("ru") == macros("en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(BlockadeEvent))
def test_every_event_is_told_with_its_rule_in_journal_and_story(kind: type[Event], language: Language) -> None:
    say, shown = Phrases(language, "blockade"), view()
    tag = str(kind.__struct_config__.tag)
    unruled = ("game-began", "decision-awaited")
    for event in samples_of(kind):
        for one in steps(shown, (event,)):
            said = say("journal", one.scene.key, one.scene.facts, names_of(shown))
            assert said, event
            assert "None" not in said, said
            assert tag in unruled or "(B17)" in said, said
        assert say.has("scene", tag) or tag in ("ship-placed", "dash-began"), tag
        if tag not in ("fired", "fire-held", "guns-bear"):  # these follow a step
            for scene in tell(shown, (event,)).story:
                said = say("scene", scene.key, scene.facts, names_of(shown))
                assert said, event
                assert "None" not in said, said


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("reader", ["first", "second"])
def test_every_page_of_both_logs_has_its_words(reader: str, language: Language) -> None:
    say, events = Phrases(language, "blockade"), blockading.played().events
    pages = tell(view(reader), events).journal

    assert [page.piece for page in pages] == ["runner", "blockader"]
    for page in pages:
        assert all(say("journal", line.key, line.facts, names_of(view(reader))) for line in page.lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_a_phrase(language: Language) -> None:
    say = Phrases(language, "blockade")
    unread = set(re.findall(r'(?:fail|Unread)\("([a-z-]+)"', CODE))
    words = set(re.findall(r'(?:_word|steps)\([^\n]*"(no-[a-z]+)"\)', CODE))
    refused = set(re.findall(r'Refused\("([a-z-]+)"', CODE))
    bad = {f"layout-{condition}" for condition in get_args(Condition)}
    keys = unread | words | refused | bad | {"port-or-starboard", "two-readings", "not-harbour", "not-corner"}

    assert len(keys) > 35
    assert sorted(key for key in keys if not say.has("complaint", key)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_note_has_a_phrase(language: Language) -> None:
    say = Phrases(language, "blockade")
    found = set(re.findall(r'Note\(\s*kind="([a-z]+)", key="([a-z-]+)"', CODE))
    sized = {("cut", f"{what}-{how}") for what in ("plan", "dash") for how in ("filled", "cut")}
    repairs = {("repaired", how) for how in ("declined", "lookalike", "part", "layout", "translit", "one-off")}

    assert len(found) > 4
    assert sorted(one for one in found | sized | repairs if not say.has(f"note_{one[0]}", one[1])) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_value_and_edition_has_a_phrase(language: Language) -> None:
    say = Phrases(language, "blockade")
    for field in msgspec.structs.fields(BlockadeOptions):
        values = get_args(field.type) if get_origin(field.type) is Literal else (1, 2, 60)
        for value in values:
            assert say("option", field.name, {"value": value}), field.name
    assert [name for name in EDITIONS if say("", "edition", {"edition": name}) == name] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("winner", ["runner", "blockader"])
def test_every_outcome_has_words_for_the_limit_and_for_an_agreement(winner: str, language: Language) -> None:
    say = Phrases(language, "blockade")
    for reason, how in itertools.product(RULES, ("", "limit", "agreed")):
        facts = {"points": {"runner": 1, "blockader": 2}, "cell": "L12", "how": how}
        assert say("outcome", reason, {"reason": reason, "sides": (winner,), "facts": facts}, names_of(view()))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_slot_is_named_and_asked_for(language: Language) -> None:
    say = Phrases(language, "blockade")
    for what in ("side", "harbour", "corner", "layout", "plan", "fire", "dash", "turn", "conclude"):
        slot = msgspec.to_builtins(Slot(seat="first", key=what, what=what, piece="runner", facts={"forced": True}))
        assert say("slot", what, slot, names_of(view()))
        said = say("ask", what, {"slots": [slot]}, names_of(view()))
        assert "None" not in said


@pytest.mark.parametrize(
    "address",
    [
        "sides/x1/main/0",
        "toss/x1/main/0",
        "runner/o2/chaser/0",
        "blockader/o1/port/0",
        "map/x2/island/3",
        "map/x1/rock/1",
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_die_says_what_it_was_for(address: str, language: Language) -> None:
    say = Phrases(language, "blockade")
    key, facts = BLOCKADE.dice_purpose(address)

    assert say("die", key, {**facts, "face": 1, "sides": 6}, names_of(view()))
    assert say("purpose", key, {"sides": 6})


@pytest.mark.parametrize("language", LANGUAGES)
def test_ships_are_named_in_place_of_seats_once_the_sides_are_known(language: Language) -> None:
    report, opening = render(blockading.report(language)).text, render(blockading.opening(language)).text
    ship, seat = {"ru": ("Прорыватель", "первый"), "en": ("Blockader", "second")}[language]

    assert f"**{ship}**" in report
    assert f"**{seat}**" in opening


class Faces:
    """Dice that always fall alike."""

    def __init__(self, seed: str) -> None:
        self.chance = Chance(seed.encode())

    def die(self, _address: str, sides: int, _stream: str = "main") -> int:
        return self.chance(sides) + 1

    def one_of(self, _address: str, things: Any, _stream: str = "main") -> Any:
        return things[self.chance(len(things))]

    def advance(self) -> None:
        """Nothing depends on the batch."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("options", [{}, {"steps": 1}, {"steps": 4}, {"mode": "strict"}], ids=str)
def test_reports_of_a_bots_game_are_whole_and_fit_76_columns(options: dict[str, Any], language: Language) -> None:
    roster = ("first", "second")
    dice: Any = Faces(f"{options}")
    choose = Chance(b"words")
    state = BLOCKADE.start(BlockadeOptions(**options), roster, dice).state
    for number in range(80):
        sheets = {seat: BLOCKADE.bot(BLOCKADE.view(state, seat), choose) for seat in roster}
        answers: dict[str, str] = {}
        while isinstance(result := BLOCKADE.resolve(state, sheets, dice, Answers(answers)), Pause):
            answers |= {one.key: one.default for one in result.questions}
        state = result.state
        outcome = BLOCKADE.outcome(state)
        if number % 3 == 0 or outcome:
            changes: dict[str, Any] = {"next_turn": -1, "deadline": "", "outcome": outcome} if outcome else {}
            text = render(blockading.told(language, roster[number % 2], state, result.events, **changes)).text
            assert max(map(len, text.splitlines())) <= 76
            assert "None" not in text
        if outcome:
            return
    raise AssertionError("the bots' game did not end")
