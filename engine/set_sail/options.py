"""The switches of «Поднять паруса!» (page 1.3 and the keys of 1.4) and the presets that name combinations of them."""

from __future__ import annotations

from typing import Final, Literal

from engine.core.contract import Options


class SetSailOptions(Options, frozen=True, kw_only=True):
    """Every switch of the ruleset, the default first; each is independent of the others.

    ``hb_…`` are the house rules HB1 to HB5; ``money_coins``: chests are split into doubloons and piastres.
    """

    hb_tale: Literal["on", "off"] = "on"
    hb_priority_by_gm: Literal["on", "off"] = "on"
    hb_scheme_pays_luck: Literal["on", "off"] = "on"
    hb_chance_is_advantage: Literal["on", "off"] = "on"
    hb_revel_roll: Literal["on", "off"] = "on"
    money_coins: Literal["on", "off"] = "on"
    allow_hinder: Literal["yes", "ask", "no"] = "yes"
    luck_cap: Literal["none", "start"] = "none"
    light_stack: Literal["all", "one_per_move"] = "all"
    full_slots: Literal["escalate", "luck_only"] = "escalate"
    stack_permanent: Literal["no", "yes"] = "no"
    sea_repair: Literal["per_passage", "per_use"] = "per_passage"
    scheme_cap: Literal["helpers", "total"] = "helpers"
    code_floor: Literal["luck", "none"] = "luck"


EDITIONS: Final[dict[str, SetSailOptions]] = {
    "house": SetSailOptions(),
    "book": SetSailOptions(
        hb_tale="off",
        hb_priority_by_gm="off",
        hb_scheme_pays_luck="off",
        hb_chance_is_advantage="off",
        hb_revel_roll="off",
        money_coins="off",
    ),
}
"""With the house rules of the group whose notes the page follows (the default), and without them."""
