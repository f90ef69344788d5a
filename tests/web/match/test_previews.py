"""Previews: what the legal moves of a position would do, in words and as the position after them."""

import pytest

from duelbook import GAMES, make
from duelbook.errors import RefusedError
from duelbook.game import move_names
from duelbook.records.record import replay
from duelbook.web.match.previews import MAX_PREVIEWS, previews_of
from tests.support.toy.rules import Staircase

NEARLY = ["charge 5", "charge 4", "charge 5", "charge 4", "charge 3", "charge 2"]  # 13 points against 10


@pytest.mark.parametrize(
    ("game", "after", "move", "words", "result", "warning"),
    [
        ("charge", NEARLY, "charge 1", "You would have 14 of 15.", "", False),
        ("charge", NEARLY, "charge 2", "You would have exactly 15 of 15.", "This wins the game.", False),
        ("charge", NEARLY, "charge 5", "You would have 18, over 15: back to 0.", "", True),
        (
            "charge",
            ["charge 5", "block"],
            "charge 1",
            "You are blocked: this charge adds nothing, and you stay at 5.",
            "",
            True,
        ),
        ("crystal-capture", ["5", "6"], "8", "You would have 13 of 15.", "", False),
        ("flag-chase", ["1"], "2", "You would reach the flag.", "This wins the game.", False),
        ("flag-chase", [], "1", "You would stand on cell 2, 1 cell from the flag.", "", False),
        ("alpha-chase", [], "Q", "Q is in neither word.", "", False),
        ("alpha-chase", [], "G", "Your opponent could not complete GHOST any more.", "", False),
        ("word-clash", ["C self 1"], "E self 2", "Your board would read _ E _ _ _, with 4 slots left.", "", False),
    ],
)
def test_a_move_is_previewed_in_the_words_of_its_game(
    game: str, after: list[str], move: str, words: str, result: str, warning: bool
) -> None:
    preview = previews_of(make(game), after, move).moves[move]
    assert (preview.words, preview.result, preview.warning) == (words, result, warning)


def test_whether_a_word_is_valid_shows_only_once_it_is_played() -> None:
    game, after = make("word-clash", length=3), ["C self 1", "X self 1", "A self 2", "X self 2"]
    previews = [previews_of(game, after, move).moves[move] for move in ("T self 3", "Q self 3")]
    assert [preview.words.replace("T.", "Q.") for preview in previews] == [
        "Your board would be complete: C A Q. A valid word wins, anything else loses."
    ] * 2
    assert {(preview.result, preview.warning) for preview in previews} == {("", True)}


@pytest.mark.parametrize("game", GAMES)
def test_the_position_after_a_previewed_move_is_that_of_the_rules(game: str) -> None:
    rules = make(game)
    state = rules.initial()
    previews = previews_of(rules, []).moves
    assert list(previews) == list(move_names(rules, state))[:MAX_PREVIEWS]
    for name, preview in previews.items():
        [(_, after)] = replay(rules, [name])
        assert preview.text == rules.render(after)
        assert preview.words.endswith((".", "!"))


def test_a_game_without_words_of_its_own_is_previewed_too() -> None:
    previews = previews_of(Staircase(), ["climb 2"]).moves
    assert previews["climb 1"].words == "After climb 1: Step 3 of 7."
    last = previews_of(Staircase(), ["climb 2"] * 3, "climb 1").moves["climb 1"]
    assert last.result == "This wins the game."


def test_a_move_that_is_not_legal_has_no_preview() -> None:
    with pytest.raises(RefusedError, match="'steal 9' is not legal here"):
        previews_of(make("charge"), [], "steal 9")
