"""What the sane player of «Пираты» does where a greedy one goes wrong."""

from __future__ import annotations

import pytest

from engine.pirates.bots import bot
from engine.pirates.options import PiratesOptions
from engine.pirates.state import Fire, ShipOrder
from tests.engine.pirates.orders_position import at_sea

HUNT = {
    1: {"cell": "K20"},
    **{number: {"cell": None, "fate": "sunk"} for number in (2, 3, 6, 7, 8, 9)},
    4: {"cell": "K21"},
    5: {"cell": None, "fate": "sunk"},
}


@pytest.mark.parametrize(("mode", "when"), [("sealed", "before"), ("by_side", "after")])
def test_who_moves_second_fires_when_the_enemy_has_sailed(mode: str, when: str) -> None:
    options = PiratesOptions(mode="by_side" if mode == "by_side" else "sealed")

    (order,) = bot(at_sea("pirates-1", HUNT, options=options), lambda _: 0)

    assert isinstance(order, ShipOrder)
    assert order.fire is not None
    assert order.fire.when == when


def test_who_moves_second_steers_for_the_cell_the_galleon_runs_to() -> None:
    hunter = {**HUNT, 4: {"cell": "M24"}}  # the galleon's best run is from K20 to K23

    (order,) = bot(at_sea("pirates-1", hunter, options=PiratesOptions(mode="by_side")), lambda _: 0)

    assert order == ShipOrder(ship=4, course="N", distance=1, fire=Fire(when="after", targets=("any",)))
