"""Results added up: what the ends of matches are worth."""

from duelbook.arena.tally import Score


def test_a_draw_and_a_match_that_was_stopped_are_worth_half_a_point() -> None:
    score = Score(wins=2, draws=1, limits=2, losses=4)
    assert (score.points, score.matches) == (3.5, 9)
    score.add(Score(draws=3))
    assert score.results() == {"matches": 12, "points": 5.0, "wins": 2, "draws": 4, "ply_limit": 2, "losses": 4}
