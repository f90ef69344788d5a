"""The moves of a match judged by exact values, as numbers that can be added up."""

from typing import Any, NamedTuple

from duelbook.game import AnyGame, Player, Reason
from duelbook.records.record import Record, replay
from duelbook.solve import Value, solved
from duelbook.study.review import Review, review_game


class JudgedDecisions(NamedTuple):
    """One player's decisions in a match after its opening.

    Values are 1 for a win, 0 for a draw and -1 for a loss, to this player. A turn that the player forfeited counts as
    `ForfeitedTurn` says.
    """

    decisions: int  # turns for which there was a choice
    mattered: int  # decisions in which some legal move would have given value away
    kept: int  # how many of these kept the value
    regret: int  # the value that all decisions together gave away
    start: int  # the value of the first position after the opening
    best: int  # the best value of any position from there on


class ForfeitedTurn(NamedTuple):
    """A turn in which a player forfeited the match. Where the decision mattered, it was a wrong one, which loses."""

    legal: int  # how many moves were legal
    best: str  # the best move
    before: Value  # of the position, for the player
    mattered: bool  # some legal move would have given value away

    @property
    def regret(self) -> int:
        """What the player gave away: 0 to 2. Nothing in a decision that did not matter."""
        return self.before - Value.LOSS if self.mattered else 0


def judge_forfeit(game: AnyGame, state: Any) -> ForfeitedTurn:
    """Return the judgement of a forfeit in this position. The game must be solvable."""
    scored = solved(game).moves(state)
    best, worst = scored[0], scored[-1]
    return ForfeitedTurn(len(scored), game.move_name(state, best.move), best.value, best.value != worst.value)


def judge(record: Record) -> tuple[JudgedDecisions, JudgedDecisions]:
    """Return the judgement of the first and of the second player. The game must be solvable."""
    reviewed = review_game(record.game, record.moves, record.opening)
    judged = [_judge(reviewed, player, record.opening) for player in (0, 1)]
    if record.reason is Reason.FORFEIT:
        *_, (_, last) = ((None, record.game.initial()), *replay(record.game, record.moves))
        player = record.game.mover(last)
        judged[player] = _with_forfeit(judged[player], judge_forfeit(record.game, last))
    return judged[0], judged[1]


def _with_forfeit(judged: JudgedDecisions, turn: ForfeitedTurn) -> JudgedDecisions:
    return judged._replace(
        decisions=judged.decisions + (turn.legal > 1),
        mattered=judged.mattered + turn.mattered,
        regret=judged.regret + turn.regret,
    )


def _judge(reviewed: Review, player: Player, opening: int) -> JudgedDecisions:
    decisions = reviewed.decisions(player)
    mattered = [move for move in decisions if move.mattered]
    values = [-value if player else int(value) for value in reviewed.values[opening:]]
    return JudgedDecisions(
        decisions=len(decisions),
        mattered=len(mattered),
        kept=sum(move.regret == 0 for move in mattered),
        regret=sum(move.regret for move in decisions),
        start=values[0],
        best=max(values),
    )
