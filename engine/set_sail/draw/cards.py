"""The sheets of ship and pirates as panels: the ship's above all, the reader's own large, the others by two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.core.drawing import Label, Shape, Text, Use
from engine.set_sail.draw.paper import (
    FADED,
    GAP,
    INK,
    MARGIN,
    RED,
    SEA,
    WHITE,
    WIDTH,
    cut,
    middle,
    panel,
    rule,
    words,
)
from engine.set_sail.state import FATES

SHIP_HIGH: Final = 148
OWN_HIGH: Final = 204
CARD_HIGH: Final = 128
BROAD: Final = WIDTH - 2 * MARGIN
HALF: Final = (BROAD - GAP) / 2
MOST_COINS: Final = 8
"""Points of luck that are drawn as coins; more are a number beside one."""
FLAGS: Final = ("sea_battle", "new_shore", "blood")
HULL_MOST: Final = 6
SECRETS_MOST: Final = 3

Sheet = Mapping[str, Any]


def height(pirates: Sequence[Sheet], own: str) -> int:
    """Return how high the drawing is."""
    others = sum(1 for one in pirates if one["seat"] != own)
    mine = OWN_HIGH + GAP if others < len(pirates) else 0
    return 2 * MARGIN + SHIP_HIGH + mine + -(-others // 2) * (CARD_HIGH + GAP) + (GAP if pirates else 0)


def sheets(ship: Sheet, pirates: Sequence[Sheet], own: str) -> Iterator[Shape]:
    """Yield all panels from above to below."""
    yield from _ship(ship, MARGIN, MARGIN)
    y = float(MARGIN + SHIP_HIGH + GAP)
    for one in pirates:
        if one["seat"] == own:
            yield from _own(one, MARGIN, y)
            y += OWN_HIGH + GAP
    for place, one in enumerate([one for one in pirates if one["seat"] != own]):
        x = MARGIN + (place % 2) * (HALF + GAP)
        yield from _card(one, x, y + place // 2 * (CARD_HIGH + GAP))


# The ship -------------------------------------------------------------------------------------------------------------


def _ship(ship: Sheet, x: float, y: float) -> Iterator[Shape]:
    yield panel(x, y, BROAD, SHIP_HIGH)
    yield Use("under-sail", x + BROAD - 88, y + 62, scale=0.95)
    name = cut(ship["name"], 21, 330) if ship["name"] else Label("no-ship")
    yield words(x + 16, y + 31, name, 21, INK, "bold")
    yield words(x + 16, y + 48, cut(ship["kind"], 12, 330) if ship["kind"] else Label("ship"), 12, FADED, "italic")
    for place, one in enumerate(ship["stats"]):
        at = x + 52 + place * 100
        yield Use("ring-ship", at, y + 80)
        yield middle(at, y + 85, _plain(one["n"]), 18, RED if one["n"] < 0 else INK, bold=True)
        yield middle(at, y + 112, Label("stat", {"key": one["key"]}), 10.5, FADED)
    yield words(x + 338, y + 31, Label("hull", {"hull": ship["hull"], "of": ship["hull_max"]}), 12)
    for place in range(HULL_MOST):
        sign = "plank" if place < ship["hull"] else "plank-lost" if place < ship["hull_max"] else "plank-none"
        yield Use(sign, x + 348 + place * 25, y + 49)
    yield words(x + 338, y + 82, Label("secrets"), 12)
    for place in range(SECRETS_MOST):
        yield Use("seal" if place < ship["secret_count"] else "seal-none", x + 348 + place * 25, y + 98)
    yield rule(x + 16, y + 121, BROAD - 32)
    yield words(x + 16, y + 137, Label("treasury", {"sum": ship["treasury"]}), 12)
    if ship["breakdown"]:
        yield words(x + 318, y + 137, Label("breakdown", {"kind": ship["breakdown"]}), 12, RED)
        return
    for place, flag in enumerate(FLAGS):
        at = x + 338 + place * 112
        yield Use("box", at, y + 133)
        if flag in ship["met"]:
            yield Use("tick", at, y + 133)
        yield words(at + 11, y + 137, Label("flag", {"key": flag}), 11, FADED)


# Pirates --------------------------------------------------------------------------------------------------------------


def _own(one: Sheet, x: float, y: float) -> Iterator[Shape]:
    """Draw the reader's own sheet, with what Fate has struck and what he holds."""
    yield panel(x, y, BROAD, OWN_HIGH, own=True)
    yield from _head(one, x + 16, y, 420)
    yield from _stats(one, x + 54, y + 82, 98)
    yield from _wounds(one, x + 16, y + 136)
    yield from _luck(one, x + 200, y + 136)
    yield rule(x + 16, y + 176, BROAD - 32)
    yield words(x + 16, y + 193, Label("purse", {"sum": one["purse"]}), 12)
    held = [Label("ambush", {"enemy": cut(token["name"], 11, 90), "n": token["n"]}) for token in one["ambush"]]
    held += [Label("forward", given) for given in one["forward"]]
    for place, label in enumerate(held[:2]):
        yield words(x + 328 + place * 174, y + 193, label, 11, FADED)  # behind the fullest purse in any font
    yield words(x + 440, y + 30, Label("fate"), 12, FADED, "italic")
    for place, option in enumerate(FATES):
        at = y + 48 + place * 20
        yield Use("box", x + 447, at)
        if option in one["struck"]:
            yield Use("tick", x + 447, at)
        yield words(x + 460, at + 4, Label("fate-option", {"key": option}), 11.5)


def _card(one: Sheet, x: float, y: float) -> Iterator[Shape]:
    """Draw another pirate's sheet."""
    yield panel(x, y, HALF, CARD_HIGH)
    yield from _head(one, x + 12, y - 4, HALF - 24)
    yield from _stats(one, x + 42, y + 66, 82, 0.8)
    yield from _wounds(one, x + 12, y + 102, named=False)
    yield from _luck(one, x + 106, y + 102, named=False)


def _head(one: Sheet, x: float, y: float, room: float) -> Iterator[Shape]:
    gone = one["status"] != "active"
    yield words(x, y + 30, _name(one, room - (110 if gone else 0)), 18, FADED if gone else INK, "bold")
    post = [text for text in (one["post"], one["background"]) if text]
    if post:
        yield words(x, y + 45, cut(", ".join(post), 11.5, room), 11.5, FADED, "italic")
    elif one["captain"]:
        yield words(x, y + 45, Label("captain"), 11.5, FADED, "italic")
    if gone:
        yield words(x + room - 94, y + 29, Label("status", {"key": one["status"]}), 12, RED, "bold")


def _name(one: Sheet, room: float) -> Label | str:
    return cut(one["name"], 18, room) if one["name"] else Label("seat", {"seat": one["seat"]})


def _stats(one: Sheet, x: float, y: float, step: float, scale: float = 1.0) -> Iterator[Shape]:
    for place, row in enumerate(one["stats"]):
        at = x + place * step
        yield Use("ring", at, y - 4, scale=scale)
        yield middle(at, y + 2, _signed(row["n"]), 17 * scale, RED if row["n"] < 0 else SEA, bold=True)
        yield middle(at, y + 14 + 13 * scale, Label("stat", {"key": row["key"]}), 10.5 if scale == 1.0 else 9.5, FADED)


def _wounds(one: Sheet, x: float, y: float, *, named: bool = True) -> Iterator[Shape]:
    if named:
        yield words(x, y, Label("wounds"), 12)
    for place, wound in enumerate(one["wounds"]):
        at = x + 11 + place * 29
        yield Use(f"wound-{wound['level']}", at, y + 20 if named else y + 8)
        if place + 1 in one["fresh"]:
            yield Use("new", at, y + 20 if named else y + 8)
    for place, wound in enumerate(one["wounds"]):
        if wound["unspent"]:
            at = x + 11 + place * 29
            low = y + 30 if named else y + 18
            yield Text(at + 10, low, "−1", 11, RED, "middle", "bold", halo=WHITE)
    if named and one["penalty"]:
        yield words(x + 98, y + 24, _signed(one["penalty"]), 13, RED, "bold")


def _luck(one: Sheet, x: float, y: float, *, named: bool = True) -> Iterator[Shape]:
    top = y + 20 if named else y + 8
    if named:
        yield words(x, y, Label("luck"), 12)
    coins = one["luck"] if one["luck"] <= MOST_COINS else 1
    for place in range(coins):
        yield Use("luck", x + 9 + place * 20, top)
    if coins != one["luck"]:
        yield words(x + 24, top + 5, f"× {one['luck']}", 14, INK, "bold")
    if not one["luck"]:
        yield words(x, top + 5, Label("no-luck"), 12, RED, "italic")


def _signed(n: int) -> str:
    return f"+{n}" if n > 0 else _plain(n)


def _plain(n: int) -> str:
    return f"−{-n}" if n < 0 else str(n)
