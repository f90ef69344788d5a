"""How a match is set up: who moves first, agents and their limits, names, and resuming."""

import time
from pathlib import Path
from typing import Any

import pytest

from duelbook.agents import KINDS, AgentKind
from duelbook.agents.random_agent import RandomAgent
from duelbook.errors import RefusedError
from duelbook.game import Move, Outcome, Reason
from duelbook.match import ReadOnlyMatch
from duelbook.play.arguments import PlayArguments
from duelbook.play.local_table import LocalTable
from duelbook.play.session import Session
from duelbook.play.setup import new_match, prepare_match
from duelbook.records import load_record
from tests.support.conversing import begun, told


def sit(game: str = "charge", one: str = "human", two: str = "human", *typed: str, **arguments: Any) -> Session:
    """Return a match that has begun, after what is typed."""
    new = new_match(PlayArguments(game, agents=(one, two), **arguments))
    match, _ = new.begin({})
    session = Session(LocalTable(match, new.setup))
    begun(session)
    told(session, *typed)
    return session


def resume(file: Path, *typed: str, **arguments: Any) -> Session:
    """Return the match of a file, gone on with."""
    prepared = prepare_match(PlayArguments(resume=file, **arguments))
    session = Session(LocalTable(prepared.begin({})[0], prepared.setup))
    begun(session)
    told(session, *typed)
    return session


class TestWhoMovesFirst:
    """ALL-1."""

    def test_player_1_unless_the_book_or_the_person_says_otherwise(self) -> None:
        for game, first in (("charge", None), ("crystal-capture", "1")):
            assert {new_match(PlayArguments(game, first=first, seed=seed)).setup.first for seed in range(8)} == {0}

    def test_random_in_crystal_capture(self) -> None:
        for seed in range(8):
            new = new_match(PlayArguments("crystal-capture", seed=seed))
            match, said = new.begin({})
            name = new.setup.people[new.setup.first].name
            assert said == [f"{name} was drawn to move first."]
            session = Session(LocalTable(match, new.setup))
            begun(session)
            assert session.asked
            assert session.asked.text.startswith(f"{name}, ")
        assert {new_match(PlayArguments("crystal-capture", seed=seed)).setup.first for seed in range(8)} == {0, 1}


class TestAgents:
    def test_an_automatic_match_stops_at_the_ply_limit_and_nobody_wins(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """ALL-5."""
        monkeypatch.setattr("duelbook.play.setup.ply_limit", lambda game: 3)
        match = sit("charge", "random", "random", seed=1).match
        assert (len(match.moves), match.reason, match.outcome) == (3, Reason.PLY_LIMIT, Outcome.UNDECIDED)

    def test_people_have_no_ply_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """ALL-5."""
        monkeypatch.setattr("duelbook.play.setup.ply_limit", lambda game: 3)
        session = sit("charge", "human", "random", "charge 1", "charge 1", seed=1)
        assert len(session.match.moves) == 4
        assert not session.match.over

    def test_an_agent_that_is_too_slow_loses_on_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """ALL-3."""
        clock = [0.0]

        class Slow(RandomAgent):
            def choose(self, match: ReadOnlyMatch) -> Move:
                clock[0] += 31
                return super().choose(match)

        monkeypatch.setitem(KINDS, "slow", AgentKind(Slow, "thinks too long"))
        monkeypatch.setattr(time, "monotonic", lambda: clock[0])
        match = sit("charge", "slow", time_limit=30.0).match
        assert (match.moves, match.reason, match.outcome) == ([], Reason.TIME, Outcome.SECOND_WINS)


class TestNames:
    @pytest.mark.parametrize("name", ["\x1b[31mred", "a\x9b31m", "\u202eevil", "a\x07b", "a\u200bb", "\ue000"])
    def test_control_characters_are_replaced(self, name: str) -> None:
        given = new_match(PlayArguments("charge", names=(name, None))).setup.people[0].name
        assert given.isprintable()
        assert "\ufffd" in given

    @pytest.mark.parametrize("name", ["", "   ", "x" * 33])
    def test_a_name_has_1_to_32_characters(self, name: str) -> None:
        with pytest.raises(RefusedError, match="A name must have 1 to 32 characters"):
            new_match(PlayArguments("charge", names=(name, None)))

    @pytest.mark.parametrize("names", [("Red", "red"), ("Player 2", None)])
    def test_two_players_have_two_names(self, names: tuple[str, str | None]) -> None:
        with pytest.raises(RefusedError, match="Both players are called"):
            new_match(PlayArguments("charge", names=names))


class TestResuming:
    def test_a_resumed_game_keeps_its_agents_and_its_time_limit(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        sit("charge", "human", "greedy", "charge 1", time_limit=60.0, record=file)
        resume(file, "charge 1")
        record = load_record(file)
        assert len(record.moves) == 4
        assert (record.people[1].agent, record.time_limit) == ("greedy", 60)

    def test_a_level_plays_on_as_if_the_game_had_not_been_interrupted(self, tmp_path: Path) -> None:
        whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
        sit("charge", "human", "beginner", *["charge 1"] * 3, seed=5, record=whole)
        sit("charge", "human", "beginner", "charge 1", seed=5, record=parts)
        resume(parts, "charge 1", "charge 1")
        assert load_record(parts).moves == load_record(whole).moves
        assert load_record(parts).people[1].agent == "beginner"

    def test_the_record_may_be_the_same_file_by_another_path(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        sit("charge", "human", "human", "charge 1", record=file)
        resume(file, "charge 2", record=Path(f"{tmp_path}/../{tmp_path.name}/game.json"))
        assert load_record(file).moves == ("charge 1", "charge 2")
