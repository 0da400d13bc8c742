"""What a seat may not know is in no answer to its lines: two worlds it cannot tell apart are read the same."""

from __future__ import annotations

from msgspec.structs import replace

from engine.core.codec import encode
from engine.core.contract import PUBLIC
from engine.set_sail.orders import examples, legal, read, template
from engine.set_sail.state import Clock, Knowledge, Roll, SetSailState
from engine.set_sail.view import owed, view
from tests.engine.set_sail.order_positions import ANNA, BORIS, VERA, campaign
from tests.engine.set_sail.test_orders import MODERATORS, PLAYERS, STANDING

SECRET = "предать Анну у Тортуги"


def other_world() -> SetSailState:
    """Return the campaign with secrets of Борис, of Вера and of the moderator put into it."""
    state = campaign()
    hidden = Roll(key=f"{VERA}/o4", seat=VERA, step="window", move="zapugat", text=SECRET, hidden=True, band="miss")
    pirates = tuple(
        replace(one, knows=(*one.knows, Knowledge(id=77, who=BORIS if one.seat == VERA else ANNA, text=SECRET)))
        if one.seat != ANNA
        else one
        for one in state.pirates
    )
    talks = tuple(replace(talk, sealed="glory", sealed_secret=SECRET) for talk in state.talks)
    clocks = (*state.clocks, Clock(id="izmena", n=3))
    return replace(state, rolls=(*state.rolls, hidden), pirates=pirates, talks=talks, clocks=clocks)


def test_lines_are_read_the_same_whatever_others_keep_secret() -> None:
    lines = [line for line, _ in (*PLAYERS, *STANDING, *MODERATORS)]
    lines += ["помощь Вере o4: держу", "фарт +1 o4", "ставка слава; тайна 77", "часы измена +1", "помощь Вере: держу"]
    for seat in (ANNA, PUBLIC):
        one, other = view(campaign(), seat), view(other_world(), seat)
        for line in lines:
            found = encode(read(other, (), [line], "ru"))
            assert found == encode(read(one, (), [line], "ru"))
            assert SECRET not in found
        for language in ("ru", "en"):
            assert template(one, language) == template(other, language)
            assert examples(one, language) == examples(other, language)
        for slot in owed(one):
            assert list(legal(one, slot.key)) == list(legal(other, slot.key))


def test_who_keeps_a_secret_can_use_it() -> None:
    mine = view(other_world(), VERA)

    assert encode(read(mine, (), ["ставка слава; тайна 77"], "ru")) != encode(
        read(view(campaign(), VERA), (), ["ставка слава; тайна 77"], "ru")
    )
    assert read(view(other_world(), BORIS), (), ["помощь Вере o4: держу"], "ru").orders == ()
