"""A game in which a player may move again, and which may end in a draw, is right everywhere.

`best` computes the exact values by brute force, by seat and without any of Duelbook's solvers.
"""

import random
from functools import cache

import pytest

from duelbook import Match, Outcome
from duelbook.agents import make_agent
from duelbook.arena.judgement import judge
from duelbook.arena.match import play_match
from duelbook.contract import random_positions
from duelbook.game import Move
from duelbook.match import named_moves
from duelbook.play.values import move_values
from duelbook.solve import Solution, Value, solve
from duelbook.study.documents import position_report, puzzle_view
from duelbook.study.hints import hint
from duelbook.study.puzzles import find_puzzle
from duelbook.study.review import Verdict, review_game
from tests.support.games.broken import Carousel
from tests.support.games.network import Network
from tests.support.games.pits import Pits, State
from tests.support.playing import match_after, played

GAME = Pits()
DRAWISH = Pits(pits=4)  # many draws
TRAP = Network(  # node 1 keeps the turn, and then every reply wins; after node 2 only one of two replies wins
    arrows=(0b110, 0b1000, 0b110000, 0b100100000, 0, 0, 0, 0, 0), again=0b10
)


@cache
def best(game: Pits, state: State) -> int:
    """Return the result for the first player under best play: 1 wins, 0 draws, -1 loses."""
    outcome = game.outcome(state)
    if outcome is not Outcome.UNDECIDED:
        return {Outcome.FIRST_WINS: 1, Outcome.SECOND_WINS: -1, Outcome.DRAW: 0}[outcome]
    results = [best(game, game.play(state, move)) for move in game.legal_moves(state)]
    return max(results) if game.mover(state) == 0 else min(results)


def for_mover(game: Pits, state: State) -> int:
    return best(game, state) * (-1 if game.mover(state) else 1)


def positions(game: Pits, count: int = 30) -> list[State]:
    """Return undecided states of random games, among them some in which a player has just moved again."""
    found = [position.state for position in random_positions(game, random.Random(1), count, 20)]
    return [state for state in found if game.outcome(state) is Outcome.UNDECIDED]


class TestSolver:
    @pytest.mark.parametrize("game", [GAME, DRAWISH, Pits(pits=6)], ids=repr)
    def test_every_value_is_that_of_brute_force(self, game: Pits) -> None:
        solution = solve(game)
        assert solution.extra_turns
        for state in positions(game):
            assert solution.value(state) == for_mover(game, state)
            for scored in solution.moves(state):
                following = best(game, game.play(state, scored.move)) * (-1 if game.mover(state) else 1)
                assert scored.value == following

    def test_the_moves_of_each_player_are_counted_along_best_play(self) -> None:
        solution = solve(GAME)
        assert [*map(solution.count_moves, [GAME.initial()] * 2, (0, 1))] == own_and_other(solution, GAME.initial())
        for state in positions(GAME, 5):
            assert [solution.count_moves(state, player) for player in (0, 1)] == own_and_other(solution, state)


def own_and_other(solution: Solution, state: State) -> list[int]:
    """Return how many moves the first and the second player make when both follow the solution."""
    counts = [0, 0]
    while GAME.outcome(state) is Outcome.UNDECIDED:
        counts[GAME.mover(state)] += 1
        state = GAME.play(state, solution.moves(state)[0].move)
    return counts


class TestAgents:
    @pytest.mark.parametrize("agent", ["perfect", "search:9", "mcts:3000"])
    def test_it_keeps_the_value_of_the_position(self, agent: str) -> None:
        for number, state in enumerate(positions(DRAWISH, 8)):
            following = DRAWISH.play(state, chosen(agent, DRAWISH, state, number))
            assert best(DRAWISH, following) == best(DRAWISH, state)

    def test_greedy_takes_a_win_and_does_not_take_its_own_next_move_for_a_reply(self) -> None:
        for number, state in enumerate(positions(GAME, 40)):
            mover, moves = GAME.mover(state), list(GAME.legal_moves(state))
            after = {move: GAME.play(state, move) for move in moves}
            wins = [move for move in moves if GAME.outcome(after[move]) == mover]
            safe = [
                move
                for move in moves
                if GAME.mover(after[move]) == mover
                or not any(
                    GAME.outcome(GAME.play(after[move], reply)) == 1 - mover for reply in legal_moves(after[move])
                )
            ]
            assert chosen("greedy", GAME, state, number) in (wins or safe or moves)

    def test_in_a_lost_position_the_trap_is_the_opponents_to_fall_into(self) -> None:
        assert solve(TRAP).value(TRAP.initial()) is Value.LOSS
        for seed in range(5):
            assert make_agent("perfect", seed).choose(Match(TRAP)) == 2


def legal_moves(state: State) -> list[Move]:
    return list(GAME.legal_moves(state))


def chosen(agent: str, game: Pits, state: State, seed: int) -> Move:
    """Return the agent's move in the state."""
    match = Match(game)
    match._states.append(state)
    return make_agent(agent, seed).choose(match)


class TestMatches:
    def test_the_judgement_gives_each_move_to_who_made_it(self) -> None:
        record = play_match(GAME, ("random", "perfect"), seed=4).record
        first, second = judge(record)
        assert second.regret == 0
        assert second.kept == second.mattered
        assert first.decisions + second.decisions <= len(record.moves)

    def test_undo_takes_back_the_last_choice_of_the_player(self) -> None:
        match = match_after(GAME, "pit 3", "pit 6", "pit 1", "pit 2")  # the first player moves three times
        assert [player for player, _ in named_moves(match)] == [0, 0, 0, 1]
        assert match.last_choice((0,)) == 2
        assert match.last_choice((1,)) == 3


def played_on(state: State, name: str) -> State:
    return GAME.play(state, int(name.removeprefix("pit ")) - 1)


class TestStudies:
    def test_a_review_judges_each_move_for_who_made_it_and_counts_their_own_moves(self) -> None:
        rng, solution, differing = random.Random(5), solve(GAME), 0
        for _ in range(20):
            match = Match(GAME)
            while not match.over:
                match.play(rng.choice(list(GAME.legal_moves(match.state))))
            names = tuple(name for _, name in named_moves(match))
            review = review_game(GAME, names)
            assert [int(value) for value in review.values] == [best(GAME, state) for state in match.states]
            for move, before, after in zip(review.moves, match.states, match.states[1:], strict=False):
                sign = -1 if move.player else 1
                assert (move.before, move.after) == (sign * best(GAME, before), sign * best(GAME, after))
                assert (move.regret > 0) == (move.verdict in (Verdict.MISTAKE, Verdict.BLUNDER))
                assert move.own_moves == 1 + own_and_other(solution, after)[move.player]
                differing += move.own_moves != 1 + (move.remoteness or 0) // 2
        assert differing, "a game of strict turns would count half of the plies"

    def test_a_puzzle_has_one_winning_move_and_counts_only_the_players_own_moves(self) -> None:
        for seed in range(5):
            puzzle = find_puzzle(GAME, str(seed))
            player = puzzle.state.mover
            winning = [
                move
                for move in GAME.legal_moves(puzzle.state)
                if best(GAME, GAME.play(puzzle.state, move)) == (-1 if player else 1)
            ]
            assert winning == [puzzle.answer]
            following = GAME.play(puzzle.state, puzzle.answer)
            assert puzzle.own_moves() == 1 + own_and_other(solve(GAME), following)[player]

    def test_an_answer_with_an_extra_turn_is_followed_by_the_same_player(self) -> None:
        for seed in range(40):
            puzzle = find_puzzle(GAME, str(seed))
            for name in ("pit 3", "pit 6"):
                if name in [GAME.move_name(puzzle.state, move) for move in GAME.legal_moves(puzzle.state)]:
                    view = puzzle_view(puzzle, name)
                    assert view.replier == view.mover
                    assert "You move again: " in str(view.why)
                    return
        raise AssertionError("no puzzle has an extra turn")

    def test_values_and_hints_count_the_players_own_moves(self) -> None:
        report = position_report(GAME, ())
        solution, start = solve(GAME), GAME.initial()
        assert report.winner == "first"
        assert report.winner_moves == own_and_other(solution, start)[0]
        for name, value in report.moves.items():
            assert value.own_moves == 1 + own_and_other(solution, played(GAME, name))[0]
        [best_move, *_] = report.moves.values()
        suggestion = hint(GAME, start)
        assert suggestion
        assert f"wins in {best_move.own_moves} of your moves" in suggestion.why
        assert f"win in {best_move.own_moves} moves" in move_values(GAME, start)
        assert best_move.own_moves != (best_move.remoteness or 0) // 2 + 1, "a game of strict turns would count this"


def test_a_game_that_never_ends_has_no_puzzle_and_does_not_hang() -> None:
    from duelbook import RefusedError

    assert solve(Carousel()).value(Carousel().initial()) is Value.DRAW
    with pytest.raises(RefusedError, match="This game has no puzzle"):
        find_puzzle(Carousel(), "1")
