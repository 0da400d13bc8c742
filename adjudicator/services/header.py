"""How a game is played, apart from its rules: the header printed in every report (play-by-mail 0)."""

from __future__ import annotations

from typing import Literal

from engine.core.contract import Value


class Header(Value, frozen=True):
    """The switches of a game. ``schedule`` as `services.schedule.parse` reads it; spans in seconds."""

    schedule: str = "48h"
    zone: str = "Europe/Moscow"
    early: Literal["ready", "in", "never"] = "ready"
    cool_off: int = 1200
    missed: Literal["go"] = "go"
    press: Literal["none", "public", "private"] = "private"
    names: Literal["shown"] = "shown"
    who_in: Literal["names", "count", "hidden"] = "names"
    dice: Literal["salts"] = "salts"
    open_orders: Literal["turn", "end"] = "turn"
    moderator: Literal["apart"] = "apart"
    remind: tuple[int, ...] = (86400, 14400)
    auto_start: bool = True
