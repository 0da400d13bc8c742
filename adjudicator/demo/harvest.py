"""What the demonstration leaves in its folder: mails, reports, maps and the log, under names that sort by time."""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Final

from adjudicator.demo.postbag import Item

MAILS: Final = "mails"
REPORTS: Final = "reports"
MAPS: Final = "maps"
FONTS: Final = "fonts"
LOG: Final = "log.jsonl"
INDEX: Final = "index.html"
START: Final = -1
"""The turn that the opening letter tells of."""

_FACES: Final = ("PTSerif-Regular.ttf", "PTSerif-Bold.ttf", "PTSerif-Italic.ttf", "LICENSE-PTSerif.txt")
_PICTURE: Final = re.compile(r"cid:[^\"'\s>]+")


@dataclass(frozen=True, slots=True)
class Report:
    """A report as it lies in the folder; ``files`` are paths from it, by what they are: html, md, png, svg.

    ``size`` is the width and height of its map in pixels, so that a page keeps the place of a picture not loaded yet.
    """

    turn: int
    item: Item
    files: Mapping[str, str]
    size: tuple[int, int]


def stem(turn: int, seat: str) -> str:
    """Return the beginning of the file names of a report."""
    return f"start-{seat}" if turn == START else f"turn-{turn:02}-{seat}"


def gather(folder: Path, items: Sequence[Item], told: Mapping[int, int]) -> list[Report]:
    """Write every mail, and each report once more with its maps apart."""
    for name in (MAILS, REPORTS, MAPS, FONTS):
        (folder / name).mkdir(exist_ok=True)
    for face in _FACES:
        with as_file(files("templates").joinpath(FONTS, face)) as path:
            shutil.copyfile(path, folder / FONTS / face)
    for item in items:
        (folder / MAILS / item.file).write_bytes(item.raw)
    return [_report(folder, item, told[item.letter_id]) for item in items if item.kind == "report"]


def _report(folder: Path, item: Item, turn: int) -> Report:
    name = stem(turn, item.seat)
    pictures = {file.rpartition(".")[2]: data for file, data in item.files().items() if file.startswith("map")}
    paths = {"md": f"{REPORTS}/{name}.md", "html": f"{REPORTS}/{name}.html"}
    for kind in sorted(pictures):
        paths[kind] = f"{MAPS}/{name}.{kind}"
        (folder / paths[kind]).write_bytes(pictures[kind])
    (folder / paths["md"]).write_text(item.part("plain"), encoding="utf-8")
    page = _PICTURE.sub(f"../{paths['png']}", item.part("html"))
    (folder / paths["html"]).write_text(page, encoding="utf-8")
    return Report(turn, item, paths, struct.unpack(">II", pictures["png"][16:24]))


def sections(text: str) -> dict[str, str]:
    """Return the parts of a report by heading, what a heading has after a dot left out."""
    parts = [part.partition("\n") for part in f"\n{text}".split("\n## ")[1:]]
    return {heading.partition(" · ")[0].strip(): body.strip() for heading, _, body in parts}
