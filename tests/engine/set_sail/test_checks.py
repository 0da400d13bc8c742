"""The chances of a check agree with table 1.3 of the page, exactly and over 100,000 throws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice, product

import pytest

from engine.core.contract import MODERATOR, Answers, Resolution
from engine.core.dice import LoadedDice, die
from engine.set_sail import SetSail
from engine.set_sail.commands import Ruling
from engine.set_sail.events import Rolled
from engine.set_sail.options import SetSailOptions
from engine.set_sail.rules.checks import Mode, band_of, kept
from engine.set_sail.rules.money import counted, piastres
from engine.set_sail.state import Band, Pirate, Plan, Roll, SetSailState

CHECKS = 100_000
DECLARED = 9
"""Declarations of a seat in one batch."""
BANDS: tuple[Band, ...] = ("full", "partial", "miss")
TABLE: dict[Mode, dict[int, tuple[float, float, float]]] = {
    "normal": {
        -2: (2.8, 25.0, 72.2),
        -1: (8.3, 33.3, 58.3),
        0: (16.7, 41.7, 41.7),
        1: (27.8, 44.4, 27.8),
        2: (41.7, 41.7, 16.7),
        3: (58.3, 33.3, 8.3),
    },
    "advantage": {
        -2: (7.4, 44.9, 47.7),
        -1: (19.9, 48.1, 31.9),
        0: (35.6, 44.9, 19.4),
        1: (52.3, 37.0, 10.6),
        2: (68.1, 26.9, 5.1),
        3: (80.6, 17.6, 1.9),
    },
    "disadvantage": {
        -2: (0.5, 10.2, 89.4),
        -1: (1.9, 17.6, 80.6),
        0: (5.1, 26.9, 68.1),
        1: (10.6, 37.0, 52.3),
        2: (19.4, 44.9, 35.6),
        3: (31.9, 48.1, 19.9),
    },
}
every_row = pytest.mark.parametrize(("mode", "modifier"), [(mode, n) for mode, rows in TABLE.items() for n in rows])


@cache
def thrown() -> tuple[tuple[int, ...], ...]:
    """Throw three dice for each of 100,000 checks, by a fixed key."""
    return tuple(tuple(die(b"bands", f"pirate-1/o{n}/main/{k}", 6) for k in range(3)) for n in range(CHECKS))


def shares(faces: Iterable[Sequence[int]], mode: Mode, modifier: int) -> tuple[float, ...]:
    """Return how many of a hundred checks come to each band."""
    count = 2 if mode == "normal" else 3
    bands = Counter(band_of(sum(kept(one[:count], mode)) + modifier) for one in faces)
    return tuple(100 * bands[band] / bands.total() for band in BANDS)


@every_row
def test_chances_are_those_of_the_table(mode: Mode, modifier: int) -> None:
    exact = shares(product(range(1, 7), repeat=3), mode, modifier)

    assert exact == pytest.approx(TABLE[mode][modifier], abs=0.06)


@every_row
def test_bands_over_a_hundred_thousand_checks_agree_with_the_table(mode: Mode, modifier: int) -> None:
    assert shares(thrown(), mode, modifier) == pytest.approx(TABLE[mode][modifier], abs=0.6)


@pytest.mark.parametrize("mode", TABLE)
def test_checks_that_a_campaign_throws_have_the_chances_of_the_table(mode: Mode) -> None:
    """All faces there are, thrown by the rules themselves: a pirate for each modifier, nine declarations at a time."""
    bands: dict[int, Counter[str]] = {modifier: Counter() for modifier in TABLE[mode]}
    for some in batched(product(range(1, 7), repeat=2 if mode == "normal" else 3), DECLARED):
        for event in ruled_at_once(mode, some):
            bands[event.modifiers[0].n][event.band] += 1

    for modifier, found in bands.items():
        shares_ = tuple(100 * found[band] / found.total() for band in BANDS)
        assert shares_ == pytest.approx(TABLE[mode][modifier], abs=0.06)


def ruled_at_once(mode: Mode, faces: Sequence[tuple[int, ...]]) -> list[Rolled]:
    """Return the checks of six pirates, of daring −2 to +3, each of whom throws all of these faces."""
    seats = {f"pirate-{place}": modifier for place, modifier in enumerate(TABLE[mode], 1)}
    keys = {f"{seat}/o{number}": thrown_ for seat in seats for number, thrown_ in enumerate(faces, 1)}
    state = SetSailState(
        options=SetSailOptions(),
        roster=tuple(seats),
        stage="ruling",
        pirates=tuple(Pirate(seat=seat, der=modifier) for seat, modifier in seats.items()),
        plans=(Plan(id="p1", crew=len(keys), gm=len(keys)),),
        rolls=tuple(Roll(key=key, seat=key.partition("/")[0]) for key in keys),
    )
    chance, gm_chance = mode == "advantage", mode == "disadvantage"
    sheet = tuple(Ruling(roll=key, stat="der", chance=chance, gm_chance=gm_chance) for key in keys)
    dice = LoadedDice({f"{key}/main/{k}": face for key, thrown_ in keys.items() for k, face in enumerate(thrown_)})
    result = SetSail().resolve(state, {MODERATOR: sheet}, dice, Answers())
    assert isinstance(result, Resolution)
    return [event for event in result.events if isinstance(event, Rolled)]


def batched(found: Iterable[tuple[int, ...]], size: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    rest = iter(found)
    while some := tuple(islice(rest, size)):
        yield some


@pytest.mark.parametrize(
    ("total", "band"),
    [(2, "miss"), (6, "miss"), (7, "partial"), (9, "partial"), (10, "full"), (15, "full"), (-3, "miss")],
)
def test_band_of_a_total(total: int, band: str) -> None:
    assert band_of(total) == band


def test_money_is_counted_as_chests_doubloons_and_piastres() -> None:
    assert piastres(2, 3, 4) == 119
    assert counted(119 - piastres(0, 9, 2)) == (1, 4, 2)
    assert [piastres(*counted(n)) for n in range(300)] == list(range(300))
