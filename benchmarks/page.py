"""How soon a new visitor can play, on a slow phone: `python -m benchmarks.page`."""

import tempfile
import time
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from tests.support.browser import PHONE, open_browser
from tests.support.service.harness import RunningServer

SLOW = {  # what Lighthouse takes for a phone on a slow 4G network
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1.6e6 / 8,
    "uploadThroughput": 750e3 / 8,
}
SLOWER_PROCESSOR = 4
TIMES = 7


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser:
        serving = RunningServer(Path(folder), {"database_url": f"sqlite:///{folder}/matches.sqlite"}).start()
        try:
            fast = median(usable(browser, serving.url, slow=False) for _ in range(TIMES))
            slow = median(usable(browser, serving.url, slow=True) for _ in range(TIMES))
        finally:
            serving.stop()
    print(f"home page until Play can be pressed, first visit: {fast:.2f} s here, {slow:.2f} s on a slow phone")
    print(f"  aim on a slow phone: 1 s; ratio of the two: {slow / fast:.1f}")


def usable(browser: Browser, url: str, *, slow: bool) -> float:
    """Answer the seconds until the first game can be started, with nothing in the browser's cache."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    if slow:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", SLOW)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER_PROCESSOR})
    start = time.perf_counter()
    page.goto(url, wait_until="commit")
    page.get_by_role("button", name="Play Charge").wait_for()
    spent = time.perf_counter() - start
    context.close()
    return spent


if __name__ == "__main__":
    main()
