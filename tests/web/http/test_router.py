"""The router: which route a path and a method lead to."""

from typing import Any

import pytest
from starlette.types import Scope

from duelbook.web.app import ROUTES
from duelbook.web.http.router import Route, Router
from duelbook.web.problems import Problem

ID = "0" * 24


@pytest.fixture(scope="module")
def router() -> Router:
    unused: Any = None
    return Router(ROUTES, {}, unused, unused)


def find(router: Router, method: str, path: str) -> Route:
    scope: Scope = {"path": path, "method": method}
    return router._find(scope)


@pytest.mark.parametrize(
    ("path", "route"),
    [
        ("/", "/"),
        ("/api/puzzles/daily", "/api/puzzles/daily"),
        ("/api/puzzles/charge", "/api/puzzles/{game}"),
        (f"/api/matches/{ID}/moves", "/api/matches/{match}/moves"),
        ("/static/abc/boards/charge.js", "/static/{path:path}"),
        ("/puzzle/daily", "/puzzle/{name}"),
    ],
)
def test_a_path_leads_to_its_route(router: Router, path: str, route: str) -> None:
    assert find(router, "GET", path).path == route


@pytest.mark.parametrize(
    "path", ["/api/openapiXjson", "/api/games/", "//", "/api/matches/x", "/api/solve/chess", "/healthz\n", ""]
)
def test_a_path_that_is_only_similar_is_not_found(router: Router, path: str) -> None:
    with pytest.raises(Problem) as problem:
        find(router, "GET", path)
    assert problem.value.code == "not-found"


def test_a_wrong_method_gets_those_of_all_routes_at_the_path(router: Router) -> None:
    with pytest.raises(Problem) as problem:
        find(router, "DELETE", "/api/matches")
    assert (problem.value.code, problem.value.headers) == ("wrong-method", {"Allow": "GET, HEAD, POST"})


def test_every_documented_route_says_what_it_does_and_what_it_answers() -> None:
    for route in ROUTES:
        if route.tag is not None:
            assert (route.handler.__doc__ or "").endswith("."), route.path
            assert route.response is not None or route.media_type != "application/json", route.path
