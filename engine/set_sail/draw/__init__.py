"""The sheets of a campaign as a picture: ship and pirates; labels are keys, words are in templates."""

from __future__ import annotations

from typing import Final

from engine.core.drawing import Drawing, Label, Pen, Rect, Shape, Text
from engine.set_sail.rules.checks import ship_stat
from engine.set_sail.state import SHIP_STATS, STATS, Pirate, SetSailView

PAPER, INK, LINE = "#f6efdd", "#2b2118", "#8a6f4d"
WIDTH: Final = 560
ROW: Final = 64
HEAD: Final = 96


def draw(view: SetSailView) -> Drawing:
    """Return the ship's sheet and a line for every pirate, as a viewer may see them."""
    pirates = view.state.pirates
    height = HEAD + ROW * max(1, len(pirates))
    frame = Rect(x=6, y=6, width=WIDTH - 12, height=height - 12, pen=Pen(stroke=LINE, width=2), rx=8)
    overlay: list[Shape] = _ship(view)
    for place, pirate in enumerate(pirates):
        overlay += _pirate(pirate, HEAD + ROW * place)
    return Drawing(
        width=WIDTH,
        height=height,
        background=PAPER,
        base=(frame,),
        overlay=tuple(overlay),
        alt=Label("sheets", {"chapter": view.state.chapter, "scene": view.state.scene}),
        rows=tuple(_row(pirate) for pirate in pirates),
        legend=(Label("ship", {"hull": view.state.ship.hull, "of": view.state.ship.hull_max}),),
    )


def _text(x: float, y: float, text: Label | str, size: float = 15, face: str = "roman") -> Text:
    bold = face == "bold"
    return Text(x=x, y=y, text=text, size=size, colour=INK, anchor="start", face="bold" if bold else "roman")


def _ship(view: SetSailView) -> list[Shape]:
    ship = view.state.ship
    shapes: list[Shape] = [_text(24, 38, ship.name or Label("no-ship"), 20, "bold")]
    for place, stat in enumerate(SHIP_STATS):
        label = Label("ship-stat", {"stat": stat, "value": ship_stat(ship, stat)})
        shapes.append(_text(24 + 150 * place, 64, label, 14))
    shapes.append(_text(24, 84, Label("hull", {"hull": ship.hull, "of": ship.hull_max}), 14))
    if ship.breakdown:
        shapes.append(_text(174, 84, Label("breakdown", {"kind": ship.breakdown}), 14))
    return shapes


def _pirate(pirate: Pirate, y: float) -> list[Shape]:
    shapes: list[Shape] = [_text(24, y + 24, pirate.name or pirate.seat, 16, "bold")]
    shapes.append(_text(330, y + 24, Label("luck", {"n": pirate.luck, "status": pirate.status}), 14))
    for place, stat in enumerate(STATS):
        label = Label("stat", {"stat": stat, "value": getattr(pirate, stat)})
        shapes.append(_text(24 + 130 * place, y + 46, label, 13))
    return shapes


def _row(pirate: Pirate) -> str:
    stats = " ".join(f"{getattr(pirate, stat):+d}" for stat in STATS)
    wounds = "".join(wound.level[0].upper() for wound in pirate.wounds) or "-"
    return f"{pirate.seat:<10} {stats}  {pirate.luck:>2}  {wounds}"
