"""One match between two agents, whatever they do."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from duelbook import Outcome, RefusedError, make
from duelbook.agents import Agent, Forfeit, ForfeitKind, StoppedError, make_agent
from duelbook.agents.random_agent import RandomAgent
from duelbook.arena import PlayedMatch, play_match, play_series
from duelbook.game import Move, Reason
from duelbook.match import ReadOnlyMatch
from duelbook.records.document import from_json, to_json

Answer = Callable[[], object]


class Answering(RandomAgent):
    """Plays at random for two turns, then gives another answer."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(random.Random(1))
        self._answer = answer

    def choose(self, match: ReadOnlyMatch) -> Move:
        return super().choose(match) if len(match.moves) < 4 else self._answer()  # type: ignore[return-value]

    def close(self) -> None:
        raise OSError("It cannot even be closed.")


def raising(error: BaseException) -> Answer:
    def answer() -> object:
        raise error

    return answer


def against_random(answer: Answer, first: int = 0) -> PlayedMatch:
    def made(name: str, seed: str) -> Agent:
        return Answering(answer) if name == "odd" else make_agent("random", seed)

    return play_match(make("charge", goal=60), ("odd", "random"), first=first, seed=4, make=made)


@pytest.mark.parametrize(
    ("answer", "kind", "detail"),
    [
        (lambda: 99, ForfeitKind.ILLEGAL, "'move number 99' is not legal here. Legal moves: 0 (charge 1)"),
        (lambda: -1, ForfeitKind.ILLEGAL, "'move number -1' is not legal here"),
        (lambda: None, ForfeitKind.ILLEGAL, "'None' is not legal here"),
        (lambda: 0.0, ForfeitKind.ILLEGAL, "'0.0' is not legal here"),
        (lambda: "charge 1", ForfeitKind.ILLEGAL, "''charge 1'' is not legal here"),
        (raising(Forfeit(ForfeitKind.ILLEGAL, "said\nnonsense")), ForfeitKind.ILLEGAL, "said nonsense"),
        (raising(Forfeit(ForfeitKind.TIMEOUT, "too slow")), ForfeitKind.TIMEOUT, "too slow"),
        (raising(TimeoutError()), ForfeitKind.TIMEOUT, "The agent did not answer in time."),
        (raising(ZeroDivisionError("\x1b[2J")), ForfeitKind.ERROR, "ZeroDivisionError: \ufffd[2J"),
        (raising(SystemExit(1)), ForfeitKind.ERROR, "SystemExit: 1"),
    ],
)
def test_any_other_answer_than_a_legal_move_is_a_forfeit_of_its_kind_and_loses(
    answer: Answer, kind: ForfeitKind, detail: str
) -> None:
    for first in (0, 1):
        played = against_random(answer, first)
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


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        (("greedy", "nope"), "Unknown agent 'nope'. Agents: beginner"),
        (("search:x", "greedy"), "Agent 'search:x': DEPTH must be"),
        (("greedy",), "Give two agents, such as \\('greedy', 'medium'\\), not \\('greedy',\\)."),
        ("greedy,medium", "Give two agents, such as"),
        (
            ("greedy", RandomAgent(random.Random(1))),
            "given by its name, such as 'greedy', not by an object .RandomAgent",
        ),
        ((RandomAgent, "greedy"), "To give your own a name: duelbook.agents.AGENTS.add.'mine', RandomAgent."),
    ],
)
def test_what_is_no_agent_is_refused_and_nobody_loses(agents: Any, message: str) -> None:
    for play in (play_match, play_series):
        with pytest.raises(RefusedError, match=message):
            play("charge", agents)


def test_a_match_at_the_ply_limit_is_undecided() -> None:
    played = play_match(make("charge"), ("random", "random"), limit=3)
    assert (played.record.outcome, played.record.reason) == (Outcome.UNDECIDED, Reason.PLY_LIMIT)
    assert played.forfeit is None
    assert len(played.record.moves) == 3


def test_an_agent_that_can_only_pass_is_not_asked() -> None:
    game, passes = make("crystal-capture"), 0
    for seed in range(30):
        played = play_match(game, ("random", "greedy"), seed=seed, make=lambda name, seed: NeverPassing(name, seed))
        assert played.forfeit is None
        passes += played.record.moves.count("pass")
    assert passes


class NeverPassing(RandomAgent):
    def __init__(self, name: str, seed: str) -> None:
        super().__init__(random.Random(seed))

    def choose(self, match: ReadOnlyMatch) -> Move:
        move = super().choose(match)
        assert match.game.move_name(match.state, move) != "pass"
        return move


@pytest.mark.parametrize(
    "answer", [raising(ValueError("a fault")), raising(Forfeit(ForfeitKind.ERROR, "odd")), lambda: 99]
)
def test_a_failure_of_duelbooks_own_agent_is_no_loss_but_stops_the_match(answer: Answer) -> None:
    with pytest.raises(StoppedError, match=r"^perfect cannot play Charge\(goal=60, .*\): "):
        play_match(make("charge", goal=60), ("perfect", "random"), make=lambda name, seed: Answering(answer))
