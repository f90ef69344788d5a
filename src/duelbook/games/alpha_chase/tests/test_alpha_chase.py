"""Alpha Chase: its rulings, by their ids, and what its rule book shows. `oracle.py` proves the other rules."""

import random
from pathlib import Path

import pytest

from duelbook import Outcome, RefusedError, make
from duelbook.game import move_names
from duelbook.games.alpha_chase.rules import AlphaChase, Ending, TieBreak
from duelbook.options import draw
from duelbook.web.match.previews import previews_of
from duelbook.words import denied
from tests.support.playing import played, result_text

WORKED_GAME = ["P", "G", "T", "A", "L", "H", "N", "S", "O"]


def test_both_words_are_open_from_the_start() -> None:
    """AC-1: the words are options of the game, which both players see."""
    assert "PLANT" in AlphaChase().render(AlphaChase().initial())
    assert "GHOST" in AlphaChase().render(AlphaChase().initial())


def test_both_players_may_choose_the_same_word() -> None:
    """AC-2: the book does not forbid it."""
    game = make("alpha-chase", words="PLANT,PLANT")
    assert game.outcome(played(game, *["P", "A", "L", "N", "T"])) is Outcome.FIRST_WINS


def test_the_book_offers_five_words() -> None:
    """AC-3."""
    assert AlphaChase().choices() == ("BRAVE", "CHARM", "GHOST", "PLANT", "QUICK")


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("SPOON", "'SPOON' repeats the letter O"),
        ("PLANTS", "'PLANTS' is not a word of five letters"),
        ("PL4NT", "'PL4NT' is not a word of five letters"),
        ("CRUST", "'CRUST' is not on the list"),
    ],
)
def test_a_wrong_word_is_refused_with_the_reason_and_the_list(word: str, reason: str) -> None:
    """AC-3."""
    with pytest.raises(RefusedError, match=f"{reason}.*Words: BRAVE, CHARM, GHOST, PLANT, QUICK; .*word_list=all"):
        make("alpha-chase", words=f"PLANT,{word}")


def test_the_list_all_offers_every_word_of_five_different_letters_except_offensive_ones() -> None:
    """AC-3."""
    game = make("alpha-chase", word_list="all", words="crust,brick")
    assert isinstance(game, AlphaChase)
    assert game.words == ("CRUST", "BRICK")
    assert all(len(set(word)) == 5 for word in game.choices())
    assert not denied() & set(game.choices())
    assert len(game.choices()) > 3000


@pytest.mark.slow
def test_no_draw_gives_anybody_an_offensive_word() -> None:
    """AC-3."""
    game = AlphaChase(word_list="all")
    drawn = {word for seed in range(500) for word in draw(game, random.Random(seed)).words}
    assert len(drawn) > 700
    assert not drawn & denied()


def test_a_person_may_choose_an_offensive_word() -> None:
    """AC-3: it is a word, and the program only never brings it up."""
    for word in sorted(word for word in denied() if len(set(word)) == len(word) == 5):
        assert make("alpha-chase", word_list="all", words=f"{word},GHOST")
        assert AlphaChase(word_list="all").check_choice(word.lower()) == word
        with pytest.raises(RefusedError, match="is not on the list"):
            make("alpha-chase", words=f"{word},GHOST")  # the book's list is as it is


@pytest.mark.parametrize(
    ("words", "reason"), [("spoon\n", r"letters\.$"), ("kraut\nwhore\n", r"letters that the program may draw\.$")]
)
def test_a_file_without_a_word_that_may_be_drawn_is_refused(tmp_path: Path, words: str, reason: str) -> None:
    """AC-3."""
    file = tmp_path / "words.txt"
    file.write_text(words)
    with pytest.raises(RefusedError, match=f"has no word of five different {reason}"):
        make("alpha-chase", word_list=str(file))


def test_words_may_come_from_a_file(tmp_path: Path) -> None:
    """AC-3."""
    file = tmp_path / "words.txt"
    file.write_text("\ufeffwaltz\nnymph\nspoon\ntoo-short\nkraut\n")  # with a byte order mark, and an offensive word
    game = make("alpha-chase", word_list=str(file), words="nymph,waltz")
    assert isinstance(game, AlphaChase)
    assert game.choices() == ("NYMPH", "WALTZ")


def test_a_file_without_the_default_words_supplies_its_first_and_last_word(tmp_path: Path) -> None:
    """AC-7."""
    file = tmp_path / "words.txt"
    file.write_text("waltz\nnymph\nbring\n")
    game = make("alpha-chase", word_list=str(file))
    assert isinstance(game, AlphaChase)
    assert game.words == ("BRING", "WALTZ")


@pytest.mark.parametrize(
    ("letters", "outcome"),
    [
        ("PXLYAZNWT", Outcome.FIRST_WINS),
        ("XGYHZOWSVT", Outcome.SECOND_WINS),
        ("XPYLZAWNVT", Outcome.UNDECIDED),  # the opponent has the letters of the first word
    ],
)
def test_completing_the_own_word_wins_at_once(letters: str, outcome: Outcome) -> None:
    game = AlphaChase()
    state = played(game, *letters)
    assert game.outcome(state) is outcome
    assert (move_names(game, state) == {}) == (outcome is not Outcome.UNDECIDED)


def test_the_worked_game_ends_four_to_three_for_the_first_player() -> None:
    """AC-4: the game ends as soon as no letter of either word is left, as in the book, and not before."""
    game = AlphaChase()
    for plies in range(len(WORKED_GAME)):
        assert game.outcome(played(game, *WORKED_GAME[:plies])) is Outcome.UNDECIDED
    assert game.outcome(played(game, *WORKED_GAME)) is Outcome.FIRST_WINS


def test_exhausted_plays_the_pool_out_with_the_same_winner() -> None:
    """AC-4."""
    game = AlphaChase(ending=Ending.EXHAUSTED)
    rest = [letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter not in WORKED_GAME]
    assert game.outcome(played(game, *WORKED_GAME, *rest[:-1])) is Outcome.UNDECIDED
    assert game.outcome(played(game, *WORKED_GAME, *rest)) is Outcome.FIRST_WINS


def test_dead_stops_when_neither_word_can_be_completed() -> None:
    """AC-4: after turn 4 of the worked game, neither word can be completed."""
    game = AlphaChase(ending=Ending.DEAD)
    assert game.outcome(played(game, *WORKED_GAME[:3])) is Outcome.UNDECIDED
    assert game.outcome(played(game, *WORKED_GAME[:4])) is Outcome.FIRST_WINS


# In the end both hold two letters of their own word. The second player was the first to take one.
LEVEL_GAME = ["Z", "G", "P", "L", "T", "A", "S", "N", "H", "O"]


def test_a_tie_goes_to_the_player_who_took_the_first_letter_of_the_game() -> None:
    """AC-5: that is the first player."""
    game = AlphaChase()
    assert game.outcome(played(game, *LEVEL_GAME)) is Outcome.FIRST_WINS


def test_a_tie_may_go_to_the_player_who_first_took_a_letter_of_their_own_word() -> None:
    """AC-5."""
    game = AlphaChase(tie_break=TieBreak.FIRST_OWN_LETTER)
    assert game.outcome(played(game, *LEVEL_GAME)) is Outcome.SECOND_WINS


def test_the_first_player_wins_a_tie_if_nobody_took_a_letter_of_their_own_word() -> None:
    """AC-5."""
    game = make("alpha-chase", words="BRAVE,GHOST", word_list="all", tie_break="first-own-letter")
    assert game.outcome(played(game, *["G", "B", "H", "R", "O", "A", "S", "V", "T", "E"])) is Outcome.FIRST_WINS


def test_the_result_says_who_won_and_why() -> None:
    """Ben moves first."""
    assert (
        result_text(make("alpha-chase", words="GHOST,PLANT"), *["G", "A", "H", "B", "O", "C", "S", "D", "T"])
        == "Ben has every letter of GHOST and wins!"
    )
    assert (
        result_text(make("alpha-chase", words="GHOST,PLANT"), *["G", "P", "L", "H", "O", "A", "N", "S", "T"])
        == "Nobody has completed their word. Ben wins with 3 letters of their word against 2."
    )


@pytest.mark.parametrize(
    ("move", "words"),
    [("Q", "Q is in neither word."), ("G", "Your opponent could not complete GHOST any more.")],
)
def test_a_preview_says_what_a_letter_would_do(move: str, words: str) -> None:
    preview = previews_of(AlphaChase(), [], move).moves[move]
    assert (preview.words, preview.result, preview.warning) == (words, "", False)
