"""Positions as rule cases write them: ``pirate-1 der+2 F3 L! S; ship nav2 hull4/4``.

Described in ``tests/cases/set_sail/README.md``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from msgspec.structs import replace

from engine.core.contract import Facts, Seat
from engine.set_sail.cards import cards_of, deck
from engine.set_sail.options import SetSailOptions
from engine.set_sail.state import (
    STATS,
    Ambush,
    Article,
    Clock,
    Enemy,
    Faction,
    Forward,
    Knowledge,
    Level,
    Pirate,
    Plan,
    Player,
    SetSailState,
    ShipSecret,
    Talk,
    Wound,
)

_LEVELS: Final[dict[str, Level]] = {"L": "light", "S": "serious", "T": "terrible"}
_NUMBER: Final = re.compile(r"([a-zF]+)([+-]?\d+)")
_HULL: Final = re.compile(r"hull(\d)/(\d)")


def read_position(text: str, options: SetSailOptions, roster: Sequence[Seat], data: Facts | None) -> SetSailState:
    """Return the position that a text describes. Raises ValueError for one that cannot be."""
    own = {key: value for key, value in (data or {}).items() if key != "background"}
    state = SetSailState(
        options=options,
        roster=tuple(roster),
        turn=1,
        stage="turn",
        players=tuple(Player(seat=seat) for seat in roster),
        pirates=tuple(Pirate(seat=seat) for seat in roster),
        cards=deck(cards_of(own)) if own else deck(),
    )
    return laid(state, text)


def laid(state: SetSailState, text: str) -> SetSailState:
    """Return a state with what a text says put into it. Raises ValueError."""
    for line in re.split(r"[;\n]", text):
        words = line.split()
        if not words:
            continue
        subject, *rest = words
        if subject in state.roster:
            state = _pirate(state, subject, rest)
        elif subject in _SUBJECTS:
            state = _SUBJECTS[subject](state, rest)
        else:
            raise ValueError(f"{subject!r} in {line!r} is neither a seat nor one of {', '.join(_SUBJECTS)}")
    return state


def differences(before: SetSailState, after: SetSailState, text: str) -> list[str]:
    """Return where a state is not what a text says; what it does not name must be as it was before."""
    wanted = laid(before, text)
    found = []
    for name in _COMPARED:
        want, have = getattr(wanted, name), getattr(after, name)
        if name == "pirates":
            found += _differ("pirates", [one.seat for one in want], [one.seat for one in have])
            for one, other in zip(want, have, strict=False):
                found += _fields(one.seat, _by_slot(one), _by_slot(other))
        elif name == "ship":
            found += _fields("ship", replace(want, secrets=()), replace(have, secrets=()))
            found += _differ("secrets", [one.id for one in want.secrets], [one.id for one in have.secrets])
        elif name == "plans":
            found += _differ("plans", *([(one.id, one.crew, one.gm) for one in plans] for plans in (want, have)))
        elif name == "talks":
            found += _differ("talks", *([_score(one) for one in talks] for talks in (want, have)))
        else:
            found += _differ(name, want, have)
    return found


_COMPARED: Final = (
    "pirates",
    "players",
    "ship",
    "plans",
    "talks",
    "treasury",
    "enemies",
    "factions",
    "clocks",
    "code",
    "battle",
    "passage",
    "carouse",
    "tale_told",
    "scene",
    "chapter",
    "captain",
)


def _by_slot(pirate: Pirate) -> Pirate:
    """Return a pirate with his wounds in the order of their slots, as a text lists them, not of their age."""
    return replace(pirate, wounds=tuple(sorted(pirate.wounds, key=lambda wound: wound.slot)))


def _score(talk: Talk) -> tuple[int, int, int, int, str]:
    return talk.number, talk.round, talk.score_a, talk.score_b, talk.first


def _fields(where: str, want: Any, have: Any) -> list[str]:
    return [
        line
        for field in want.__struct_fields__
        for line in _differ(f"{where} {field}", getattr(want, field), getattr(have, field))
    ]


def _differ(where: str, want: Any, have: Any) -> list[str]:
    return [] if want == have else [f"{where}: {have!r}, not {want!r}"]


# Pirates --------------------------------------------------------------------------------------------------------------


def _pirate(state: SetSailState, seat: Seat, words: Sequence[str]) -> SetSailState:
    pirates = {one.seat: one for one in state.pirates}
    pirate = pirates.get(seat, Pirate(seat=seat))
    wounds = [word for word in words if word == "-" or word.rstrip("!") in _LEVELS]
    if wounds:
        found = tuple(
            Wound(level=_LEVELS[word[0]], unspent=word.endswith("!"), slot=slot)
            for slot, word in enumerate(wounds, 1)
            if word != "-"
        )
        pirate = replace(pirate, wounds=found)
    for word in words:
        if word in wounds:
            continue
        key, sign, value = word.partition("=")
        if key == "struck" and sign:
            struck = Player(seat=seat, struck=tuple(value.split(",")))
            state = replace(state, players=tuple(struck if one.seat == seat else one for one in state.players))
        else:
            pirate = _marked(pirate, key, value) if sign else _said(pirate, word)
    pirates[seat] = pirate
    return replace(state, pirates=tuple(pirates[one] for one in state.roster if one in pirates))


def _said(pirate: Pirate, word: str) -> Pirate:
    status = {"out": "out_of_scene", "dead": "dead", "active": "active"}.get(word)
    if status is not None:
        return replace(pirate, status=status)
    if word == "healthy":
        return replace(pirate, wounds=())
    if word.startswith("forward"):
        n, _, until = word[len("forward") :].partition("/")
        if not n or n == "0":
            return replace(pirate, forward=())
        new = Forward(n=int(n), until="scene" if until == "scene" else "next")
        return replace(pirate, forward=(*pirate.forward, new))
    match = _NUMBER.fullmatch(word)
    if match and match[1] in (*STATS, "F", "purse", "start", "number"):
        field = {"F": "luck", "start": "luck_start"}.get(match[1], match[1])
        return replace(pirate, **{field: int(match[2])})
    raise ValueError(f"{word!r} says nothing about a pirate")


def _marked(pirate: Pirate, key: str, value: str) -> Pirate:
    match key:
        case "name" | "post" | "background":
            return replace(pirate, **{key: value.replace("_", " ")})
        case "moves":
            return replace(pirate, moves=tuple(one for one in value.split(",") if one))
        case "ambush":
            tokens = [one.partition("*") for one in value.split(",") if one]
            return replace(pirate, ambush=tuple(Ambush(enemy=one, n=int(n or 1)) for one, _, n in tokens))
        case "knows":
            parts = [one.split(":") for one in value.split(",") if one]
            knows = tuple(Knowledge(id=int(n), who=who, text=text) for n, who, text in parts)
            return replace(pirate, knows=knows, learnt=max((one.id for one in knows), default=pirate.learnt))
    raise ValueError(f"{key!r} says nothing about a pirate")


# Ship and world -------------------------------------------------------------------------------------------------------


def _ship(state: SetSailState, words: Sequence[str]) -> SetSailState:
    ship = replace(state.ship, name=state.ship.name or "Каракатица")
    for word in words:
        key, sign, value = word.partition("=")
        if sign:
            listed = tuple(value.split(",")) if value else ()
            ship = replace(ship, **{key: value if key in ("name", "kind") else listed})
        elif word in ("sails", "deck", "powder"):
            ship = replace(ship, breakdown=word)
        elif word in ("sound", "used", "unused"):
            ship = replace(ship, breakdown="") if word == "sound" else replace(ship, breakdown_used=word == "used")
        elif match := _HULL.fullmatch(word):
            ship = replace(ship, hull=int(match[1]), hull_max=int(match[2]))
        elif match := _NUMBER.fullmatch(word):
            ship = replace(ship, **{match[1]: int(match[2])})
        else:
            raise ValueError(f"{word!r} says nothing about a ship")
    return replace(state, ship=ship)


def _secret(state: SetSailState, words: Sequence[str]) -> SetSailState:
    new = ShipSecret(id=int(words[0]), text=" ".join(words[1:]))
    ship = replace(state.ship, secrets=(*state.ship.secrets, new))
    return replace(state, ship=ship, secrets_found=max(state.secrets_found, new.id))


def _secrets(state: SetSailState, words: Sequence[str]) -> SetSailState:
    ids = [int(one) for one in words[0].split(",")] if words and words[0] != "none" else []
    known = {one.id: one for one in state.ship.secrets}
    kept = tuple(known.get(one, ShipSecret(id=one, text="")) for one in ids)
    return replace(state, ship=replace(state.ship, secrets=kept))


def _open(state: SetSailState, words: Sequence[str]) -> SetSailState:
    return replace(state, **{word.replace("-", "_"): True for word in words})


def _closed(state: SetSailState, words: Sequence[str]) -> SetSailState:
    return replace(state, **{word.replace("-", "_"): False for word in words})


def _number(field: str) -> Callable[[SetSailState, Sequence[str]], SetSailState]:
    return lambda state, words: replace(state, **{field: int(words[0])})


def _word(field: str) -> Callable[[SetSailState, Sequence[str]], SetSailState]:
    return lambda state, words: replace(state, **{field: words[0]})


def _named(words: Sequence[str]) -> str:
    """Return the name that a mark ``name=дон_Педро`` gives, "" without one."""
    return next((word[len("name=") :].replace("_", " ") for word in words if word.startswith("name=")), "")


def _enemy(state: SetSailState, words: Sequence[str]) -> SetSailState:
    known = {one.id: one for one in state.enemies}
    harm = next((int(word[4:]) for word in words[1:] if word.startswith("harm")), 0)
    new = Enemy(id=words[0], threat="threat" in words, harm=harm, here="away" not in words, name=_named(words))
    return replace(state, enemies=tuple((known | {new.id: new}).values()))


def _code(state: SetSailState, words: Sequence[str]) -> SetSailState:
    known = {one.id: one for one in state.code}
    kind = "prescription" if words[1] == "prescription" else "prohibition"
    text = " ".join(one for one in words[2:] if "=" not in one)
    kept = next((tuple(word[len("kept=") :].split(",")) for word in words if word.startswith("kept=")), ())
    new = Article(id=words[0], kind=cast("Any", kind), text=text, name=_named(words), kept=kept)
    return replace(state, code=tuple((known | {new.id: new}).values()))


def _plan(state: SetSailState, words: Sequence[str]) -> SetSailState:
    numbers = {match[1]: int(match[2]) for word in words[1:] if (match := _NUMBER.fullmatch(word))}
    known = {one.id: one for one in state.plans}
    new = replace(known.get(words[0], Plan(id=words[0])), crew=numbers.get("crew", 0), gm=numbers.get("gm", 0))
    plans = tuple((known | {new.id: new}).values())
    return replace(state, plans=plans, plans_made=max(state.plans_made, len(plans)))


def _clock(state: SetSailState, words: Sequence[str]) -> SetSailState:
    known = {one.id: one for one in state.clocks}
    new = Clock(id=words[0], n=int(words[1]), open="open" in words, name=_named(words))
    return replace(state, clocks=tuple((known | {new.id: new}).values()))


def _faction(state: SetSailState, words: Sequence[str]) -> SetSailState:
    known = {one.id: one for one in state.factions}
    new = Faction(id=words[0], secrets=tuple(one for one in words[1:] if "=" not in one), name=_named(words))
    return replace(state, factions=tuple((known | {new.id: new}).values()))


def _talk(state: SetSailState, words: Sequence[str]) -> SetSailState:
    number, a, b, *marks = words
    talk = next((one for one in state.talks if one.number == int(number)), Talk(number=int(number), a=a, b=b))
    for mark in marks:
        key, _, value = mark.partition("=")
        match key:
            case "threat":
                talk = replace(talk, threat=True)
            case "round":
                talk = replace(talk, round=int(value))
            case "score":
                one, other = value.split(":")
                talk = replace(talk, score_a=int(one), score_b=int(other))
            case "first":
                talk = replace(talk, first="b" if value == "b" else "a")
            case "a" | "b":
                talk = replace(talk, **{f"suitable_{key}": tuple(map(int, value.split(",")))})
            case "plan" | "sealed" | "sealed_secret":
                talk = replace(talk, **{key: value})
            case _:
                raise ValueError(f"{mark!r} says nothing about a talk")
    others = tuple(one for one in state.talks if one.number != talk.number)
    return replace(state, talks=(*others, talk), talks_held=max(state.talks_held, talk.number))


def _no(state: SetSailState, words: Sequence[str]) -> SetSailState:
    """``no talk``, ``no plan``: none is left."""
    return replace(state, **{f"{word}s": () for word in words})


_SUBJECTS: Final[dict[str, Callable[[SetSailState, Sequence[str]], SetSailState]]] = {
    "ship": _ship,
    "secret": _secret,
    "secrets": _secrets,
    "open": _open,
    "closed": _closed,
    "treasury": _number("treasury"),
    "chapter": _number("chapter"),
    "scene": _number("scene"),
    "captain": _word("captain"),
    "stage": _word("stage"),
    "enemy": _enemy,
    "code": _code,
    "plan": _plan,
    "clock": _clock,
    "faction": _faction,
    "talk": _talk,
    "no": _no,
}
