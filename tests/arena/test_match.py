"""One match, and a quick run of two agents."""

import json
import random
from collections.abc import Callable

import pytest

from duelbook import Outcome, make
from duelbook.agents import Agent, Forfeit, ForfeitKind, make_agent
from duelbook.agents.random_agent import RandomAgent
from duelbook.arena.playing import Played, play_match
from duelbook.game import Move, Reason
from duelbook.intervals import wilson
from duelbook.match import MatchView
from duelbook.records.document import from_json, to_json
from tests.arena.conftest import Call
from tests.support.keyboard import run

Answer = Callable[[], object]


class Answering(RandomAgent):
    """Plays at random for two turns, and then does something else."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(random.Random(1))
        self._answer = answer

    def choose(self, match: MatchView) -> Move:
        return super().choose(match) if len(match.moves) < 4 else self._answer()  # type: ignore[return-value]

    def close(self) -> None:
        raise OSError("cannot even be closed")


def raising(error: BaseException) -> Answer:
    def answer() -> object:
        raise error

    return answer


def against_greedy(answer: Answer, first: int = 0) -> Played:
    def made(name: str, seed: str) -> Agent:
        return Answering(answer) if name == "odd" else make_agent("random", seed)

    return play_match(make("charge", goal=60), ("odd", "random"), first=first, seed=4, make=made)


@pytest.mark.parametrize(
    ("answer", "kind", "detail"),
    [
        (lambda: 99, ForfeitKind.ILLEGAL, "'move number 99' is not legal here. Legal moves: charge 1"),
        (lambda: -1, ForfeitKind.ILLEGAL, "'move number -1' is not legal here"),
        (lambda: None, ForfeitKind.ILLEGAL, "'None' is not legal here"),
        (lambda: 0.0, ForfeitKind.ILLEGAL, "'0.0' is not legal here"),
        (lambda: "charge 1", ForfeitKind.ILLEGAL, "''charge 1'' is not legal here"),
        (raising(Forfeit(ForfeitKind.ILLEGAL, "said\nnonsense")), ForfeitKind.ILLEGAL, "said nonsense"),
        (raising(Forfeit(ForfeitKind.TIMEOUT, "too slow")), ForfeitKind.TIMEOUT, "too slow"),
        (raising(TimeoutError()), ForfeitKind.TIMEOUT, "did not answer in time"),
        (raising(ZeroDivisionError("\x1b[2J")), ForfeitKind.ERROR, "ZeroDivisionError: \ufffd[2J"),
        (raising(SystemExit(1)), ForfeitKind.ERROR, "SystemExit: 1"),
    ],
)
def test_whatever_is_no_legal_answer_is_a_forfeit_of_its_kind_and_loses(
    answer: Answer, kind: ForfeitKind, detail: str
) -> None:
    for first in (0, 1):
        played = against_greedy(answer, first)
        assert played.forfeit
        assert (played.forfeit.by, played.forfeit.kind) == (first, kind)
        assert played.forfeit.detail.startswith(detail)
        assert (played.record.outcome, played.record.reason) == (1 - first, Reason.FORFEIT)
        assert len(played.record.moves) == len(played.seconds) == 4 + first
        assert from_json(to_json(played.record)) == played.record


def test_an_agent_that_cannot_be_made_forfeits_on_its_first_turn() -> None:
    def made(name: str, seed: str) -> Agent:
        if name == "odd":
            raise FileNotFoundError("no such program")
        return make_agent(name, seed)

    played = play_match(make("charge"), ("greedy", "odd"), make=made)
    assert played.forfeit == (1, ForfeitKind.ERROR, "FileNotFoundError: no such program")
    assert len(played.record.moves) == 1


def test_a_match_at_the_ply_limit_is_undecided() -> None:
    played = play_match(make("charge"), ("random", "random"), limit=3)
    assert (played.record.outcome, played.record.reason) == (Outcome.UNDECIDED, Reason.PLY_LIMIT)
    assert played.forfeit is None
    assert len(played.record.moves) == 3


def test_the_same_seed_gives_the_same_record_and_another_one_another() -> None:
    def record(seed: int) -> object:
        return play_match(make("charge"), ("random", "greedy"), seed=seed).record

    assert record(1) == record(1) != record(2)


def test_an_agent_is_not_asked_where_it_can_only_pass() -> None:
    game, passes = make("crystal-capture"), 0
    for seed in range(30):
        played = play_match(game, ("random", "greedy"), seed=seed, make=lambda name, seed: NeverPassing(name, seed))
        assert played.forfeit is None
        passes += played.record.moves.count("pass")
    assert passes


class NeverPassing(RandomAgent):
    def __init__(self, name: str, seed: str) -> None:
        super().__init__(random.Random(seed))

    def choose(self, match: MatchView) -> Move:
        move = super().choose(match)
        assert match.game.move_name(match.state, move) != "pass"
        return move


@pytest.mark.parametrize(
    ("points", "games", "low", "high"), [(8, 10, 0.4902, 0.9433), (0, 5, 0, 0.4345), (5, 5, 0.5655, 1)]
)
def test_the_interval_is_that_of_wilson(points: float, games: int, low: float, high: float) -> None:
    assert wilson(points, games) == pytest.approx((low, high), abs=1e-4)


def test_match_tells_how_the_first_agent_did(call: Call) -> None:
    said = call("match", "--p1", "perfect", "--p2", "random", "--games", "11", "--game", "charge", "--json")
    [document] = json.loads(said.out)
    assert (
        document["matches"] == document["wins"] + document["draws"] + document["losses"] + document["ply_limit"] == 11
    )
    assert (document["as_first"]["matches"], document["as_second"]["matches"]) == (6, 5)
    assert document["as_first"]["wins"] == 6, "all five games are won by whoever moves first"
    assert document["interval"][0] < document["score"] <= document["interval"][1]


def test_match_counts_forfeits_as_losses_and_tells_them_apart(call: Call) -> None:
    said = call("match", "--p1", "broken", "--p2", "late", "--games", "4", "--game", "flag-chase")
    assert "won 2, drawn 0, lost 2" in said.out
    assert "  broken forfeited: 2 error; the first time: RuntimeError: " in said.out
    assert "  late forfeited: 2 timeout; the first time: " in said.out


def test_match_without_a_game_plays_each() -> None:
    done = run(["match", "--p1", "random", "--p2", "random", "--games", "2"])
    assert [line.split(":")[0] for line in done.stdout.splitlines() if line[0] != " "] == [
        "alpha-chase",
        "word-clash",
        "crystal-capture",
        "charge",
        "flag-chase",
    ]
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--p1", "x", "--p2", "random"], "Unknown agent 'x'. Agents: random, "),
        (["--p1", "human", "--p2", "random"], "Unknown agent 'human'"),
        (["--p1", "random"], "Missing option '--p2'"),
        (["--p1", "random", "--p2", "random", "--game", "go"], "Unknown game 'go'. Games: "),
        (["--p1", "random", "--p2", "random", "--option", "goal=3"], "--option needs --game"),
        (["--p1", "random", "--p2", "random", "--games", "0"], "Invalid value for '--games'"),
    ],
)
def test_wrong_usage_of_match_is_one_line_and_exit_code_2(call: Call, arguments: list[str], message: str) -> None:
    said = call("match", *arguments)
    assert said.err.startswith(f"duelbook: {message}")
    assert (said.out, said.err.count("\n"), said.code) == ("", 1, 2)
