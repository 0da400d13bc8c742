"""The browser of the tests shows files, and reaches nothing outside."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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


def test_chromium_reaches_this_machine_and_nothing_outside(chromium: Chromium) -> None:
    def look(tab: Page) -> str:
        tab.set_content(f'<img src="http://{address}/x.png" onerror="document.title=\'asked\'">')
        tab.wait_for_function("document.title")
        return tab.title()

    asked = {}
    for host in ("127.0.0.1", "127.0.0.2"):  # the second stands for the world: it would answer, too
        with _web_server(host) as (address, log):
            asked[host] = (chromium.visit(look), log)
    assert asked == {"127.0.0.1": ("asked", ["/x.png"]), "127.0.0.2": ("asked", [])}


@contextmanager
def _web_server(host: str) -> Iterator[tuple[str, list[str]]]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # http.server finds it by this name
            log.append(self.path)
            self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing on standard error."""

    log: list[str] = []
    with ThreadingHTTPServer((host, 0), Handler) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"{host}:{server.server_port}", log
        server.shutdown()
        serving.join()


def test_chromium_leaves_the_test_its_event_loop(chromium: Chromium) -> None:
    chromium.screenshot("<p>one</p>")

    assert asyncio.run(asyncio.sleep(0, "ran")) == "ran"
