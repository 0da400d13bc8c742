"""Lines parsed into orders along the grammar of 5.3, without a look at the position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from engine.core.contract import Language, Value
from engine.jackal.commands import (
    UNLIMITED,
    AllyRumOrder,
    Alternative,
    AnyAct,
    ConcludeOrder,
    Fly,
    Gift,
    Guard,
    Launch,
    Load,
    Pick,
    PolicyCase,
    PolicyOrder,
    PolicyRule,
    Raise,
    RumLeap,
    Sail,
    SpinStep,
    Step,
    Want,
    When,
)
from engine.jackal.orders.lexicon import (
    MOST_CHARACTERS,
    Token,
    as_cell,
    as_rhumb,
    as_unit,
    is_russian,
    keys,
    synonyms,
    tokens,
)

T = TypeVar("T")

_RHUMB_WISHES: Final = ("to-ship", "to-closed", "to-coins", "not-water", "not-death", "stay")


_BULLETS: Final = ("-", "*", "•")
"""Marks before a line that people write as a list."""


class Unread(Exception):
    """A line that cannot be read: why (a complaint key) and where."""

    def __init__(self, why: str, place: tuple[int, int] | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.place = place


class Line(Value, frozen=True, kw_only=True):
    """A line read: the slot if it says one (colour, number), and the alternatives or another order."""

    colour: str = ""
    number: int = 0
    alternatives: tuple[Alternative, ...] = ()
    other: PolicyOrder | AllyRumOrder | ConcludeOrder | None = None


class Parser:
    """Reads the tokens of one line from left to right."""

    def __init__(self, line: str, language: Language) -> None:
        self.line = line
        found = tokens(line)
        while found and found[-1].text == ".":
            found = found[:-1]
        self.all = found
        self.at = next((place for place, token in enumerate(found) if token.text not in _BULLETS), 0)
        self.russian = is_russian(line)
        self.language = language

    # Tokens

    def peek(self, ahead: int = 0) -> Token | None:
        """Return a token to come, None at the end."""
        at = self.at + ahead
        return self.all[at] if at < len(self.all) else None

    def mark(self, text: str) -> bool:
        """Take a mark if it comes next."""
        token = self.peek()
        if token is not None and token.text == text:
            self.at += 1
            return True
        return False

    def phrase(self, key: str, group: str = "phrases") -> bool:
        """Take a phrase if it comes next."""
        for words in synonyms(group, key):
            if tuple(token.fold for token in self.all[self.at : self.at + len(words)]) == words:
                self.at += len(words)
                return True
        return False

    def one_of(self, group: str) -> str:
        """Take the word of a group that comes next; "" if none does."""
        return next((key for key in keys(group) if self.phrase(key, group)), "")

    def fail(self, why: str) -> Unread:
        """Return the complaint about the token that comes next."""
        token = self.peek()
        return Unread(why, (token.start, token.end) if token else None)

    def expect(self, found: T | None, why: str) -> T:
        """Return what was found. Raises Unread if nothing was."""
        if not found:
            raise self.fail(why)
        return found

    def attempt(self, read: Callable[[], T]) -> T | None:
        """Read something, or nothing at all."""
        at = self.at
        found = read()
        if not found:
            self.at = at
            return None
        return found

    # Words

    def cell(self) -> str:
        """Take a cell."""
        token = self.peek()
        found = as_cell(token.text) if token else None
        if found is None:
            raise self.fail("no-cell")
        self.at += 1
        return found

    def is_cell(self) -> bool:
        """Say whether a cell comes next."""
        token = self.peek()
        return token is not None and as_cell(token.text) is not None

    def unit(self) -> str:
        """Take a unit; "" if none comes."""
        token = self.peek()
        found = as_unit(token.text) if token else None
        if found is not None:
            self.at += 1
            return found
        return self.one_of("residents")

    def rhumb(self) -> str:
        """Take a direction; "" if none comes."""
        token = self.peek()
        found = as_rhumb(token.text, russian=self.russian) if token else None
        if found is None:
            return ""
        self.at += 1
        return found

    def number(self) -> int | None:
        """Take a number; None if none comes."""
        token = self.peek()
        if token is None or not token.text.isdecimal() or len(token.text) > 3:
            return None
        self.at += 1
        return int(token.text)

    # Lines

    def read(self) -> Line:
        """Read the whole line. Raises Unread."""
        found = self._other() or self._order()
        if self.peek() is not None:
            raise self.fail("unexpected")
        return found

    def _other(self) -> Line | None:
        if self.phrase("policy"):
            self.mark(":")
            return Line(other=self._policy())
        if self.phrase("ally-rum"):
            self.mark(":")
            return Line(other=AllyRumOrder(bottles=self._bottles()))
        if self.phrase("not-conclude"):
            return Line(other=ConcludeOrder(agreed=False))
        if self.phrase("conclude"):
            return Line(other=ConcludeOrder(agreed=True))
        return None

    def _bottles(self) -> int:
        if self.phrase("yes"):
            return UNLIMITED
        if self.phrase("no"):
            return 0
        number = self.number()
        if number is None:
            raise self.fail("how-many")
        return number

    def _order(self) -> Line:
        colour, number = self._slot()
        alternatives = [self._alternative()]
        while self._else():
            alternatives.append(self._alternative())
        return Line(colour=colour, number=number, alternatives=tuple(alternatives))

    def _else(self) -> bool:
        at = self.at
        self.mark(";")
        if self.phrase("else"):
            return True
        self.at = at
        return False

    def _slot(self) -> tuple[str, int]:
        """Take ``colour ":"`` and ``n ")"``."""
        at = self.at
        colour = self.one_of("colours")
        if colour and not self.mark(":"):
            self.at, colour = at, ""
        at = self.at
        number = self.number()
        if number is not None and not (self.mark(")") or self.mark(".")):
            self.at, number = at, None
        return colour, number or 0

    def _alternative(self) -> Alternative:
        if self.phrase("default"):
            return Alternative()
        guards = self._guards() if self.phrase("if") else ()
        gifts: list[Gift] = []
        act = self._act()
        while self._next_is_gift():
            self.mark(";")
            gifts.append(self._gift())
        perish = self.mark("!") or self.phrase("perish")
        whens = self._whens() if self.mark("(") else ()
        perish = self.mark("!") or perish
        oath = self._oath()
        return Alternative(act=act, guards=guards, gifts=tuple(gifts), whens=whens, perish=perish, oath=oath)

    def _oath(self) -> str:
        token = self.peek()
        if token is None or token.text[0] not in '"«“' or len(token.text) < 3:
            return ""
        self.at += 1
        return token.text[1:-1].strip()[:120]

    # Guards and gifts

    def _guards(self) -> tuple[Guard, ...]:
        found = [self._guard()]
        while self.phrase("and"):
            found.append(self._guard())
        if not self.mark(":"):
            raise self.fail("no-colon")
        return tuple(found)

    def _guard(self) -> Guard:
        negated = self.phrase("not")
        for key in ("empty", "enemy", "own", "closed"):
            if self.phrase(key):
                return Guard(kind=key, cell=self.cell(), negated=negated)
        if self.phrase("open"):
            cell = self.cell()
            return Guard(kind="open", cell=cell, negated=negated, what=self.one_of("topics") or self.one_of("tiles"))
        if self.phrase("guard_ship"):
            return Guard(kind="ship", cell=self.cell(), negated=negated)
        item = self.one_of("items")
        if item:
            return Guard(kind="item", cell=self.cell(), negated=negated, what=item)
        raise self.fail("no-guard")

    def _next_is_gift(self) -> bool:
        at = self.at
        self.mark(";")
        found = self.phrase("gift")
        self.at = at
        return found

    def _gift(self) -> Gift:
        self.phrase("gift")
        unit = self.one_of("residents")
        if unit not in ("MS", "FR"):
            raise self.fail("gift-to-whom")
        ally = self.phrase("ally")
        before = self.phrase("before")
        if not before:
            self.phrase("after")
        return Gift(unit=unit, before=before, ally=ally)  # type: ignore[arg-type]

    # Acts

    def _act(self) -> AnyAct:
        if self.phrase("ship"):
            return self._sail(boat=False)
        if self.phrase("boat_vessel"):
            return self._sail(boat=True)
        unit = self.unit()
        if not unit:
            raise self.fail("no-unit")
        if self.phrase("step"):
            return SpinStep(unit=unit, load=self._load())
        if self.phrase("rum"):
            ally = self.phrase("ally")
            self.expect(self.phrase("to"), "no-to")
            cell = self.cell()
            load = self._load()
            return RumLeap(unit=unit, cell=cell, ally=ally, load=load, via=self._via())
        if self.phrase("fly"):
            self.phrase("to")
            cell = self.cell()
            load = self._load()
            return Fly(unit=unit, cell=cell, load=load, via=self._via())
        if self.phrase("raise"):
            return Raise(unit=unit, dead=self.unit())
        if self.phrase("launch"):
            return Launch(unit=unit, cell=self.cell())
        if not (self.phrase("to") or self.phrase("into") or self.mark("-") or self.mark(":") or self.is_cell()):
            raise self.fail("no-verb")
        cell = self.cell()
        load = self._load()
        return Step(unit=unit, cell=cell, load=load, via=self._via())

    def _sail(self, *, boat: bool) -> Sail:
        at = self.at
        colour = self._vessel_colour()
        if self.phrase("to") and not self._is_rhumb():
            route = [self.cell()]
            while self.mark(","):
                route.append(self.cell())
        else:
            route = self._course()
            if not route and colour:
                # «КОР В» is east, `SHIP W` is west: a letter alone is a direction where one is due (5.3).
                self.at, colour = at, ""
                route = self._course()
            if not route:
                raise self.fail("no-course")
        return Sail(colour=colour, boat=boat, route=tuple(route))  # type: ignore[arg-type]

    def _vessel_colour(self) -> str:
        token = self.peek()
        nxt = self.peek(1)
        if token is None or nxt is None or nxt.text in {",", ";", "!", "("}:
            return ""
        return self.one_of("colours")

    def _course(self) -> list[str]:
        first = self.rhumb()
        route = [first] if first else []
        while route and self.mark(","):
            route.append(self.expect(self.rhumb(), "no-course"))
        return route

    def _is_rhumb(self) -> bool:
        token = self.peek()
        return token is not None and as_rhumb(token.text, russian=self.russian) is not None

    def _load(self) -> Load | None:
        if self.phrase("laden"):
            return Load(item="coin")
        if not self.mark("+"):
            return None
        item = self.one_of("items")
        if not item:
            raise self.fail("no-item")
        if item != "cart" or self._begins_when() or not self.mark("("):
            return Load(item=item, bare=item == "cart")  # type: ignore[arg-type]
        inside: list[str] = []
        while not self.mark(")"):
            inside.append(self.expect(self.one_of("items"), "no-item"))
            self.mark(",")
        return Load(item="cart", inside=tuple(inside))  # type: ignore[arg-type]

    def _begins_when(self) -> bool:
        """Say whether a bracket of surprises comes next, not one of what goes into a cart: «(стрелка: …»."""
        at = self.at
        found = self.mark("(") and bool(self.one_of("topics")) and self.mark(":")
        self.at = at
        return found

    # Picks and wants

    def _via(self) -> tuple[Pick, ...]:
        if not self.mark(":"):
            return ()
        picks = [self.expect(self._pick(), "no-pick")]
        while self.mark(","):
            picks.append(self.expect(self._pick(), "no-pick"))
        return tuple(picks)

    def _pick(self) -> Pick | None:
        if self.phrase("stay"):
            return Pick(kind="stay")
        if self.phrase("take"):
            return Pick(kind="take", way=self.expect(self.one_of("items"), "no-item"))
        if self.phrase("launch"):
            return Pick(kind="launch", way=self.cell())
        if self.phrase("ship") or self.phrase("guard_ship"):
            return Pick(kind="ship")
        if self.is_cell():
            return Pick(kind="cell", way=self.cell())
        rhumb = self.rhumb()
        return Pick(kind="way", way=rhumb) if rhumb else None

    def _wish(self) -> Pick | None:
        for key in ("to-ship", "to-closed", "to-coins", "not-water", "not-death"):
            if self.phrase(key):
                return Pick(kind=key)
        return self._pick()

    def _whens(self) -> tuple[When, ...]:
        found = [self._when()]
        while self.mark(";"):
            found.append(self._when())
        if not self.mark(")"):
            raise self.fail("no-bracket")
        return tuple(found)

    def _when(self) -> When:
        topic = self.one_of("topics")
        if not topic:
            raise self.fail("no-tile")
        if not self.mark(":"):
            raise self.fail("no-colon")
        return When(tile=topic, want=self._want(topic))

    def _want(self, topic: str) -> Want:
        if self.phrase("near") or self.phrase("far"):
            return Want(near=True)
        if topic == "lighthouse":
            return Want(cells=tuple(self._cells()))
        if topic == "quake":
            return self._pair()
        wishes = [self.expect(self._wish(), "no-pick")]
        while self.mark(","):
            wishes.append(self.expect(self._wish(), "no-pick"))
        return Want(wishes=tuple(wishes))

    def _cells(self) -> list[str]:
        cells = [self.cell()]
        while self.mark(","):
            cells.append(self.cell())
        return cells

    def _pair(self) -> Want:
        one = self.cell()
        if not self.mark("-"):
            raise self.fail("no-dash")
        pair = (one, self.cell())
        turns = [0, 0]
        at = self.at
        while self.mark(","):
            if not self.is_cell():
                self.at = at
                break
            cell = self.cell()
            self.expect(self.phrase("rotate"), "no-turn")
            degrees = self.number()
            if cell not in pair or degrees not in (90, 180, 270):
                raise self.fail("no-turn")
            turns[pair.index(cell)] = degrees // 90
            at = self.at
        return Want(pair=pair, turns=tuple(turns) if any(turns) else ())

    # Policy and answers

    def _policy(self) -> PolicyOrder:
        if self.phrase("always"):
            return PolicyOrder(always=True)
        rules = [self._rule()]
        while self.mark(";"):
            rules.append(self._rule())
        return PolicyOrder(rules=tuple(rules))

    def _rule(self) -> PolicyRule:
        topic = self.one_of("topics")
        if not topic or not self.mark("="):
            raise self.fail("no-tile")
        ask = self.phrase("ask")
        if ask and not (self.mark(",") and self.phrase("then")):
            return PolicyRule(tile=topic, ask=True)
        cases = [self._case(topic)]
        while self.mark("/"):
            cases.append(self._case(topic))
        return PolicyRule(tile=topic, ask=ask, cases=tuple(cases))

    def _case(self, topic: str) -> PolicyCase:
        want = self._want(topic)
        laden: Any = "laden" if self.phrase("laden") else "unladen" if self.phrase("unladen") else ""
        return PolicyCase(want=want, laden=laden)

    def answer(self, topic: str) -> tuple[Want, tuple[tuple[str, str], ...]]:
        """Read the answer to an open question of a topic: what is wanted, or how tiles are laid back (5.3, 5.4)."""
        found: tuple[Want, tuple[tuple[str, str], ...]]
        if topic == "lay":
            found = Want(), self._laid()
        elif topic in ("lighthouse", "quake"):
            found = self._want(topic), ()
        else:
            found = Want(wishes=(self.expect(self._wish(), "no-pick"),)), ()
        if self.peek() is not None:
            raise self.fail("unexpected")
        return found

    def _laid(self) -> tuple[tuple[str, str], ...]:
        if self.phrase("as-it-was"):
            return ()
        self.phrase("lay")
        pairs = [self._move()]
        while self.mark(","):
            pairs.append(self._move())
        return tuple(pairs)

    def begins_answer(self) -> int:
        """Take «ответ 3:»; return the number, 0 if it says none, -1 if the line does not begin so."""
        if not self.phrase("answer"):
            return -1
        at = self.at
        number = self.number()
        if number is not None and not self.mark(":"):
            self.at, number = at, None
        if number is None:
            self.mark(":")
        return number or 0

    def _move(self) -> tuple[str, str]:
        one = self.cell()
        if not self.mark("-"):
            raise self.fail("no-dash")
        return one, self.cell()


def begins_answer(line: str) -> bool:
    """Say whether a line means to be an answer whatever is asked: «ответ …», «разложить …», «как было»."""
    parser = Parser(line[:MOST_CHARACTERS], "ru")
    return any(parser.phrase(word) for word in ("answer", "lay", "as-it-was"))


def is_answer(line: str, topic: str) -> bool:
    """Say whether the whole of a line can be read as an answer to a question of a topic."""
    try:
        Parser(line[:MOST_CHARACTERS], "ru").answer(topic)
    except Unread:
        return False
    return True


def begins_order(line: str) -> bool:
    """Say whether a line means to be an order: it begins with a unit, a ship, a condition or another order word."""
    parser = Parser(line[:MOST_CHARACTERS], "ru")
    parser._slot()  # noqa: SLF001 - the same module
    words = ("if", "ship", "boat_vessel", "policy", "ally-rum", "conclude", "not-conclude", "default", "else")
    if parser.unit():
        return True
    return any(parser.phrase(word) for word in words)
