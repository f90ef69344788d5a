"""How soon a new visitor can play, and how smoothly moves are shown, on a slow phone: `python -m benchmarks.page`."""

import random
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from playwright.sync_api import Browser

from duelbook import GAMES
from tests.support.browser import PHONE, Visitor, open_browser
from tests.support.page_moves import click, start, wait_for_person, wait_for_turn
from tests.support.service.harness import RunningServer

SLOW_NETWORK = {  # the slow 4G of Lighthouse
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
PROCESSOR_SLOWDOWN = 4
VISITS = 7  # the median counts
GOAL_SECONDS = 1.5  # on a slow phone
MATCHES, MOVES = 3, 4  # of each game
MOVE_SECONDS = 2.5  # until the computer's reply has been shown
FRAMES = {"includedCategories": ["disabled-by-default-devtools.timeline.frame"]}


class Frames(NamedTuple):
    """The frames in which something moved, by what was shown of them."""

    shown: int
    late: int  # what moved was shown, but a change of the page had to wait
    dropped: int


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        server = RunningServer(Path(folder), {"database_url": f"sqlite:///{folder}/matches.sqlite"}).start()
        try:
            fast = median(seconds_until_usable(browser, server.url, slow=False) for _ in range(VISITS))
            slow = median(seconds_until_usable(browser, server.url, slow=True) for _ in range(VISITS))
            print(f"First visit until Play can be pressed: {fast:.2f} s here, {slow:.2f} s on a slow phone")
            print(f"  goal on a slow phone: {GOAL_SECONDS} s; ratio of the two: {slow / fast:.1f}")
            print(f"Frames on a slow phone, in {MATCHES} matches of {MOVES} moves and their replies:")
            for game in GAMES:
                matches = [frames_of_a_match(browser, server, game, seed) for seed in range(MATCHES)]
                found = Frames(*map(sum, zip(*matches, strict=True)))
                share = found.dropped / sum(found)
                print(f"  {game:16} {found.shown} shown, {found.late} late, {found.dropped} dropped ({share:.1%})")
        finally:
            server.stop()


def seconds_until_usable(browser: Browser, url: str, *, slow: bool) -> float:
    """Return the seconds until the first game can be started, with an empty browser cache."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    if slow:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW_NETWORK)
        session.send("Emulation.setCPUThrottlingRate", {"rate": PROCESSOR_SLOWDOWN})
    start = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.get_by_role("button", name="Play Charge", exact=True).wait_for()
    spent = time.perf_counter() - start
    context.close()
    return spent


def frames_of_a_match(browser: Browser, server: RunningServer, game: str, seed: int) -> Frames:
    """Play some moves of a match on a slow phone, and return the frames."""
    visitor = Visitor(browser, server.url, prefs={"pace": "normal", "options": {}}, viewport=PHONE)
    page = visitor.open("/")
    match, seats, rng = start(page, game), {"first": page, "second": page}, random.Random(seed)
    wait_for_person(server, match, seats)
    wait_for_turn(page)
    session = visitor.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": PROCESSOR_SLOWDOWN})
    events: list[dict[str, Any]] = []
    ended: list[dict[str, Any]] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda end: ended.append(end))
    session.send("Tracing.start", {"traceConfig": FRAMES})
    for _ in range(MOVES):
        state = wait_for_person(server, match, seats)
        if state["status"] == "over":
            break
        wait_for_turn(page)
        click(page, rng.choice(state["legal"]))
        page.wait_for_timeout(MOVE_SECONDS * 1000)
    session.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(100)
    visitor.context.close()
    missed = [event["args"] for event in events if event["name"] == "DroppedFrame"]
    late = sum(bool(each.get("hasPartialUpdate")) for each in missed)
    return Frames(sum(event["name"] == "DrawFrame" for event in events), late, len(missed) - late)


if __name__ == "__main__":
    main()
