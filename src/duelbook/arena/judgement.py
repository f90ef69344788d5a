"""The moves of a match judged by exact values, as numbers that can be added up."""

from collections.abc import Sequence
from typing import NamedTuple

from duelbook.game import Player, Reason
from duelbook.records.record import Record, replay
from duelbook.solve import ScoredMove, Value, solved
from duelbook.study.review import Review, review_game


class Judgement(NamedTuple):
    """One player's decisions in a match after its opening.

    Values are 1 for a win, 0 for a draw and -1 for a loss, to this player. A turn that the player forfeited is a
    decision like any other: it loses, whatever could have been played.
    """

    decisions: int  # turns for which there was a choice
    mattered: int  # decisions in which some legal move would have given value away
    kept: int  # how many of these kept the value
    regret: int  # the value that all decisions together gave away
    start: int  # the value of the first position after the opening
    best: int  # the best value of any position from there on


def judge(record: Record) -> tuple[Judgement, Judgement]:
    """Return the judgement of the first and of the second player. The game must be solvable."""
    reviewed = review_game(record.game, record.moves, record.opening)
    judged = [_judge(reviewed, player, record.opening) for player in (0, 1)]
    if record.reason is Reason.FORFEIT:
        *_, (_, last) = ((None, record.game.initial()), *replay(record.game, record.moves))
        player = record.game.mover(last)
        judged[player] = _with_forfeit(judged[player], solved(record.game).moves(last))
    return judged[0], judged[1]


def _with_forfeit(judged: Judgement, scored: Sequence[ScoredMove]) -> Judgement:
    """Return the judgement with a decision in which the player made none of these moves, best first."""
    best, worst = scored[0].value, scored[-1].value
    return judged._replace(
        decisions=judged.decisions + (len(scored) > 1),
        mattered=judged.mattered + (best != worst),
        regret=judged.regret + (best - Value.LOSS if best != worst else 0),
    )


def _judge(reviewed: Review, player: Player, opening: int) -> Judgement:
    decisions = reviewed.decisions(player)
    mattered = [move for move in decisions if move.mattered]
    values = [-value if player else int(value) for value in reviewed.values[opening:]]
    return Judgement(
        decisions=len(decisions),
        mattered=len(mattered),
        kept=sum(move.regret == 0 for move in mattered),
        regret=sum(move.regret for move in decisions),
        start=values[0],
        best=max(values),
    )
