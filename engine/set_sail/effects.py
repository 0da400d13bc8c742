"""The closed vocabulary of effects (page 1.5): read and write, and changes of the state that can be undone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, get_type_hints

import msgspec

from engine.core.codec import decode, encode
from engine.core.contract import Value

LONGEST: Final = 300
"""Characters of one effect."""
LARGEST: Final = 10_000
"""The largest number an effect may hold."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,5}", re.ASCII)
_KEY: Final = re.compile(r"[a-z0-9_-]{1,32}", re.ASCII)
_WHO: Final = re.compile(r"@[a-z0-9_-]{1,32}", re.ASCII)

WHO, ENEMY, TREASURY = "@who", "@enemy", "@treasury"
"""Placeholders: the pirate and the enemy of the roll, set when the moderator rules; and the crew's chest."""


class BadEffect(ValueError):
    """A text that is no effect of the vocabulary."""


class Effect(Value, frozen=True, kw_only=True):
    """One effect. ``n`` is None where the number is unknown (``?``) or the kind has none.

    ``key`` is the word of the kind: a stat, a level, an id; ``who`` begins with ``@``; ``text`` is free.
    """

    kind: str
    n: int | None = None
    unknown: bool = False
    key: str = ""
    who: str = ""
    text: str = ""


# Fields ---------------------------------------------------------------------------------------------------------------
#
# A kind is a row of fields, each of which takes one part of the text. ``who?`` may be left out: then it is the pirate
# of the roll.

_FORMS: Final[dict[str, tuple[str, ...]]] = {
    "luck": ("±n", "who"),
    "damage": ("n", "level?", "who"),
    "heal": ("slot", "who"),
    "rep": ("±n", "who?"),
    "stat": ("stat", "±n", "who?"),
    "forward": ("±n", "until", "who?"),
    "ambush": ("±n", "enemy", "who?"),
    "money": ("±n", "who"),
    "secret": ("secret",),
    "exposed": ("±1", "who", "text"),
    "hole": ("n",),
    "breakdown": ("breakdown",),
    "wound": ("slot", "wound", "who?"),
    "hull": ("±n",),
    "flag": ("flag",),
    "chances": ("±n", "side", "plan?"),
    "clock": ("id", "±n"),
    "harm": ("n", "enemy"),
    "fate": ("who",),
    "status": ("status", "who"),
    "trigger": ("id",),
    "gm_move": (),
    "note": ("text?",),
}
KINDS: Final = tuple(_FORMS)
"""The kinds of effects, in the order of the page."""

_WORDS: Final[dict[str, tuple[str, ...]]] = {
    "level?": ("light", "serious", "terrible"),
    "wound": ("none", "light", "serious", "terrible"),
    "until": ("next", "scene"),
    "stat": ("der", "izv", "dal", "rep", "nav", "fire", "disp"),
    "breakdown": ("sails", "deck", "powder", "none"),
    "flag": ("sea_battle", "new_shore", "blood"),
    "side": ("crew", "gm"),
    "status": ("active", "out_of_scene", "dead"),
}


def parse_effect(text: str) -> Effect:
    """Return the effect that a text is, like ``damage:2:serious:@who``. Raises BadEffect."""
    if len(text) > LONGEST:
        raise BadEffect(f"an effect of more than {LONGEST} characters")
    if any(sign < " " or sign == ";" or "\ud800" <= sign <= "\udfff" for sign in text):
        raise BadEffect(f"{text!r} holds a sign that no effect may hold")
    kind, *parts = text.strip().split(":")
    if kind not in _FORMS:
        raise BadEffect(f"there is no effect {kind!r}; there are: {', '.join(_FORMS)}")
    found: dict[str, Any] = {"kind": kind}
    for field in _FORMS[kind]:
        parts = _take(field, parts, found, text)
    if parts:
        raise BadEffect(f"{text!r} says more than «{form(kind)}»")
    return Effect(**found)


def form(kind: str) -> str:
    """Return the form of a kind: ``damage:n:level?:who``."""
    return ":".join((kind, *_FORMS[kind]))


def _take(field: str, parts: list[str], found: dict[str, Any], text: str) -> list[str]:
    """Fill one field from the parts that are left; return those still left."""
    optional = field.endswith("?")
    if not parts:
        if optional:
            return []
        raise BadEffect(f"{text!r} lacks a part of «{form(found['kind'])}»")
    if field in ("text", "text?"):
        found["text"] = ":".join(parts).strip()
        if not found["text"] and not optional:
            raise BadEffect(f"{text!r} lacks a text")
        return []
    if field == "secret":
        return _take_secret(parts, found, text)
    part, *rest = parts
    if optional and not _fits(field, part):
        return parts
    if not _fits(field, part):
        raise BadEffect(f"{part!r} in {text!r} does not fit «{form(found['kind'])}»")
    _fill(field, part, found)
    return rest


def _take_secret(parts: list[str], found: dict[str, Any], text: str) -> list[str]:
    """``+1:text`` or ``-1:id``."""
    sign, *rest = parts
    words = ":".join(rest).strip()
    if sign == "+1" and words:
        found["n"], found["text"] = 1, words
    elif sign == "-1" and words.isdecimal() and words.isascii():
        found["n"], found["key"] = -1, words
    else:
        raise BadEffect(f"{text!r} is neither «secret:+1:text» nor «secret:-1:id»")
    return []


def _fits(field: str, part: str) -> bool:
    if field in _WORDS:
        return part in _WORDS[field]
    match field:
        case "±n":
            return part == "?" or (bool(_NUMBER.fullmatch(part)) and abs(int(part)) <= LARGEST)
        case "±1":
            return part in ("+1", "-1")
        case "n":
            return part == "?" or (part.isascii() and part.isdecimal() and len(part) <= 3)
        case "slot":
            return part in ("1", "2", "3", "?")
        case "who" | "who?" | "enemy":
            return bool(_WHO.fullmatch(part))
        case _:
            return bool(_KEY.fullmatch(part))


def _fill(field: str, part: str, found: dict[str, Any]) -> None:
    match field:
        case "±n" | "±1" | "n" | "slot":
            if part == "?":
                found["unknown"] = True
            else:
                found["n"] = int(part)
        case "who" | "who?" | "enemy":
            found["text" if "who" in found else "who"] = part
        case "plan?":
            found["text"] = part
        case _:
            found["key"] = part


def write_effect(effect: Effect) -> str:
    """Return the text that `parse_effect` reads back as this effect."""
    parts = [effect.kind]
    whos = [effect.who, effect.text]
    for field in _FORMS[effect.kind]:
        match field:
            case "±n" | "±1" | "n" | "slot":
                parts.append("?" if effect.unknown else f"{effect.n:{'+' if '±' in field else ''}d}")
            case "secret":
                parts += ["+1", effect.text] if effect.n == 1 else ["-1", effect.key]
            case "who" | "who?" | "enemy":
                parts.append(whos.pop(0))
            case "text" | "text?" | "plan?":
                parts.append(effect.text)
            case _:
                parts.append(effect.key)
    return ":".join(part for part in parts if part)


def numbered(text: str, n: int) -> str:
    """Return an effect with its open number filled in. Raises BadEffect for a number that does not fit."""
    effect = parse_effect(text)
    filled = Effect(kind=effect.kind, n=n, key=effect.key, who=effect.who, text=effect.text)
    return write_effect(parse_effect(write_effect(filled)))


# Changes --------------------------------------------------------------------------------------------------------------


RISING: Final = ("commands", "talks_held", "secrets_found", "plans_made")
"""Counters of the state whose numbers only rise, so that none is given twice: undoing leaves them."""


class Change(Value, frozen=True, kw_only=True):
    """What one field became: of the whole state (``place`` is ""), of a piece in it (``pirates/anna``), or a piece.

    ``before`` and ``after`` are JSON; "" where the piece was not there.
    """

    place: str
    field: str
    before: str
    after: str


class CannotUndo(ValueError):
    """A change that later ones stand upon: the field is no longer what the change made it."""


def changes(before: Any, after: Any) -> tuple[Change, ...]:
    """Return what became of a state, field by field; of pirates and ship, piece by piece."""
    found = []
    for name in before.__struct_fields__:
        old, new = getattr(before, name), getattr(after, name)
        if old == new or name in RISING:
            continue
        if name == "ship":
            found += _fields("ship", old, new)
        elif name == "pirates" and [one.seat for one in old] == [one.seat for one in new]:
            for one, other in zip(old, new, strict=True):
                found += _fields(f"pirates/{one.seat}", one, other)
        else:
            found.append(Change(place="", field=name, before=encode(old), after=encode(new)))
    return tuple(found)


def _fields(place: str, old: Any, new: Any) -> list[Change]:
    return [
        Change(place=place, field=name, before=encode(getattr(old, name)), after=encode(getattr(new, name)))
        for name in old.__struct_fields__
        if getattr(old, name) != getattr(new, name)
    ]


def undo(state: Any, made: tuple[Change, ...], replace: Callable[..., Any]) -> Any:
    """Return the state as it was before changes. Raises CannotUndo where a field has changed again since."""
    for change in reversed(made):
        state = _undone(state, change, replace)
    return state


_NO_EFFECT_CHANGES: Final = frozenset(
    ("schema", "options", "roster", "turn", "stage", "cards", "backgrounds", "seat", "number", "learnt", *RISING)
)
"""Fields that no effect changes, so that no line can put them back."""


def _undone(state: Any, change: Change, replace: Callable[..., Any]) -> Any:
    if change.field in _NO_EFFECT_CHANGES:
        raise CannotUndo(f"no effect changes {change.field}")
    kind, _, seat = change.place.partition("/")
    if not kind:
        return replace(state, **{change.field: _value(state, change)})
    if kind == "ship":
        return replace(state, ship=replace(state.ship, **{change.field: _value(state.ship, change)}))
    pirates = tuple(
        replace(one, **{change.field: _value(one, change)}) if one.seat == seat else one for one in state.pirates
    )
    return replace(state, pirates=pirates)


def _value(piece: Any, change: Change) -> Any:
    """Return the value a field had before a change, in the field's own type."""
    if change.field not in piece.__struct_fields__:
        raise CannotUndo(f"{change.place or 'state'} has no {change.field}")
    if encode(getattr(piece, change.field)) != change.after:
        raise CannotUndo(f"{change.place or 'state'}.{change.field} is no longer {change.after}")
    try:
        return decode(change.before, get_type_hints(type(piece))[change.field])
    except msgspec.MsgspecError as why:
        raise CannotUndo(f"{change.place or 'state'}.{change.field} was never {change.before}") from why
