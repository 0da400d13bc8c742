"""How a game is played, apart from its rules: the header printed in every report (play-by-mail 0)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

import msgspec

from adjudicator.errors import RefusedByRules
from engine.core import codec
from engine.core.contract import Value

Span = Annotated[int, msgspec.Meta(ge=0, le=60 * 86400)]
"""A span in seconds."""


class Header(Value, frozen=True):
    """The switches of a game. ``schedule`` as `services.schedule.parse` reads it; spans in seconds.

    ``phases`` gives the length of a kind of turn that differs from the schedule (``{"window": 43200}``); ``missed``
    and ``grace`` say what becomes of a turn without all orders (1.7), ``absence_days`` how many days of absence a seat
    has in the whole game; ``press_read``, ``press_published`` whether the moderator may read press, and whether it is
    published at the end; ``extend_cap`` by how much the moderator may move a deadline at a time; ``entry`` who may
    join: those invited, or anybody.
    """

    schedule: str = "48h"
    zone: str = "Europe/Moscow"
    phases: dict[str, Span] = msgspec.field(default_factory=dict)
    early: Literal["ready", "in", "never"] = "ready"
    cool_off: Span = 1200
    missed: Literal["go", "wait", "moderator"] = "go"
    grace: Span = 86400
    absence_days: Annotated[int, msgspec.Meta(ge=0, le=366)] = 21
    absences_shown: bool = False
    press: Literal["none", "public", "private", "anonymous"] = "private"
    press_read: bool = False
    press_published: bool = False
    names: Literal["shown", "hidden"] = "shown"
    who_in: Literal["names", "count", "hidden"] = "names"
    dice: Literal["salts", "beacon"] = "salts"
    open_orders: Literal["turn", "end"] = "turn"
    moderator: Literal["apart", "plays", "none"] = "apart"
    entry: Literal["invited", "open"] = "invited"
    extend_cap: Span = 7 * 86400
    remind: tuple[Span, ...] = (86400, 14400)
    auto_start: bool = True


def fair(switches: Mapping[str, Any]) -> dict[str, Any]:
    """Return the switches somebody sets, with the beacon for the dice where the moderator plays (fair-play 3.4).

    Raises `RefusedByRules` where he plays and the dice are to come from the players' words: he could steer them.
    """
    if switches.get("moderator") != "plays":
        return dict(switches)
    if switches.get("dice") == "salts":
        raise RefusedByRules("plays-salts")
    return {**switches, "dice": "beacon"}


@lru_cache(maxsize=256)
def read(text: str) -> Header:
    """Return the header that a game's row keeps as JSON."""
    header: Header = codec.decode(text, Header)
    return header
