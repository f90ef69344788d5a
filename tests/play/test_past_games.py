"""What every front end tells about games that were played."""

from duelbook.games import make
from duelbook.history.store import History
from duelbook.match import Match
from duelbook.play.game_review import Grade, game_review, result_text
from duelbook.play.past_games import (
    game_to_continue,
    past_games,
    played_games,
    played_opponents,
    totals,
    wanted_games,
)
from duelbook.records.record import HUMAN, Person, Record
from duelbook.study.review import review_game


def played(game: str, *moves: str, opponent: str = "easy") -> Record:
    match = Match(make(game))
    for name in moves:
        match.play(name)
    return match.record((Person("Ann"), Person("Bob", opponent)), 0)


def keep(record: Record) -> None:
    History().keep(None, record, helped=False)


def test_the_list_counts_what_fits_and_what_is_kept() -> None:
    assert past_games().why_empty == "Your history is empty. Play a game with: duelbook play"
    assert game_to_continue() is None
    for game, opponent in (("charge", "easy"), ("flag-chase", HUMAN), ("charge", "hard")):
        keep(played(game, opponent=opponent))
    found = past_games(wanted_games("charge", None, None), limit=1)
    assert ([game.number for game in found.games], found.matching, found.kept) == ([3], 2, 3)
    assert found.games[0].row[2:] == ("Charge", "hard", "first", "unfinished, 0 moves")
    assert past_games(wanted_games(None, None, "won")).why_empty.startswith("There is no such game in your history.")
    assert played_games() == {"charge": "Charge", "flag-chase": "Flag Chase"}
    assert played_opponents() == {"easy": "easy", "hard": "hard", HUMAN: "two people"}
    assert game_to_continue() == (3, "Charge, against hard")


def test_totals_are_of_the_games_that_fit_and_the_rating_is_of_all() -> None:
    match = Match(make("charge"))
    match.resign(1)
    keep(match.record((Person("Ann"), Person("Bob", "easy")), 0))
    keep(played("flag-chase", opponent=HUMAN))
    rating = totals().rating
    assert rating
    assert totals(wanted_games("charge", None, None)).summary() == (
        "1 game; against the computer 1 won, 0 lost, 0 drawn. "
        f"Your overall rating, against levels without help: {rating}."
    )
    assert totals(wanted_games("flag-chase", None, None)).rating == rating
    assert totals(wanted_games("alpha-chase", None, None)).is_empty


def test_a_move_that_was_drawn_or_forced_has_no_better_one() -> None:
    record = played("crystal-capture", "1", "8", "7", "2", "6", "3", opponent=HUMAN)
    review = review_game(record.game, record.moves, opening=1)
    shown = game_review(record, review)
    drawn, last = shown.moves[0], shown.moves[5]
    assert (drawn.grade, drawn.is_fault, last.grade, last.is_fault) == (Grade.NONE, False, Grade.BLUNDER, True)
    assert drawn.verdict.startswith("drawn as the opening (")
    assert "best was" not in drawn.verdict
    assert last.verdict.startswith("blunder (loss in ")
    assert "best was" in last.verdict
    assert last.comment
    assert shown.decided
    assert [summary.split(":")[0] for summary in shown.summaries] == ["Ann", "Bob"]
    assert result_text(record).startswith("Neither player can capture another crystal.")
    rows = shown.chart(("Ann", "Bob"), 5)
    assert [label for label, _ in rows] == ["Ann wins", "draw", "Bob wins"]
    assert all(sum(column) == 1 for column in zip(*(points for _, points in rows), strict=True))
