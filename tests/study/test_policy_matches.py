"""Policies that play differently in states that play alike: one state cannot stand for all, so matches are played."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from duelbook import Match, Move, Outcome, RefusedError, make, make_agent, regret
from duelbook.game import won_by
from duelbook.solve import solved
from tests.study.test_policy_report import Last

np = pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")

ALPHABET = make("alpha-chase", words=("PLANT", "GHOST"))


def last(state: Any) -> Move:
    return max(ALPHABET.legal_moves(state))


def first(state: Any) -> Move:
    return min(ALPHABET.legal_moves(state))


def result(one: Any, two: Any) -> int:
    """Return the result of the first policy, which moves first, by playing it out."""
    match = Match(ALPHABET)
    while not match.over:
        match.play((one, two)[match.mover](match.state))
    return {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1}.get(match.outcome, 0)


@pytest.mark.parametrize("policy", [last, first])
@pytest.mark.parametrize("opponent", [last, first])
def test_results_are_those_of_matches(policy: Any, opponent: Any) -> None:
    found = regret(policy, ALPHABET, opponent=opponent, samples=1)
    assert found.results == (result(policy, opponent), -result(opponent, policy))
    assert (found.matches, found.samples, found.regret_error) == (10, None, 0)
    assert (found.best_response, found.exploitability) == (None, None)


def test_a_policy_that_plays_alike_is_measured_exactly() -> None:
    def anything(state: Any) -> dict[Move, float]:
        legal = list(ALPHABET.legal_moves(state))
        return dict.fromkeys(legal, 1 / len(legal))

    ours, known = regret(anything, ALPHABET), regret("random", ALPHABET)
    assert ours.matches is None
    assert ours.regret == pytest.approx(known.regret)
    assert ours.results == pytest.approx(known.results)
    assert ours.best_response == pytest.approx(known.best_response)


class Piles(NamedTuple):
    mover: int
    left: int
    right: int


@dataclass(frozen=True)
class TwoPiles:
    """Take one or two stones from one of two piles. The last stone wins."""

    num_moves = 4

    def initial(self) -> Piles:
        return Piles(0, 4, 3)

    def mover(self, state: Piles) -> int:
        return state.mover

    def legal_moves(self, state: Piles) -> Iterator[Move]:
        return (move for move in range(4) if state[1 + move // 2] > move % 2)

    def play(self, state: Piles, move: Move) -> Piles:
        piles = [state.left, state.right]
        piles[move // 2] -= 1 + move % 2
        return Piles(1 - state.mover, *piles)

    def outcome(self, state: Piles) -> Outcome:
        return Outcome.UNDECIDED if state.left or state.right else won_by(1 - state.mover)

    def move_name(self, state: Piles, move: Move) -> str:
        return f"{'left' if move < 2 else 'right'} {1 + move % 2}"

    def render(self, state: Piles) -> str:
        return str(state)


@dataclass(frozen=True)
class AlikePiles(TwoPiles):
    """The same game, which knows that it does not matter which pile is which."""

    def canonical(self, state: Piles) -> Piles:
        return Piles(state.mover, *sorted(state[1:]))


def mostly_last(state: Piles) -> dict[Move, float]:
    legal = list(TwoPiles().legal_moves(state))
    return {move: 0.7 * (move == legal[-1]) + 0.3 / len(legal) for move in legal}


def test_the_figures_are_those_of_the_game_without_classes_within_their_error() -> None:
    exact = regret(mostly_last, TwoPiles(), opponent="random")
    found = regret(mostly_last, AlikePiles(), opponent="random", samples=200)
    assert (exact.matches, found.matches) == (None, 2000)
    assert found.regret_error
    assert abs(found.regret - exact.regret) < 4 * found.regret_error
    assert found.accuracy == pytest.approx(exact.accuracy, abs=0.04)
    assert found.results == pytest.approx(exact.results, abs=0.06)
    assert found.visits.sum() == pytest.approx(exact.visits.sum(), abs=0.06)
    assert float(found.visits @ found.given_away) / found.visits.sum() == pytest.approx(found.regret)


def test_tables_and_arrays_of_canonical_states_are_read_there() -> None:
    """The larger pile, of which one stone is taken, is the right one there, but the left one in the first state."""
    game, apart = AlikePiles(), TwoPiles()
    table = {one.state: 2 for one in solved(game) if one.state.right}
    rows = np.zeros((len(solved(game)), 4))
    rows[:, 2] = 1

    def larger(state: Piles) -> Move:
        return 2 if state.right >= state.left else 0

    wanted = regret(larger, apart)
    for found in (regret(table, game), regret(rows, game), regret(larger, game)):
        assert found.matches is None
        assert (found.regret, found.accuracy, found.results) == (wanted.regret, wanted.accuracy, wanted.results)
        assert found.best_response == wanted.best_response


def test_the_error_of_the_regret_is_what_other_seeds_show() -> None:
    found = [regret(mostly_last, AlikePiles(), opponent="random", samples=10, seed=seed) for seed in range(40)]
    spread = float(np.std([one.regret for one in found]))
    assert 0.7 * spread < np.mean([one.regret_error for one in found]) < 1.4 * spread


def test_agents_from_outside_play_matches_and_those_of_duelbook_do_not() -> None:
    assert (
        regret(Last(), ALPHABET, opponent=first, samples=1).results
        == regret(last, ALPHABET, opponent=first, samples=1).results
    )
    assert regret(make_agent("greedy", 1), ALPHABET, opponent="random").matches is None
    assert regret("greedy", ALPHABET, opponent=Last(), samples=1).matches == 10


def test_agents_that_draw_are_measured_in_matches_where_the_moves_of_a_class_differ_in_number() -> None:
    """In Word Clash. The figure of random play was counted in 400,000 matches."""
    found = regret("random", "word-clash", samples=30)
    assert found.matches == 300
    assert found.regret_error
    assert abs(found.regret - 0.6187) < 4 * found.regret_error
    assert regret("perfect", "word-clash").matches is None
    assert regret("perfect", "word-clash", opponent="random", samples=1).matches == 10


def test_what_matches_cannot_tell_is_refused() -> None:
    with pytest.raises(RefusedError, match=r"so last is measured in matches, .* by visits, not uniform"):
        regret(last, ALPHABET, weights="uniform")
    with pytest.raises(RefusedError, match="Give a callable instead"):
        regret(np.ones((3, 3)), ALPHABET, opponent=last)
    table = {one.state: max(AlikePiles().legal_moves(one.state), default=0) for one in solved(AlikePiles())}
    assert regret(table, AlikePiles()).matches is None
    with pytest.raises(RefusedError, match="The table has no entry for"):  # one of a class says nothing about a state
        regret(table, AlikePiles(), opponent=mostly_last)
    with pytest.raises(RefusedError, match=r"llm:some is measured with duelbook.evaluate"):
        regret(last, ALPHABET, opponent="llm:some")
