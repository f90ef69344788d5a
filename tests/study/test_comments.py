"""Comments on a game: what decided it, and what is said of mistakes and traps."""

from collections import OrderedDict
from typing import Any

import pytest

from duelbook import make, parse_move
from duelbook.game import AnyGame, Outcome, Reason
from duelbook.narration import Voice
from duelbook.records.record import Person, Record, state_after
from duelbook.solve import remember_too_large, solved
from duelbook.study import estimated_review
from duelbook.study.comments import comments, turning_point, turning_point_text
from duelbook.study.documents import review_view
from duelbook.study.estimated_review import best_review
from duelbook.study.facts import Result, ValueName
from duelbook.study.reason_wording import reason_text
from duelbook.study.reasons import Reasons
from duelbook.study.review import review_game
from duelbook.study.wording import refutation_text
from tests.support.games.drop_four import DropFour
from tests.support.games.last_stone import LastStone
from tests.support.games.pits import Pits


def record(game: AnyGame, *moves: str, outcome: Outcome | None = None, reason: Reason = Reason.RULES) -> Record:
    by_rules = game.outcome(state_after(game, moves))
    return Record(game, (Person("Ann"), Person("Bob")), 0, moves, by_rules if outcome is None else outcome, reason)


def decided(played: Record) -> str:
    """Return what decided the game, which the document says, too."""
    review = review_game(played.game, played.moves)
    text = turning_point_text(played, review)
    assert review_view(played, review).decided == text
    return text


def test_the_turning_point_is_the_last_move_that_gave_something_away() -> None:
    game = LastStone(stones=6)
    played = record(game, "take 1", "take 2", "take 2", "take 1")
    point = turning_point(review_game(game, played.moves))
    assert point
    assert (point.ply, point.player, point.move, point.before, point.after) == (3, "first", "take 2", "win", "loss")
    assert decided(played) == "The turning point was move 3: Ann played take 2 and turned a win into a loss."


def test_a_game_without_mistakes_has_no_turning_point() -> None:
    played = record(LastStone(stones=6), "take 2", "take 1", "take 3")
    assert turning_point(review_game(played.game, played.moves)) is None
    assert decided(played) == "No move gave anything away: Ann was winning from the start."


def test_a_comment_on_a_lost_draw_does_not_say_twice_how_it_was_lost() -> None:
    played = record(make("crystal-capture", crystals=8, goal=17, deadlock="draw"), "8", "1", "2")
    found = comments(played, review_game(played.game, played.moves))[3]
    follows, better = "After 2, Bob plays 7 and wins in 3 moves.", "Better was 3: it brings Ann to 11 points"
    assert found.text == f"{follows} {better} and holds the draw."


def test_a_game_that_is_given_up_in_a_winning_position_is_decided_by_that() -> None:
    played = record(LastStone(stones=6), "take 2", "take 1", outcome=Outcome.SECOND_WINS, reason=Reason.RESIGNATION)
    assert decided(played) == "The turning point was the end: Ann resigned, but was winning."
    late = record(LastStone(stones=6), "take 1", outcome=Outcome.FIRST_WINS, reason=Reason.TIME)
    assert decided(late) == "The turning point was the end: Bob ran out of time, but was winning."
    lost = record(LastStone(stones=6), "take 2", outcome=Outcome.FIRST_WINS, reason=Reason.RESIGNATION)
    assert decided(lost) == "No move gave anything away: Ann was winning from the start."


def test_a_mistake_is_explained_by_what_follows_and_by_what_was_better() -> None:
    played = record(make("crystal-capture"), "9", "6", "5", "1", "pass", "7")
    assert comments(played, review_game(played.game, played.moves))[1].text == (
        "After 9, Bob plays 6 and wins in 3 moves. Better was 6: it brings Ann to 6 points and wins in 3 moves. "
        "It threatens to win with 9, so Bob must play it first; then Ann plays 1."
    )


def test_a_trap_that_worked_is_named_with_its_move() -> None:
    played = record(LastStone(stones=8), "take 1", "take 1", "take 2", "take 3", "take 1")
    found = comments(played, review_game(played.game, played.moves))
    assert found[1].text == ("Ann's take 1 sets a trap that works: only one of Bob's 3 replies wins (take 3).")
    assert found[2].text.startswith("After take 1, Ann plays take 2 and wins in 2 moves. ")


def test_who_moves_again_is_said() -> None:
    played = record(Pits(), "pit 5", "pit 2", outcome=Outcome.UNDECIDED, reason=Reason.UNFINISHED)
    found = comments(played, review_game(played.game, played.moves))
    assert found[1].text == (
        "After pit 5, Bob plays pit 3 and wins in 3 moves. Bob moves again: pit 6, then pit 7, which wins. "
        "Better was pit 3: it wins in 3 moves."
    )


@pytest.mark.parametrize(("value", "but"), [("loss", "every move loses"), ("draw", "no move wins")])
def test_a_mistake_after_which_the_same_player_moves_again_is_not_refuted_by_a_reply(
    value: ValueName, but: str
) -> None:
    about: dict[str, Any] = {"player": "first", "after": ["pit 3"], "move": "pit 1"}
    result = Result(**about, value=value, own_moves=2, at_once=False, again=False, keeping=2, lasting=2, legal=2)
    assert refutation_text([result], "first", Voice()) == f"you move again, but {but}"
    assert refutation_text([result], "first", Voice("Ann", "Bob")) == f"Ann moves again, but {but}"


def test_two_players_of_one_name_are_kept_apart() -> None:
    game, voice = make("crystal-capture"), Voice("Ann", "Ann")
    facts = Reasons(game, solved(game)).refutation(game.initial(), parse_move(game, game.initial(), "9"), voice)
    assert reason_text(facts, voice) == "Ann's best reply is 1; then Ann plays 5."


def test_in_a_game_that_is_not_solved_only_what_is_proven_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimated_review, "POSITION_GAMES", 50)
    monkeypatch.setattr("duelbook.solve.cache._too_large", OrderedDict())
    game = DropFour()
    remember_too_large(game)
    moves = ("column 1", "column 7", "column 1", "column 7", "column 1", "column 2", "column 1")
    played = record(game, *moves)
    review = best_review(played)
    assert {ply: comment.text for ply, comment in comments(played, review).items()} == {
        6: "After column 2, Ann plays column 1 and wins at once."
    }
    view = review_view(played, review)
    assert (view.turning_point, view.decided) == (None, "")
    assert [move.why for move in view.moves][5] == "After column 2, Ann plays column 1 and wins at once."
