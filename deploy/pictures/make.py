"""Plays the game that README.md tells of and lays its letters, its log and their pictures beside this file.

    .venv/bin/python deploy/pictures/make.py            # needs Debian's chromium

It is the game of `adjudicator demo`, whose secrets come from its seed: the same each time, as long as the people of
the demonstration are the same. tests/house/test_pages_letters.py holds README.md against what lies here.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from base64 import b64encode
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from adjudicator.demo import DemoResult, run
from adjudicator.demo.postbag import Item

HERE: Final = Path(__file__).parent
CHROMIUM: Final = shutil.which("chromium") or "/usr/bin/chromium"
PHONE, DESK = (390, 1.5), (1240, 1.0)
"""Width of the window in CSS pixels, and device pixels to each of them."""
LIMIT: Final = 120_000
"""Bytes a picture may take."""
COLOURS: Final = (128, 96, 64, 48, 32, 24, 16)


@dataclass(frozen=True, slots=True)
class Told:
    """A letter that README.md shows: the turn it belongs to, its kind, and its player.

    Of the mails a player wrote in a turn it is the first; of the receipts the answer to that mail.
    """

    name: str
    person: str
    turn: int
    kind: str


LETTERS: Final = (
    Told("1-report-anna", "anna", 2, "report"),
    Told("1-report-margaret", "margaret", 2, "report"),
    Told("2-orders-anna", "anna", 3, "mail"),
    Told("2-orders-margaret", "margaret", 3, "mail"),
    Told("2-slip-anna", "anna", 1, "mail"),
    Told("3-receipt-anna", "anna", 3, "receipt"),
    Told("3-receipt-margaret", "margaret", 3, "receipt"),
    Told("3-slip-anna", "anna", 1, "receipt"),
    Told("5-report-anna", "anna", 3, "report"),
    Told("5-report-margaret", "margaret", 3, "report"),
)


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a letter on a phone, from one heading to before another; 0 is the top, None the end."""

    name: str
    letter: str
    first: int = 0
    last: int | None = None


SHOTS: Final = (
    Shot("1-report-anna", "1-report-anna", 0, 3),
    Shot("1-report-margaret", "1-report-margaret", 0, 3),
    Shot("3-receipt-anna", "3-receipt-anna", 0, 3),
    Shot("3-receipt-margaret", "3-receipt-margaret", 0, 3),
    Shot("3-slip-anna", "3-slip-anna", 0, 2),
    Shot("5-report-anna", "5-report-anna", 4, 6),
    Shot("5-report-margaret", "5-report-margaret", 4, 6),
)
MAPS: Final = {"1-map": "1-report-margaret", "5-map": "5-report-anna"}


def letter(game: DemoResult, told: Told) -> Item:
    """Return a letter of the game. Raises StopIteration if it was never written."""
    turn = game.turns[told.turn]
    if told.kind == "report":
        later = (item for item in game.mails if item.kind == "report" and item.at >= turn.ended)
        return next(item for item in later if item.reader == told.person)
    written = next(item for item in game.mails if item.writer == told.person and turn.opened <= item.at < turn.locked)
    if told.kind == "mail":
        return written
    answers = (item for item in game.mails if item.kind == told.kind and item.in_reply_to == written.message_id)
    return next(answers)


def small(picture: Image.Image) -> bytes:
    """Return a palette PNG below `LIMIT`. Raises ValueError if no palette is small enough."""
    for colours in COLOURS:
        data = io.BytesIO()
        picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE).save(data, "PNG", optimize=True)
        if data.tell() <= LIMIT:
            return data.getvalue()
    raise ValueError(f"a picture of {picture.size} is too large even in {COLOURS[-1]} colours")


def faces() -> str:
    """Return the project's own fonts as a style sheet: letters name them second, after one that Debian lacks."""
    rule = "@font-face {{font-family: 'PT Serif'; font-weight: {}; font-style: {}; src: url(data:font/ttf;base64,{})}}"
    kinds = {"Regular": ("normal", "normal"), "Bold": ("bold", "normal"), "Italic": ("normal", "italic")}
    fonts = files("templates").joinpath("fonts")
    data = {name: b64encode(fonts.joinpath(f"PTSerif-{name}.ttf").read_bytes()).decode() for name in kinds}
    return "".join(rule.format(*kinds[name], data[name]) for name in kinds)


def cut(page: Page, shot: Shot) -> Image.Image:
    """Return a picture of what stands between two headings of the page."""
    whole = Image.open(io.BytesIO(page.screenshot(full_page=True)))
    tops = [float(heading.bounding_box()["y"]) for heading in page.query_selector_all("h2")]  # type: ignore[index]
    scale = PHONE[1]
    top = 0 if not shot.first else int((tops[shot.first - 1] - 10) * scale)
    bottom = whole.height if shot.last is None else int((tops[shot.last - 1] - 14) * scale)
    return whole.crop((0, top, whole.width, bottom))


def draw(letters: dict[str, Item], index: Path) -> dict[str, bytes]:
    """Return every picture by its name."""
    made = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        phone = browser.new_context(viewport={"width": PHONE[0], "height": 800}, device_scale_factor=PHONE[1])
        page = phone.new_page()
        for shot in SHOTS:
            page.set_content(letters[shot.letter].part("html"))
            page.add_style_tag(content=faces())
            page.evaluate("document.fonts.ready")
            made[shot.name] = small(cut(page, shot))
        page = browser.new_page(viewport={"width": DESK[0], "height": 1060}, device_scale_factor=DESK[1])
        page.goto(index.resolve().as_uri())
        if page.locator("#tongue").inner_text() == "English":
            page.click("#tongue")
        page.evaluate("document.querySelector('#turn-2').scrollIntoView()")
        page.wait_for_timeout(500)
        made["6-index"] = small(Image.open(io.BytesIO(page.screenshot())))
        browser.close()
    return made


def main() -> None:
    """Write everything anew; a file that nothing here makes is left where it is."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "demo"
        game = run(folder, language="ru")
        letters = {told.name: letter(game, told) for told in LETTERS}
        pictures = draw(letters, game.index)
        pictures |= {shown: letters[told].files()["map.png"] for shown, told in MAPS.items()}
        (HERE / "log.jsonl").write_bytes((folder / "log.jsonl").read_bytes())
    for name, item in letters.items():
        if item.kind == "mail":
            (HERE / f"{name}.eml").write_bytes(item.raw)
        else:
            (HERE / f"{name}.md").write_text(item.part("plain"), encoding="utf-8")
    for name, data in pictures.items():
        (HERE / f"{name}.png").write_bytes(data)
        print(f"{name}.png", len(data))


if __name__ == "__main__":
    main()
