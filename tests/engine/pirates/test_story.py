"""What a turn's events are told as."""

from __future__ import annotations

from engine.pirates.state import ShipHit, ShipSunk
from engine.pirates.story import tell
from tests.engine.pirates.orders_position import at_sea


def test_the_journal_names_who_else_sank_a_ship() -> None:
    view = at_sea("pirates-1", {1: {"fate": "sunk", "cell": None}})
    about = ("ship1", "ship4", "ship6")
    events = (
        ShipHit(rule="P31", ship=1, taken=2, hits=3, of=3, by=(4, 6), about=about),
        ShipSunk(rule="P31", ship=1, cell="O12", by=(4, 6), about=about),
    )

    journal = tell(view, events).journal

    last = {page.piece: page.lines[-1].facts for page in journal}
    assert {piece: facts["mates"] for piece, facts in last.items()} == {"ship1": [4, 6], "ship4": [6], "ship6": [4]}
