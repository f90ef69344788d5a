"""The moves of a match judged by exact values, as numbers that can be added up."""

from typing import NamedTuple

from duelbook.game import Player
from duelbook.records.record import Record
from duelbook.study.review import Review, review_game


class Judgement(NamedTuple):
    """One player's decisions in a match after its opening.

    Values are 1 for a win, 0 for a draw and -1 for a loss, to this player.
    """

    decisions: int  # moves for which there was a choice
    mattered: int  # decisions in which some legal move would have given value away
    kept: int  # how many of these kept the value
    regret: int  # the value that all decisions together gave away
    start: int  # the value of the first position after the opening
    best: int  # the best value of any position from there on


def judge(record: Record) -> tuple[Judgement, Judgement]:
    """Return the judgement of the first and of the second player. The game must be solvable."""
    reviewed = review_game(record.game, record.moves, record.opening)
    return _judge(reviewed, 0, record.opening), _judge(reviewed, 1, record.opening)


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
