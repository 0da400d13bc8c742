"""A real browser for pictures of what the project shows: Debian's Chromium, headless, without a network."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Literal, Self, TypeVar

from playwright.sync_api import Browser, Page, Playwright, Route, sync_playwright

from tests.servers.place import program

PACKAGE = "chromium"
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

Result = TypeVar("Result")


class Chromium:
    """One browser, driven from a thread of its own: playwright's loop would keep a test from running another.

    `with Chromium() as chromium` starts it; raises ServerMissing if it is not installed.
    """

    def __init__(self) -> None:
        self._open = ExitStack()

    def __enter__(self) -> Self:
        binary = program("chromium", "chromium-browser", "google-chrome", package=PACKAGE)
        with ExitStack() as starting:
            self._thread = starting.enter_context(ThreadPoolExecutor(1, "chromium"))
            self._playwright, self._browser = self._thread.submit(_launch, binary).result()
            starting.callback(lambda: self._thread.submit(self._quit).result())
            self._open = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def visit(self, look: Callable[[Page], Result], *, width: int = 800, height: int = 600) -> Result:
        """Run `look` on an empty page in the browser's thread and return what it returns.

        A page reaches files, data: addresses and this machine, nothing else.
        """
        return self._thread.submit(self._visit, look, width, height, "light").result()

    def screenshot(
        self,
        html: Path | str,
        *,
        width: int = 800,
        height: int = 600,
        colors: Literal["light", "dark"] = "light",
        save_as: Path | None = None,
    ) -> bytes:
        """Return a PNG of a whole page, given as a file or as HTML text, `width` pixels wide."""

        def look(page: Page) -> bytes:
            if isinstance(html, Path):
                page.goto(html.resolve().as_uri())
            else:
                page.set_content(html)
            return page.screenshot(full_page=True, path=save_as)

        return self._thread.submit(self._visit, look, width, height, colors).result()

    def _visit(
        self, look: Callable[[Page], Result], width: int, height: int, colors: Literal["light", "dark"]
    ) -> Result:
        context = self._browser.new_context(viewport={"width": width, "height": height}, color_scheme=colors)
        try:
            context.route("**/*", _stay_here)
            return look(context.new_page())
        finally:
            context.close()

    def _quit(self) -> None:
        self._browser.close()
        self._playwright.stop()


def _launch(binary: str) -> tuple[Playwright, Browser]:
    playwright = sync_playwright().start()
    sandbox = os.geteuid() != 0  # Chromium's sandbox refuses root
    return playwright, playwright.chromium.launch(executable_path=binary, args=list(FLAGS), chromium_sandbox=sandbox)


def _stay_here(route: Route) -> None:
    address = route.request.url
    if address.startswith(("file:", "data:", "about:", "http://127.0.0.1:", "http://localhost:")):
        route.continue_()
    else:
        route.abort()
