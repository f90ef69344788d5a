"""The addresses of the page: its screens, its files, and what is sent where nothing is."""

import json
import re
import struct

import pytest

from duelbook.web.http.middleware import HEADERS
from duelbook.web.http.page_files import page
from duelbook.web.http.routes.pages import SCREENS
from scripts.icons import icons
from tests.support.service.harness import RunningServer
from tests.support.service.raw import Wire, request

HTML = {"Accept": "text/html,application/xhtml+xml;q=0.9"}


@pytest.mark.parametrize(
    "path", ["/nothing", "/match", "/lobby/me", "/%2e%2e/etc/passwd", "/puzzle/daily/x", "/\u202e"]
)
def test_an_unknown_address_gets_a_page_for_people_and_a_problem_for_programs(server: RunningServer, path: str) -> None:
    shown = server.http.get(path, headers=HTML)
    assert (shown.status_code, shown.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "not-found.js" in shown.text
    assert server.http.get(path).json()["code"] == "not-found"
    assert server.http.post(path, headers=HTML).json()["code"] == "not-found"


@pytest.mark.parametrize(
    "path", ["/api/nothing", "/api/matches/x", "/static/x.js", "/pictures/x", "/pictures/games/x.png"]
)
def test_an_unknown_address_of_a_program_gets_a_problem(server: RunningServer, path: str) -> None:
    assert server.http.get(path, headers=HTML).json()["code"] == "not-found"


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/puzzle/", "/puzzle"),
        ("/puzzle/daily//?try=1", "/puzzle/daily?try=1"),
        ("/match/a%0d%0ab/", "/match/a%0D%0Ab"),
        ("/learn%2f", "/learn"),
        ("/learn/charge%2F/%2f?x=%2f", "/learn/charge?x=%2f"),
    ],
)
def test_a_slash_at_the_end_is_taken_away(server: RunningServer, path: str, location: str) -> None:
    answer = server.http.get(path)
    assert (answer.status_code, answer.headers["location"]) == (308, location)


@pytest.mark.parametrize("path", ["//evil.example/", "//evil.example//", "/\\evil.example/", "//"])
def test_no_address_leads_to_another_site(server: RunningServer, path: str) -> None:
    with Wire(server) as wire:
        reply = wire.send(request("GET", path, headers=("Accept: text/html",))).reply()
    assert reply.status == 404
    assert "location" not in reply.headers


@pytest.mark.parametrize("path", ["/match/nothing", f"/match/{'0' * 24}", "/analysis/chess", "/puzzle/chess"])
def test_a_screen_of_what_does_not_exist_is_not_found(server: RunningServer, path: str) -> None:
    answer = server.http.get(path, headers=HTML)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "group-start.js" in answer.text


def test_the_favicon_and_the_icons_are_those_that_the_script_draws(server: RunningServer) -> None:
    answer = server.http.get("/favicon.ico")
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == (
        "image/x-icon",
        "public, max-age=86400",
    )
    assert "content-encoding" not in answer.headers
    drawn = icons()
    assert answer.content[:6] == drawn["favicon.ico"][:6] == struct.pack("<HHH", 0, 1, 3)
    files = {path.rpartition("/")[2]: file.body for path, file in page().files.items()}
    assert {name: files[name][:24] for name in drawn} == {name: picture[:24] for name, picture in drawn.items()}


def test_the_manifest_has_all_that_an_app_needs(server: RunningServer) -> None:
    answer = server.http.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    manifest = answer.json()
    assert {"name", "short_name", "start_url", "scope", "display", "theme_color", "background_color"} <= manifest.keys()
    assert [(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]] == [
        ("192x192", "any"),
        ("512x512", "any"),
        ("512x512", "maskable"),
    ]
    for icon in manifest["icons"]:
        picture = server.http.get(icon["src"])
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
        assert f"{'x'.join(map(str, struct.unpack('>II', picture.content[16:24])))}" == icon["sizes"]
    for shortcut in manifest["shortcuts"]:
        assert server.http.get(shortcut["url"]).status_code == 200


def test_the_service_worker_names_the_files_of_its_version_and_is_not_cached(server: RunningServer) -> None:
    answer = server.http.get("/service-worker.js")
    assert (answer.headers["content-type"], answer.headers["cache-control"]) == (
        "text/javascript; charset=utf-8",
        "no-store",
    )
    [base] = re.findall(r'BASE = "(/static/[0-9a-f]{12}/)"', answer.text)
    assert base in server.http.get("/").text
    files = json.loads(server.http.get(f"{base}files.json").text)
    assert {"shell.html", "group-start.js", "style.css", "group-not-found.js"} <= {*files}
    assert "service-worker.js" not in files
    for name in files:
        kept = server.http.get(base + name)
        assert kept.headers["cache-control"] == "public, max-age=31536000, immutable", name


def test_every_file_and_screen_has_the_security_headers(server: RunningServer) -> None:
    paths = [path.format(id="x", name="x") for path in SCREENS]
    for path in (*paths, "/favicon.ico", "/manifest.webmanifest", "/service-worker.js", "/nothing", "/puzzle/"):
        headers = server.http.get(path, headers=HTML).headers
        assert {name: headers[name] for name in HEADERS} == HEADERS, path
