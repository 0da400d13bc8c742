"""Effects as a moderator says them in words, beside the vocabulary of the cards (page 1.5): ``урон anna 2``."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from engine.core.names import Found
from engine.set_sail.commands import DoEffect
from engine.set_sail.effects import KINDS, BadEffect, Effect, form, parse_effect, write_effect
from engine.set_sail.orders.desk import MOST_CALLED, Desk, Fault, NotOrder, slug, text_of
from engine.set_sail.orders.lexicon import find_name, fold, group, head_of, is_word, said


class Form(NamedTuple):
    """What a kind is said with: words of a group, a number, whom, a text behind the colon."""

    words: str = ""
    number: str = ""
    who: str = ""
    text: bool = False
    default: int | None = None


_FORMS: Final[dict[str, Form]] = {
    "luck": Form(number="±", who="pirate"),
    "damage": Form(words="levels", number="n", who="pirate", default=1),
    "heal": Form(number="slot", who="pirate", default=1),
    "rep": Form(number="±", who="pirate"),
    "stat": Form(words="stats", number="±", who="pirate?"),
    "forward": Form(words="until", number="±", who="pirate", default=1),
    "ambush": Form(number="±", who="pirate+enemy", default=1),
    "money": Form(number="±", who="purse"),
    "exposed": Form(who="side", text=True),
    "hole": Form(number="n", default=1),
    "breakdown": Form(words="breakdowns"),
    "wound": Form(words="levels", number="slot", who="pirate"),
    "hull": Form(number="±"),
    "flag": Form(words="flags"),
    "chances": Form(words="sides", number="±", who="plan?", default=1),
    "harm": Form(number="n", who="enemy", default=1),
    "fate": Form(who="pirate"),
    "status": Form(words="statuses", who="pirate"),
    "clock": Form(number="±", who="clock"),
    "gm_move": Form(),
}
"""Kinds that are said with words and numbers in any order; others have a way of their own below."""

_NUMBER: Final = re.compile(r"(?<![\w-])([+−–-]?)\s?(\d{1,5})(?![\w-])")
_COIN: Final = re.compile(r"(?<![\w-])([+−–-]?)\s?(\d{1,4})\s+([^\W\d_]+)")
_FILLERS: Final = frozenset(
    {"для", "у", "за", "в", "на", "от", "of", "for", "to", "in", "the", "против", "against"}
    | {"раны", "рану", "рана", "слот", "wound", "slot", "фарта", "единиц", "пункт"}
)
_LONG: Final = re.compile(r"[.!?]\s+\S")
_MOST_WORDS: Final = 9
_MOST_NAME: Final = 2
"""Words of a name nobody knows; more of them are a sentence."""


def effect_of(desk: Desk, key: str, rest: str) -> str:
    """Return the effect that a line with this head says. Raises Fault, or NotOrder for prose."""
    match key:
        case "secret":
            return vocabulary(desk, f"secret:+1:{_text(rest)}")
        case "cross":
            return _crossed(rest)
        case "note":
            return f"note:{_text(rest)}"
        case "trigger":
            return f"trigger:{desk.move(rest.strip(' :.!'))}"
        case _:
            return _said(desk, key, rest)


def said_or_written(desk: Desk, text: str) -> str:
    """Return the effect that a text is, in the vocabulary or in words. Raises Fault."""
    kind = text.strip().partition(":")[0]
    if kind in KINDS:
        return vocabulary(desk, text)
    head = head_of(text.strip())
    if head is None or head.key not in WORDED:
        raise Fault("unread", "unknown-effect", "1.5", typed=text.strip(), kinds=KINDS)
    try:
        return effect_of(desk, head.key, text.strip()[head.end :])
    except NotOrder:
        raise Fault("unread", "unknown-effect", "1.5", typed=text.strip(), kinds=KINDS) from None


def vocabulary(desk: Desk, text: str) -> str:
    """Return an effect of the vocabulary as it is written. Raises Fault with the form of its kind."""
    plain = text.strip()
    try:
        return write_effect(parse_effect(plain))
    except BadEffect as why:
        kind = plain.partition(":")[0]
        known = form(kind) if kind in KINDS else ""
        whole = tuple(filter(_is_effect, (f"{plain}:@{seat}" for seat in desk.state.roster)))
        raise Fault(
            "unread", "unknown-effect", "1.5", typed=plain, form=known, why=str(why), kinds=KINDS, instead=whole
        ) from why


def _is_effect(text: str) -> bool:
    try:
        parse_effect(text)
    except BadEffect:
        return False
    return True


def _text(rest: str) -> str:
    """Return the text behind a colon. Raises NotOrder without one."""
    if not rest.lstrip().startswith(":"):
        raise NotOrder
    text = text_of(rest.lstrip()[1:])
    if not text:
        raise Fault("unread", "incomplete", what="text")
    return text


def _crossed(rest: str) -> str:
    found = re.fullmatch(r"\s*:?\s*(?:тайн\w*|secret)?\s*[№#]?(\d{1,4})[\s.!]*", rest)
    if found is None:
        raise NotOrder
    return f"secret:-1:{found[1]}"


# Words and numbers in any order ---------------------------------------------------------------------------------------


def _said(desk: Desk, kind: str, rest: str) -> str:
    made = _FORMS[kind]
    body, _, behind = rest.strip().lstrip(":").partition(":") if made.text else (rest.strip(" :.!"), "", "")
    if len(body.split()) > _MOST_WORDS or _LONG.search(body):
        raise NotOrder
    fields: dict[str, Any] = {"kind": kind}
    left = _counted(made, kind, body, fields)
    left = _worded(made, left, fields)
    if (made.text and not behind.strip()) or ":" in body:
        raise NotOrder
    orderly = fields.get("n") is not None or bool(fields.get("key") or behind) or not (body or made.who or made.words)
    if made.text:
        fields["text"] = text_of(behind)
    _whom(desk, made, left, fields, orderly=orderly)
    if made.text:
        fields["n"] = -1 if fields.pop("forgotten", False) else 1
    if not orderly and "who" not in fields:
        raise NotOrder
    if fields.get("n") is None and made.default is not None:
        fields["n"] = made.default
    return _checked(kind, fields)


def _checked(kind: str, fields: dict[str, Any]) -> str:
    """Return the effect as the vocabulary writes it. Raises Fault where a part is wanting."""
    needs = form(kind).split(":")[1:]
    number = any(part in ("±n", "n", "slot") for part in needs)
    if number and fields.get("n") is None:
        raise Fault("unread", "no-number", "1.5", form=form(kind))
    try:
        return write_effect(parse_effect(write_effect(Effect(**fields))))
    except (BadEffect, ValueError, TypeError) as why:
        raise Fault("unread", "unknown-effect", "1.5", typed="", form=form(kind), why=str(why), kinds=KINDS) from why


def _counted(made: Form, kind: str, body: str, fields: dict[str, Any]) -> str:
    """Take the numbers out of a text; of money all coins count together."""
    if kind == "money":
        return _coins(body, fields)
    if not made.number:
        return body
    found = _NUMBER.search(body)
    if found is None:
        return body
    fields["n"] = _signed(found[1], int(found[2]))
    return body[: found.start()] + " " + body[found.end() :]


def _signed(sign: str, value: int) -> int:
    return -value if sign in {"-", "−", "–"} else value


def _coins(body: str, fields: dict[str, Any]) -> str:
    """Add up chests, doubloons and piastres, of which the first sign counts for all (P24)."""
    total, sign, left = 0, "", body
    for found in _COIN.finditer(body):
        coin = find_name(found[3], group("coins"))
        if isinstance(coin, Found):
            total += int(found[2]) * int(coin.key)
            sign = sign or found[1]
            left = left.replace(found[0], " ", 1)
    if not total:
        number = _NUMBER.search(body)
        if number is None:
            return body
        total, sign, left = int(number[2]), number[1], body.replace(number[0], " ", 1)
    fields["n"] = _signed(sign, total)
    return re.sub(r"\s+(?:и|and)\s+", " ", left)


def _worded(made: Form, body: str, fields: dict[str, Any]) -> str:
    """Take the word of the kind out of a text: a level, a stat, a side."""
    if not made.words:
        return body
    words = body.split()
    for length in range(min(3, len(words)), 0, -1):
        for place in range(len(words) - length + 1):
            typed = " ".join(words[place : place + length])
            for key in group(made.words):
                if is_word(made.words, key, typed):
                    fields["key"] = key
                    return " ".join((*words[:place], *words[place + length :]))
    return body


def _whom(desk: Desk, made: Form, body: str, fields: dict[str, Any], *, orderly: bool) -> None:
    """Read what is left of a text as whom the effect is about. Raises NotOrder where nothing else was an order's."""
    words = body.split()
    if words and is_word("parts", "forgotten", words[-1]):
        fields["forgotten"] = True
        words.pop()
    named = " ".join(word for word in words if fold(word) not in _FILLERS)
    if not made.who:
        if named:
            raise NotOrder
        return
    if not named:
        if made.who.endswith("?"):
            return
        if not orderly:
            raise NotOrder
        raise Fault("unread", "who", "1.5", pirates=desk.state.roster)
    before = len(desk.notes)
    try:
        _name(desk, made, named, fields)
    except Fault:
        if orderly and len(named.split()) <= _MOST_NAME:
            raise
        raise NotOrder from None
    if any(note.key == "new-name" for note in desk.notes[before:]):
        _stranger(desk, named, fields, orderly=orderly)


def _stranger(desk: Desk, named: str, fields: dict[str, Any], *, orderly: bool) -> None:
    """Ask about an effect on somebody the campaign does not know: it may be part of the story."""
    if not orderly or len(named.split()) > _MOST_NAME:
        raise NotOrder
    number = 1 if fields.get("n") is None else fields["n"]
    effect = Effect(**{**fields, "n": number})
    first = {"exposed": "side", "harm": "enemy"}.get(effect.kind, "")
    lines = [f"{said('heads', first, desk.language)} {named}"] if first else []
    offers = [DoEffect(number=1, effect=write_effect(effect))]
    raise Fault("ambiguous", "doubtful", "1.5", offers=offers, lines=lines)


def _name(desk: Desk, made: Form, named: str, fields: dict[str, Any]) -> None:
    match made.who:
        case "pirate" | "pirate?":
            fields["who"] = f"@{desk.a_seat(named)}"
        case "purse" if is_word("parts", "treasury", named):
            fields["who"] = "@treasury"
        case "purse":
            fields["who"] = f"@{desk.a_seat(named)}"
        case "enemy" | "side":
            fields["who"] = f"@{desk.enemy(named)}"
        case "clock":
            fields["key"] = desk.thing(named, desk.clocks())
        case "plan?":
            if " " in named:
                raise Fault("unread", "unknown-plan", "P38", typed=named)
            fields["text"] = slug(named)
        case _:
            pirate, enemy = _pirate_first(desk, named)
            fields["text"] = f"@{desk.a_seat(pirate)}"
            fields["who"] = f"@{desk.enemy(enemy)}"


def _pirate_first(desk: Desk, named: str) -> tuple[str, str]:
    """Part a pirate's name, which may have several words, from what follows it."""
    words = named.split()
    for taken in range(min(MOST_CALLED, len(words) - 1), 1, -1):
        if isinstance(desk.find_seat(" ".join(words[:taken])), Found):
            return " ".join(words[:taken]), " ".join(words[taken:])
    pirate, _, enemy = named.partition(" ")
    return pirate, enemy


WORDED: Final = frozenset({*_FORMS, "secret", "cross", "note", "trigger"})
"""Heads that say an effect in words."""
