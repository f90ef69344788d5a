"""The page as an app: it can be installed, opens while the server is away, says so, and takes up a new version."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import duelbook
from tests.support.browser import PHONE, Visitor, save_picture
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

SENTENCE = "The server cannot be reached. Trying again …"
UNREACHABLE = [
    "ERR_CONNECTION_REFUSED",
    "Failed to load resource",
    "An unknown error occurred when fetching the script",
]
ACTIVE = """() => navigator.serviceWorker.ready.then(({ active }) => new Promise((resolve) => {
  const check = () => active.state === "activated" && navigator.serviceWorker.controller && resolve(active.scriptURL);
  active.addEventListener("statechange", check);
  navigator.serviceWorker.addEventListener("controllerchange", check);
  check();
}))"""
VERSIONS = """() => {
  const names = performance.getEntriesByType("resource").map(({ name }) => name.match(/static.(\\w+)/)?.[1]);
  return [...new Set(names.filter(Boolean))];
}"""
KEPT_ADDRESSES = """async () => {
  const requests = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  return requests.flat().map(({ url }) => new URL(url).pathname);
}"""


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    """A server that runs from a copy of the package, and the copy's folder of the page."""
    folder = tmp_path_factory.mktemp("app")
    package = folder / "code/duelbook"
    shutil.copytree(Path(duelbook.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    settings = {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"}
    server = RunningServer(folder, settings, environment={"PYTHONPATH": str(package.parent)}).start()
    yield server, package / "web/page"
    server.kill()


def opened(visit: Visit, server: RunningServer) -> tuple[Visitor, Page]:
    """Return a visitor whose browser has kept the page."""
    visitor = visit(server.url, private=True, service_workers="allow", viewport=PHONE)
    visitor.expected += UNREACHABLE
    page = visitor.open("/lobby")
    assert page.evaluate(ACTIVE) == f"{server.url}/service-worker.js"
    return visitor, page


def test_it_opens_without_the_server_and_takes_up_a_new_version(
    visit: Visit, changing: tuple[RunningServer, Path]
) -> None:
    server, files = changing
    visitor, page = opened(visit, server)
    kept = page.evaluate(KEPT_ADDRESSES)
    assert {path.split("/")[1] for path in kept} == {"static"}, "what the server answers is not kept"
    [before] = page.evaluate(VERSIONS)

    server.kill()
    visitor.open("/lobby")
    expect(page.locator("#unreachable")).to_contain_text(SENTENCE)
    expect(page.get_by_role("button", name="Try now")).to_be_visible()
    save_picture(page, "app-unreachable")
    visitor.open("/nothing")
    expect(page.get_by_role("heading", name="There is nothing at this address")).to_be_visible()
    visitor.open("/lobby")

    module = files / "not-found.js"
    module.write_text(module.read_text().replace("There is nothing at this address", "Nothing is at this address"))
    server.start()
    expect(page.locator("#unreachable")).to_be_empty()
    expect(page.locator("duel-lobby h1")).to_be_visible()
    assert page.evaluate(VERSIONS) == [before], "a page that is open goes on with its own files"
    page.get_by_role("link", name="Duelbook").click()
    expect(page.locator("duel-home h1")).to_be_visible()
    assert page.evaluate(VERSIONS) == [before]

    visitor.expected.append("404")
    visitor.open("/nothing")
    expect(page.get_by_role("heading", name="Nothing is at this address")).to_be_visible()
    [after] = page.evaluate(VERSIONS)
    assert after != before
    page.wait_for_function(f"async () => (await caches.keys()).some((name) => name.includes('{after}'))")


def test_it_can_be_installed(visit: Visit, served: RunningServer) -> None:
    visitor = visit(private=True, service_workers="allow")
    page = visitor.open("/lobby")
    page.evaluate(ACTIVE)
    session = visitor.context.new_cdp_session(page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["url"] == f"{served.url}/manifest.webmanifest"
    assert manifest["errors"] == []
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in errors} <= {"in-incognito"}, "as all profiles of tests are"


def test_the_server_that_is_away_is_missed_only_once(visit: Visit) -> None:
    visitor = visit(private=True)
    visitor.expected += UNREACHABLE
    page = visitor.page
    page.clock.install(time=0)
    page.clock.pause_at(1000)  # the page tries again only when it is told to
    page.route("**/api/matches", lambda route: route.abort())
    page.route("**/healthz", lambda route: route.abort(), times=1)
    visitor.open("/lobby")
    expect(page.locator("#unreachable")).to_contain_text(SENTENCE)
    page.unroute("**/api/matches")
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/healthz")):
        page.get_by_role("button", name="Try now").click()
    page.get_by_role("button", name="Try now").click()
    expect(page.locator("#unreachable")).to_be_empty()
    expect(page.locator("duel-lobby h1")).to_be_visible()
