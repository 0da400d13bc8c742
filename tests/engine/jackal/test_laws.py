"""Every law of «Шакал» can be broken: a checker that cannot fail would prove nothing (page 5.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from engine.core.contract import EVERYONE, Event, Resolution
from engine.core.registry import ruleset
from engine.core.selfplay import Chance
from engine.jackal import view as knowledge
from engine.jackal.board import Board, freeze, thaw
from engine.jackal.events import Moved, PeekShown, Raised
from engine.jackal.isle import ISLE
from engine.jackal.options import EDITIONS
from engine.jackal.rules import chain as chains
from engine.jackal.state import COIN, CONVERTED, FR, MS, STEPS_A_CELL, TRAPPED, UNIT, JackalState, Notebook, Peek
from engine.jackal.tiles import CODE, OPEN, make
from tests.engine.jackal import wild
from tests.engine.jackal.laws import LawBroken, chain_ends_by_the_loop_rule, check, views_keep_secrets
from tests.engine.jackal.soak import SWITCHES, TABLES, options_of, play

RULES = ruleset("jackal")


def place(name: str) -> int:
    return ISLE.cell(name) * STEPS_A_CELL


def middle_of_a_game() -> JackalState:
    """Return a position some turns into a game of four, the same every time."""
    options = msgspec.structs.replace(EDITIONS["tl"], mode="strict")
    states: list[JackalState] = []

    def look(before: JackalState, *_: object) -> None:
        states.append(before)

    wild.play_wildly(options, 4, "laws", look, turns=160, sheet=wild.sane_sheet)
    return states[-1]


MIDDLE = middle_of_a_game()


def find(key: str) -> int:
    """Return the open cell of a kind of tile, turning one up where none is."""
    code = make(key) & CODE
    return next(cell for cell in ISLE.land if MIDDLE.tiles[cell] & CODE == code)


def turned_up(board: Board, key: str) -> int:
    cell = find(key)
    board.tiles[cell] |= OPEN
    return cell


def lay(board: Board, cell: int) -> None:
    """Lay a coin that another heap has given, so that the sums stay right."""
    heap = next(where for where, load in board.loads.items() if load & 255)
    board.take(heap, COIN)
    board.put(cell * STEPS_A_CELL, COIN)


def no_tile_more(board: Board) -> None:
    board.tiles[ISLE.cell("G7")] = make("cannibal")


def gold_from_nowhere(board: Board) -> None:
    board.gold[0] += 1


def bottles_from_nowhere(board: Board) -> None:
    board.bottles[0] += 11


def coin_in_the_sea(board: Board) -> None:
    lay(board, ISLE.cell("B13"))


def coin_on(key: str) -> Callable[[Board], None]:
    def broken(board: Board) -> None:
        lay(board, turned_up(board, key))

    return broken


def coin_on_a_closed_tile(board: Board) -> None:
    lay(board, next(cell for cell in ISLE.land if not board.tiles[cell] & OPEN))


def pirate_on(key: str, mood: int = 0) -> Callable[[Board], None]:
    def broken(board: Board) -> None:
        board.places[UNIT["W1"]] = turned_up(board, key) * STEPS_A_CELL
        board.moods[UNIT["W1"]] = mood

    return broken


def pirate_on_a_closed_tile(board: Board) -> None:
    board.places[UNIT["W1"]] = next(cell for cell in ISLE.land if not board.tiles[cell] & OPEN) * STEPS_A_CELL


def pirate_aboard_an_enemy(board: Board) -> None:
    board.places[UNIT["W1"]] = board.ships[1] * STEPS_A_CELL


def pirate_off_the_coast(board: Board) -> None:
    board.places[UNIT["W1"]] = place("A1")


def pirate_on_a_sixth_step(board: Board) -> None:
    board.places[UNIT["W1"]] = turned_up(board, "spin2") * STEPS_A_CELL + 3


def enemies_on_one_cell(board: Board) -> None:
    board.places[UNIT["W1"]] = board.places[UNIT["Y1"]] = turned_up(board, "empty") * STEPS_A_CELL


def missionary_beside_friday(board: Board) -> None:
    board.owners[1:] = [0, 0]
    board.moods[MS] &= ~CONVERTED
    board.places[MS] = board.places[FR] = turned_up(board, "empty") * STEPS_A_CELL


BROKEN = [
    (no_tile_more, "the tiles are those of the start"),
    (gold_from_nowhere, "gold scored, lying, destroyed and hidden"),
    (bottles_from_nowhere, "bottles come from the island"),
    (coin_in_the_sea, "no load lies in the sea"),
    (coin_on("fort"), "no load lies where none may"),
    (coin_on("jungle"), "no load lies where none may"),
    (coin_on("a4s"), "no load lies where none may"),
    (coin_on("cannibal"), "the cannibal eats what Friday leaves"),
    (coin_on_a_closed_tile, "no load lies on a closed tile"),
    (pirate_on("horse"), "nobody rests on a pass tile"),
    (pirate_on("cannon"), "only a gunner rests on a cannon"),
    (pirate_on("cannibal"), "only Friday lives on the cannibal's tile"),
    (pirate_on("empty", TRAPPED), "the trapped are in traps"),
    (pirate_on("trap", 2), "the lost are in caves"),
    (pirate_on("keg", 8), "who missed his turn is awake"),
    (pirate_on_a_closed_tile, "nobody rests on a closed tile"),
    (pirate_aboard_an_enemy, "nobody is aboard an enemy ship"),
    (pirate_off_the_coast, "nobody swims off the coast"),
    (pirate_on_a_sixth_step, "a place is a step of a spin"),
    (enemies_on_one_cell, "enemies share no place"),
    (missionary_beside_friday, "missionary and Friday part for ever"),
]


@pytest.mark.parametrize(("break_it", "law"), BROKEN)
def test_broken_position_is_found_out(break_it: Callable[[Board], None], law: str) -> None:
    board = thaw(MIDDLE)
    check(MIDDLE, Resolution(state=MIDDLE, events=()))
    break_it(board)

    with pytest.raises(LawBroken, match=law):
        check(MIDDLE, Resolution(state=freeze(board, MIDDLE), events=()))


def moved(start: str, cell: str, how: Any = "exit") -> Moved:
    return Moved(rule="J8.02", unit="W1", start=start, cell=cell, how=how)


def test_way_taken_twice_is_found_out() -> None:
    board = thaw(MIDDLE)
    board.tiles[ISLE.cell("G7")] = make("a4s")
    state = freeze(board, MIDDLE)
    start = moved("G8", "G7", "step")

    chain_ends_by_the_loop_rule(state, [start, moved("G7", "G6"), moved("G6", "G7"), moved("G7", "H7")])
    with pytest.raises(LawBroken, match="a way is taken once"):
        chain_ends_by_the_loop_rule(state, [start, moved("G7", "G6"), moved("G6", "G7"), moved("G7", "G6")])


def test_endless_chain_is_found_out() -> None:
    board = thaw(MIDDLE)
    for cell in ("G7", "G6"):
        board.tiles[ISLE.cell(cell)] = make("a1s")
    circle = [moved("G7", "G6"), moved("G6", "G7")]

    chain_ends_by_the_loop_rule(freeze(board, MIDDLE), [moved("G8", "G7", "step"), *circle, circle[0]])
    with pytest.raises(LawBroken, match="does not repeat itself"):
        chain_ends_by_the_loop_rule(freeze(board, MIDDLE), [moved("G8", "G7", "step"), *circle, *circle])


def law_of(*events: Event) -> None:
    check(MIDDLE, Resolution(state=MIDDLE, events=events))


def test_raising_the_living_or_a_fourth_is_found_out() -> None:
    board = thaw(MIDDLE)
    board.places[UNIT["W1"]] = -1
    board.owners[0] = 0
    board.places[12] = board.ships[0] * STEPS_A_CELL
    for unit in ("W2", "W3"):
        board.places[UNIT[unit]] = board.ships[0] * STEPS_A_CELL
    crowd = freeze(board, MIDDLE)

    with pytest.raises(LawBroken, match="only the dead are raised"):
        law_of(Raised(rule="J7.2", unit=living(), by="W2", cell="G7"))
    with pytest.raises(LawBroken, match="nobody is raised beside three"):
        check(crowd, Resolution(state=crowd, events=(Raised(rule="J7.2", unit="W1", by="W2", cell="G7"),)))


def living() -> str:
    return next(name for name, unit in UNIT.items() if unit < 12 and MIDDLE.places[unit] >= 0)


def test_peek_told_to_all_is_found_out() -> None:
    with pytest.raises(LawBroken, match="a peek is private"):
        law_of(PeekShown(rule="J8.17", audience=EVERYONE, cells=("G7",), tiles=("fort",), rotations=(0,)))


@pytest.mark.parametrize(("opened", "law"), [(True, "notebooks are of closed tiles"), (False, "tells the truth")])
def test_notebook_that_errs_is_found_out(opened: bool, law: str) -> None:
    cell = next(one for one in ISLE.land if bool(MIDDLE.tiles[one] & OPEN) == opened)
    book = Notebook(seat="white", peeks=(Peek(cell=cell, tile=MIDDLE.tiles[cell] ^ 1, turn=1),))
    state = msgspec.structs.replace(MIDDLE, notebooks=(book,))

    with pytest.raises(LawBroken, match=law):
        check(MIDDLE, Resolution(state=state, events=()))


def test_view_that_shows_a_closed_tile_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert views_keep_secrets(MIDDLE) == 6
    monkeypatch.setattr(knowledge, "HIDDEN", make("fort"))
    knowledge._shown.cache_clear()

    with pytest.raises(LawBroken, match="a closed tile is hidden"):
        views_keep_secrets(MIDDLE)

    knowledge._shown.cache_clear()


def test_view_that_depends_on_a_closed_tile_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    real = knowledge._shown

    def leaky(tiles: tuple[int, ...]) -> Any:
        shown, pile = real(tiles)
        return shown, (*pile, (str(next(tiles[cell] for cell in ISLE.land if not tiles[cell] & OPEN)), 1))

    monkeypatch.setattr(knowledge, "_shown", leaky)

    with pytest.raises(LawBroken, match="does not depend on what lies closed"):
        views_keep_secrets(MIDDLE)


def test_turn_that_resolves_otherwise_from_its_log_is_found_out() -> None:
    chance = Chance(b"again")
    sheets = {seat: wild.sane_sheet(MIDDLE, seat, chance) for seat in MIDDLE.roster}
    result, answers = wild.resolved(MIDDLE, sheets, "again", 7, chance)
    wild.resolves_the_same(MIDDLE, sheets, "again", 7, answers, result)

    with pytest.raises(AssertionError, match="resolves differently"):
        wild.resolves_the_same(MIDDLE, {}, "again", 7, answers, result)


# A rule taken out of the engine is found out by games -----------------------------------------------------------------


def games_keep_the_laws(games: int) -> None:
    for number in range(games):
        play("mutant", 28 + number)


def test_games_find_an_engine_that_leaves_the_cannibals_gold(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(board: Board, load: int, *_: object) -> None:
        board.sunk += bool(load)

    games_keep_the_laws(2)
    monkeypatch.setattr("engine.jackal.rules.water.destroy", careless)
    monkeypatch.setattr("engine.jackal.rules.fighting.destroy", careless)

    with pytest.raises(LawBroken, match="gold scored, lying, destroyed and hidden"):
        games_keep_the_laws(12)


def test_games_find_an_engine_without_fights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "strike", lambda _: None)

    with pytest.raises(LawBroken, match="enemies share no place"):
        games_keep_the_laws(6)


def test_games_find_an_engine_that_forgets_the_sleepers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.jackal.rules.turn.sober_up", lambda _: None)

    with pytest.raises(LawBroken, match="who missed his turn is awake"):
        games_keep_the_laws(6)


def test_every_kind_of_game_has_its_numbers() -> None:
    kinds = [options_of(number) for number in range(len(EDITIONS) * len(TABLES) * len(SWITCHES) * 5)]

    assert len({(players, options.teams, options.tileset, wild_) for options, players, wild_ in kinds}) == 4 * 3 * 2
    assert {options.mode for options, _, _ in kinds} == {"round", "strict"}
    assert sum(wild_ for _, _, wild_ in kinds) * 5 == len(kinds)
