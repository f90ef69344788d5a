"""Reviews: every move of a game judged by exact values."""

import pytest

from duelbook import make
from duelbook.solve import ScoredMove, Value, solved
from duelbook.study.review import Verdict, judge_move, review_game

BLUNDERS = ("1", "8", "7", "2", "6", "3")  # of Crystal Capture: both players give a win away


def test_every_move_is_judged() -> None:
    judged = review_game(make("crystal-capture"), BLUNDERS)
    assert [move.verdict for move in judged.moves] == ["blunder", "best", "best", "best", "best", "blunder"]
    assert judged.moves[0].best == "6"
    assert (judged.moves[0].before, judged.moves[0].after, judged.moves[0].regret) == (Value.WIN, Value.LOSS, 2)
    assert judged.values[0] is Value.WIN
    assert judged.values[1] is Value.LOSS


def test_forced_moves_are_not_decisions() -> None:
    judged = review_game(make("crystal-capture"), ("9", "1", "5", "2", "pass"))
    assert judged.moves[4].verdict is Verdict.FORCED
    assert judged.summary(0).regret == sum(move.regret for move in judged.moves[0:4:2]) / 2


def test_good_mistake_and_already_lost() -> None:
    assert review_game(make("crystal-capture"), ("7",)).moves[0].verdict is Verdict.GOOD
    assert review_game(make("crystal-capture"), ("8", "1")).moves[1].verdict is Verdict.ALREADY_LOST
    drawn = make("crystal-capture", crystals=8, goal=17, deadlock="draw")
    assert review_game(drawn, ("8", "1", "2")).moves[2].verdict is Verdict.MISTAKE  # a draw becomes a loss
    game = make("crystal-capture", crystals=7, goal=20, deadlock="draw")
    state, names = game.initial(), []
    for _ in range(3):
        scored = solved(game).moves(state)
        names.append(game.move_name(state, scored[-1].move))
        assert review_game(game, tuple(names)).moves[-1].regret == scored[0].value - scored[-1].value
        state = game.play(state, scored[-1].move)


@pytest.mark.parametrize(
    ("best", "played", "verdict"),
    [
        (Value.WIN, Value.LOSS, Verdict.BLUNDER),
        (Value.WIN, Value.DRAW, Verdict.MISTAKE),
        (Value.DRAW, Value.LOSS, Verdict.MISTAKE),
    ],
)
def test_only_a_win_that_becomes_a_loss_is_a_blunder(best: Value, played: Value, verdict: Verdict) -> None:
    scored = [ScoredMove(0, best, 3), ScoredMove(1, played, 2)]
    assert judge_move(scored, scored[1]) is verdict


def test_accuracy_counts_decisions_that_mattered() -> None:
    judged = review_game(make("crystal-capture"), BLUNDERS)
    assert judged.summary(1).accuracy == pytest.approx(2 / 3)
    assert judged.summary(0).accuracy == 0
    assert (judged.summary(0).first_blunder, judged.summary(1).first_blunder) == (1, 6)
    assert review_game(make("flag-chase"), ("2",)).summary(1).regret is None


def test_the_moves_of_a_drawn_opening_are_marked_and_not_judged() -> None:
    game = make("crystal-capture")
    judged, drawn = review_game(game, BLUNDERS), review_game(game, BLUNDERS, opening=2)
    assert [move.verdict for move in drawn.moves[:2]] == [Verdict.OPENING] * 2
    assert [move.regret for move in drawn.moves[:2]] == [0, 0]
    assert drawn.moves[2:] == judged.moves[2:]
    assert drawn.values == judged.values
    own = [move for move in drawn.decisions(0) if move.mattered]
    assert drawn.summary(0).accuracy == (sum(move.regret == 0 for move in own) / len(own) if own else None)
    assert len(drawn.decisions(0)) == len(judged.decisions(0)) - 1
