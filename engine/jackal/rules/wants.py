"""What a commander wants where the rules leave a choice: picks, whens, policy, question, default (5.3, 5.4, J3.4)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from engine.core.codec import decode, encode
from engine.core.contract import Answers, Choice, Question, Seat
from engine.core.geometry import RHUMBS
from engine.jackal.board import NO_VESSEL, Board
from engine.jackal.commands import Alternative, Decision, JackalOrder, Pick, PolicyOrder, PolicyRule, Want
from engine.jackal.isle import LAND, Cell
from engine.jackal.rules.illegal import Illegal
from engine.jackal.rules.likely import Likely, likely_flights, likely_layings, likely_looks, likely_swaps
from engine.jackal.rules.run import FLIGHT, Run
from engine.jackal.rules.way import Way, admissible, fatal
from engine.jackal.state import COLOURS, ITEMS, STEPS_A_CELL, count, worth
from engine.jackal.tiles import BY_CODE, CODE, OPEN, rotation_of

Pair: TypeAlias = tuple[Cell, Cell, tuple[int, ...]]

ASKED: Final = frozenset({"plane", "lighthouse", "quake", "lay"})
"""What is asked unless order or policy decides (5.4)."""
STAY: Final = "stay"


@dataclass(slots=True)
class SlotTalk:
    """What the seat has been asked in a slot: k of every address, the last topic, the board then (5.2, 5.4).

    Counters go on over the alternatives of a slot, so that no answer lands on another question.
    """

    colour: int
    number: int
    seat: Seat
    topic: str = ""
    counters: dict[str, int] = field(default_factory=dict)
    position: Board | None = None

    def address(self, step: str) -> str:
        """Return the next address of a step: ``white/o1/plane/0`` (5.2)."""
        k = self.counters.get(step, 0)
        self.counters[step] = k + 1
        return f"{COLOURS[self.colour]}/o{self.number}/{step}/{k}"


@dataclass(slots=True)
class Wants:
    """The wishes of one alternative. Without ``answers`` nothing is asked and defaults decide."""

    alternative: Alternative
    talk: SlotTalk
    audience: tuple[Seat, ...] = ()
    policy: PolicyOrder | None = None
    answers: Answers | None = None
    via: list[Pick] = field(default_factory=list)

    @property
    def perish(self) -> bool:
        """Whether certain death is accepted (J2.8)."""
        return self.alternative.perish

    @property
    def oath(self) -> str:
        """The oath the order contains."""
        return self.alternative.oath

    @property
    def asked(self) -> Seat:
        """The seat that decides in this slot: in smoke the commander's (J8.21)."""
        return self.talk.seat

    def may_swear(self, run: Run) -> bool:
        """Say whether an oath will be uttered on a каррамба (R-19)."""
        return run.board.options.oath == "engine" or bool(self.alternative.oath)

    # Ways

    def way(self, run: Run, topic: str, cell: Cell, ways: Sequence[Way]) -> Way:
        """Return the way on that the commander wants of those admissible. Raises Illegal for a ``via`` that is not."""
        if run.foreseen and self.via:
            return self._picked(run, cell, ways)
        if len(ways) == 1:
            return ways[0]
        found = self._decided(run, topic, cell, ways)
        if found is not None:
            return found
        return default_way(run, cell, ways)

    def flight(self, run: Run, cell: Cell, ways: Sequence[Way]) -> Way | None:
        """Return the flight of one who has come to a fresh plane, None for staying (J8.12)."""
        found = admissible(run, cell, ways, run.load)
        if not self.perish:
            found = [way for way in found if not fatal(run, cell, way)]
        if run.foreseen and self.via:
            return self._picked_flight(run, cell, found)
        wishes = _wishes(self._whens("plane"))
        if wishes:
            hit, decided = self._wish_or_stay(run, cell, found, wishes)
            if decided:
                return hit
        rule = self._rule("plane")
        said, decided = None, False
        if rule is not None:
            said, decided = self._wish_or_stay(run, cell, found, _case_wishes(rule, run))
            if decided and not self._asks("plane", rule):
                return said
        default = self._default_flight(run, found)
        decided_on = said if decided else None
        answer = self._ask_flight(run, "plane", cell, found, default, decided_on, stays=True, decided=decided)
        if answer is None:
            return said if decided else default
        return None if answer.kind == STAY else wished(run, cell, found, (answer,)) or default

    def _ask_flight(
        self,
        run: Run,
        topic: str,
        cell: Cell,
        ways: Sequence[Way],
        default: Way | None,
        said: Way | None,
        *,
        stays: bool = False,
        decided: bool,
    ) -> Pick | None:
        """Return where a seat that is asked wants to fly; None where nothing may be asked. The question is open."""
        if self.answers is None:
            return None
        key = self.talk.address(topic)

        def order(way: Way | None) -> str:
            return encode(Decision(key=key, want=Want(wishes=(_pick(run, way),))))

        waits = stays and run.board.options.plane_defer == "yes"
        names = tuple(_word(run, way) for way in ways)
        geo, tiles = run.board.geo, run.board.tiles
        ashore = tuple(geo.names[one] for one in geo.land if one != cell)
        turned_up = tuple(geo.names[one] for one in geo.land if one != cell and tiles[one] & OPEN)
        facts = {
            "cell": run.cell_name,
            "cells": names,
            "stays": stays,
            "waits": waits,
            "laden": bool(run.load),
            "ship": any(name not in ashore for name in names),
            "barred": tuple(name for name in turned_up if name not in names),
        }
        policy = order(said) if decided else ""
        likely = likely_flights(run, cell, ways, stays=stays)
        offers = tuple(Choice(word=order(one.answer), facts=one.facts) for one in likely)
        word = self._ask(run, topic, (), order(default), facts, policy, key=key, offers=offers)
        if word is None:
            return None
        answer = decode(word, JackalOrder)
        return next(iter(answer.want.wishes), None) if isinstance(answer, Decision) else None

    def _wish_or_stay(
        self, run: Run, cell: Cell, ways: Sequence[Way], wishes: Iterable[Pick]
    ) -> tuple[Way | None, bool]:
        """Return what a list of wishes makes of a plane: a flight or staying, and whether it decides at all."""
        for wish in wishes:
            if wish.kind == STAY:
                return None, True
            hit = wished(run, cell, ways, (wish,))
            if hit is not None:
                return hit, True
        return None, False

    def _picked_flight(self, run: Run, cell: Cell, ways: Sequence[Way]) -> Way | None:
        if self.via[0].kind == STAY:
            del self.via[0]
            return None
        return self._picked(run, cell, ways)

    def _default_flight(self, run: Run, ways: Sequence[Way]) -> Way | None:
        """Toward the own ship if laden, else stay (5.3)."""
        if not run.load or not ways:
            return None
        return nearest_ship(run, ways)

    def _picked(self, run: Run, cell: Cell, ways: Sequence[Way]) -> Way:
        pick = self.via.pop(0)
        hit = wished(run, cell, ways, (pick,))
        if hit is None:
            raise Illegal("via-impossible", "J3.4", run.board.geo.names[cell])
        return hit

    def _decided(self, run: Run, topic: str, cell: Cell, ways: Sequence[Way]) -> Way | None:
        """Return the way that whens, policy or an answer choose, None where the default decides."""
        hit = wished(run, cell, ways, _wishes(self._whens(topic)))
        if hit is not None:
            return hit
        rule = self._rule(topic)
        said = wished(run, cell, ways, _case_wishes(rule, run)) if rule is not None else None
        if not self._asks(topic, rule):
            return said
        if ways[0].kind == FLIGHT:
            default_flight = default_way(run, cell, ways)
            pick = self._ask_flight(run, topic, cell, ways, default_flight, said, decided=said is not None)
            return wished(run, cell, ways, (pick,)) or said if pick is not None else said
        words = [_word(run, way) for way in ways]
        default = _word(run, default_way(run, cell, ways))
        policy = _word(run, said) if said is not None else ""
        word = self._ask(run, topic, words, default, {"cell": run.board.geo.names[cell]}, policy)
        return said if word is None else ways[words.index(word)]

    # Caves

    def pass_over(self, run: Run) -> None:
        """Pass over picks for a cave that leaves nothing to choose (J3.4, J8.18 d)."""
        while run.foreseen and self.via:
            if self.via.pop(0).kind != "take":
                return

    def cave(self, run: Run, cell: Cell, exits: Sequence[Cell]) -> Cell:
        """Return the exit of a cave; what lies at the entrance may be taken along (J8.18 c).

        Without a word nothing is taken, and the exit is the one nearest the own ship.
        """
        ways = [Way(one, "cave", "J8.18", run.kind, run.vector) for one in exits]
        if run.foreseen and self.via:
            if self.via[0].kind == "take":
                if not _take(run, self.via.pop(0)):
                    raise Illegal("nothing-to-take", "J8.18", run.board.geo.names[cell])
                if not self.via:
                    return nearest_ship(run, ways).cell
            return self._picked(run, cell, ways).cell
        wishes = _wishes(self._whens("cave"))
        rule = self._rule("cave")
        for wish in (*wishes, *(_case_wishes(rule, run) if rule is not None else ())):
            if wish.kind == "take":
                _take(run, wish)
                break
        if len(ways) == 1:
            return ways[0].cell
        found = self._decided(run, "cave", cell, ways)
        return (found or nearest_ship(run, ways)).cell

    # Cells

    def cells(self, run: Run, closed: Sequence[Cell], number: int) -> tuple[Cell, ...]:
        """Return the closed cells a finder of the lighthouse looks at (J8.17).

        Wanted cells that are not closed are passed over, and those missing are the nearest to own pirates.
        """
        near = nearest_closed(run, closed)
        geo = run.board.geo

        def chosen(want: Want) -> tuple[Cell, ...] | None:
            if want.near:
                return tuple(near[:number])
            valid = [geo.index[name] for name in dict.fromkeys(want.cells) if geo.index.get(name) in closed]
            if not valid:
                return None
            return tuple([*valid, *(one for one in near if one not in valid)][:number])

        def worded(cells: tuple[Cell, ...]) -> Want:
            return Want(cells=tuple(geo.names[one] for one in cells))

        facts = {"number": number, "cell": run.cell_name}
        likely = likely_looks(run, closed, near, number)
        found: tuple[Cell, ...] = self._open(run, "lighthouse", chosen, worded, likely, facts)
        return found

    def lay(self, run: Run, cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
        """Return where each tile seen goes: a permutation of the cells, as they lay by default (J8.17)."""
        board = run.board
        names = tuple(board.geo.names[cell] for cell in cells)
        facts = {
            "cells": names,
            "tiles": tuple(BY_CODE[board.tiles[cell] & CODE].key for cell in cells),
            "rotations": tuple(rotation_of(board.tiles[cell]) for cell in cells),
        }
        key = self.talk.address("lay") if self.answers is not None else ""
        likely = likely_layings(run, cells)
        offers = tuple(Choice(word=encode(Decision(key=key, lay=one.answer)), facts=one.facts) for one in likely)
        word = self._ask(run, "lay", (), offers[0].word, facts, "", key=key, offers=offers)
        if word is None:
            return cells
        said = decode(word, JackalOrder)
        pairs = dict(said.lay) if isinstance(said, Decision) else {}
        to = tuple(pairs.get(name, name) for name in names)
        return tuple(board.geo.index[name] for name in to) if sorted(to) == sorted(names) else cells

    def pair(self, run: Run, free: Sequence[Cell]) -> Pair:
        """Return the two cells that an earthquake swaps (J8.19)."""
        board = run.board
        geo = board.geo
        rotates = board.options.quake_rotate == "yes"
        default = farthest_pair(board, free)

        def chosen(want: Want) -> Pair | None:
            if want.near:
                return default
            found = [geo.index.get(name, -1) for name in want.pair]
            if len(set(found)) != 2 or any(one not in free for one in found):
                return None
            return found[0], found[1], want.turns if rotates else ()

        def worded(pair: Pair) -> Want:
            return Want(pair=(geo.names[pair[0]], geo.names[pair[1]]), turns=pair[2])

        swaps = likely_swaps(run, free, default[:2])
        likely = tuple(Likely((*one.answer, ()), one.facts) for one in swaps)
        found: Pair = self._open(run, "quake", chosen, worded, likely, {"cell": run.cell_name})
        return found

    def _open(
        self,
        run: Run,
        topic: str,
        chosen: Callable[[Want], Any],
        worded: Callable[[Any], Want],
        likely: Sequence[Likely],
        facts: dict[str, Any],
    ) -> Any:
        """Return what whens, policy, an answer to an open question or the default, the first that is likely, choose."""
        default = likely[0].answer
        for want in self._whens(topic):
            found = chosen(want)
            if found is not None:
                return found
        rule = self._rule(topic)
        said = None if rule is None else next(filter(None, (chosen(one) for one in _cases(rule, run))), None)
        if said is not None and not self._asks(topic, rule):
            return said
        key = self.talk.address(topic) if self.answers is not None else ""
        policy = encode(Decision(key=key, want=worded(said))) if said is not None else ""
        offers = tuple(
            Choice(word=encode(Decision(key=key, want=worded(one.answer))), facts=one.facts) for one in likely
        )
        word = self._ask(run, topic, (), offers[0].word, facts, policy, key=key, offers=offers)
        if word is not None:
            answer = decode(word, JackalOrder)
            found = chosen(answer.want) if isinstance(answer, Decision) else None
            if found is not None:
                return found
        return default if said is None else said

    # Who decides

    def _whens(self, topic: str) -> list[Want]:
        return [when.want for when in self.alternative.whens if when.tile == topic]

    def _rule(self, topic: str) -> PolicyRule | None:
        if self.policy is None:
            return None
        return next((rule for rule in self.policy.rules if rule.tile == topic), None)

    def _asks(self, topic: str, rule: PolicyRule | None) -> bool:
        if self.policy is not None and self.policy.always:
            return True
        return rule.ask or not rule.cases if rule is not None else topic in ASKED

    def _ask(
        self,
        run: Run,
        topic: str,
        words: Sequence[str],
        default: str,
        facts: dict[str, Any],
        policy: str,
        *,
        key: str = "",
        offers: tuple[Choice, ...] = (),
    ) -> str | None:
        """Return the answer to a question, None where nothing may be asked: at most one pause a slot (5.4.5).

        The two questions of the new lighthouse are one pause. Raises AwaitingAnswer if there is no answer yet.
        """
        if self.answers is None:
            return None
        always = self.policy is not None and self.policy.always
        second = topic == "lay" and self.talk.topic == "lighthouse"
        if self.talk.topic and not always and not second:
            return None
        self.talk.topic = topic
        self.talk.position = _shown(run)
        question = Question(
            key=key or self.talk.address(topic),
            seat=self.talk.seat,
            what=topic,
            choices=tuple(Choice(word=word) for word in words),
            default=default,
            facts=facts,
            policy=policy,
            offers=offers,
        )
        (word,) = self.answers.take(question)
        return word


def _shown(run: Run) -> Board:
    """Return the board as it is to be looked at while a seat decides: what the mover carries lies where he stands."""
    shown = run.board.branch()
    shown.events = run.board.events
    shown.put(run.here, run.load)
    return shown


# Wishes ---------------------------------------------------------------------------------------------------------------


def _wishes(wants: Iterable[Want]) -> tuple[Pick, ...]:
    return tuple(pick for want in wants for pick in want.wishes)


def _cases(rule: PolicyRule, run: Run) -> Iterator[Want]:
    """Yield what the cases of a policy want that fit a mover with or without a load."""
    state = "laden" if run.load else "unladen"
    return (case.want for case in rule.cases if case.laden in ("", state))


def _case_wishes(rule: PolicyRule, run: Run) -> tuple[Pick, ...]:
    """Return the wishes of the first case that fits; filters of cases that fit both ways come along."""
    return next((want.wishes for want in _cases(rule, run)), ())


def _word(run: Run, way: Way | None) -> str:
    """Return the word of a choice: the cell a way leads to, ``stay`` for none."""
    return STAY if way is None else run.board.geo.names[way.cell]


def _pick(run: Run, way: Way | None) -> Pick:
    """Return the pick that names a way."""
    return Pick(kind=STAY) if way is None else Pick(kind="cell", way=_word(run, way))


def _take(run: Run, pick: Pick) -> bool:
    """Take a load that lies at the entrance of a cave; a laden entrant keeps his own (J8.18 c, R-48)."""
    board = run.board
    if (
        run.load
        or pick.way not in ITEMS
        or board.is_sober(run.unit)
        or not count(board.loads.get(run.here, 0), pick.way)
    ):
        return False
    run.load = ITEMS[pick.way][0]
    board.take(run.here, run.load)
    return True


def wished(run: Run, cell: Cell, ways: Sequence[Way], wishes: Iterable[Pick]) -> Way | None:
    """Return the way that a list of wishes chooses, None if it does not.

    A wish that names a way is passed over where there is none such. «Не в воду» and «не умирать» narrow the choice for
    the wishes after them; if none of these chooses, the default does among what is left.
    """
    left = list(ways)
    narrowed = False
    for wish in wishes:
        if not left:
            return None
        if wish.kind in ("not-water", "not-death"):
            kept = [way for way in left if _keeps(run, cell, way, wish)]
            narrowed = narrowed or 0 < len(kept) < len(left)
            left = kept or left
            continue
        hit = _hit(run, cell, left, wish)
        if hit is not None:
            return hit
    return default_way(run, cell, left) if narrowed else None


def _keeps(run: Run, cell: Cell, way: Way, wish: Pick) -> bool:
    return dry(run, way) if wish.kind == "not-water" else not fatal(run, cell, way)


def _hit(run: Run, cell: Cell, ways: Sequence[Way], wish: Pick) -> Way | None:
    """Return the way that one wish names; ties by N, NE … as the ways stand."""
    board = run.board
    geo = board.geo
    match wish.kind:
        case "way":
            direction = RHUMBS.index(wish.way)
            return next((way for way in ways if geo.around[cell][direction] == way.cell), None)
        case "cell":
            return next((way for way in ways if geo.names[way.cell] == wish.way), None)
        case "ship":
            own = [way for way in ways if _vessel_side(board, way) == run.side]
            return min(own, key=lambda way: way.cell != board.ships[run.colour], default=None)
        case "to-ship":
            return nearest_ship(run, ways)
        case "to-closed":
            return max(ways, key=lambda way: closed_about(board, way.cell))
        case "to-coins":
            gold = [place // STEPS_A_CELL for place, heap in board.loads.items() if worth(heap)]
            return min(ways, key=lambda way: min(geo.apart[way.cell][one] for one in gold)) if gold else None
    return None


def _vessel_side(board: Board, way: Way) -> int:
    vessel = board.vessel_at(way.cell)
    return board.vessel_side(vessel) if vessel != NO_VESSEL else -1


def dry(run: Run, way: Way) -> bool:
    """Say whether a way leads to land or onto a vessel of one's own side."""
    board = run.board
    return board.geo.terrain[way.cell] == LAND or _vessel_side(board, way) == run.side


def nearest_ship(run: Run, ways: Sequence[Way]) -> Way:
    """Return the way that ends nearest the own ship."""
    board = run.board
    apart = board.geo.apart[board.ships[run.colour]]
    return min(ways, key=lambda way: apart[way.cell])


def closed_about(board: Board, cell: Cell) -> int:
    """Count the closed tiles on a cell and about it."""
    tiles, geo = board.tiles, board.geo
    return sum(geo.terrain[one] == LAND and not tiles[one] & OPEN for one in (cell, *geo.around[cell]) if one >= 0)


def default_way(run: Run, cell: Cell, ways: Sequence[Way]) -> Way:
    """Never water, never certain death, then nearest to the ship if laden, else to most closed tiles (5.3)."""
    left = [way for way in ways if dry(run, way)] or list(ways)
    if len(left) > 1:
        left = [way for way in left if not fatal(run, cell, way)] or left
    if len(left) == 1:
        return left[0]
    if run.load:
        return nearest_ship(run, left)
    return max(left, key=lambda way: closed_about(run.board, way.cell))


def nearest_closed(run: Run, closed: Sequence[Cell]) -> list[Cell]:
    """Return closed cells, those nearest pirates of the own colour first, then in reading order (5.3)."""
    board = run.board
    own = [board.places[unit] // STEPS_A_CELL for unit in board.crew(run.colour) if board.is_fighter(unit)]
    own = own or [run.here // STEPS_A_CELL]
    return sorted(closed, key=lambda cell: (min(board.geo.apart[cell][one] for one in own), cell))


def farthest_pair(board: Board, free: Sequence[Cell]) -> Pair:
    """Return the two closed cells farthest from all ships, open ones where closed ones lack; nothing turned (5.3)."""
    ships = [ship for ship in board.ships if ship >= 0]
    ranked = sorted(
        free,
        key=lambda cell: (
            board.tiles[cell] & OPEN != 0,
            -min(board.geo.apart[cell][ship] for ship in ships),
            cell,
        ),
    )
    return ranked[0], ranked[1], ()
