"""A real browser for the tests, and visitors who come with it; whatever goes wrong in a page fails the test."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Request,
    ViewportSize,
    expect,
    sync_playwright,
)

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
PATIENCE = 15_000  # milliseconds
BUSY = "503 (Service Unavailable)"  # said of studies on a machine that has much to do; the page asks again
WIDE: ViewportSize = {"width": 1200, "height": 860}
PHONE: ViewportSize = {"width": 360, "height": 740}


@contextmanager
def opened() -> Iterator[Browser]:
    """Answer the system's Chromium; where there is none, what needs it is skipped."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"no browser was found (looked for {', '.join(PROGRAMS)})")
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        expect.set_options(timeout=PATIENCE)
        browser = playwright.chromium.launch(executable_path=program, args=sandbox)
        yield browser
        browser.close()


class Visitor:
    """Somebody with a browser of their own, which may remember things; notes what a page must not do."""

    def __init__(self, browser: Browser, url: str, prefs: dict[str, Any] | None = None, **context: Any) -> None:
        self.url = url
        known = [{"name": "duelbook", "value": json.dumps(prefs or {})}]
        kept: Any = {"origins": [{"origin": url, "localStorage": known}]}
        self.context = browser.new_context(viewport=context.pop("viewport", WIDE), storage_state=kept, **context)
        self.context.set_default_timeout(PATIENCE)
        self.faults: list[str] = []
        self.forgiven = [BUSY]  # parts of faults that a test provokes
        self.context.on("console", self._console)
        self.context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        self.context.on("request", self._request)
        self.page = self.context.new_page()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"console: {message.text} {message.location['url']}")

    def _request(self, request: Request) -> None:
        host = urlsplit(request.url).netloc
        if host and host != urlsplit(self.url).netloc:
            self.faults.append(f"another host: {request.url}")

    def open(self, path: str) -> Page:
        """Open an address of the page."""
        self.page.goto(f"{self.url}{path}")
        return self.page

    def leave(self) -> None:
        """Close the browser; what went wrong in it that nobody forgave fails the test."""
        faults = [fault for fault in self.faults if not any(part in fault for part in self.forgiven)]
        self.context.close()
        assert not faults, faults


def picture(page: Page, name: str) -> None:
    """Keep a picture of the whole screen, where the environment says so."""
    folder = os.environ.get("DUELBOOK_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
