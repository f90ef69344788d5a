"""All states of a game as a graph, and the policies of agents that are found for all of them at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from duelbook import make, make_agent
from duelbook.agents import HasProbabilities
from duelbook.game import AnyGame, Move, Outcome, each_bit, won_by
from duelbook.notebook import Bar
from duelbook.solve import solved
from tests.support.games.crossing import Crossing
from tests.support.games.last_stone import LastStone, State
from tests.support.games.network import Network
from tests.support.games.numbered_stones import NumberedStones
from tests.support.games.pits import Pits
from tests.support.games.slow_stones import SlowStones
from tests.support.playing import match_after

np = pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")

from duelbook.study.known_policies import known_probabilities  # noqa: E402
from duelbook.study.state_graph import AskedState, StateGraph, explore_interpreted, state_graph  # noqa: E402

LOST = -1  # stones that are left after three were taken


@dataclass(frozen=True)
class RudeStones(LastStone):
    """It is rude to take two of six stones, and whoever takes three at once loses."""

    def legal_moves(self, state: State) -> Iterator[Move]:
        return each_bit((1 << min(self.most, max(0, state.stones))) - 1)

    def play(self, state: State, move: Move) -> State:
        return State(1 - state.mover, LOST if move == 2 else state.stones - move - 1)

    def outcome(self, state: State) -> Outcome:
        if state.stones == LOST:
            return won_by(state.mover)
        return Outcome.UNDECIDED if state.stones else won_by(1 - state.mover)

    def offends(self, state: State, move: Move) -> bool:
        return state.stones == 6 and move == 1


GAMES: list[AnyGame] = [
    make("crystal-capture", deadlock="draw"),
    make("alpha-chase", words="PLANT,PLANT", ending="dead"),
    make("word-clash", length=3),
    make("flag-chase", cells=9, stride=2),
    LastStone(),
    Pits(),
    Crossing(size=3, well=0),
    RudeStones(),
    Network((0b1100, 0, 0b100, 0)),  # agree to a draw at once, or drive round in circles for ever
]


def name(game: AnyGame) -> str:
    return type(game).__name__


COMPILED = {"AlphaChase", "WordClash", "Pits", "Crossing"}  # canonical states, a table of classes, extra turns, cycles


@pytest.mark.slow
@pytest.mark.parametrize("game", [*(game for game in GAMES if name(game) in COMPILED), NumberedStones()], ids=name)
def test_compiled_code_finds_the_same_graph(game: AnyGame, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    from duelbook.study import compiled_graph

    monkeypatch.setattr(compiled_graph, "MOVES_AT_ONCE", 5 * game.num_moves)
    known, found = explore_interpreted(solved(game), Bar()), compiled_graph.explore_compiled(solved(game), Bar())
    assert found
    assert found.states == known.states
    assert {type(state) for state in found.states} == {type(game.initial())}
    for one, other in zip(found[1:], known[1:], strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_game_that_does_not_compile_has_no_compiled_graph() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    from duelbook.study.compiled_graph import explore_compiled

    assert explore_compiled(solved(SlowStones(stones=10, pause=1)), Bar()) is None


@pytest.mark.parametrize("game", GAMES, ids=name)
def test_a_state_is_asked_about_after_a_shortest_line_of_moves(game: AnyGame) -> None:
    graph = state_graph(game)
    for number in range(0, len(graph.states), 1 + len(graph.states) // 40):
        asked = AskedState(graph, number)
        assert asked.states == tuple(match_after(game, *asked.moves).states)
        assert (asked.state, asked.mover) == (graph.states[number], game.mover(asked.states[-1]))


@pytest.mark.parametrize("agent", ["random", "greedy", "perfect"])
@pytest.mark.parametrize("game", GAMES, ids=name)
def test_what_an_agent_does_in_all_states_is_what_it_does_in_each(game: AnyGame, agent: str) -> None:
    graph, asked = state_graph(game), make_agent(agent)
    assert isinstance(asked, HasProbabilities)
    found = known_probabilities(asked, graph)
    assert (found is None) == (agent == "perfect" and (hasattr(game, "canonical") or isinstance(game, Pits)))
    if found is not None:
        for number in graph.decisions():
            assert chances(found, graph, number) == pytest.approx(asked.probabilities(AskedState(graph, number)))


def chances(probabilities: Any, graph: StateGraph, number: int) -> dict[int, float]:
    moves = range(graph.starts[number], graph.starts[number + 1])
    return {int(graph.moves[move]): probabilities[move] for move in moves if probabilities[move]}
