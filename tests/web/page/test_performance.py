"""The page loads little, and is cached."""

from playwright.sync_api import Request, expect

from duelbook import GAMES
from tests.support.service.harness import RunningServer
from tests.web.page.conftest import Visit

MAX_FIRST_LOAD_BYTES = 200_000  # with headers
MAX_FIRST_LOAD_REQUESTS = 12


def test_the_first_load_is_small_and_its_files_are_cached_for_good(visit: Visit, served: RunningServer) -> None:
    visitor = visit(private=True)
    done: list[Request] = []
    visitor.context.on("requestfinished", lambda request: done.append(request))
    answers: dict[str, dict[str, str]] = {}
    visitor.context.on("response", lambda response: answers.update({response.url: response.headers}))
    page = visitor.open("/")
    expect(page.locator("duel-picture .board")).to_have_count(len(GAMES))
    page.wait_for_load_state("networkidle")
    done = [request for request in done if not request.service_worker]  # which keeps files later, while nobody waits
    sizes = {request.url: request.sizes() for request in done}
    weight = {url: size["responseBodySize"] + size["responseHeadersSize"] for url, size in sizes.items()}
    assert 5 < len(done) <= MAX_FIRST_LOAD_REQUESTS, sorted(weight)
    assert sum(weight.values()) < MAX_FIRST_LOAD_BYTES, sorted(weight.items(), key=lambda item: -item[1])
    files = {url: headers for url, headers in answers.items() if "/static/" in url}
    assert len(files) > 2
    for headers in files.values():
        assert headers["cache-control"] == "public, max-age=31536000, immutable"
        assert headers["content-encoding"] == "gzip"
    shell = answers[f"{served.url}/"]
    assert shell["cache-control"] == "no-store"
    assert shell["content-encoding"] == "gzip"
    assert "unsafe" not in shell["content-security-policy"]


def test_the_home_page_has_a_place_for_every_game_before_it_knows_them(visit: Visit) -> None:
    visitor = visit(private=True)
    visitor.page.route("**/api/games", lambda route: None)  # which is never answered
    page = visitor.open("/")
    expect(page.locator(".card.waiting")).to_have_count(len(GAMES))
