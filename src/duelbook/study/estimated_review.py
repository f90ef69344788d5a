"""A review of a game that is too large to be solved: what a search thinks of its moves. It proves nothing."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from duelbook.agents.estimate import EstimatedMove
from duelbook.agents.mcts import points
from duelbook.game import AnyGame, Move, Outcome, Player
from duelbook.records.record import Record, replay
from duelbook.solve import try_solve
from duelbook.study.hints import estimated_moves
from duelbook.study.review import Review, review_game

POSITION_GAMES = 400  # simulated for one position
REVIEW_SECONDS = 10.0  # for all positions together
SIMILAR = 0.15  # scores that differ by less say nothing about which move is better


class EstimatedVerdict(StrEnum):
    """What the search thinks of a move, as reviews in JSON spell it."""

    OPENING = "opening"  # drawn before the players took over
    FORCED = "forced"  # the only legal move
    PREFERRED = "preferred"  # the search would play it, too
    SIMILAR = "similar"  # scores about as well as the move that the search prefers
    DOUBTFUL = "doubtful"  # scores clearly less


class EstimatedJudgement(NamedTuple):
    """One move: who made it, how the position after it scores for them, and what the search prefers."""

    player: Player
    name: str
    verdict: EstimatedVerdict
    score: float
    best: str
    best_score: float


class EstimatedReview(NamedTuple):
    """What the search thinks of every move, and the estimated score of every position."""

    moves: tuple[EstimatedJudgement, ...]
    scores: tuple[float, ...]  # of every position, for the first player


def best_review(record: Record) -> Review | EstimatedReview:
    """Return the review of a record: by exact values, or by a search if there are none."""
    review = review_game if try_solve(record.game) else estimate_review
    return review(record.game, record.moves, record.opening)


def estimate_review(game: AnyGame, names: Sequence[str], opening: int = 0) -> EstimatedReview:
    """Return what the search thinks of every move of a game, given their names. The first `opening` ones were drawn."""
    played = list(replay(game, names))
    states = [game.initial(), *(state for _, state in played)]
    seconds = REVIEW_SECONDS / len(states)
    estimates = [estimated_moves(game, state, POSITION_GAMES, seconds) for state in states]
    scores = [_first_score(game, *position) for position in zip(states, estimates, strict=True)]
    moves = [
        _judge(game, state, move, following, after)
        for state, (move, _), following, after in zip(states, played, estimates, scores[1:], strict=False)
    ]
    drawn = (move._replace(verdict=EstimatedVerdict.OPENING) for move in moves[:opening])
    return EstimatedReview((*drawn, *moves[opening:]), tuple(scores))


def _first_score(game: AnyGame, state: Any, estimates: Sequence[EstimatedMove]) -> float:
    outcome = game.outcome(state)
    if outcome != Outcome.UNDECIDED:
        return points(outcome, 0)
    return _for_player(game.mover(state), estimates[0].score)


def _judge(
    game: AnyGame, state: Any, move: Move, estimates: Sequence[EstimatedMove], after: float
) -> EstimatedJudgement:
    mover, best = game.mover(state), estimates[0]
    score = _for_player(mover, after)
    if sum(1 for _ in game.legal_moves(state)) == 1:
        verdict = EstimatedVerdict.FORCED
    elif move == best.move:
        verdict = EstimatedVerdict.PREFERRED
    else:
        verdict = EstimatedVerdict.SIMILAR if best.score - score < SIMILAR else EstimatedVerdict.DOUBTFUL
    return EstimatedJudgement(
        mover, game.move_name(state, move), verdict, score, game.move_name(state, best.move), best.score
    )


def _for_player(player: Player, score: float) -> float:
    """Return the first player's score as the player's, or the player's as the first player's."""
    return 1 - score if player else score
