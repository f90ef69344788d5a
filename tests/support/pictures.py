"""Take the pictures of the page in docs/pictures: `python -m tests.support.pictures` (`make pictures`)."""

import io
import json
import re
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize

from duelbook import GAMES
from tests.support.browser import open_browser
from tests.support.service.harness import RunningServer

FOLDER = Path(__file__).parents[2] / "docs/pictures"
COLOURS = 128  # enough for the page, and the file stays small
WIDE: ViewportSize = {"width": 1120, "height": 700}
PHONE: ViewportSize = {"width": 390, "height": 780}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        server = RunningServer(Path(folder), {"database_url": f"sqlite:///{folder}/matches.sqlite"}).start()
        try:
            home(browser, server.url)
            match(browser, server.url)
            values(browser, server.url)
            review(browser, server.url)
            phone(browser, server.url)
        finally:
            server.stop()


def open_page(browser: Browser, url: str, viewport: ViewportSize, scheme: str = "light", **prefs: Any) -> Page:
    context = browser.new_context(viewport=viewport, color_scheme="dark" if scheme == "dark" else "light")
    stored = json.dumps(json.dumps({"name": "Red", "level": "expert", **prefs}))
    context.add_init_script(f"localStorage.getItem('duelbook') ?? localStorage.setItem('duelbook', {stored})")
    page = context.new_page()
    page.goto(url)
    return page


def save(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(400)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def home(browser: Browser, url: str) -> None:
    page = open_page(browser, url, {"width": 1120, "height": 860})
    page.locator("duel-picture .board").nth(len(GAMES) - 1).wait_for()
    page.wait_for_timeout(4500)
    save(page, "home")


def match(browser: Browser, url: str) -> None:
    page = open_page(browser, url, WIDE)
    page.get_by_role("button", name="Play Charge", exact=True).click()
    for move in ("charge 5", "block", "charge 3"):
        page.locator(f'[data-move="{move}"]:not([aria-disabled])').click()
        page.locator('[data-move="charge 1"]:not([aria-disabled])').wait_for()
    save(page, "match")


def values(browser: Browser, url: str) -> None:
    page = open_page(browser, f"{url}/analysis/crystal-capture?after=4,2", WIDE, "dark", values=True)
    page.locator(".mark").first.wait_for()
    save(page, "values")


def review(browser: Browser, url: str) -> None:
    """Play a match with mistakes on both sides, and step back to one of them."""
    page = open_page(browser, url, {"width": 1120, "height": 980}, level="random", seat="first")
    page.get_by_role("button", name="Play Alpha Chase", exact=True).click()
    page.wait_for_url(re.compile("/match/"))
    while page.locator(".result").count() == 0:
        free = page.locator("[data-move]:not([aria-disabled])")
        if free.count():
            free.nth(min(7, free.count() - 1)).click()
        page.wait_for_timeout(150)
    page.locator(".chart").wait_for()
    for _ in range(4):
        page.keyboard.press("ArrowLeft")
    save(page, "review")


def phone(browser: Browser, url: str) -> None:
    page = open_page(browser, f"{url}/analysis/word-clash?after=E self 2,T opponent 1", PHONE, "dark")
    page.locator(".board .move").first.wait_for()
    save(page, "phone")


if __name__ == "__main__":
    main()
