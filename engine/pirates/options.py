"""The switches of «Пираты» and their editions (page, table of 1.2)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from engine.core.contract import Options


class PiratesOptions(Options, frozen=True):
    """Every switch of the ruleset, the default first; see ``rules.en.md`` for what each one changes."""

    mode: Literal["sealed", "alternating", "by_side"] = "sealed"
    oars_upwind: Literal["yes", "no"] = "yes"
    calm: Annotated[int, msgspec.Meta(ge=0, le=2)] = 1
    hurricane: Annotated[int, msgspec.Meta(ge=0, le=2)] = 1
    bend: Literal["no", "yes"] = "no"
    current: Literal["end", "pass"] = "end"
    upstream: Literal["head", "free"] = "head"
    fire: Literal["square", "rays"] = "square"
    shots: Literal["ship", "seat"] = "ship"
    storm_fire: Literal["yes", "no"] = "yes"
    drift: Literal["column", "frozen"] = "column"
    coast_wind: Literal["saved", "wreck"] = "saved"
    strict_wreck: Literal["no", "yes"] = "no"
    gold_wreck: Literal["derelict", "boarder", "lost"] = "derelict"
    repair: Literal["automatic", "ordered"] = "automatic"
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 60
    board: str = "atlantic"


EDITIONS: dict[str, PiratesOptions] = {
    "golitsyn": PiratesOptions(),
    "pioneer-1989": PiratesOptions(strict_wreck="yes", gold_wreck="lost"),
    "alternating": PiratesOptions(mode="alternating"),
    "by-side": PiratesOptions(mode="by_side"),
}
