"""What other sites show for a link: a title, a text and a picture, all of it text that cannot be anything else."""

import struct
from html.parser import HTMLParser

import pytest

from duelbook import GAMES, make
from duelbook.game import has_choices
from tests.support.service.harness import RunningServer

MARKUP = "\"><script>{base}</script>{head}'"


class Head(HTMLParser):
    """The elements of the head that describe a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.scripts = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.scripts += tag == "script"
        if tag == "meta" and (name := given.get("property") or given.get("name")):
            self.found[name] = given.get("content") or ""


def head_of(server: RunningServer, path: str, **headers: str) -> dict[str, str]:
    head = Head(server.http.get(path, headers={"Accept": "text/html", **headers}).text)
    assert head.scripts == 1
    return head.found


def picture_size(server: RunningServer, address: str) -> tuple[int, int]:
    answer = server.http.get(address.removeprefix(server.url))
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png"), address
    assert "max-age" in answer.headers["cache-control"]
    width, height = struct.unpack(">II", answer.content[16:24])
    return width, height


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/", "Duelbook"),
        ("/puzzle/daily", "Puzzle of the day"),
        ("/puzzle/charge?seed=7&kind=any", "A puzzle of Charge"),
        ("/analysis/charge?after=charge+3,block", "Charge: analysis"),
        ("/learn/charge", "Learn Charge in a minute"),
        ("/lobby", "Lobby · Duelbook"),
    ],
)
def test_every_kind_of_screen_has_a_title_a_text_and_a_picture(server: RunningServer, path: str, title: str) -> None:
    head = head_of(server, path)
    assert (head["og:title"], head["og:url"]) == (title, f"{server.url}{path}")
    assert head["og:description"] == head["description"] != ""
    assert head["twitter:card"] == "summary_large_image"
    assert head["og:image"].startswith(f"{server.url}/pictures/")
    assert picture_size(server, head["og:image"]) == (1200, 630)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_shown_from_the_invitation_to_its_result(server: RunningServer, game: str) -> None:
    rules = make(game)
    one, two = list(rules.choices())[:2] if has_choices(rules) else (None, None)
    host = server.new_match(game, name="Ann", choice=one)
    invited = head_of(server, f"/match/{host.match}")
    assert invited["og:title"].startswith("Ann invites you to ")
    guest = host.friend(name="Bob", choice=two)
    assert head_of(server, f"/match/{host.match}")["og:title"] == "Ann against Bob"
    guest.act("resign")
    ended = head_of(server, f"/match/{host.match}")
    assert ended["og:description"].endswith("Bob resigns. Ann wins!")
    assert ended["robots"] == "noindex"
    assert picture_size(server, ended["og:image"]) == (1200, 630)


def test_a_choice_that_is_secret_is_not_on_the_picture(server: RunningServer) -> None:
    host = server.new_match("alpha-chase", choice="GHOST")
    assert "GHOST" not in str(head_of(server, f"/match/{host.match}"))
    assert picture_size(server, f"/pictures/matches/{host.match}.png") == (1200, 630)
    assert server.http.get(f"/pictures/matches/{host.match}.svg").json()["code"] == "not-begun"
    host.friend(choice="PLANT")
    assert ">G</text>" in server.http.get(f"/pictures/matches/{host.match}.svg").text


def test_the_picture_is_of_the_position_in_the_address(server: RunningServer) -> None:
    first, second = server.new_pair("charge", seat="first", name="Ann")
    first.play(0, "charge 5")
    second.play(1, "charge 4")
    head = head_of(server, f"/match/{first.match}?ply=1")
    assert head["og:image"].endswith(f"/pictures/matches/{first.match}.png?ply=1")
    assert head["og:description"] == "Charge, after 1 move."
    boards = [server.http.get(f"/pictures/matches/{first.match}.svg?ply={ply}").text for ply in (0, 1, 2, 9)]
    assert len({*boards}) == 3
    assert "5 of 15" in boards[1]
    assert "4 of 15" not in boards[1]
    assert boards[2] == boards[3], "there are only two moves"


def test_a_hostile_name_is_text_in_the_head_and_on_the_board(server: RunningServer) -> None:
    match = server.new_match("flag-chase", name=MARKUP[:32]).match
    assert head_of(server, f"/match/{match}")["og:title"] == f"{MARKUP[:32]} invites you to Flag Chase"
    assert "<script" not in server.http.get(f"/pictures/matches/{match}.svg").text
    query = "option=goal=%22%3E%3Cscript%3E&after=%3Cscript%3E"
    assert "<script>" in head_of(server, f"/analysis/charge?{query}")["og:description"]


def test_the_address_has_the_host_that_was_asked_for_and_no_other(server: RunningServer) -> None:
    head = head_of(
        server, "/", Host="localhost:7", **{"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    )
    assert head["og:url"] == "http://localhost:7/"
    assert head["og:image"] == "http://localhost:7/pictures/home.png"
