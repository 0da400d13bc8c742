"""Bots finish their games, the same seed plays the same game, and the sums are right."""

from __future__ import annotations

import os

import pytest

from engine.core.contract import Outcome
from engine.core.registry import ruleset
from engine.core.selfplay import Chance, GameRecord, Tally, many, play, tally
from engine.pirates.options import PiratesOptions

GAMES = int(os.environ.get("SELFPLAY_GAMES", "200"))


def test_games_of_pirates_end_within_sixty_rounds() -> None:
    sums = many(ruleset("pirates"), PiratesOptions(), GAMES)

    assert sums.finished == sums.games == GAMES
    assert sums.turns_max <= 1 + 60
    assert not any(outcome.endswith("limit") for outcome in sums.outcomes)
    assert 0.3 < sums.share("spain") < 0.7


@pytest.mark.parametrize(
    "options",
    [
        PiratesOptions(mode="alternating"),
        PiratesOptions(mode="by_side"),
        PiratesOptions(bend="yes", shots="seat", repair="ordered"),
        PiratesOptions(gold_wreck="boarder", hurricane=2, strict_wreck="yes"),
        PiratesOptions(gold_wreck="lost", hurricane=2, coast_wind="wreck"),
        PiratesOptions(current="pass", upstream="free", fire="rays", drift="frozen", storm_fire="no"),
        PiratesOptions(oars_upwind="no", calm=2, hurricane=0),
    ],
)
def test_games_end_under_every_option(options: PiratesOptions) -> None:
    sums = many(ruleset("pirates"), options, 8)

    assert sums.finished == 8


def test_the_same_seed_plays_the_same_game() -> None:
    rules = ruleset("pirates")

    assert play(rules, PiratesOptions(), 5, "one") == play(rules, PiratesOptions(), 5, "one")
    assert play(rules, PiratesOptions(), 5, "one") != play(rules, PiratesOptions(), 5, "two")


def test_every_number_of_players_has_its_turn() -> None:
    seen: list[int] = []
    many(ruleset("pirates"), PiratesOptions(), 9, after_each=lambda record: seen.append(record.players))

    assert seen == [2, 3, 4, 5, 6, 7, 8, 9, 2]


def record(turns: int, orders: int, outcome: Outcome | None) -> GameRecord:
    return GameRecord(seed="s", players=2, turns=turns, orders=orders, outcome=outcome)


def test_tally_sums_up() -> None:
    home = Outcome(reason="gold-home", rule="P5", sides=("spain",))
    draw = Outcome(reason="limit", rule="P39")

    sums = tally([record(10, 90, home), record(20, 160, draw), record(61, 500, None)], seconds=2.5)

    assert sums == Tally(
        games=3,
        finished=2,
        outcomes={"draw limit": 1, "spain gold-home": 1, "unfinished longest": 1},
        turns_min=10,
        turns_median=20,
        turns_max=61,
        turns=91,
        orders=750,
        seconds=2.5,
    )
    assert sums.actions_per_second == 300
    assert sums.share("spain") == pytest.approx(1 / 3)


def test_tally_of_no_games_is_refused() -> None:
    with pytest.raises(ValueError, match="no games"):
        tally([])


def test_time_is_taken_by_the_timer_given() -> None:
    ticks = iter([100.0, 104.0])

    assert many(ruleset("pirates"), PiratesOptions(limit=1), 1, timer=lambda: next(ticks)).seconds == 4


def test_chance_is_fair_to_its_bounds_and_refuses_nothing() -> None:
    chance = Chance(b"key")

    assert [chance(1) for _ in range(3)] == [0, 0, 0]
    assert {chance(3) for _ in range(60)} == {0, 1, 2}
    with pytest.raises(ValueError, match="nothing to choose from"):
        chance(0)
