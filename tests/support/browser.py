"""A real browser for the tests. Console errors, exceptions and requests to other hosts fail the test."""

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    ConsoleMessage,
    Page,
    Playwright,
    Request,
    Route,
    ViewportSize,
    expect,
    sync_playwright,
)

from duelbook import GAMES

PROGRAMS = (
    "chromium-headless-shell",  # which takes a quarter less processor time than a browser with hidden windows
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
)
ARGUMENTS = (  # a page that is opened in a used profile takes a third of the processor time with them
    "--process-per-site",  # or each page would be opened by a process of its own, …
    "--disable-site-isolation-trials",  # … and another one would be started in advance
    "--disable-gpu",  # which would only be emulated
)
TIMEOUT_MS = 60_000
HARMLESS = [
    "WebSocket is closed before the connection is established",  # of a match that is left at once
    "503 (Service Unavailable)",  # a study on a busy machine; the page tries again
    "Service Worker registration blocked by Playwright",  # a profile is used again, and must not keep files
]
WIDE: ViewportSize = {"width": 1200, "height": 860}
PHONE: ViewportSize = {"width": 360, "height": 740}
FORGET = """async () => {
    localStorage.clear();
    await new Promise((done) => {
        const request = indexedDB.deleteDatabase("duelbook");
        request.onsuccess = request.onerror = request.onblocked = done;
    });
}"""
CALM = {  # unless a test says otherwise, the computer replies at once, and games are played by the book
    "pace": "instant",
    "options": {game: {} for game in GAMES},
}
EMULATED = {"viewport", "reduced_motion"}  # options that a profile can change later


@contextmanager
def open_browser() -> Iterator[Browser]:
    """Open the system's Chromium, or skip the test if there is none."""
    with open_playwright() as playwright, launch_chromium(playwright) as browser:
        yield browser


@contextmanager
def open_playwright() -> Iterator[Playwright]:
    """Open what drives browsers. While it is open, no other event loop can run in this thread."""
    with sync_playwright() as playwright:
        expect.set_options(timeout=TIMEOUT_MS)
        yield playwright


@contextmanager
def launch_chromium(playwright: Playwright) -> Iterator[Browser]:
    """Open the system's Chromium, or skip the test if there is none."""
    program = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if program is None:
        pytest.skip(f"No browser was found. Install one of: {', '.join(PROGRAMS)}.")
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.chromium.launch(executable_path=program, args=[*ARGUMENTS, *sandbox]) as browser:
        yield browser


class Visitor:
    """A person with a browser profile of their own. Faults of the page are collected and fail the test at the end."""

    def __init__(self, browser: Browser, url: str, prefs: dict[str, Any] | None = None, **context: Any) -> None:
        self.url = url
        self.reusable = not context.keys() - EMULATED  # a test that changes the profile for good sets this to False
        stored = [{"name": "duelbook", "value": json.dumps(CALM | (prefs or {}))}]
        storage: Any = {"origins": [{"origin": url, "localStorage": stored}]}
        context = {"viewport": WIDE, "service_workers": "block", "reduced_motion": "reduce"} | context
        self.context = browser.new_context(storage_state=storage, **context)
        self.context.set_default_timeout(TIMEOUT_MS)
        self.faults: list[str] = []
        self.expected = [*HARMLESS]  # parts of the faults that a test provokes
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
        self.page.goto(f"{self.url}{path}")
        return self.page

    def reset(
        self,
        prefs: dict[str, Any] | None = None,
        viewport: ViewportSize = WIDE,
        reduced_motion: Literal["no-preference", "reduce"] = "reduce",  # animation takes processor time
    ) -> None:
        """Become somebody else: a page of a used profile opens three times as fast as that of a new one."""
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(color_scheme="light", reduced_motion=reduced_motion)
        self.page.evaluate("prefs => localStorage.setItem('duelbook', prefs)", json.dumps(CALM | (prefs or {})))
        self.faults.clear()
        self.expected = [*HARMLESS]

    def leave(self) -> list[str]:
        """Forget everything, or close the profile if it cannot be used again. Return the unexpected faults."""
        faults = [fault for fault in self.faults if not any(part in fault for part in self.expected)]
        self.reusable = self.reusable and not self.page.is_closed()
        if not self.reusable:
            self.context.close()
            return faults
        for page in self.context.pages:
            if page is not self.page:
                page.close()
        self.page.unroute_all()
        self.page.evaluate("window.stop()")  # or pending requests could take up every connection to the server
        self.open("/healthz")
        self.page.evaluate(FORGET)
        self.context.clear_cookies()
        return faults


class HeldRequests:
    """The requests of a page to an address, which wait until the test lets the first one go."""

    def __init__(self, page: Page, address: str, times: int | None = None) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(address, lambda route: self.routes.append(route), times=times)

    def let_go(self) -> None:
        """Send the first request. What the page shows may come before it, so wait until it is made."""
        waits = TIMEOUT_MS // 10
        while not self.routes and (waits := waits - 1):
            self.page.wait_for_timeout(10)
        self.routes[0].continue_()


def save_picture(page: Page, name: str) -> None:
    """Save a picture of the whole screen in the folder that DUELBOOK_PICTURES names, if it is set."""
    folder = os.environ.get("DUELBOOK_PICTURES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
