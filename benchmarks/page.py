"""How soon a new visitor can play, here and on a slow phone: `python -m benchmarks.page`."""

import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from tests.support.browser import PHONE, open_browser
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


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        server = RunningServer(Path(folder), {"database_url": f"sqlite:///{folder}/matches.sqlite"}).start()
        try:
            fast = median(seconds_until_usable(browser, server.url, slow=False) for _ in range(VISITS))
            slow = median(seconds_until_usable(browser, server.url, slow=True) for _ in range(VISITS))
        finally:
            server.stop()
    print(f"First visit until Play can be pressed: {fast:.2f} s here, {slow:.2f} s on a slow phone")
    print(f"  goal on a slow phone: {GOAL_SECONDS} s; ratio of the two: {slow / fast:.1f}")


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


if __name__ == "__main__":
    main()
