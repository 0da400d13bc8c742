"""Tokens of a line settled by their neighbours, and the line parted into the orders it holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from engine.core.scripts import as_latin
from engine.pirates.orders.lexeme import Lexeme, Segments

_SOFT_MARKS: Final = frozenset(",/+&>|")
_HARD_MARKS: Final = frozenset(";.!")
_SILENT_MARKS: Final = frozenset({"#", "№", '"', "'", "(", ")", "->", "[", "]", "*", "_"})
_REF: Final = frozenset({"SHIP", "ALL", "NUMBER", "NAME"})
_HEADS: Final = frozenset({"VOLLEY", "GOLD", "SEQUENCE", "NAMING"})
_LONGEST_SUBJECT: Final = 40
_LONGEST_VOLLEY_NAME: Final = 8


def _as_kind(token: Lexeme, kind: str) -> Lexeme:
    return Lexeme(kind, token.value, token.start, token.end, token.repair)


def _marked(tokens: Sequence[Lexeme], text: str) -> Iterator[Lexeme]:
    """Name the marks: separators soft and hard, the colon, number signs and quotes that say nothing."""
    for place, token in enumerate(tokens):
        if token.kind == "AND":
            yield _as_kind(token, "_SOFT")
        elif token.kind != "MARK":
            yield token
        elif kind := _mark_kind(token, text, tokens[place - 1] if place else None):
            yield _as_kind(token, kind)


_ORDINAL_ENDINGS: Final = frozenset({"й", "го", "му", "ый", "ой", "ого", "ому", "ая", "ую"})


def _counted(tokens: Sequence[Lexeme], text: str) -> Iterator[Lexeme]:
    """Take «четвёртый» and «4-й» for a number beside «корабль» or before a colon; elsewhere the word means nothing."""
    place = 0
    while place < len(tokens):
        token, stop = _ordinal(tokens, place, text)
        kinds = [one.kind for one in tokens[stop : stop + 1]]
        if token.kind == "ORDINAL" and kinds == ["SHIP"]:
            token, stop = Lexeme("NUMBER", token.value, token.start, tokens[stop].end, token.repair), stop + 1
        elif token.kind == "ORDINAL":
            stands = kinds == ["_COLON"] or (place > 0 and tokens[place - 1].kind == "SHIP")
            token = _as_kind(token, "NUMBER" if stands else "WORD")
        yield token
        place = stop


def _ordinal(tokens: Sequence[Lexeme], place: int, text: str) -> tuple[Lexeme, int]:
    """Return the token at a place, «4-й» as one, and the place after it."""
    token, stop = tokens[place], place + 1
    ending = tokens[stop] if stop < len(tokens) else None
    if token.kind != "NUMBER" or ending is None or text[token.end : ending.start] != "-":
        return token, stop
    if text[ending.start : ending.end] not in _ORDINAL_ENDINGS:
        return token, stop
    return Lexeme("ORDINAL", token.value, token.start, ending.end, token.repair), stop + 1


def _mark_kind(token: Lexeme, text: str, before: Lexeme | None) -> str:
    mark = str(token.value)
    if mark == ".":
        return "" if before is not None and before.kind in {"NUM", "SHIP", "FILLER"} else "_HARD"
    if mark in _HARD_MARKS:
        return "_HARD"
    if mark in _SOFT_MARKS:
        return "_SOFT"
    if mark in {":", "="}:
        return "_COLON"
    if mark == "-":
        return _dash_kind(token, text)
    return "" if mark in _SILENT_MARKS else "WORD"


def _dash_kind(token: Lexeme, text: str) -> str:
    """Return DASH for one that stands free, nothing for a hyphen; «1-3» is a range, which the language has not."""
    before, after = text[: token.start][-1:], text[token.end : token.end + 1]
    if before.isdigit() and after.isdigit():
        return "WORD"
    return "DASH" if before in {"", " "} or after in {"", " "} else ""


def segments(tokens: Sequence[Lexeme], text: str) -> Segments:
    """Part a line before each head («залп …») or subject («корабль 5:») that follows «;», «.» or says «корабль»."""
    marked = tuple(_marked(tokens, text))
    if "-" in text or "ORDINAL" in [token.kind for token in marked]:
        marked = tuple(_counted(marked, text))
    cuts = [0]
    for place, token in enumerate(marked):
        start = _subject_start(marked, place) if token.kind == "_COLON" else place if token.kind in _HEADS else 0
        if start > cuts[-1] and marked[start - 1].kind in {"_HARD", "_SOFT"}:
            cuts.append(start)
        if token.kind == "NAMING" and cuts[-1] in {0, place}:
            break  # the rest of the line is a name
    bounds = (*cuts, len(marked))
    return tuple(_settled(marked[one:other], text) for one, other in pairwise(bounds))


def _subject_start(tokens: Sequence[Lexeme], colon: int) -> int:
    """Return where the subject before a colon begins, or 0 if nothing shows it."""
    place = colon
    while place > max(colon - _LONGEST_SUBJECT, 0) and tokens[place - 1].kind in {*_REF, "_SOFT"}:
        place -= 1
        if tokens[place].kind == "SHIP" and place > 0 and tokens[place - 1].kind == "_SOFT":
            return place
    return place if place > 0 and tokens[place - 1].kind == "_HARD" else 0


def _settled(tokens: Sequence[Lexeme], text: str) -> tuple[Lexeme, ...]:
    """Return the tokens of one order as the grammar takes them: what depends on neighbours decided, fillers gone."""
    kept = _volley_named(_named(list(tokens), text), text)
    kept = _numbered([token for token in kept if token.kind != "FILLER"])
    if kept and kept[0].kind in _HEADS:
        kept = [_as_kind(token, "_SOFT") if token.kind == "_HARD" else token for token in kept]
        kept = [token for place, token in enumerate(kept) if token.kind != "_SOFT" or _parts(kept, place)]
    kept = _distance_first(_colons(kept))
    said = [place for place, token in enumerate(kept) if token.kind not in {"_SOFT", "_HARD"}]
    return tuple(kept[said[0] : said[-1] + 1]) if said else ()


def _parts(tokens: Sequence[Lexeme], place: int) -> bool:
    """Say whether a separator parts something, and not the head of a line from its body."""
    return place > 0 and tokens[place - 1].kind not in {*_HEADS, "_COLON", "VNAME"}


def _numbered(tokens: Sequence[Lexeme]) -> list[Lexeme]:
    """Drop «номер» and «no» before a number; elsewhere they mean nothing."""
    kept: list[Lexeme] = []
    for place, token in enumerate(tokens):
        after = tokens[place + 1].kind if place + 1 < len(tokens) else ""
        if token.kind != "NUM":
            kept.append(token)
        elif after != "NUMBER":
            kept.append(_as_kind(token, "WORD"))
    return kept


def _volley_named(tokens: list[Lexeme], text: str) -> list[Lexeme]:
    """Decide which token after «залп» is the volley's name: a letter, a short word or a number before a colon."""
    if len(tokens) < 2 or tokens[0].kind != "VOLLEY":
        return tokens
    token = tokens[1]
    typed = text[token.start : token.end].strip('"')
    colon = len(tokens) > 2 and tokens[2].kind in {"_COLON", "DASH"}
    letter = len(typed) == 1 and typed.isalpha()
    word = typed.isalnum() and len(typed) <= _LONGEST_VOLLEY_NAME and token.kind != "AT"
    if letter or (word and (colon or token.kind == "WORD")):
        return [tokens[0], Lexeme("VNAME", as_latin(typed), token.start, token.end), *tokens[2:]]
    return tokens


def _named(tokens: list[Lexeme], text: str) -> list[Lexeme]:
    """Take what follows «имя 4:» whole, as the name; the token's span is that of the name."""
    if not tokens or tokens[0].kind != "NAMING":
        return tokens
    place = 1
    while place < len(tokens) and tokens[place].kind in {"SHIP", "NUM", "FILLER", "_COLON", "DASH"}:
        place += 1
    head = [token for token in tokens[: place + 1] if token.kind not in {"_COLON", "DASH", "FILLER"}]
    rest = tokens[place + 1 :]
    start = tokens[min(place, len(tokens) - 1)].end
    while rest and (rest[0].kind in {"_COLON", "DASH"} or (rest[0].kind == "FILLER" and len(rest) > 1)):
        start, rest = rest[0].end, rest[1:]
    stop = len(text.rstrip())
    start += len(text[start:stop]) - len(text[start:stop].lstrip())
    return [*head, Lexeme("FREE", text[start:stop], start, stop)] if start < stop else head


def _colons(tokens: Sequence[Lexeme]) -> list[Lexeme]:
    """Keep a colon, or a dash, only after what a line is about; elsewhere the one says nothing and the other parts."""
    kept: list[Lexeme] = []
    subject = True  # nothing but what a line may be about so far
    for token in tokens:
        if token.kind == "DASH":
            kept.append(_as_kind(token, "_COLON" if subject and kept else "_SOFT"))
        elif token.kind == "_COLON":
            while kept and kept[-1].kind == "_SOFT":
                kept.pop()
            if kept and kept[-1].kind in {*_REF, *_HEADS, "VNAME", "WORD"}:
                kept.append(token)
        else:
            kept.append(token)
        subject = subject and token.kind in {*_REF, *_HEADS, "VNAME", "_SOFT"}
    return kept


def other_readings(parted: Segments) -> Iterator[Segments]:
    """Yield the other reading of «3 ЮВ» at the beginning: not ship 3, but three cells."""
    first = parted[0]
    if [token.kind for token in first[:2]] == ["NUMBER", "RHUMB"] and [t.kind for t in first[2:3]] != ["NUMBER"]:
        yield ((_as_kind(first[0], "CELLS"), *first[1:]), *parted[1:])


def _distance_first(tokens: Sequence[Lexeme]) -> list[Lexeme]:
    """Read «3 ЮВ» as a course where a clause begins, if no number follows it."""
    kept = list(tokens)
    for place in range(1, len(kept) - 1):
        opens = kept[place - 1].kind in {"_COLON", "_HARD", "COURSE"}
        numbered = place + 2 < len(kept) and kept[place + 2].kind == "NUMBER"
        if opens and kept[place].kind == "NUMBER" and kept[place + 1].kind == "RHUMB" and not numbered:
            kept[place] = _as_kind(kept[place], "CELLS")
    return kept
