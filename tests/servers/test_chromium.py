"""The browser of the tests shows files, and reaches nothing outside."""

from __future__ import annotations

import asyncio
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from tests.servers.chromium import Chromium


def test_chromium_shows_a_file(chromium: Chromium, tmp_path: Path) -> None:
    page = tmp_path / "sea.html"
    page.write_text('<body style="margin:0;background:#0000ff"><div style="height:900px">', "utf-8")

    png = chromium.screenshot(page, width=320, save_as=tmp_path / "sea.png")

    picture = Image.open(BytesIO(png)).convert("RGB")
    assert (picture.size, picture.getpixel((10, 890))) == ((320, 900), (0, 0, 255))
    assert (tmp_path / "sea.png").read_bytes() == png


def test_chromium_shows_dark_colors_to_those_who_ask(chromium: Chromium) -> None:
    page = "<style>body{background:white}@media(prefers-color-scheme:dark){body{background:black}}</style>"

    corners = [
        Image.open(BytesIO(chromium.screenshot(page, colors=colors))).convert("RGB").getpixel((0, 0))
        for colors in ("light", "dark")
    ]
    assert corners == [(255, 255, 255), (0, 0, 0)]


def test_chromium_reaches_nothing_outside(chromium: Chromium) -> None:
    page = '<img src="http://tracker.invalid/pixel.png" onerror="document.title=\'kept in\'">'

    def look(tab: Page) -> str:
        tab.set_content(page)
        tab.wait_for_function("document.title")
        return tab.title()

    assert chromium.visit(look) == "kept in"


def test_chromium_leaves_the_test_its_event_loop(chromium: Chromium) -> None:
    chromium.screenshot("<p>one</p>")

    assert asyncio.run(asyncio.sleep(0, "ran")) == "ran"
