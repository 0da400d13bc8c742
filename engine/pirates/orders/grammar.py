"""The grammar of the order language: tokens become the parts of one order as they were said, nothing yet judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
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


# Shapes ---------------------------------------------------------------------------------------------------------------
# What the grammar makes of a line depends on the kinds of its tokens alone: lines of one shape are parsed once.


class Node(msgspec.Struct, frozen=True):
    """A part of a line: its rule in orders.lark, and what it is made of: parts, or places of tokens.

    ``first`` and ``last`` are the places it spans; a part without any token has ``last`` before ``first``.
    """

    rule: str
    children: tuple[Node | int, ...]
    first: int = 0
    last: int = -1


class _Given(Lexer):
    """A lexer of tokens that are already made."""

    def __init__(self, lexer_conf: Any) -> None:
        """Take Lark's configuration, of which nothing is needed."""

    def lex(self, lexer_state: Any, parser_state: Any = None) -> Iterator[Token]:
        """Yield a token for each kind; its value is its place."""
        for place, kind in enumerate(_kinds_of(lexer_state)):
            yield Token(kind, str(place))


def _kinds_of(data: Any) -> Iterable[str]:
    kinds: Iterable[str] = data
    return kinds


@cache
def _parser() -> Lark:
    grammar = (resources.files("engine.pirates.orders") / "orders.lark").read_text("utf-8")
    return Lark(grammar, parser="lalr", lexer=_Given)


def _shape(kinds: tuple[str, ...]) -> Node | int:
    """Return a line of tokens of these kinds as parts, or the place where it cannot be followed."""
    try:
        tree = _parser().parse(kinds)
    except UnexpectedToken as error:
        return len(kinds) if error.token.type == "$END" else int(error.token)
    (line,) = _node(tree).children
    return line


_COMMON: Final = 40
"""Tokens of a line whose shape is remembered; longer ones are rare and would fill the memory."""
_known_shape: Final = lru_cache(maxsize=1024)(_shape)


def _node(tree: Tree[Token]) -> Node:
    children = tuple(_node(child) if isinstance(child, Tree) else int(child) for child in tree.children)
    ends = [(child.first, child.last) if isinstance(child, Node) else (child, child) for child in children]
    spoken = [(first, last) for first, last in ends if first <= last]
    first, last = (spoken[0][0], spoken[-1][1]) if spoken else (0, -1)
    return Node(str(tree.data), children, first, last)


def parse(tokens: Sequence[Lexeme]) -> Line | Stumble:
    """Return what one order says, or where it cannot be followed. Linear in the number of tokens; never raises."""
    kinds = tuple([token.kind for token in tokens])
    shape = _known_shape(kinds) if len(kinds) <= _COMMON else _shape(kinds)
    if isinstance(shape, int):
        return Stumble(shape, tokens[shape] if shape < len(tokens) else None)
    line: Line = _BUILD[shape.rule](shape, tokens)
    return line


# From shapes to lines -------------------------------------------------------------------------------------------------


def _span(node: Node, tokens: Sequence[Lexeme]) -> tuple[int, int]:
    return (tokens[node.first].start, tokens[node.last].end) if node.first <= node.last else (0, 0)


def _children(node: Node, rule: str) -> list[Node]:
    return [child for child in node.children if isinstance(child, Node) and child.rule == rule]


def _kind(part: Node | int, tokens: Sequence[Lexeme]) -> str:
    """Return the kind of a token, ``ref`` for a ship."""
    return tokens[part].kind if isinstance(part, int) else part.rule


def _ref(node: Node, tokens: Sequence[Lexeme]) -> Ref:
    lexeme = tokens[node.last]
    by: Literal["number", "name"] = "name" if lexeme.kind == "NAME" else "number"
    return Ref(_number(lexeme.value), by, *_span(node, tokens))


_LONGEST_NUMBER: Final = 9


def _number(value: str | int) -> int:
    """Return a number as typed; one of more digits than anything here can have is -1."""
    text = str(value)
    return int(text) if len(text) <= _LONGEST_NUMBER else -1


def _ship_line(node: Node, tokens: Sequence[Lexeme]) -> ShipLine:
    subjects = _children(node, "subject")
    subject = tuple([_ref(ref, tokens) for part in subjects for ref in _children(part, "ref")])
    clauses = [said for clause in _children(node, "clause") for said in clause.children if isinstance(said, Node)]
    said = [clause.rule for clause in clauses]
    shots = [_shot(clause, clause.children, tokens) for clause in clauses if clause.rule == "fire"]
    return ShipLine(
        subject=subject,
        everyone=bool(subjects) and not subject,
        courses=tuple([_legs(clause, tokens) for clause in clauses if clause.rule == "course"]),
        stands=said.count("stand"),
        repairs=said.count("repair"),
        holds=said.count("hold") + sum(shot.none for shot in shots),
        shots=tuple([shot for shot in shots if not shot.none]),
    )


def _legs(node: Node, tokens: Sequence[Lexeme]) -> tuple[Leg, ...]:
    return tuple([_leg(leg, tokens) for leg in _children(node, "leg")])


def _leg(node: Node, tokens: Sequence[Lexeme]) -> Leg:
    cells: Said | None = None
    course: Rhumb = "N"
    for lexeme in tokens[node.first : node.last + 1]:
        if lexeme.kind == "RHUMB":
            course = lexeme.value  # type: ignore[assignment]
        elif lexeme.kind in {"NUMBER", "CELLS"}:
            cells = Said(_number(lexeme.value), lexeme.start, lexeme.end)
    return Leg(course, cells, *_span(node, tokens))


def _shot(node: Node, parts: Sequence[Node | int], tokens: Sequence[Lexeme]) -> Shot:
    phases: list[When] = []
    targets: list[Ref | Literal["any"]] = []
    runs: list[str] = []  # which kinds of part followed each other
    none = False
    for part in parts:
        kind = _kind(part, tokens)
        if isinstance(part, Node):
            targets.append(_ref(part, tokens))
        elif kind == "ANY":
            targets.append("any")
        elif kind in {"BEFORE", "AFTER"}:
            phases.append("before" if kind == "BEFORE" else "after")
        none = none or kind == "NONE"
        run = "TARGET" if kind in {"ref", "ANY"} else kind
        if run in {"TARGET", "BEFORE", "AFTER"} and runs[-1:] != [run]:
            runs.append(run)
    return Shot(tuple(phases), tuple(targets), none, *_span(node, tokens), straight=runs.count("TARGET") <= 1)


def _volley_line(node: Node, tokens: Sequence[Lexeme]) -> VolleyLine:
    name = ""
    parts: list[Node | int] = []
    for child in node.children:
        kind = _kind(child, tokens)
        if isinstance(child, int) and kind == "VNAME":
            name = str(tokens[child].value)
        elif kind != "VOLLEY":
            parts.append(child)
    split = _members_end([_kind(part, tokens) for part in parts])
    members = [part for part in parts[:split] if isinstance(part, Node)]
    before = [part for part in parts[:split] if isinstance(part, int)]
    any_member = any(tokens[part].kind == "ANY" for part in before)
    leading = [part for part in before if tokens[part].kind in {"BEFORE", "AFTER", "NONE"}]
    shot = _shot(node, [*leading, *parts[split:]], tokens)
    return VolleyLine(name, tuple([_ref(ref, tokens) for ref in members]), any_member, shot)


def _members_end(kinds: Sequence[str]) -> int:
    """Return where the targets of a volley begin: after «по», else after the phase that follows the members."""
    for divider in ("AT", "FIRE"):
        if divider in kinds:
            return kinds.index(divider)
    if "ref" in kinds:
        first = kinds.index("ref")
        phases = [place for place in range(first, len(kinds)) if kinds[place] in {"BEFORE", "AFTER"}]
        return phases[0] if phases else len(kinds)
    return len(kinds)


def _gold_line(node: Node, tokens: Sequence[Lexeme]) -> GoldLine:
    refs = _children(node, "ref")
    return GoldLine(_ref(refs[0], tokens) if refs else None)


def _name_line(node: Node, tokens: Sequence[Lexeme]) -> NameLine:
    free = tokens[node.last]
    span = (free.start, free.end) if free.kind == "FREE" else None
    return NameLine(_ref(_children(node, "ref")[0], tokens), span)


def _sequence_line(node: Node, tokens: Sequence[Lexeme]) -> SequenceLine:
    return SequenceLine(tuple([_ref(ref, tokens) for ref in _children(node, "ref")]))


_BUILD: Final[dict[str, Any]] = {
    "ship_line": _ship_line,
    "volley_line": _volley_line,
    "gold_line": _gold_line,
    "name_line": _name_line,
    "sequence_line": _sequence_line,
}
