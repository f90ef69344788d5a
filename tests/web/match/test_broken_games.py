"""Matches of a game whose own code fails, or that is not installed: others are not affected, and it is said."""

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from duelbook.board import Text
from duelbook.errors import RefusedError
from duelbook.web.db.admin.check import check
from duelbook.web.db.store import Store
from duelbook.web.engine.worker import answer
from duelbook.web.http.errors import as_problem
from duelbook.web.match.listings import Listings
from duelbook.web.match.positions import requested_game
from duelbook.web.match.registry import MatchRegistry
from duelbook.web.match.served_match import stored_game
from duelbook.web.match.shown import log_once
from duelbook.web.match.view import match_view
from duelbook.web.problems import Problem
from tests.support.broken_package import NARRATION, write_package
from tests.support.clock import ManualClock
from tests.support.service.matches import MatchProcess, act
from tests.support.service.stores import with_stores

CLIMBS = ["climb 2"] * 3 + ["climb 1"]
Serve = Callable[[Callable[[MatchProcess], Awaitable[None]]], None]
UseGames = Callable[[str], None]


@pytest.fixture
def url(tmp_path: Path, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.syspath_prepend(str(tmp_path))
    log_once.cache_clear()
    stored_game.cache_clear()
    return sqlite_url


@pytest.fixture
def serve(url: str) -> Serve:
    """A function that runs a test in a process that serves matches."""

    def run(test: Callable[[MatchProcess], Awaitable[None]]) -> None:
        async def work(store: Store) -> None:
            await test(MatchProcess(store, ManualClock()))

        with_stores(url, 1, work)

    return run


async def play(process: MatchProcess, moves: list[str]) -> str:
    """Play a match of Staircase and return its id."""
    seats = await process.new_pair("staircase")
    for ply, move in enumerate(moves):
        await act(process.actions, seats[ply % 2], "play", ply=ply, move=move)
    return seats[0].id


def reasons(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.__dict__["why"] for record in caplog.records if record.getMessage() == "a game is broken"]


def test_a_match_is_shown_with_the_fields_of_its_state_if_its_board_fails(
    serve: Serve, tmp_path: Path, use_games: UseGames, caplog: pytest.LogCaptureFixture
) -> None:
    use_games(write_package(tmp_path, "broken_board", board="def board(at):\n    return at.state.nothing\n"))

    async def test(process: MatchProcess) -> None:
        view = match_view(await process.registry.read(await play(process, CLIMBS[:1])))
        [text] = view.board.middle
        assert isinstance(text, Text)
        assert "step: 2" in text.text

    with caplog.at_level(logging.ERROR):
        serve(test)
    [reason] = reasons(caplog)
    assert "AttributeError: 'State' object has no attribute 'nothing'" in reason


def test_a_finished_match_is_shown_with_general_words_if_the_narration_fails(
    serve: Serve, tmp_path: Path, use_games: UseGames, caplog: pytest.LogCaptureFixture
) -> None:
    use_games(write_package(tmp_path, "broken_story", narration=NARRATION))

    async def test(process: MatchProcess) -> None:
        match = await play(process, CLIMBS)
        for _ in range(2):
            view = match_view(await process.registry.read(match))
            assert (view.status, view.result) == ("over", "Player 2 wins with climb 1!")

    with caplog.at_level(logging.ERROR):
        serve(test)
    [reason] = reasons(caplog)
    assert reason.startswith("The game Staircase is broken: ending_by_rules raises KeyError: 'boom' (")


def test_a_position_is_shown_by_its_fields_if_its_text_fails(serve: Serve, tmp_path: Path, use_games: UseGames) -> None:
    render = "    def render(self, state: State) -> str:\n"
    use_games(write_package(tmp_path, "broken_text", (render, f"{render}        raise KeyError('boom')\n")))

    async def test(process: MatchProcess) -> None:
        view = match_view(await process.registry.read(await play(process, CLIMBS[:1])))
        assert (view.text, view.view) == ("mover: 1\nstep: 2", {"mover": 1, "step": 2})

    serve(test)


def test_rules_that_fail_are_logged_once_and_hide_no_other_match(
    serve: Serve,
    tmp_path: Path,
    use_games: UseGames,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    head = "    def play(self, state: State, move: Move) -> State:\n"
    late = "        import os\n        if os.environ.get('WET_STAIRS'): raise KeyError('boom')\n"
    use_games(write_package(tmp_path, "broken_rules", (head, head + late)))

    async def test(process: MatchProcess) -> None:
        seats = await process.new_pair("staircase", public=True)
        await act(process.actions, seats[0], "play", ply=0, move="climb 2")
        other, _ = await process.new_pair(public=True)
        monkeypatch.setenv("WET_STAIRS", "yes")
        for _ in range(2):
            with pytest.raises((KeyError, Problem)) as failed:
                await act(process.actions, seats[1], "play", ply=1, move="climb 2")
            problem = as_problem(failed.value)
            assert problem
            assert (problem.code, "rules.py" in str(problem)) == ("fault", False)
            assert "its own code failed" in str(problem)
        registry = MatchRegistry(process.store, ManualClock())
        listed = await Listings(registry, process.store, lambda: {seats[0].id: 3, other.id: 3}).being_played()
        assert [entry.game for entry in listed] == ["crystal-capture"]

    with caplog.at_level(logging.ERROR):
        serve(test)
    [reason] = reasons(caplog)
    assert "play raises KeyError: 'boom' (" in reason


def test_a_worker_tells_a_broken_game_from_an_error_of_its_own(tmp_path: Path, url: str, use_games: UseGames) -> None:
    outcome = "    def outcome(self, state: State) -> Outcome:\n"
    use_games(write_package(tmp_path, "broken_end", (outcome, f"{outcome}        raise KeyError('boom')\n")))
    question = '{"task": "choose", "game": "staircase", "options": {}, "moves": [0], "agent": "random", "seed": "1"}'
    assert list(answer(question)) == ["broken"]


def test_a_match_whose_game_is_not_installed_is_not_damaged(
    serve: Serve, tmp_path: Path, url: str, use_games: UseGames, caplog: pytest.LogCaptureFixture
) -> None:
    use_games(write_package(tmp_path, "short_lived"))
    played: list[str] = []

    async def test(process: MatchProcess) -> None:
        played.append(await play(process, CLIMBS[:2]))

    async def read(process: MatchProcess) -> None:
        with pytest.raises(Problem, match=r"^The game staircase is not installed here\. Its matches wait") as problem:
            await process.registry.read(played[0])
        assert problem.value.code == "no-game"

    serve(test)
    use_games("")
    serve(read)
    assert caplog.messages == ["the game of a match is not installed"]
    [finding] = check(url).findings
    assert finding.text == "It cannot be checked. The game staircase is not installed here."


def test_a_client_that_asks_for_a_game_that_cannot_be_loaded_learns_no_path_of_the_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_games: UseGames
) -> None:
    (tmp_path / "misspelt_game.py").write_text("class Tower\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    use_games("misspelt_game:Tower")
    with pytest.raises(RefusedError, match="SyntaxError") as refused:
        requested_game("tower", {})
    problem = as_problem(refused.value)
    assert problem
    assert str(problem).startswith("This game does not work here")
    assert str(tmp_path) not in str(problem)
