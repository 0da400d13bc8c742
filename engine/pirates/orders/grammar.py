"""The grammar of the order language: tokens become the parts of one order as they were said, nothing yet judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeAlias

import msgspec
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from engine.pirates.orders.lexeme import Lexeme
from engine.pirates.state import Rhumb, When


class Said(msgspec.Struct, frozen=True):
    """A word or number as it stands in the line: what it means and its span in the folded text."""

    value: str | int
    start: int
    end: int


class Ref(msgspec.Struct, frozen=True):
    """A ship as somebody named it: ``by`` number or by name. The number is as typed and may be nobody's."""

    ship: int
    by: Literal["number", "name"]
    start: int
    end: int


class Leg(msgspec.Struct, frozen=True):
    """A course, and the number of cells if it was given."""

    course: Rhumb
    cells: Said | None
    start: int
    end: int


class Shot(msgspec.Struct, frozen=True):
    """A fire clause: each part in order; targets are `Ref`, «любой» is ``any``."""

    phases: tuple[When, ...]
    targets: tuple[Ref | Literal["any"], ...]
    none: bool
    start: int
    end: int
    straight: bool = True
    """False if targets stand on both sides of the phase."""


class ShipLine(msgspec.Struct, frozen=True):
    """An order for ships, or for ``everyone`` the seat commands; every clause as often as it was said."""

    subject: tuple[Ref, ...]
    everyone: bool = False
    courses: tuple[tuple[Leg, ...], ...] = ()
    stands: int = 0
    repairs: int = 0
    holds: int = 0
    shots: tuple[Shot, ...] = ()


class VolleyLine(msgspec.Struct, frozen=True):
    """A volley: its name as Latin look-alikes, "" if it has none."""

    name: str
    members: tuple[Ref, ...]
    any_member: bool
    shot: Shot


class GoldLine(msgspec.Struct, frozen=True):
    """Where the gold goes; None is the lot."""

    ship: Ref | None


class NameLine(msgspec.Struct, frozen=True):
    """A name for a ship: the span of the name in the folded text, None if it is missing."""

    ship: Ref
    span: tuple[int, int] | None


class SequenceLine(msgspec.Struct, frozen=True):
    """The order in which ships act."""

    ships: tuple[Ref, ...]


Line: TypeAlias = ShipLine | VolleyLine | GoldLine | NameLine | SequenceLine


class Stumble(msgspec.Struct, frozen=True):
    """Where the grammar stopped: the token that cannot stand there, None at the end of the line."""

    place: int
    token: Lexeme | None


class _Given(Lexer):
    """A lexer of tokens that are already made."""

    def __init__(self, lexer_conf: Any) -> None:
        """Take Lark's configuration, of which nothing is needed."""

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
        """Yield a token for each lexeme; its value is the lexeme's place."""
        for place, lexeme in enumerate(_text_of(lexer_state)):
            yield Token(lexeme.kind, str(place))


def _text_of(data: Any) -> Iterable[Lexeme]:
    lexemes: Iterable[Lexeme] = data
    return lexemes


@cache
def _parser() -> Lark:
    grammar = (resources.files("engine.pirates.orders") / "orders.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer=_Given)


def parse(tokens: Sequence[Lexeme]) -> Line | Stumble:
    """Return what one order says, or where it cannot be followed. Linear in the number of tokens; never raises."""
    try:
        tree = _parser().parse(tokens)
    except UnexpectedToken as error:
        return _stumble(error.token, tokens)
    (node,) = tree.children
    if not isinstance(node, Tree):
        raise TypeError(f"{node!r} is no line of the grammar")
    line: Line = _BUILD[str(node.data)](node, tokens)
    return line


def _stumble(token: Token, tokens: Sequence[Lexeme]) -> Stumble:
    if token.type == "$END":
        return Stumble(len(tokens), None)
    place = int(token)
    return Stumble(place, tokens[place])


# From trees to lines --------------------------------------------------------------------------------------------------

_Node: TypeAlias = "Tree[Token] | Token"


def _lexeme(token: _Node, tokens: Sequence[Lexeme]) -> Lexeme:
    return tokens[int(str(token))]


def _span(node: Tree[Token], tokens: Sequence[Lexeme]) -> tuple[int, int]:
    leaves = [_lexeme(token, tokens) for token in node.scan_values(lambda value: isinstance(value, Token))]
    return (leaves[0].start, leaves[-1].end) if leaves else (0, 0)


def _children(node: Tree[Token], kind: str) -> tuple[Tree[Token], ...]:
    return tuple(child for child in node.children if isinstance(child, Tree) and child.data == kind)


def _ref(node: Tree[Token], tokens: Sequence[Lexeme]) -> Ref:
    lexeme = _lexeme(node.children[-1], tokens)
    start, end = _span(node, tokens)
    by: Literal["number", "name"] = "name" if lexeme.kind == "NAME" else "number"
    return Ref(_number(lexeme.value), by, start, end)


_LONGEST_NUMBER: Final = 9


def _number(value: str | int) -> int:
    """Return a number as typed; one of more digits than anything here can have is -1."""
    text = str(value)
    return int(text) if len(text) <= _LONGEST_NUMBER else -1


def _ship_line(node: Tree[Token], tokens: Sequence[Lexeme]) -> ShipLine:
    subject = tuple(_ref(ref, tokens) for part in _children(node, "subject") for ref in _children(part, "ref"))
    said = [clause.children[0] for clause in _children(node, "clause")]
    clauses = [clause for clause in said if isinstance(clause, Tree)]
    shots = tuple(_shot(clause, clause.children, tokens) for clause in clauses if clause.data == "fire")
    return ShipLine(
        subject=subject,
        everyone=bool(_children(node, "subject")) and not subject,
        courses=tuple(_legs(clause, tokens) for clause in clauses if clause.data == "course"),
        stands=sum(clause.data == "stand" for clause in clauses),
        repairs=sum(clause.data == "repair" for clause in clauses),
        holds=sum(clause.data == "hold" for clause in clauses) + sum(shot.none for shot in shots),
        shots=tuple(shot for shot in shots if not shot.none),
    )


def _legs(node: Tree[Token], tokens: Sequence[Lexeme]) -> tuple[Leg, ...]:
    return tuple(_leg(leg, tokens) for leg in _children(node, "leg"))


def _leg(node: Tree[Token], tokens: Sequence[Lexeme]) -> Leg:
    cells: Said | None = None
    course: Rhumb = "N"
    for child in node.children:
        lexeme = _lexeme(child, tokens)
        if lexeme.kind == "RHUMB":
            course = lexeme.value  # type: ignore[assignment]
        else:
            cells = Said(_number(lexeme.value), lexeme.start, lexeme.end)
    return Leg(course, cells, *_span(node, tokens))


def _shot(node: Tree[Token], parts: Sequence[_Node], tokens: Sequence[Lexeme]) -> Shot:
    phases: list[When] = []
    targets: list[Ref | Literal["any"]] = []
    runs: list[str] = []  # which kinds of part followed each other
    none = False
    for part in parts:
        kind = "TARGET" if isinstance(part, Tree) else _lexeme(part, tokens).kind
        if isinstance(part, Tree):
            targets.append(_ref(part, tokens))
        elif kind == "ANY":
            targets.append("any")
        elif kind in {"BEFORE", "AFTER"}:
            phases.append("before" if kind == "BEFORE" else "after")
        none = none or kind == "NONE"
        run = "TARGET" if kind in {"TARGET", "ANY"} else kind
        if run in {"TARGET", "BEFORE", "AFTER"} and runs[-1:] != [run]:
            runs.append(run)
    return Shot(tuple(phases), tuple(targets), none, *_span(node, tokens), straight=runs.count("TARGET") <= 1)


def _volley_line(node: Tree[Token], tokens: Sequence[Lexeme]) -> VolleyLine:
    name = ""
    parts: list[_Node] = []
    for child in node.children:
        kind = "ref" if isinstance(child, Tree) else _lexeme(child, tokens).kind
        if kind == "VNAME":
            name = str(_lexeme(child, tokens).value)
        elif kind != "VOLLEY":
            parts.append(child)
    split = _members_end(parts, tokens)
    members = [part for part in parts[:split] if isinstance(part, Tree)]
    before = [part for part in parts[:split] if not isinstance(part, Tree)]
    any_member = any(_lexeme(part, tokens).kind == "ANY" for part in before)
    leading = [part for part in before if _lexeme(part, tokens).kind in {"BEFORE", "AFTER", "NONE"}]
    shot = _shot(node, [*leading, *parts[split:]], tokens)
    return VolleyLine(name, tuple(_ref(ref, tokens) for ref in members), any_member, shot)


def _members_end(parts: Sequence[_Node], tokens: Sequence[Lexeme]) -> int:
    """Return where the targets of a volley begin: after «по», else after the phase that follows the members."""
    kinds = ["ref" if isinstance(part, Tree) else _lexeme(part, tokens).kind for part in parts]
    for divider in ("AT", "FIRE"):
        if divider in kinds:
            return kinds.index(divider)
    if "ref" in kinds:
        first = kinds.index("ref")
        phases = [place for place in range(first, len(kinds)) if kinds[place] in {"BEFORE", "AFTER"}]
        return phases[0] if phases else len(kinds)
    return len(kinds)


def _gold_line(node: Tree[Token], tokens: Sequence[Lexeme]) -> GoldLine:
    refs = _children(node, "ref")
    return GoldLine(_ref(refs[0], tokens) if refs else None)


def _name_line(node: Tree[Token], tokens: Sequence[Lexeme]) -> NameLine:
    last = node.children[-1]
    free = None if isinstance(last, Tree) else _lexeme(last, tokens)
    span = (free.start, free.end) if free is not None and free.kind == "FREE" else None
    return NameLine(_ref(_children(node, "ref")[0], tokens), span)


def _sequence_line(node: Tree[Token], tokens: Sequence[Lexeme]) -> SequenceLine:
    return SequenceLine(tuple(_ref(ref, tokens) for ref in _children(node, "ref")))


_BUILD: Final[dict[str, Any]] = {
    "ship_line": _ship_line,
    "volley_line": _volley_line,
    "gold_line": _gold_line,
    "name_line": _name_line,
    "sequence_line": _sequence_line,
}
