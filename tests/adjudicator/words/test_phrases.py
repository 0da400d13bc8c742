"""Every key has a phrase in both languages, and every phrase is whole for every number, gender and script."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
import pytest

import adjudicator.services
import engine.pirates.orders
import mail.message
from adjudicator.cli.phrases import phrases as cli_phrases
from adjudicator.letters import Notice
from adjudicator.services.commands import words as commands
from adjudicator.services.render import TERMS, render
from adjudicator.words.environment import Phrases, phrase_files, phrases_of, source
from adjudicator.words.text import bare
from engine.core.codec import encode
from engine.core.registry import ruleset
from engine.pirates.options import EDITIONS, PiratesOptions
from engine.pirates.state import PiratesEvent
from engine.pirates.story import cast
from tests.adjudicator.words import samples

Tongue = Literal["ru", "en"]
LANGUAGES: tuple[Tongue, ...] = ("ru", "en")
COUNTS = (0, 1, 2, 5, 11, 21)
NAMES = ("Месть", "Морской Волк", "Ёлка", "Revenge", "O'Hara", "海賊", "Ὀδύσσεια", "*Ой*", "сердце ❤️")


def documented(section: str) -> list[tuple[str, str]]:
    """Read the table of keys in the docstring of the order language: (kind, key)."""
    text = (engine.pirates.orders.__doc__ or "").split(section)[1].split("=\n")[1]
    found, kind = [], ""
    for line in text.splitlines():
        kind = line[:13].strip() or kind
        found += [(kind, key) for key in re.findall(r"[a-z-]{2,}", line[13:])]
    return found


def tags() -> list[str]:
    return [msgspec.inspect.type_info(kind).tag for kind in get_args(PiratesEvent)]  # type: ignore[attr-defined]


def macros(folder: str, language: str) -> dict[str, str]:
    text = "\n".join(source(name) or "" for name in phrase_files(folder, language))
    return dict(re.findall(r"\{%-? macro (\w+)\(([^)]*)\)", text))


@pytest.mark.parametrize("folder", ["shared", "pirates"])
def test_both_languages_have_the_same_phrases(folder: str) -> None:
    inner = {"g"}  # Russian gender; English ships have none

    assert set(macros(folder, "ru")) - inner == set(macros(folder, "en"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("tag", tags())
def test_every_event_has_a_journal_entry(tag: str, language: Tongue) -> None:
    assert Phrases(language, "pirates").has("journal", tag)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "key"), documented("Complaint keys by kind"))
def test_every_complaint_has_a_phrase(kind: str, key: str, language: Tongue) -> None:
    say = Phrases(language, "pirates")

    assert say.has("kind", kind)
    assert say.has("complaint", key)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("kind", "key"), documented("Note keys by kind"))
def test_every_note_has_a_phrase(kind: str, key: str, language: Tongue) -> None:
    assert Phrases(language, "pirates").has(f"note_{kind}", key)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_value_and_edition_has_a_phrase(language: Tongue) -> None:
    say = Phrases(language, "pirates")
    for field in msgspec.structs.fields(PiratesOptions):
        values = get_args(field.type) if field.type in (str, int) else getattr(field.type, "__args__", ())
        for value in values if all(isinstance(one, str) for one in values) and values else (field.default, *COUNTS):
            if isinstance(value, type(field.default)):
                assert say("option", field.name, {"value": value}), field.name
    assert [say("", "edition", {"edition": name}) for name in EDITIONS] != list(EDITIONS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_has_a_phrase(language: Tongue) -> None:
    say = Phrases(language, "pirates")

    assert [word.name for word in commands() if not say.has("cmd", word.name)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_switch_of_the_header_has_a_phrase(language: Tongue) -> None:
    say = Phrases(language, "pirates")

    assert [name for name in TERMS if not say.has("term", name)] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "address",
    ["wind/x1/rhumb/0", "wind/x1/force/0", "ship4/o1/main/0", "ship4/o2/main/0", "ship4/x1/main/0", "gold/x1/main/0"],
)
def test_every_die_says_what_it_was_for_and_what_it_shows(address: str, language: Tongue) -> None:
    say, names = Phrases(language, "pirates"), cast_of("Месть")
    key, facts = ruleset("pirates").dice_purpose(address)

    assert say("die", key, {**facts, "face": 1, "sides": 8}, names)
    assert say("face", key, {**facts, "face": 1, "sides": 8}, names)


# Every phrase with every number and every name ------------------------------------------------------------------------


def cast_of(name: str) -> dict[str, Any]:
    fleet = tuple(msgspec.structs.replace(ship, name=name) for ship in samples.FLEET)
    return cast(samples.view(fleet)) | {"titles": samples.TITLES, "zone": "Asia/Omsk"}


class Everything(dict[str, Any]):
    """Facts that have every name: what a phrase asks for is looked up here, else it is the number."""

    def __init__(self, number: int, ship: int, given: dict[str, Any] | None = None) -> None:
        super().__init__(given or {})
        self.number, self.ship = number, ship

    def items(self) -> Any:
        raise AssertionError("a phrase looked at all facts")

    def __contains__(self, key: object) -> bool:
        return True

    def __missing__(self, key: str) -> Any:
        return FACTS[key](self) if key in FACTS else self.number


SHOT = {
    "ships": [4, 5],
    "target": 1,
    "spin": "N",
    "hit": True,
    "volley": "а",
    "silent": False,
    "distance": 2,
    "answer": False,
    "again": False,
}
FACTS: dict[str, Any] = {
    **dict.fromkeys(("ship", "other", "by", "target", "self", "blocked_by"), lambda facts: facts.ship),
    **dict.fromkeys(("ships", "numbers", "turns", "addresses", "examples"), lambda facts: [1, facts.ship]),
    "lost": lambda _: [{"title": "Ёж", "lines": ["стоять", "стрелять"]}],
    **dict.fromkeys(("course", "rhumb", "to", "spin"), lambda _: "SW"),
    **dict.fromkeys(
        ("typed", "read", "text", "name", "phrase", "was", "order", "why", "title", "zone", "tag", "argument"),
        lambda _: "Ёж *и* лис",
    ),
    **dict.fromkeys(
        (
            "deadline",
            "before",
            "now",
            "since",
            "until",
            "arrival",
            "locked",
            "seen",
            "at",
            "counts",
            "resolved",
            "sent",
        ),
        lambda _: "2026-12-05T15:00:00Z",
    ),
    **dict.fromkeys(
        (
            "address",
            "key",
            "cause",
            "sender",
            "source",
            "host",
            "subject",
            "mark",
            "edition",
            "seat",
            "cell",
            "start",
            "end",
        ),
        lambda _: "a@b.c",
    ),
    **dict.fromkeys(
        (
            "titles",
            "slots",
            "to_titles",
            "seat_titles",
            "options",
            "others",
            "games",
            "topics",
            "suggestions",
            "known",
            "seats",
            "lines",
            "read_texts",
            "story",
            "awaited",
            "choices",
            "meant",
            "template",
            "line_texts",
            "games_texts",
            "playing",
            "rulesets",
            "editions",
            "values",
        ),
        lambda _: ["раз", "два"],
    ),
    "questions": lambda facts: [
        {"number": facts.number, "text": "Куда?", "choices": ["раз", "два"], "unanswered": "раз", "whose": "policy"}
    ],
    **dict.fromkeys(("turns", "days"), lambda facts: [1, facts.number]),
    **dict.fromkeys(("first", "last"), lambda _: "2026-12-03"),
    **dict.fromkeys(("absences", "readings"), lambda _: [{"first": "2026-12-03", "last": "2026-12-10"}] * 2),
    "invited": lambda _: [{"address": "a@b.c", "why": ""}],
    **dict.fromkeys(("verbs", "names", "examples"), lambda _: ["раз", "два"]),
    "targets": lambda _: [1, "any"],
    "owner": lambda _: "pirates-1",
    "side": lambda _: "spain",
    "fate": lambda _: "sunk",
    "force": lambda _: "fresh",
    "when": lambda _: "before",
    "wind": lambda _: {"rhumb": "N", "force": "calm"},
    "port": lambda _: "havana",
    "current": lambda _: "yucatan",
    "path": lambda _: ["P5", "Q5"],
    "spoken": lambda _: "",
    "face": lambda _: 3,
    "kind": lambda _: "brigantine",
    "volley": lambda _: "а",
    "what": lambda _: "course",
    "facts": lambda facts: Everything(facts.number, facts.ship),
    "anchors": lambda _: {"main": "0" * 64},
    "language": lambda _: "ru",
    "word": lambda _: "draft",
    "count": lambda facts: facts.number,
}
REASONS = ("gold-home", "gold-base", "gold-lost", "nobody-afloat", "no-pirates", "no-spaniards", "limit")
WORDS = {
    "reason": {
        "note_cut_run": "land",
        "journal_run_cut": "wind",
        "journal_shot_not_fired": "storm",
        "journal_ship_stopped": "yield",
        **{f"outcome_{reason.replace('-', '_')}": reason for reason in REASONS},
        "journal_drift_held": "edge",
        "journal_gold_revealed": "port",
        "scene_gold_revealed": "port",
        "notice_deadline_moved": "outage",
    },
    "what": {"complaint_twice": "fire"},
    "lines": {"note_repaired_joined": 2},
    "by": {"journal_ship_hit": [1, 4], "journal_ship_sunk": [1, 4]},
}
BY_HAND = {
    "notice_confirm_forget_me",
    # Called with facts that render itself makes, each in tests of its own below or in the golden letters.
    "scene_rose",
    "scene_guns",
    "scene_runs",
    "scene_drift",
    "scene_currents",
    "scene_names",
    "scene_repairs",
    "scene_table",
    "ask_ship",
    "ask_name",
    "notice_which_seat",
    "notice_unknown_game",
    "others",
    "label_chart",
    "label_chart_title",
    "label_name",
    "label_rows_berth",
    "scene_game_ended",
    "scene_end",
    "outcome",
    "notice_moderated",
    "notice_desk",
    "notice_seat_record",
    "desk",
}


def phrases(folder: str, language: str) -> list[str]:
    """Name the phrases that take facts and a cast, those called with values by other phrases left out."""
    made = macros(folder, language)
    return [
        name
        for name, takes in made.items()
        if takes == "f, c" and name not in BY_HAND and not name.startswith(("term_", "option_"))
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("folder", ["shared", "pirates"])
def test_every_phrase_is_whole_for_every_number_and_name(folder: str, language: Tongue) -> None:
    macros_of = phrases_of(folder, language)
    casts = [cast_of(name) for name in NAMES]
    for name in phrases(folder, language):
        for number in COUNTS:
            for place, names in enumerate(casts):
                given = {key: words[name] for key, words in WORDS.items() if name in words}
                said = str(macros_of[name](Everything(number, 1 if place % 2 else 4, given), names)).strip()
                assert said, name
                assert "None" not in said, name


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_a_name_stands_in_every_case_as_its_owner_wrote_it(name: str, language: Tongue) -> None:
    macros_of = phrases_of("pirates", language)
    for case in ("nom", "gen", "dat", "acc", "ins", "pre"):
        said = macros_of["ship"](4, cast_of(name), case) if language == "ru" else macros_of["ship"](4, cast_of(name))
        assert name in bare(str(said))


def test_russian_class_nouns_carry_case_and_gender() -> None:
    say, names = Phrases("ru", "pirates"), cast_of("Месть")
    sunk = {"when": "before", "shots": [], "held": []}
    galleon = {"what": "ship-sunk", "ship": 1, "cell": "E5", "by": [4]}
    brigantine = {"what": "ship-sunk", "ship": 4, "cell": "E5", "by": [1]}

    assert "Галион 1 «Месть» потоплен**" in bare(say("scene", "guns", {**sunk, "ends": [galleon]}, names))
    assert "Бригантина 4 «Месть» потоплена**" in bare(say("scene", "guns", {**sunk, "ends": [brigantine]}, names))
    assert bare(say("scene", "derelict_contested", {"ship": 4}, names)).startswith("У разбитой бригантины 4 «Месть» ")


@pytest.mark.parametrize(
    ("language", "alone", "both"),
    [
        ("ru", "потопили галион 1 «Месть»", "вместе с бригантиной 5 «Месть» потопили галион 1 «Месть»"),
        ("en", "sank galleon 1 “Месть”", "together with brigantine 5 “Месть” sank galleon 1 “Месть”"),
    ],
)
def test_a_ship_sunk_together_is_nobodys_alone_in_the_journal(language: Tongue, alone: str, both: str) -> None:
    say, names = Phrases(language, "pirates"), cast_of("Месть")
    sunk = {"ship": 1, "cell": "E5", "self": 4}

    assert bare(say("journal", "ship_sunk", {**sunk, "by": [4], "mates": []}, names)) == alone
    assert bare(say("journal", "ship_sunk", {**sunk, "by": [4, 5], "mates": [5]}, names)) == both


@pytest.mark.parametrize("language", LANGUAGES)
def test_templates_join_no_text_by_operators(language: Tongue) -> None:
    """``~`` and ``+`` escape for HTML what finalize would have armoured, so templates use filters."""
    for folder in ("shared", "pirates"):
        text = "\n".join(source(name) or "" for name in phrase_files(folder, language))
        expressions = re.findall(r"\{\{(.*?)\}\}", text, re.DOTALL)
        assert [one for one in expressions if "~" in re.sub(r'"[^"]*"', "", one) or " + " in one] == []


# Notices --------------------------------------------------------------------------------------------------------------

ASKED: dict[str, Any] = {
    "turn": 3,
    "deadline": "2026-12-05T15:00:00Z",
    "now": "2026-12-04T15:00:00Z",
    "view": encode(samples.view(samples.FLEET)),
    "events": [],
    "questions": [
        {"number": number, "question": {"key": f"spain-1/o{number}/way/0", "seat": "spain-1", "what": "way", **put}}
        for number, put in enumerate(
            (
                {"choices": [{"word": "north"}, {"word": "south"}], "default": "north"},
                {"choices": [{"word": "yes"}, {"word": "no"}], "default": "no", "policy": "yes"},
            ),
            1,
        )
    ],
}
HELD = {
    "number": 17,
    "sender": "x@example.org",
    "arrival": "2026-12-05T15:00:00Z",
    "why": "auth-fail",
    "verdict": "held",
}
DESK: dict[str, Any] = {
    "turn": 3,
    "state": "open",
    "deadline": "2026-12-05T15:00:00Z",
    "paused": False,
    "now": "2026-12-04T15:00:00Z",
    "seats": [
        {"titles": samples.TITLES["spain-1"], "name": "Анна", "word": "no orders", "waits": True},
        {"count": [1, 5]},
    ],
    "held": [HELD],
    "returned": [{"address": "x@example.org", "titles": samples.TITLES["spain-1"], "why": "550 no", "kind": "report"}],
    "missed": [{"titles": samples.TITLES["spain-1"], "seat": "spain-1", "count": 2}],
    "empty": [{"titles": samples.TITLES["pirates-1"], "seat": "pirates-1"}],
    "absences": [{"titles": {}, "first": "2026-12-03", "last": "2026-12-10", "waits": False}],
    "disputes": [{"turn": 2, "titles": samples.TITLES["spain-1"], "until": "2026-12-05T15:00:00Z"}],
    "proposals": [1, 2],
    "copy": ["напомнить 3", "продлить 3 24h"],
}
GAME: dict[str, Any] = {
    "host": "Вера",
    "players": 5,
    "seats": [{"seat": "spain-1", "titles": samples.TITLES["spain-1"]}],
    "seat": "",
    "anchors": {"main": "ab" * 32},
    "turns": [21, 28],
    "days": [42, 56],
}
CORRECTION: dict[str, Any] = {
    "about": 2,
    "turn": 4,
    "why": "строка пропала",
    "turns": [2, 3],
    "vouched": False,
    "lost": [{"titles": {"ru": "Испания-1", "en": "Spain-1"}, "lines": ["корабль 1: курс СВ 2"]}],
}
NOTICES: dict[str, dict[str, Any]] = {
    "invitation": GAME,
    "join-confirm": GAME | {"typed": "жёлтые"},
    "my-data": {},
    "address-fails": {"address": "anna@example.org", "seat": "spain-1", "tag": "pirates-7"},
    "confirm-forget-me": {"tags": ["pirates-1", "pirates-2"]},
    "welcome": {
        "seat": "",
        "wished": samples.TITLES["spain-1"],
        "joined": 2,
        "players": 5,
        "phrase": "семь футов",
        "phrase_automatic": False,
        "zone": "Europe/Moscow",
    },
    "join-refused": {
        "why": "unknown-seat",
        "seat": "жёлтые",
        "seats": [samples.TITLES["spain-1"]],
        "status": "created",
    },
    "invitation-dropped": {},
    "invitation-refused": {"address": "boris@example.org", "name": "Борис", "why": "never-again"},
    "create-refused": {"why": "bad-players", "seats": [2, 9], "written": "создать pirates 40"},
    "confirm-create": {"lines": ["создать pirates"], "name": "Вера"},
    "two-seats": {"seats": [samples.TITLES["spain-1"], samples.TITLES["pirates-1"]]},
    "second-seat-operator": {"address": "boris@example.org", "name": "Борис"},
    "confirm-second-seat": {"address": "boris@example.org", "name": "Борис"},
    "confirm-observe": {"name": "Борис", "language": "ru"},
    "observing": {"status": "created"},
    "observing-ended": {"status": "running"},
    "observe-refused": {"why": "observe-closed"},
    "leave": {},
    "confirm-address": {"old": "boris@example.org", "new": "b@example.net"},
    "confirm-address-back": {"old": "boris@example.org", "new": "b@example.net"},
    "address-changed": {"old": "", "new": "b@example.net"},
    "settings": {
        "lines": [
            {"text": "зона Омск", "mark": "command", "key": "zone", "facts": {"zone": "Asia/Omsk"}},
            {"text": "язык ы", "mark": "command-refused", "key": "unknown-language", "facts": {"typed": "ы"}},
        ],
        "games": [
            {
                "tag": "pirates-7",
                "seat": "spain-1",
                "titles": samples.TITLES["spain-1"],
                "turn": 3,
                "deadline": "2026-12-05T15:00:00Z",
            }
        ],
        "open": [{"tag": "pirates-8", "titles": {"ru": "Пираты", "en": "Pirates"}, "players": 5, "joined": 2}],
    },
    "reminder": {
        "turn": 3,
        "deadline": "2026-12-05T15:00:00Z",
        "now": "2026-12-04T15:00:00Z",
        "word": "no orders",
        "hours": 24,
        "missing": [{"seat": "spain-1", "key": "ship1", "what": "ship", "piece": "ship1", "facts": {"ship": 1}}],
        "template": ["корабль 1: стоять"],
    },
    "deadline-moved": {
        "turn": 3,
        "before": "2026-12-05T15:00:00Z",
        "deadline": "2026-12-06T15:00:00Z",
        "reason": "told-late",
    },
    "held-denied": {"subject": "Re: ход", "sender": "evil@example.net", "mail": 3},
    "held": {
        "as_read": [{"text": "корабль 1: стоять", "mark": "ok", "read": "«Сан-Фелипе»: стоять"}],
        "why": "auth-fail",
        "lines": ["корабль 1: стоять", "a Benchmark of mine"],
        "arrival": "2026-12-05T15:00:00Z",
        "subject": "Re: ход",
    },
    "unknown-game": {
        "games": [
            {
                "tag": "pirates-7",
                "seat": "spain-1",
                "titles": samples.TITLES["spain-1"],
                "turn": 3,
                "deadline": "2026-12-05T15:00:00Z",
            }
        ]
    },
    "which-seat": {"tag": "pirates-7", "seats": [samples.TITLES["spain-1"], samples.TITLES["pirates-1"]]},
    "no-turn": {"tag": "pirates-7", "status": "finished", "judge": 1, "press": 1},
    "too-many": {"limit": 50},
    "whole-log": {},
    "late": {
        "turn": 3,
        "open": 4,
        "arrival": "2026-12-05T15:00:01Z",
        "locked": "2026-12-05T15:00:00Z",
        "reason": "locked",
    },
    "missed": {"turn": 3, "in_a_row": 2},
    "quarantined": {"why": "too-many-parts", "subject": "Ход", "arrival": "2026-12-05T15:00:00Z"},
    "empty": {"why": "no-intent", "subject": "Привет", "arrival": "2026-12-05T15:00:00Z"},
    "stuck": {"turn": 3},
    "press": {
        "turn": 3,
        "seat": "spain-1",
        "titles": samples.TITLES["spain-1"],
        "name": "Анна",
        "to": [samples.TITLES["pirates-1"]],
        "judge": False,
        "all": False,
        "text": "Привет!",
        "by": "unsigned",
        "read": True,
        "published": True,
    },
    "confirm-resign": {"seat": "spain-1", "tag": "pirates-7"},
    "seat-left": {
        "turn": 3,
        "seat": "spain-1",
        "titles": samples.TITLES["spain-1"],
        "name": "Анна",
        "reason": "resign",
    },
    "seat-free": {
        "turn": 3,
        "seat": "spain-1",
        "titles": samples.TITLES["spain-1"],
        "name": "Анна",
        "reason": "eject",
    },
    "confirm-draw": {"turn": 3},
    "confirmed": {"what": "draw"},
    "confirmed-not": {"what": "draw"},
    "confirmed-late": {"what": "draw", "late": "turn", "turn": 3, "open": 4},
    "confirmed-refused": {"what": "draw", "why": "no-open-turn", "tag": "pirates-7"},
    "proposal": {"what": "draw", "number": 1, "turn": 3, "voters": 5, "needed": 5},
    "proposal-carried": {"what": "draw", "number": 1, "turn": 3, "voters": 5, "needed": 5, "yes": 5, "no": 0},
    "proposal-refused": {"what": "draw", "number": 1, "turn": 3, "voters": 5, "needed": 5, "yes": 4, "no": 1},
    "vote-operator": {"number": 1, "cause": "ValueError: ship 12"},
    "proposal-lapsed": {"what": "draw", "number": 1, "turn": 3, "voters": 5, "needed": 5},
    "question": {**ASKED, "awaited": [samples.TITLES["pirates-1"]], "moderator": False, "early": "ready"},
    "question-awaited": {
        **ASKED,
        "questions": [],
        "awaited": [samples.TITLES["pirates-1"]],
        "moderator": True,
        "early": "ready",
    },
    "question-reminder": ASKED,
    "answered-for": ASKED,
    "question-moved": {
        "turn": 3,
        "before": "2026-12-05T15:00:00Z",
        "deadline": "2026-12-06T15:00:00Z",
        "reason": "outage",
        "since": "2026-12-04T15:00:00Z",
        "until": "2026-12-05T15:00:00Z",
    },
    "moderator-awaited": {"turn": 3, "since": "2026-12-02T15:00:00Z", "now": "2026-12-05T15:00:00Z"},
    "moderator-reminder": {"turn": 3, "since": "2026-12-02T15:00:00Z", "missing": []},
    "paused": {},
    "resumed": {"turn": 3, "deadline": "2026-12-05T15:00:00Z"},
    "ruling": {"text": "Ход 3 играется заново."},
    "broadcast": {"text": "С новым годом!"},
    "nudge": {"turn": 3},
    "read-again": {"turn": 3, "deadline": "2026-01-09T18:00:00Z", "lines": ["козни: цель флагман; тайны 1", "помощь"]},
    "unsubscribed": {"playing": ["pirates-7"]},
    "created": GAME
    | {
        "entry": "open",
        "auto_start": True,
        "address": "judge@example.org",
        "invited": [{"address": "a@b.c", "why": ""}, {"address": "d@e.f", "why": "unwanted"}],
    },
    "stuck-operator": {"turn": 3, "cause": "ValueError: ship 12"},
    "archive": {"tag": "pirates-7"},
    "stuck-moderator": {"turn": 3},
    "moderated": {
        "answers": [
            {"text": "пауза 3", "mark": "done", "key": "pause", "facts": {"turn": 3}},
            {"text": "провести", "mark": "refused", "key": "name-the-turn", "facts": {"verb": "process", "turn": 3}},
            {"text": "исключить", "mark": "asked", "key": "asked", "facts": {"what": "eject"}},
        ],
        "refused": 1,
        "turn": 3,
        "status": "running",
        "now": "2026-12-04T15:00:00Z",
        "deadline": "2026-12-05T15:00:00Z",
        "extras": {"verbs": ["пауза"], "mails": [{**HELD, "lines": ["корабль 1: стоять"]}], "status": DESK},
    },
    "desk": DESK,
    "moderator-help": {
        "verbs": ["пауза", "провести"],
        "examples": [],
        "arrival": "2026-12-05T15:00:00Z",
        "subject": "Re: ход",
    },
    "held-moderator": {**HELD, "turn": 3, "deadline": "2026-12-05T15:00:00Z"},
    "processed": {"turn": 3, "who": "moderator", "why": "все прислали"},
    "ejected": {"titles": samples.TITLES["spain-1"], "turn": 3, "who": "operator", "why": ""},
    "seat-taken": {"titles": samples.TITLES["spain-1"], "turn": 3, "person": "Анна"},
    "step-in": {
        "turn": 3,
        "titles": samples.TITLES["spain-1"],
        "deadline": "2026-12-05T15:00:00Z",
        "empty": True,
        "host": "Вера",
    },
    "moderator-wanted": {"mode": "apart", "host": "Вера"},
    "moderator-welcome": {"name": "Вера", "turn": 3},
    "new-moderator": {"name": "Вера", "turn": 3},
    "handed-over": {"name": "Вера"},
    "replaced": {"titles": samples.TITLES["spain-1"]},
    "former": {"titles": samples.TITLES["spain-1"], "tag": "pirates-7"},
    "seat-record": {
        "turn": 3,
        "titles": samples.TITLES["spain-1"],
        "deadline": "2026-12-05T15:00:00Z",
        "letters": [{"at": "2026-12-01T15:00:00Z", "text": "# Ход 2"}],
    },
    "mail-dropped": {
        "why": "",
        "who": "moderator",
        "tag": "pirates-7",
        "arrival": "2026-12-05T15:00:00Z",
        "subject": "Re",
    },
    "confirm-eject": {"titles": samples.TITLES["spain-1"], "turn": 3, "why": "молчит"},
    "confirm-hand-over": {"address": "x@example.org", "turn": 3, "why": ""},
    "confirm-finish": {"turn": 3, "why": ""},
    "confirm-amend": {
        **CORRECTION,
        "what": "amend",
        "titles": {"ru": "Пираты-1", "en": "Pirates-1"},
        "as_read": [{"text": "корабль 4: стоять", "mark": "ok", "read": "«Ёж»: стоять"}],
    },
    "confirm-replay": {**CORRECTION, "what": "replay", "as_read": []},
    "quarantined-operator": {
        "mail": 17,
        "sender": "x@example.org",
        "arrival": "2026-12-05T15:00:00Z",
        "why": "too-deep",
    },
    "bounced": {"address": "x@example.org", "seat": "spain-1", "turn": 3, "why": "5.1.1 no such user", "opening": True},
    "refused-letter": {
        "address": "x@example.org",
        "seat": "spain-1",
        "turn": 3,
        "why": "rcpt 550 no",
        "opening": False,
    },
    "unrenderable": {"address": "x@example.org", "key": "report/pirates-7/3", "why": "LookupError: no phrase"},
    "missed-operator": {"turn": 3, "seats": [samples.TITLES["spain-1"]]},
    "grace": {
        "turn": 3,
        "before": "2026-12-05T15:00:00Z",
        "deadline": "2026-12-06T15:00:00Z",
        "why": "grace",
        "place": "late",
        "seats": [samples.TITLES["spain-1"]],
    },
    "no-orders": {"turn": 3, "seat": "spain-1", "titles": samples.TITLES["spain-1"], "template": ["корабль 1: стоять"]},
    "late-awaited": {
        "turn": 3,
        "since": "2026-12-05T15:00:00Z",
        "now": "2026-12-06T15:00:00Z",
        "seats": [samples.TITLES["spain-1"]],
    },
    "missed-again": {"turn": 3, "seat": "spain-1", "titles": samples.TITLES["spain-1"], "in_a_row": 2},
    "substitute-wanted": {"turn": 3, "seat": "spain-1", "titles": samples.TITLES["spain-1"], "in_a_row": 3},
    "confirm-there": {"played": 3},
    "evidence": {
        "turn": 3,
        "seat": "spain-1",
        "titles": samples.TITLES["spain-1"],
        "mail": 17,
        "arrival": "2026-12-05T14:00:00Z",
        "seen": "2026-12-05T16:00:00Z",
        "locked": "2026-12-05T15:00:00Z",
    },
    "doubtful": {
        "turn": 3,
        "seat": "spain-1",
        "titles": samples.TITLES["spain-1"],
        "mail": 17,
        "arrival": "2026-12-05T14:00:00Z",
        "seen": "2026-12-05T14:30:00Z",
    },
    "disputed": {"turn": 3, "seat": "spain-1", "titles": samples.TITLES["spain-1"], "until": "2026-12-05T15:00:00Z"},
    "disputed-moderator": {
        "turn": 3,
        "tag": "pirates-7",
        "seat": "spain-1",
        "titles": samples.TITLES["spain-1"],
        "text": "мой залп был до манёвра",
        "until": "",
        "case_file": "# Дело\n",
        "case_name": "case-pirates-7-3.md",
    },
    "dispute-settled": {
        "turn": 3,
        "seat": "spain-1",
        "titles": samples.TITLES["spain-1"],
        "outcome": "rule",
        "text": "залп засчитан",
    },
    "breaker": {"limit": 200, "count": 5},
    "outage-operator": {"source": "INBOX", "since": "2026-12-05T15:00:00Z"},
    "mailbox-refused": {"source": "INBOX", "why": "login-refused", "detail": "LOGIN invalid or IMAP is disabled"},
}


def test_every_notice_with_a_phrase_is_tried_here_and_named_in_the_readme() -> None:
    named = {
        name.removeprefix("notice_").replace("_", "-") for name in macros("shared", "ru") if name.startswith("notice_")
    }
    readme = source("README.md") or ""

    assert {name for name in named if not name.startswith("subject-")} == set(NOTICES)
    assert [kind for kind in NOTICES if f"| `{kind}` |" not in readme] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", NOTICES)
def test_every_notice_is_a_whole_letter(kind: str, language: Tongue) -> None:
    letter = Notice(kind=kind, reader=samples.reader(language), facts=NOTICES[kind], head=samples.HEAD, pin=samples.PIN)

    made = render(letter)

    assert made.subject.startswith("[pirates-7] ")
    assert "\n" not in made.subject
    assert max(len(line) for line in made.text.splitlines()) <= 76
    assert made.text.endswith(f"{samples.PIN.head}\n```\n")


# What the services say ------------------------------------------------------------------------------------------------


def spoken() -> tuple[set[str], set[str], set[str]]:
    """Find the keys that the services use in calls: notices, commands done, commands refused."""
    notices: set[str] = set()
    done: set[str] = set()
    refused: set[str] = set()
    for path in sorted(Path(adjudicator.services.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                words = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
                named = {word.arg: word.value.value for word in node.keywords if isinstance(word.value, ast.Constant)}
                if name == "Notice" and "kind" in named:
                    notices.add(named["kind"])
                elif name in ("tell_all", "tell_operators", "tell_moderator", "polite", "_join_letter") and words:
                    notices.add(words[0])
                elif name == "refused":
                    refused |= set(words[:1])
                elif name == "done":
                    done |= set(words[:1])
                elif name == "LineVerdict" and isinstance(named.get("key"), str) and named["key"]:
                    (refused if named.get("mark") == "command-refused" else done).add(named["key"])
    return notices, done, refused


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_the_services_use_has_a_phrase(language: Tongue) -> None:
    say = Phrases(language, "pirates")
    notices, done, refused = spoken()

    assert {"press", "stuck", "held"} <= notices
    assert {"salt-twice", "salt-kept"} <= refused
    assert sorted(kind for kind in notices if not say.has("notice", kind)) == []
    assert sorted(key for key in done if not say.has("cmd", key)) == []
    assert sorted(key for key in refused if not say.has("complaint", key)) == []


def repairs() -> set[str]:
    """Return the codes of repairs that reading a mail may name: as documented, and as they stand in the code."""
    told = re.search(r"``repairs`` are codes (.*?)\.\n", mail.message.Incoming.__doc__ or "", re.DOTALL)
    found = set(re.findall(r"``([a-z0-9-]+)``", told[1] if told else ""))
    kinds = "|".join({code.partition("-")[0] for code in found})
    for file in sorted(Path(mail.message.__file__).parent.glob("*.py")):
        words = [node.value for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Constant)]
        found |= {word for word in words if isinstance(word, str) and re.fullmatch(rf"(?:{kinds})-[a-z0-9-]+", word)}
    return found - {"headers-too-large"} - {word for word in found if word.startswith("line-") and word != "line-cut"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_repair_of_a_mail_is_told_to_players_and_at_the_command_line(language: Tongue) -> None:
    say, told = Phrases(language, "pirates"), cli_phrases(language)

    assert {"mojibake", "line-cut", "transfer-broken"} <= repairs()
    assert sorted(code for code in repairs() if not say.has("mended", code) or f"repair.{code}" not in told) == []
