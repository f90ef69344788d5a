"""What the moves of a match were worth by exact values, as sums that can be added up."""

from typing import NamedTuple

from duelbook.game import Player
from duelbook.records.record import Record
from duelbook.study.review import JudgedMove, Verdict, review_game


class Judgement(NamedTuple):
    """One player's decisions in a match."""

    decisions: int  # moves where there was more than one
    mattered: int  # decisions in which some move would not have kept the value
    kept: int  # of these, how many kept it
    regret: int  # what all decisions gave away; a win is 1, a draw 0, a loss -1


def judge(record: Record) -> tuple[Judgement, Judgement]:
    """Answer the judgement of the first and of the second player."""
    moves = review_game(record.game, record.moves).moves
    return _sum_up(moves, 0), _sum_up(moves, 1)


def _sum_up(moves: tuple[JudgedMove, ...], player: Player) -> Judgement:
    decisions = [move for move in moves if move.player == player and move.verdict is not Verdict.FORCED]
    mattered = [move for move in decisions if move.mattered]
    kept = sum(move.regret == 0 for move in mattered)
    return Judgement(len(decisions), len(mattered), kept, sum(move.regret for move in decisions))
