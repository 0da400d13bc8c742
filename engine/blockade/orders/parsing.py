"""Lines parsed into orders along the grammar of 2.5, without a look at the position."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, cast

from engine.blockade.commands import (
    DASH_STEPS,
    ConcludeOrder,
    CornerOrder,
    DashOrder,
    FireOrder,
    HarbourOrder,
    Part,
    PlanOrder,
    SideOrder,
    TurnOrder,
)
from engine.blockade.orders.lexicon import (
    LETTERS,
    MOST_CHARACTERS,
    PORT_OR_STARBOARD,
    Phrase,
    Token,
    phrases,
    tokens,
)
from engine.blockade.waters import CELLS, CellName, Relative
from engine.core.cells import read_cell
from engine.core.contract import Language, Note, Value
from engine.core.names import Ambiguous, Found

BULLETS: Final = ("*", "•", "·")
"""Marks before a line that people write as a list; a dash is a step."""
LAYOUT_HEADS: Final = ("island", "rock", "layout")
_NUMBERED: Final = 2
"""A number and its bracket stand before a line of a numbered list."""
MOST_PIECES: Final = 12
"""More parts than these are no order; a layout has six."""
MOST_STEPS: Final = 24
_MOST_ISLAND_CELLS: Final = 12
_LEAST_BARE: Final = 2
Landed: TypeAlias = Literal["island", "rock", "random"]


class Unread(Exception):
    """A line that cannot be read: why (a complaint key) and where."""

    def __init__(self, why: str, place: tuple[int, int] | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.place = place


class TwoReadings(Exception):
    """P after a Russian keyword: П, starboard, or port; in which line it stands and where (2.5.2)."""

    def __init__(self, line: str, place: tuple[int, int]) -> None:
        super().__init__("port-or-starboard")
        self.line = line
        self.place = place


class Land(Value, frozen=True):
    """A part of a layout: an island or a rock with its squares, or that it is left to the dice."""

    what: Landed
    cells: tuple[CellName, ...] = ()


class Line(Value, frozen=True, kw_only=True):
    """A line read: parts of orders, or parts of a layout, and what was mended in its squares."""

    parts: tuple[Part, ...] = ()
    land: tuple[Land, ...] = ()
    notes: tuple[Note, ...] = ()


class Parser:
    """Reads the tokens of one line from left to right."""

    def __init__(self, line: str, language: Language) -> None:
        found = tokens(line[:MOST_CHARACTERS])
        while found and found[-1].text in (".", ";", ",", "!"):
            found = found[:-1]
        while found and found[0].text in BULLETS:
            found = found[1:]
        if len(found) > _NUMBERED and found[0].text.isdecimal() and found[1].text in (")", "."):
            found = found[_NUMBERED:]
        self.line = line
        self.all = found
        self.at = 0
        self.language = language
        self.notes: list[Note] = []

    # Tokens

    def peek(self, ahead: int = 0) -> Token | None:
        """Return a token to come, None at the end."""
        return self.all[self.at + ahead] if self.at + ahead < len(self.all) else None

    def mark(self, text: str) -> bool:
        """Take a mark if it comes next."""
        token = self.peek()
        if token is not None and token.text == text:
            self.at += 1
            return True
        return False

    def phrase(self, group: str) -> Phrase | None:
        """Take a phrase of a group if one comes next."""
        for phrase in phrases(group):
            size = len(phrase.words)
            if tuple(token.text for token in self.all[self.at : self.at + size]) == phrase.words:
                self.at += size
                return phrase
        return None

    def fail(self, why: str) -> Unread:
        """Return the fault of the token that comes next, of the end if none does."""
        token = self.peek()
        return Unread(why, (token.start, token.end) if token else (len(self.line), len(self.line)))

    def at_end(self) -> bool:
        """Say whether a part is over: at a semicolon, at the keyword of the next part, at the end."""
        token = self.peek()
        if token is None or token.text == ";":
            return True
        at = self.at
        found = self.head() is not None
        self.at = at
        return found

    # Lines

    def head(self) -> Phrase | None:
        """Take the keyword of a part."""
        return self.phrase("heads")

    def read(self) -> Line:
        """Read the whole line. Raises Unread and TwoReadings."""
        parts: list[Part] = []
        land: list[Land] = []
        language = self.language
        for _ in range(MOST_PIECES):
            head = self.head()
            if head is not None and head.key in LAYOUT_HEADS:
                self.mark(":")
                land.append(self._land(head.key))
            elif head is None and parts and isinstance(parts[-1], PlanOrder) and self._steps_come():
                parts[-1] = PlanOrder(steps=parts[-1].steps + self.steps(language, "no-keyword"))
            else:
                language = head.language if head is not None else self._bare_language()
                parts.append(self._part(head))
            self.mark(",")
            if not self.at_end():
                raise self.fail("unexpected")
            self.mark(";")
            if self.peek() is None:
                break
        if self.peek() is not None or (parts and land):
            raise self.fail("unexpected")
        self._refuse_twice(parts)
        return Line(parts=tuple(parts), land=tuple(land), notes=tuple(self.notes))

    def _refuse_twice(self, parts: list[Part]) -> None:
        slots = [part.slot for part in parts]
        if len(set(slots)) < len(slots):
            raise Unread("part-twice")

    def _part(self, head: Phrase | None) -> Part:
        if head is None:
            return self._headless()
        self._after_head(head.key)
        match head.key:
            case "plan":
                return PlanOrder(steps=self._plan(head.language))
            case "fire":
                return FireOrder(fire=cast("Literal['all', 'hold']", self._word("fire", "no-fire")))
            case "dash":
                return DashOrder(dash=self.dash(head.language))
            case "turn":
                return TurnOrder(turn=cast("Literal['auto', 'none', 's', 'p']", self.turn(head.language)))
            case "side":
                return SideOrder(side=cast("Literal['runner', 'blockader', 'any']", self._word("side", "no-side")))
            case "harbour":
                return HarbourOrder(cell=self._cell())
            case "corner":
                return CornerOrder(cell=self._cell())
        return ConcludeOrder(agreed=head.key == "conclude")

    def _after_head(self, key: str) -> None:
        """Take what parts a keyword from what it says: a colon, or a dash where it can be no step."""
        token, after = self.peek(), self.peek(1)
        if self.mark(":") or token is None or after is None or token.text != "-":
            return
        rest = [one.text for one in self.all[self.at + 1 :]]
        if key not in ("plan", "dash", "turn") or "=" in rest or self._names_policy(key):
            self.at += 1

    def _names_policy(self, key: str) -> bool:
        """Say whether behind a dash stands a word that is no step: «рывок — таран»."""
        at = self.at
        self.at += 1
        found = key in ("dash", "turn") and self.phrase(key) is not None
        self.at = at
        return found

    def holds_fire(self) -> bool:
        """Take «не стрелять» without its keyword: in so many words, a bare «нет» says no such thing."""
        at = self.at
        fire = self.phrase("fire")
        if fire is not None and fire.key == "hold" and fire.words[0] in ("не", "hold") and self.at_end():
            return True
        self.at = at
        return False

    def _headless(self) -> Part:
        """Read a part without its keyword: «не стрелять», ``=ПЛ``."""
        if self.holds_fire():
            return FireOrder(fire="hold")
        if self.is_bare_plan():
            return PlanOrder(steps=self._plan(self._bare_language()))
        raise self.fail("no-keyword")

    def is_bare_plan(self) -> bool:
        """Say whether what comes is a plan without its keyword: a course mark beside letters of steps, nothing else."""
        signs = "".join(token.text for token in self.all[self.at :] if token.text not in (",", " "))
        known = all(sign in LETTERS or sign in PORT_OR_STARBOARD for sign in signs)
        letters = [sign for sign in signs if sign not in "=-"]
        return known and bool(letters) and "=" in signs and len(signs) >= _LEAST_BARE

    def _bare_language(self) -> Language:
        signs = "".join(token.text for token in self.all[self.at :])
        return "ru" if any(sign in "пл" for sign in signs) else "en" if "s" in signs else self.language

    def _word(self, group: str, why: str) -> str:
        found = self.phrase(group)
        if found is None:
            raise self.fail(why)
        return found.key

    # Steps

    def steps(self, language: Language, why: str) -> str:
        """Take steps up to the end of the part: signs, letters written apart or together, words."""
        found = ""
        while not self.at_end():
            if self.mark(","):
                continue
            known = self.phrase("steps")
            found += known.key if known is not None and self._is_plain(known) else self._letters(language, known)
            if len(found) > MOST_STEPS:
                raise self.fail("too-many-steps")
        if not found:
            raise self.fail(why)
        return found

    def _is_plain(self, phrase: Phrase) -> bool:
        """Say whether a phrase of a step means one thing: all do but the letter P."""
        if phrase.words[0] in PORT_OR_STARBOARD:
            self.at -= 1
            return False
        return True

    def _letters(self, language: Language, _known: Phrase | None) -> str:
        """Take a run of letters of steps."""
        token = self.peek()
        if token is None:
            raise self.fail("no-step")
        if not _is_letters(token.text):
            raise self.fail("no-step")
        if language == "ru" and any(sign in PORT_OR_STARBOARD for sign in token.text):
            raise TwoReadings(self.line, (token.start, token.end))
        self.at += 1
        return "".join(LETTERS.get(sign, "p") for sign in token.text)

    def _steps_come(self) -> bool:
        """Say whether the next token is a step or several."""
        at, token = self.at, self.peek()
        found = self.phrase("steps") is not None
        self.at = at
        return found or (token is not None and _is_letters(token.text))

    def _plan(self, language: Language) -> str:
        return self.steps(language, "no-steps")

    def dash(self, language: Language) -> str:
        """Take what a dash is to do: a policy, or its squares as they were written."""
        policy = self.phrase("dash")
        return policy.key if policy is not None else self.steps(language, "no-dash")

    def turn(self, language: Language) -> str:
        """Take what a disabled ship's change of course is to be."""
        policy = self.phrase("turn")
        if policy is not None:
            return policy.key
        found = self.steps(language, "no-turn")
        if len(found) != 1:
            raise Unread("one-turn")
        return "none" if found == "=" else found

    # Squares

    def _cell(self) -> CellName:
        """Take a square; look-alike letters are no repair, all others are noted."""
        token = self.peek()
        if token is None or token.text in (";", ","):
            raise self.fail("no-cell")
        after = self.peek(1)
        spans = [(1, token.end)]
        if len(token.text) == 1 and after is not None and after.text.isdecimal():
            spans.insert(0, (2, after.end))
        for size, end in spans:
            typed = self.line[token.start : end]
            match read_cell(typed, CELLS):
                case Found(key=cell, how=how):
                    if how not in ("exact", "lookalike"):
                        self.notes.append(Note(kind="repaired", key=how, facts={"typed": typed, "read": cell}))
                    self.at += size
                    return cell
                case Ambiguous():
                    raise self.fail("two-cells")
                case _:
                    pass
        raise self.fail("no-cell")

    def _cells(self) -> tuple[CellName, ...]:
        found = [self._cell()]
        while not self.at_end() and len(found) < _MOST_ISLAND_CELLS:
            if not (self.mark(",") or self.mark("-")):
                found.append(self._cell())
        return tuple(found)

    def _land(self, key: str) -> Land:
        if key == "layout":
            self._word("layout", "no-layout")
            return Land("random")
        return Land(cast("Landed", key), self._cells())

    # Answers

    def answer(self, what: str) -> str:
        """Read the whole line as the answer to a question: ``turn`` or ``dash``. Raises Unread and TwoReadings."""
        if self.phrase("answer") is not None:
            token, after = self.peek(), self.peek(1)
            if token is not None and token.text.isdecimal() and after is not None and after.text == ":":
                self.at += 2
            self.mark(":")
        head = self.head()
        if head is not None and head.key != what:
            raise Unread("other-question")
        self.mark(":")
        language = head.language if head is not None else self._answer_language()
        found = self.turn(language) if what == "turn" else self.dash(language)
        if self.peek() is not None:
            raise self.fail("unexpected")
        return found

    def _answer_language(self) -> Language:
        signs = "".join(token.text for token in self.all[self.at :])
        return "ru" if any(sign in "пл" for sign in signs) else self.language


def _is_letters(text: str) -> bool:
    """Say whether a text is nothing but letters of steps."""
    return all(sign in LETTERS or sign in PORT_OR_STARBOARD for sign in text)


def as_squares(dash: str) -> str:
    """Return a dash as it is done: a policy, or exactly six squares, filled up with ``=`` or cut (2.5.5)."""
    return dash if dash in ("ram", "run") else (dash + "=" * DASH_STEPS)[:DASH_STEPS]


def begins_order(line: str) -> str:
    """Return the keyword with which a line begins as an order, "plan" for a bare plan, "" for none."""
    parser = Parser(line, "ru")
    head = parser.head()
    if head is not None:
        return head.key
    if parser.holds_fire():
        return "fire"
    return "plan" if parser.is_bare_plan() else ""


def begins_with_cell(line: str) -> bool:
    """Say whether a line begins with a square, as the rest of a broken line of a layout does."""
    parser = Parser(line, "ru")
    try:
        parser._cell()  # noqa: SLF001 - the same module
    except Unread:
        return False
    return True


def as_relative(found: str) -> Relative:
    """Return the step of a turn: ``none`` is ``=``."""
    return "=" if found == "none" else cast("Relative", found)
