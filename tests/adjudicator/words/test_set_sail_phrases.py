"""Whatever «Поднять паруса!» can say has its phrase in both languages, and the public hears nothing that is private."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, cast, get_args, get_origin, get_type_hints

import msgspec
import pytest

import engine.set_sail
from adjudicator.services.forum import posts
from adjudicator.services.render import render
from adjudicator.words.environment import Phrases, phrase_files, source
from adjudicator.words.text import bare
from engine.core.codec import encode
from engine.core.contract import MODERATOR, PUBLIC, Answers, Event, Language, Pause, Seat
from engine.core.selfplay import Chance
from engine.set_sail import commands as c
from engine.set_sail import events as ev
from engine.set_sail import story
from engine.set_sail.cards import cards_of, deck
from engine.set_sail.effects import Change
from engine.set_sail.options import EDITIONS, SetSailOptions
from engine.set_sail.state import (
    BIDS,
    BREAKDOWNS,
    DEVELOPMENTS,
    FATES,
    SHIP_STATS,
    STATS,
    Decision,
    DecisionKind,
    Enemy,
    Modifier,
    SetSailState,
    SetSailView,
    Wound,
)
from tests.adjudicator.words import voyage
from tests.adjudicator.words.voyage import ANNA, BORIS, ROSTER, SAIL, VERA

LANGUAGES: tuple[Language, ...] = ("ru", "en")
CODE = "\n".join(path.read_text("utf-8") for path in sorted(Path(engine.set_sail.__path__[0]).rglob("*.py")))
MOST_SAMPLES = 60
WHYS = {
    ev.LuckSpent: ("check", "help", "hinder", "wound", "scheme", "reputation", "talk", "effect"),
    ev.LuckRegained: ("fate", "tale", "trade", "veto", "effect"),
    ev.AidRefused: ("no-luck", "veto", "not-allowed"),
    ev.SecretLost: ("stale", "schemed", "told", "effect"),
    ev.MoneyMoved: ("", "effect", "repair", "development"),
}
SAMPLES: dict[str, tuple[Any, ...]] = {
    "seat": (ANNA, BORIS),
    "seats": (ROSTER,),
    "purse": ("", ANNA),
    "roll": (f"{ANNA}/o1", ""),
    "card": ("ugrozhat@1", ""),
    "move": ("ugrozhat", ""),
    "stat": ("der", "hull", "breakdown", ""),
    "mode": ("normal", "advantage", "disadvantage"),
    "faces": ((2, 5), (2, 5, 3)),
    "kept": ((2, 5),),
    "modifiers": ((Modifier(what="stat", n=2), Modifier(what="wounds", n=-1)),),
    "band": ("full", "partial", "miss"),
    "bid_a": BIDS,
    "bid_b": ("purse",),
    "a": (ANNA,),
    "b": (BORIS, "gubernator"),
    "first": ("a",),
    "effect": ("luck:+1:@pirate-1",),
    "changes": ((Change(place="ship", field="hull", before="3", after="2"),), ()),
    "proposed": (("hole:1",), ()),
    "applied": (("hole:1",),),
    "options": (("a", "b"), ()),
    "level": ("light", "serious", "terrible"),
    "was": ("", "light"),
    "cause": ("luck", "wound", "talk", "ruling"),
    "status": ("active", "out_of_scene", "dead"),
    "until": ("next", "scene"),
    "kind": tuple(BREAKDOWNS),
    "flag": ("sea_battle", "new_shore", "blood"),
    "priority": ("", *SHIP_STATS, "hull"),
    "what": ("scene", "chapter", "battle", "passage", "carouse"),
    "winner": ("", "a", "b", "tie"),
    "by": ("player", "moderator"),
    "cards": (("ugrozhat@1",),),
    "secrets": ((1,), ()),
    "breakdown": ("", "sails"),
    "who": ("gubernator",),
    "whom": (VERA, ""),
    "text": ("слово", ""),
}
WORLD = ("enemy", "threat", "prescription", "prohibition", "clock", "open-clock", "captain")


def macros(language: str) -> set[str]:
    text = "\n".join(source(name) or "" for name in phrase_files("set_sail", language))
    return set(re.findall(r"\{%-? macro (\w+)\(", text))


def samples_of(kind: type[Event]) -> Iterator[Event]:
    """Yield events of a kind in which fields take all their values, evenly among all that there could be."""
    hints = get_type_hints(kind)
    fields = [field.name for field in msgspec.structs.fields(kind) if field.name not in ("rule", "audience", "about")]
    choices: list[tuple[Any, ...]] = []
    for name in fields:
        hint = hints[name]
        if name == "why" and kind in WHYS:
            choices.append(WHYS[kind])
        elif kind is ev.WorldPut and name == "what":
            choices.append(WORLD)
        elif name == "option":
            choices.append((*FATES, "") if kind is ev.FateChosen else DEVELOPMENTS)
        elif get_origin(hint) is Literal:
            choices.append(get_args(hint))
        elif hint is bool:
            choices.append((False, True))
        elif name in SAMPLES:
            choices.append(SAMPLES[name])
        else:
            choices.append((0, 1, 2) if hint is int else ("слово",))
    whole = math.prod(map(len, choices))
    for index in range(0, whole, whole // MOST_SAMPLES | 1):
        values, rest = [], index
        for words in choices:
            rest, place = divmod(rest, len(words))
            values.append(words[place])
        yield kind(rule="P1", **dict(zip(fields, values, strict=True)))


def view(seat: Seat = ANNA) -> SetSailView:
    return cast("SetSailView", SAIL.view(voyage.played()[1].state, seat))


def names_of(shown: SetSailView) -> dict[str, Any]:
    return {**story.cast(shown), "titles": voyage.TITLES, "zone": "Asia/Omsk"}


def test_both_languages_have_the_same_phrases() -> None:
    assert macros("ru") == macros("en")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(ev.SetSailEvent))
def test_every_event_is_told_in_journal_and_story(kind: type[Event], language: Language) -> None:
    say, shown = Phrases(language, "set_sail"), view(MODERATOR)
    names = names_of(shown)
    for event in samples_of(kind):
        for one in story.steps(shown, (event,)):
            assert say("journal", one.scene.key, one.scene.facts, names), event
            assert say("journal", "piece", one.piece, names), event
        tale = story.tell(shown, (event,))
        assert tale.story or tale.own, event
        for scene in (*tale.story, *tale.own):
            said = say("scene", scene.key, scene.facts, names)
            assert said, event
            assert "None" not in said, said
            assert "slovo" not in said
        for page in tale.journal:
            assert all(say("journal", line.key, line.facts, names) for line in page.lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_of_a_command_that_failed_has_words(language: Language) -> None:
    say = Phrases(language, "set_sail")
    reasons = set(re.findall(r'return "([a-z]+(?:-[a-z]+)+)"$', CODE, re.MULTILINE))
    reasons |= set(re.findall(r'else "([a-z]+-[a-z-]+)"$', CODE, re.MULTILINE))
    reasons |= set(re.findall(r'_failed\(play, text, "([a-z-]+)"\)', CODE))
    refused = {why for why in reasons if "carouse" not in why} - {"not-allowed"}

    assert len(refused) > 15
    for why in sorted(refused):
        said = say("journal", "command-failed", {"command": "c1", "why": why, "detail": ""}, names_of(view()))
        assert why not in said, said


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_owed_has_a_sentence_and_a_name(language: Language) -> None:
    say = Phrases(language, "set_sail")
    kinds = {"sheet", "declaration", "window", "bid", "ruling", "offer", "story", "command", "standing-offer"}
    kinds |= {
        "say",
        "join",
        "tale",
        *get_args(DecisionKind.__value__ if hasattr(DecisionKind, "__value__") else DecisionKind),
    }
    kinds |= set(re.findall(r'"(standing-[a-z]+)"', CODE))

    assert sorted(kind for kind in kinds if not (say.has("ask", kind) and say.has("slot", kind))) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", get_args(DecisionKind))
def test_every_decision_is_asked_with_its_own_words(kind: str, language: Language) -> None:
    state = voyage.played()[1].state
    options = ("nav", "hull") if kind == "priority" else ("a", "b")
    seat = MODERATOR if kind == "number" else ANNA
    one = Decision(key="k", seat=seat, kind=cast("Any", kind), n=2, level="serious", options=options, about="ugrozhat")
    shown = SAIL.view(msgspec.structs.replace(state, decisions=(one,)), seat)
    slots = [{"seat": seat, "key": "k", "what": kind, "facts": {"roll": ""}}]

    assert Phrases(language, "set_sail")("ask", kind, {"slots": slots}, names_of(shown))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_choice_option_and_edition_has_words(language: Language) -> None:
    say, names = Phrases(language, "set_sail"), names_of(view())
    facts = {"cause": "luck", "for": VERA, "by": BORIS, "card": "ugrozhat", "talk": 1, "score_a": 0, "score_b": 2}
    facts["plan"] = "p1"
    for topic in ("fate", "fate-option", "hinder", "trigger", "stat", "chance", "gm-chance", "yield"):
        assert say("question", topic, facts, names)
    for word in ("yes", "no", "moderator", "yield", "play-on", *FATES, *STATS, *SHIP_STATS):
        assert say("choice", word, {"word": word, "seat": ANNA}, names)
    for field in msgspec.structs.fields(SetSailOptions):
        for value in get_args(field.type):
            assert say("option", field.name, {"value": value}), field.name
    assert [name for name in EDITIONS if say("", "edition", {"edition": name}) == name] == []


@pytest.mark.parametrize(
    "address", ["pirate-1/o1/main/0", "gm/o2/main/1", "pirate-1/o1/trig/0", "pirate-1/x1/fate/1", "pirate-1/n1/neg2/0"]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_die_says_what_it_was_for(address: str, language: Language) -> None:
    say = Phrases(language, "set_sail")
    key, facts = SAIL.dice_purpose(address)

    assert say("die", key, {**facts, "face": 3, "sides": 6}, names_of(view()))
    assert say("purpose", key, {"sides": 6})


@pytest.mark.parametrize("language", LANGUAGES)
def test_die_of_a_bid_says_what_was_bid(language: Language) -> None:
    say = Phrases(language, "set_sail")
    key, facts = SAIL.dice_purpose("gubernator/n1/bid2/0")

    assert say("die", key, facts, names_of(view()))
    assert [say("face", key, {"face": face}).split(" ")[0] for face in (1, 2, 3)] == ["1", "2", "3"]


def test_prose_keeps_speech_and_verse_and_loses_the_breaks_of_mail() -> None:
    broken = "Море было гладкое, как стол, и по нему катилось одно-единственное\nяблоко.\n— Яблоко?\nЭх,\nбочка,\nром"
    told = story.tell(view(), (ev.Said(rule="P2", seat=ANNA, text=broken),)).story[0].facts["text"]

    assert told == (
        "Море было гладкое, как стол, и по нему катилось одно-единственное яблоко.\n— Яблоко?\nЭх,\nбочка,\nром"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_moderator_is_told_of_a_terrible_wound_that_outlived_fate_and_how_to_lower_it(language: Language) -> None:
    state = voyage.played()[1].state
    hurt = (Wound(level="light"), Wound(level="terrible"))
    pirates = tuple(msgspec.structs.replace(one, wounds=hurt) if one.seat == ANNA else one for one in state.pirates)
    state = msgspec.structs.replace(state, pirates=pirates)
    events = [ev.FateChosen(rule="P21", seat=seat, option="prosthesis", chooser="player") for seat in (ANNA, BORIS)]
    seen = SAIL.view(state, MODERATOR)

    found = [scene for scene in story.tell(seen, events).own if scene.key == "desk-fate-wound"]

    [scene] = found
    told = str(Phrases(language, "set_sail")("scene", scene.key, scene.facts, names_of(seen)))
    [line] = re.findall("`(.+?)`", told)
    assert [one.order for one in SAIL.read(seen, (), [line], language).orders] == [
        c.DoEffect(number=1, effect=f"wound:2:serious:@{ANNA}")
    ]
    assert not any(scene.key.startswith("desk") for scene in story.tell(SAIL.view(state, ANNA), events).own)


CARDS = cards_of(
    {
        "meta": {"schema": "movecards/1", "visibility": "private"},
        "move": [
            {
                "id": "nyryat",
                "name": "Нырнуть",
                "group": "special",
                "trigger": "когда\nпрыгаешь за борт",
                "status": "ready",
                "full": {"text": "глубоко"},
                "partial": {"text": "вынырнул,\nно не один"},
                "miss": {"text": "воды наглотался"},
            }
        ],
    }
)


def told_of(move: str, seat: Seat, *more: Event) -> str:
    """Return the story of a roll of a move that came to eight, as a reader is told it."""
    state = voyage.played()[1].state
    pirates = tuple(
        msgspec.structs.replace(one, moves=("nyryat",)) if one.seat == ANNA else one for one in state.pirates
    )
    seen = SAIL.view(msgspec.structs.replace(state, cards=deck(CARDS), pirates=pirates), seat)
    key, card = f"{VERA}/o4", f"{move}@1"
    closed = ev.WindowClosed(rule="A8", roll=key, seat=VERA, total=8, band="partial", card=card)
    told = story.tell(seen, (ev.Declared(rule="P4", roll=key, seat=VERA, move=move), rolled(7, key), closed, *more))
    say = Phrases("ru", "set_sail")
    return bare("\n".join(str(say("scene", one.key, one.facts, names_of(seen))) for one in (*told.story, *told.own)))


def test_text_of_a_card_is_told_at_the_table_and_the_public_hears_the_common_words() -> None:
    assert "— «вынырнул, но не один»." in told_of("nyryat", BORIS)
    assert "— удалось, но с ценой или осложнением." in told_of("nyryat", PUBLIC)
    assert "— удалось, но с ценой или осложнением." in told_of("ugrozhat", BORIS)
    assert "вынырнул" not in told_of("nyryat", PUBLIC)
    traded = ev.TradeAnswered(rule="P8", roll=f"{VERA}/o4", seat=VERA, taken=True)
    assert "— «воды наглотался»." in told_of("nyryat", BORIS, traded)


def test_when_a_card_of_ones_own_is_played_stands_on_the_sheet() -> None:
    assert "Ходы: «Нырнуть» (когда прыгаешь за борт)." in told_of("nyryat", ANNA)
    assert "прыгаешь" not in told_of("nyryat", PUBLIC)


def story_of(*events: Event, language: Language = "en") -> list[str]:
    say, shown = Phrases(language, "set_sail"), view()
    told = story.tell(shown, events).story
    return [str(say("scene", scene.key, scene.facts, names_of(shown))) for scene in told]


def rolled(total: int, roll: str = f"{VERA}/o4") -> ev.Rolled:
    stat = (Modifier(what="stat", n=0),)
    return ev.Rolled(
        rule="P2",
        roll=roll,
        seat=VERA,
        card="ugrozhat@1",
        stat="rep",
        faces=(3, 5),
        kept=(3, 5),
        modifiers=stat,
        total=total,
        band="partial",
    )


def closed(total: int) -> ev.WindowClosed:
    return ev.WindowClosed(rule="A8", roll=f"{VERA}/o4", seat=VERA, total=total, band="partial", card="ugrozhat@1")


def test_roll_is_one_entry_with_its_ruling_and_help_and_its_total_is_not_said_twice() -> None:
    roll = f"{VERA}/o4"
    ruled = ev.Ruled(rule="P49", roll=roll, seat=VERA, rolls=True, card="ugrozhat@1", stat="rep")
    paid = ev.LuckSpent(rule="P6", seat=BORIS, n=1, why="help", left=1, roll=roll)
    helped = ev.Aided(rule="P6", roll=roll, seat=BORIS, n=1, how="a rope")
    head = "**Вера Морган, “Угрожать насилием” (Threaten)** (o4): 2d6 [3 5], reputation 0 = **8, partial success**"
    says = "it came off, at a price or with a complication"

    assert [bare(one) for one in story_of(ruled, rolled(8), closed(8))] == [f"{head} – {says}."]
    assert [bare(one) for one in story_of(rolled(8), paid, helped, closed(9))] == [
        f"{head}; Борис Кок helps: +1, “a rope”; final **9, partial success** – {says}."
    ]


def test_luck_in_a_roll_nobody_else_knows_of_is_a_change_of_a_sheet() -> None:
    spent = ev.LuckSpent(rule="P6", seat=BORIS, n=1, why="check", left=1, roll=f"{BORIS}/o9")

    assert [bare(one) for one in story_of(spent)] == ["**Борис Кок**: luck −1 on one's own roll, 1 left (P6)."]


def test_roll_whose_move_is_not_known_any_more_is_called_by_its_number() -> None:
    assert story_of(ev.GmMove(rule="P2", roll=f"{VERA}/o7", seat=VERA)) == [
        "**Вера Морган** (o7): **the Cartographer brings in trouble** (P2)."
    ]


# Nothing private in public --------------------------------------------------------------------------------------------

SECRET: Mapping[str, str] = MappingProxyType(
    {
        "hidden": "МОЛЧОК-заявка",
        "goal": "МОЛЧОК-замысел",
        "ship": "МОЛЧОК-тайна",
        "own": "МОЛЧОК-знание",
        "exposed": "МОЛЧОК-разоблачение",
        "clock": "molchok-chasy",
        "sealed": "МОЛЧОК-довод",
    }
)


class Faces:
    """Dice by a seed."""

    def __init__(self, seed: int) -> None:
        self.chance = Chance(str(seed).encode())

    def die(self, _address: str, sides: int, _stream: str = "main") -> int:
        return self.chance(sides) + 1

    def permutation(self, _address: str, count: int, _stream: str = "main") -> tuple[int, ...]:
        return tuple(range(count))

    def advance(self) -> None:
        """Nothing depends on the batch."""


def private_words(state: SetSailState, turn: int) -> dict[Seat, tuple[Any, ...]]:
    """Return orders that put something private everywhere it can be; a bid stays sealed until its round is over."""
    return {
        ANNA: (c.Declare(number=8, text=SECRET["hidden"], hidden=True),),
        BORIS: (c.Scheme(number=8, goal=SECRET["goal"], secrets=tuple(one.id for one in state.ship.secrets)),),
        MODERATOR: (
            c.DoEffect(number=81, effect=f"secret:+1:{SECRET['ship']} {turn}"),
            c.Learn(number=82, seat=BORIS, who=VERA, text=SECRET["own"]),
            c.DoEffect(number=83, effect=f"exposed:+1:@gubernator:{SECRET['exposed']}"),
            c.DoEffect(number=84, effect=f"clock:{SECRET['clock']}:+1"),
            c.SealBid(number=85, talk=state.talks_held, value="glory", uses=SECRET["exposed"]),
        ),
    }


@pytest.mark.parametrize("seed", [1, 2])
def test_public_reports_of_bots_campaigns_hold_nothing_private(seed: int) -> None:
    dice: Any = Faces(seed)
    choose = Chance(f"public {seed}".encode())
    state = voyage.position()
    heard: set[str] = set()
    kept = {"hidden", "ship", "own", "exposed", "clock"}
    for turn in range(6):
        sheets = {seat: SAIL.bot(SAIL.view(state, seat), choose) for seat in (*ROSTER, MODERATOR)}
        for seat, orders in private_words(state, turn).items():
            slots = {order.slot for order in orders}
            sheets[seat] = (*(one for one in sheets[seat] if one.slot not in slots), *orders)
        answers: dict[str, str] = {}
        while isinstance(result := SAIL.resolve(state, sheets, dice, Answers(answers)), Pause):
            answers |= {one.key: one.default for one in result.questions}
        state = result.state
        report = voyage.told(LANGUAGES[turn % 2], PUBLIC, state, result.events)
        letter = render(report)
        boards = posts(report, ("discourse", "phpbb")[turn // 2 % 2])
        files = [str(file) for file in letter.files]
        whole = "\n".join((letter.text, letter.html, report.view, *report.events, *files, *boards))
        assert [word for word in SECRET.values() if word in whole] == []
        assert max(map(len, letter.text.splitlines())) <= 76
        if not heard >= kept:
            desk = render(voyage.told("ru", MODERATOR, state, result.events)).text.replace("\n", " ")
            heard |= {key for key, word in SECRET.items() if word in desk}
    assert heard >= kept


@pytest.mark.parametrize("seat", [VERA, PUBLIC])
def test_hidden_declaration_and_private_knowledge_reach_nobody_else(seat: Seat) -> None:
    letter = render(voyage.report("ru", seat))
    whole = letter.text + letter.html + encode(SAIL.view(voyage.played()[1].state, seat))

    for words in ("каюту капитана", "Вера грамотная", "pogonya", "13, полный успех"):
        assert words not in whole
    assert "каюту капитана" in render(voyage.report("ru", BORIS)).text.replace("\n", " ")


def test_letter_of_a_year_names_a_few_of_its_former_enemies() -> None:
    state = voyage.played()[1].state
    former = tuple(Enemy(id=f"vrag-{n}", name=f"капитан {n}", here=False, harm=int(n == 3)) for n in range(60))
    text = render(voyage.told("ru", PUBLIC, msgspec.structs.replace(state, enemies=(*state.enemies, *former)), ())).text
    told = " ".join(text.split())

    assert "капитан 3, урон 1, не здесь" in told
    assert "капитан 59, не здесь; и ещё 47 прежних." in told
    assert "капитан 5, не здесь" not in told
