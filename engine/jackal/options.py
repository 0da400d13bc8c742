"""The switches of «Шакал» (page, table 2.14) and the presets that name combinations of them."""

from __future__ import annotations

from typing import Annotated, Final, Literal

import msgspec

from engine.core.contract import Options


class JackalOptions(Options, frozen=True, kw_only=True):
    """Every switch of the ruleset, the default first; each is independent of the others.

    ``first_colour`` is the colour of the youngest player as the host named it; "" leaves it to the lot
    (``first=youngest``). ``teams``: four players, white and black against yellow and red (J12.3). ``empty_side``: the
    side that stays empty for three players, ``empty_shift``: the ships beside it begin nearer to it (R-30).
    """

    tileset: Literal["ti117", "classic117", "ti_plus"] = "ti117"
    first: Literal["youngest", "white"] = "youngest"
    first_colour: Literal["", "white", "yellow", "black", "red"] = ""
    teams: Literal["no", "yes"] = "no"
    empty_side: Literal["black", "white", "yellow", "red"] = "black"
    empty_shift: Literal["no", "yes"] = "no"
    ship_move: Literal["side", "second_ring"] = "side"
    disembark: Literal["ahead", "around"] = "ahead"
    ship_picks_up: Literal["yes", "no"] = "yes"
    ally_rows: Literal["yes", "no"] = "yes"
    plane_defer: Literal["no", "yes"] = "no"
    plane_to_ship: Literal["yes", "no"] = "yes"
    lighthouse: Literal["new", "old", "peek"] = "new"
    rum_spin: Literal["leave", "no"] = "leave"
    cave_blocked: Literal["blank", "locked"] = "blank"
    quake_rotate: Literal["no", "yes"] = "no"
    cart_lands: Literal["yes", "no"] = "yes"
    forced_load: Literal["die", "drop"] = "die"
    oath: Literal["engine", "require"] = "engine"
    tie: Literal["shared", "living"] = "shared"
    end_early: Literal["leader", "no"] = "leader"
    mode: Literal["round", "strict"] = "round"
    actions_per_round: Annotated[int, msgspec.Meta(ge=1, le=3)] = 1
    share_peeks: Literal["no", "yes"] = "no"


_CLASSIC: Final = JackalOptions(tileset="classic117", first="white", plane_defer="yes")

EDITIONS: Final[dict[str, JackalOptions]] = {
    "tl": JackalOptions(),
    "ti": JackalOptions(first="white", plane_defer="yes", lighthouse="old"),
    "20": JackalOptions(tileset="classic117"),
    "cr": JackalOptions(first="white", plane_defer="yes", lighthouse="old"),
    "oe": JackalOptions(tileset="ti_plus", first="white", plane_defer="yes", lighthouse="old", ship_move="second_ring"),
    "lx": _CLASSIC,
    "cl": _CLASSIC,
}
"""Остров сокровищ Люкс (the default), Остров сокровищ, издание 2020, classic with the re-issued and with the original
expansion, издание Люкс, classic. ``ti`` and ``cr``, and ``lx`` and ``cl``, are two boxes with the same rules."""
