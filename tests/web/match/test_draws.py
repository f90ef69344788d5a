"""Matches of a game that starts from a shuffle: drawn when they are created, and kept from then on."""

from typing import Any

import pytest

from tests.support.service.asking import get, new, refused, study
from tests.support.service.harness import Player, RunningServer
from tests.web.conftest import Start


@pytest.fixture(scope="module")
def server(serve: Start) -> RunningServer:
    """A server with the game."""
    return serve(games="tests.support.games.number_row:NumberRow")


def row_of(view: dict[str, Any]) -> str:
    return str(view["options"]["row"])


def test_each_match_has_its_own_draw_which_everybody_sees(server: RunningServer) -> None:
    views = [server.new_match("number-row").view() for _ in range(4)]
    assert len({row_of(view) for view in views}) == 4
    for view in views:
        assert sorted(row_of(view).split(",")) == list("12345678")
        assert view["text"].startswith(f"Row: {row_of(view).replace(',', ' ')}\n")
        assert view["choices"] is None


def test_a_start_that_is_given_is_kept_and_a_bad_one_is_refused(server: RunningServer) -> None:
    view = server.new_match("number-row", options={"length": 3, "row": "2,3,1"}).view()
    assert view["options"] == {"length": 3, "row": "2,3,1"}
    problem = refused(
        new(server, game="number-row", opponent="friend", options={"length": 3, "row": "2"}), 422, "invalid"
    )
    assert problem["detail"] == "Row must hold each number from 1 to 3 once."
    refused(new(server, game="number-row", opponent="friend", choice="3"), 422, "invalid")


def test_the_draw_lasts_for_the_match_its_record_and_its_rematch(server: RunningServer) -> None:
    one, two = server.new_pair("number-row", options={"length": 4})
    row = row_of(one.view())
    for ply, move in enumerate(("left", "right", "left", "left")):
        assert (one, two)[ply % 2].play(ply, move).status_code == 200
    view = two.view()
    assert (view["status"], row_of(view)) == ("over", row)
    record = get(server, f"/api/matches/{one.match}/record")
    assert record["options"] == {"length": 4, "row": row}
    asked = one.post("rematch").json()
    agreed = two.post("rematch").json()
    assert agreed["id"] == asked["id"]
    assert row_of(agreed["match"]) == row, "the same start from the other seat"


def test_a_perfect_agent_plays_from_the_draw(server: RunningServer) -> None:
    player: Player = server.new_match("number-row", "perfect", seat="second")
    assert player.until(1)["moves"][0] in ("left", "right")


def test_the_catalogue_puzzles_and_demonstrations_know_of_the_draw(server: RunningServer) -> None:
    [game] = [entry for entry in get(server, "/api/games")["games"] if entry["name"] == "number-row"]
    length, row = game["options"]
    assert (length["drawn"], row["drawn"], row["type"]) == (False, True, "list")
    assert row["default"] == "1,2,3,4,5,6,7,8"
    one, again, two = (study(server, f"/api/puzzles/number-row?seed={seed}") for seed in (1, 1, 2))
    assert row_of(one) == row_of(again) != row_of(two)
    assert row_of(get(server, "/api/games/number-row/demonstration")) != row["default"]


def test_an_option_may_be_as_long_as_a_deck_of_cards(server: RunningServer) -> None:
    deck = ",".join(map(str, range(1, 101)))
    asked = [
        new(server, game="number-row", opponent="friend", options={"row": deck}),
        server.http.get("/api/positions/number-row", params={"option": f"row={deck}"}),
    ]
    for answer in asked:
        assert refused(answer, 422, "invalid")["detail"] == "Row must hold each number from 1 to 8 once."
