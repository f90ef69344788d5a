"""What a learner gets for how a match stands, and how it ended."""

from duelbook.game import Outcome, Player, Reason
from duelbook.match import Match


def reward(outcome: Outcome, player: Player) -> float:
    """Answer 1 for a win, -1 for a loss, and 0 for a draw or while nothing is decided."""
    if outcome in (Outcome.DRAW, Outcome.UNDECIDED):
        return 0.0
    return 1.0 if outcome == player else -1.0


def truncated(match: Match) -> bool:
    """Tell whether the match was stopped for its length, which is no end by the rules."""
    return match.reason is Reason.PLY_LIMIT
