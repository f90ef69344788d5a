"""The regret of policies, with figures that were computed by hand or by another library."""

import random
from collections import Counter
from functools import cache
from typing import Any

import pytest

import duelbook
from duelbook import Move, Outcome, ReadOnlyMatch, RefusedError, make, make_agent, regret
from duelbook.agents import HasProbabilities
from duelbook.game import AnyGame
from duelbook.match import ply_limit
from duelbook.solve import solved
from tests.support.games.crossing import Crossing
from tests.support.games.last_stone import LastStone
from tests.support.games.last_stone import State as Stones
from tests.support.games.numbered_stones import NumberedStones
from tests.support.playing import match_after

np = pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")

from duelbook.study.state_graph import AskedState, state_graph  # noqa: E402

THREE = LastStone(stones=3, most=2)  # the second player wins: whatever is taken, the rest can be taken
FOUR = LastStone(stones=4, most=2)  # the first player wins by taking one
TAKE_ONE = {Stones(seat, stones): 0 for seat in (0, 1) for stones in range(1, 5)}


def test_a_mixed_table_is_measured_as_by_hand() -> None:
    """Four stones. From 4 the policy takes two with 1/4, from 3 either number, and from 2 one stone with 1/4."""
    table: dict[Stones, Any] = {}
    for seat in (0, 1):
        table |= {Stones(seat, 4): {0: 0.75, 1: 0.25}, Stones(seat, 3): [0.5, 0.5], Stones(seat, 2): {0: 0.25, 1: 0.75}}
    visits = regret(table, FOUR)
    # 4 comes up once and costs 2 · 1/4. 3 comes up with 3/4 and is lost anyway. 2 comes up with 1/4 after two stones
    # and with 3/8 after one and one, and costs 2 · 1/4.
    assert visits.regret == pytest.approx((0.5 + 0 + 0.625 * 0.5) / (1 + 0.75 + 0.625))
    assert visits.accuracy == pytest.approx((0.75 + 0.625 * 0.75) / 1.625)
    # The first player wins 4 → 3 → 2 → 0 with 3/4 · 1/2 · 3/4, 4 → 3 → 1 → 0 with 3/4 · 1/2, and 4 → 2 → 1 → 0 with
    # 1/4 · 1/4, and so 0.71875 in all.
    assert visits.results == pytest.approx((2 * 0.71875 - 1, 1 - 2 * 0.71875))
    # Against the best reply: from 4 it is right with 3/4; at 3 the opponent leaves 2, where it is right with 3/4.
    # From 4 to 2 (1/4) it has lost. As second player it is led to 3, and either way the opponent wins.
    assert visits.best_response == pytest.approx((2 * 0.75 * 0.75 - 1, -1.0))
    assert visits.exploitability == pytest.approx((1 - 0.125) / 2)
    uniform = regret(table, FOUR, weights="uniform")  # over 4 (first), 3 (second) and 2 (both seats)
    assert uniform.regret == pytest.approx((0.5 + 0 + 0.5 + 0.5) / 4)
    assert float(uniform) == uniform.regret
    assert str(uniform).splitlines()[1].split() == ["regret", "0.375"]
    assert (uniform.results, uniform.best_response) == (visits.results, visits.best_response)


def test_visits_depend_on_the_opponent() -> None:
    always_one = regret(TAKE_ONE, FOUR, opponent=lambda state: 1 if state.stones > 1 else 0)
    # As first player it meets 4 and, after its opponent's two, wins at 1. As second it meets 2 and takes only one.
    assert always_one.regret == pytest.approx((0 + 2) / 2)
    assert always_one.results == (1.0, -1.0)
    assert always_one.opponent == "<lambda>"


@pytest.mark.parametrize("name", ["crystal-capture", "word-clash", "flag-chase"])
def test_perfect_play_gives_nothing_away_and_cannot_be_exploited(name: str) -> None:
    for weights in ("visits", "uniform"):
        perfect = regret("perfect", name, weights=weights)
        assert (perfect.regret, perfect.accuracy, perfect.exploitability, perfect.samples) == (0, 1, 0, None)
        assert perfect.best_response == (1, -1)  # all three are won for the first player
        assert list(perfect.rows()[0].values()) == ["regret", 0.0]


def test_the_best_response_to_random_play_wins_whatever_is_won() -> None:
    assert regret("random", THREE).best_response == (-1.0, 0.0)
    assert regret("random", FOUR).best_response == (2 * 0.5 * 0.5 - 1, -1.0)  # it takes one of 4, then two of 2


def test_results_and_exploitability_are_those_of_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed (extra envs)")
    from open_spiel.python.algorithms import expected_game_score, exploitability
    from open_spiel.python.policy import tabular_policy_from_callable

    duelbook.envs.register_openspiel()
    game = pyspiel.load_game("duelbook_crystal_capture(crystals=5,goal=7)")
    rules = make("crystal-capture", crystals=5, goal=7)

    def mostly_lowest(state: Any) -> dict[Move, float]:
        legal = list(rules.legal_moves(state))
        return {move: 0.75 * (move == legal[0]) + 0.25 / len(legal) for move in legal}

    def in_openspiel(state: Any) -> dict[Move, float]:
        here = rules.initial()
        for move in state.history():
            here = rules.play(here, move)
        return mostly_lowest(here)

    theirs = tabular_policy_from_callable(game, in_openspiel)
    ours = regret(mostly_lowest, rules)
    assert ours.exploitability
    assert 0 < ours.exploitability < 1
    assert ours.exploitability == pytest.approx(exploitability.exploitability(game, theirs))
    assert ours.results[0] == pytest.approx(expected_game_score.policy_value(game.new_initial_state(), [theirs] * 2)[0])


def test_a_game_that_goes_round_in_circles_is_a_draw_after_the_last_ply() -> None:
    game = Crossing(size=3, well=0)
    found = regret("random", game)
    assert found.best_response == pytest.approx([best_response(game, seat) for seat in (0, 1)])
    perfect = regret("perfect", game)
    assert (perfect.regret, perfect.exploitability) == (0, 0)


def best_response(game: AnyGame, seat: int) -> float:
    """Return the result of random play from this seat against the best response, by its definition."""

    @cache
    def result(state: Any, plies: int) -> float:
        outcome = game.outcome(state)
        if outcome != Outcome.UNDECIDED or not plies:
            return 0.0 if outcome not in (0, 1) else 1.0 if outcome == seat else -1.0
        after = [result(game.play(state, move), plies - 1) for move in game.legal_moves(state)]
        return sum(after) / len(after) if game.mover(state) == seat else min(after)

    for plies in range(ply_limit(game)):
        result(game.initial(), plies)  # so that the recursion is never deep
    return result(game.initial(), ply_limit(game))


def test_states_of_both_seats_are_kept_apart_even_if_they_play_alike() -> None:
    for weights in ("visits", "uniform"):
        one, two = (regret("random", rules(stones=5, most=2), weights=weights) for rules in (LastStone, NumberedStones))
        assert (one.regret, one.results, one.best_response) == (two.regret, two.results, two.best_response)


def test_probabilities_of_32_bits_are_made_to_add_up() -> None:
    nearly = regret(lambda state: [0.49998, 0.49998], FOUR)
    assert nearly.results == pytest.approx(regret("random", FOUR).results, abs=1e-12)


class Last:
    """An agent that always plays the last legal move."""

    def choose(self, match: ReadOnlyMatch) -> Move:
        return max(match.game.legal_moves(match.state))

    def close(self) -> None:
        pass


class Lots(Last):
    """An agent that draws lots, and does not say how."""

    def __init__(self) -> None:
        self._rng = random.Random(7)

    def choose(self, match: ReadOnlyMatch) -> Move:
        assert match.mover == match.game.mover(match.state)
        return self._rng.choice(list(match.game.legal_moves(match.state)))


def test_tables_arrays_callables_and_agents_are_measured_alike() -> None:
    game = make("crystal-capture", crystals=5, goal=7)
    last = {state: max(game.legal_moves(state), default=0) for state, _, _ in solved(game)}
    rows = np.eye(game.num_moves)[[last[state] for state, _, _ in solved(game)]]
    by_row = {state: row for (state, _, _), row in zip(solved(game), rows, strict=True)}
    reports = [regret(policy, game) for policy in (last, rows, last.__getitem__, by_row)]
    agent = regret(Last(), game, samples=2)
    assert {(one.regret, one.results, one.best_response) for one in (*reports, agent)} == {
        (agent.regret, agent.results, agent.best_response)
    }
    assert agent.regret > 0
    assert ([one.samples for one in reports], agent.samples) == ([None] * 4, 2)


def test_an_agent_that_does_not_know_its_lots_is_sampled() -> None:
    sampled, exact = regret(Lots(), FOUR, samples=400), regret("random", FOUR)
    assert (sampled.samples, exact.samples) == (400, None)
    assert sampled.regret == pytest.approx(exact.regret, abs=0.1)
    assert "400 moves in each state" in sampled._repr_html_()


def test_a_level_is_asked_once_for_each_sample_by_its_own_seed() -> None:
    game = make("crystal-capture", crystals=5, goal=7)
    graph = state_graph(game)
    counts = {state: Counter[Move]() for state in graph.states}
    for sample in range(4):
        agent = make_agent("easy", f"7 {sample}")
        for number in graph.decisions():
            counts[graph.states[number]][agent.choose(AskedState(graph, number))] += 1
    table = {state: {move: count / 4 for move, count in found.items()} for state, found in counts.items()}
    one, two = regret("easy", game, seed=7, samples=4), regret(table, game)
    assert (one.regret, one.results, one.best_response) == (two.regret, two.results, two.best_response)


def test_the_array_must_give_no_illegal_move() -> None:
    game = make("crystal-capture", crystals=5, goal=7)
    rows = np.array(
        [np.arange(game.num_moves) == min(game.legal_moves(state), default=0) for state, _, _ in solved(game)]
    )
    assert regret(rows, game).regret >= 0
    rows[len(rows) // 2 :, :] = np.arange(game.num_moves) == game.num_moves - 1
    with pytest.raises(RefusedError, match="is not legal"):
        regret(rows, game)


@pytest.mark.parametrize("name", ["random", "greedy", "search:2", "perfect"])
def test_an_agent_plays_by_the_probabilities_that_it_names(name: str) -> None:
    match, agent = match_after("crystal-capture", "8", "7", "5"), make_agent(name, 3)
    assert isinstance(agent, HasProbabilities)
    drawn, named = Counter(agent.choose(match) for _ in range(1000)), agent.probabilities(match)
    assert {*drawn} == {*named}
    assert sum(named.values()) == pytest.approx(1)
    assert all(drawn[move] / 1000 == pytest.approx(chance, abs=0.06) for move, chance in named.items())


def test_a_report_lists_the_decisions_that_cost_most() -> None:
    report = regret("random", FOUR)
    table = report.table()
    rows = table.to_dict("records") if hasattr(table, "to_dict") else table
    assert [(row["state"], row["regret"]) for row in rows[:2]] == [(Stones(0, 4), 1.0), (Stones(1, 2), 1.0)]
    assert "<table>" in report._repr_html_()


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (lambda state: 5, r"gives 5 in State\(mover=0, stones=4\): move 5 is not legal. Legal moves: 0, 1"),
        (lambda state: {0: 0.5, 1: 0.4}, "the probabilities add up to 0.9, not to 1"),
        (lambda state: [-1, 2], "a probability must be a number from 0 to 1"),
        (lambda state: [float("nan"), 1], "a probability must be a number from 0 to 1"),
        (lambda state: [1, float("nan")], "a probability must be a number from 0 to 1"),
        (lambda state: [1, float("inf")], "a probability must be a number from 0 to 1"),
        (lambda state: [1.0], "there must be 2 numbers, not 1: one for every move, also those not legal here"),
        (lambda state: np.array([1, 0, 0]), "there must be 2 numbers, not 3"),
        (lambda state: None, "neither a move nor probabilities"),
        (lambda state: "take 1", "neither a move nor probabilities"),
        ({Stones(0, 4): 0}, r"no entry for State\(mover=1, stones=3\)"),
        (
            np.full((8, 2), 0.4),
            r"gives array\(\[0.4, 0.4\]\) in State\(.+\): the probabilities add up to 0.8, not to 1",
        ),
        (np.full((8, 2), np.nan), "a probability must be a number from 0 to 1"),
        (np.ones((2, 2)), r"must have the shape \(8, 2\), states by moves, not \(2, 2\)"),
        ("nobody", "Unknown agent 'nobody'"),
        ("llm:model", "llm:model would be asked 80 times. Measure it with duelbook.evaluate instead"),
        (7, "A policy is a table, an array, a callable, an agent or the name of one, not 7"),
    ],
)
def test_what_is_no_policy_is_refused_in_a_sentence(policy: Any, said: str) -> None:
    with pytest.raises(RefusedError, match=said):
        regret(policy, FOUR)


def test_weights_and_samples_are_checked() -> None:
    with pytest.raises(RefusedError, match="weights must be one of visits, uniform, not 'none'"):
        regret("random", FOUR, weights="none")
    with pytest.raises(RefusedError, match="samples must be"):
        regret("random", FOUR, samples=0)


class TestSamplingError:
    def test_it_is_what_repetition_shows(self) -> None:
        """The figures of many seeds spread as far as the error of each of them says, to a half or twice as much."""
        game = make("crystal-capture", crystals=5, goal=7)
        for weights in ("visits", "uniform"):
            found = [regret("easy", game, weights=weights, seed=seed, samples=30) for seed in range(12)]
            spread = float(np.std([one.regret for one in found], ddof=1))
            told = float(np.mean([one.regret_error for one in found]))
            assert spread / 2 < told < spread * 2

    def test_more_samples_make_it_smaller(self) -> None:
        few, many = (regret("easy", FOUR, samples=samples).regret_error for samples in (10, 1000))
        assert few is not None
        assert many is not None
        assert many < few / 3

    def test_an_opponent_that_is_sampled_counts_too(self) -> None:
        by_hand = regret(TAKE_ONE, FOUR, opponent="easy")
        assert by_hand.samples is None
        assert by_hand.regret_error
        assert {"figure": "standard error of the regret", "table": by_hand.regret_error} in by_hand.rows()

    def test_what_is_exact_has_none_and_one_sample_tells_none(self) -> None:
        assert regret("greedy", FOUR).regret_error is None
        assert regret("easy", FOUR, samples=1).regret_error is None
