"""Word Clash: its rulings, by their ids, and what its rule book shows. `oracle.py` proves the other rules."""

from pathlib import Path

import pytest

from duelbook import IllegalMoveError, Outcome, RefusedError, make
from duelbook.game import offered_moves, parse_move
from duelbook.games.word_clash.rules import Finishing, WordClash
from duelbook.solve import Value, solved
from duelbook.web.match.previews import previews_of
from duelbook.words import denied
from tests.support.playing import legal_names, played, result_text

PLAYTHROUGH = ("A self 1", "E opponent 2", "T self 3", "S opponent 4", "E self 5")


def fill(word: str, board: str) -> list[str]:
    return [f"{letter} {board} {position}" for position, letter in enumerate(word, 1)]


def alternate(mine: list[str], theirs: list[str]) -> list[str]:
    """Return the moves of both players in turn; the first player has as many as the second, or one more."""
    moves = [move for pair in zip(mine, theirs, strict=False) for move in pair]
    return moves + mine[len(theirs) :]


def test_the_length_is_from_3_to_8() -> None:
    for length in range(3, 9):
        assert len(legal_names(WordClash(length=length))) == 2 * length * 26
    with pytest.raises(RefusedError, match="length must be from 3 to 8, not 9"):
        make("word-clash", length=9)


def test_the_message_about_an_illegal_move_lists_forty_moves_and_counts_the_rest() -> None:
    with pytest.raises(
        IllegalMoveError, match=r"Legal moves: A self 1, B self 1.*, N self 2, … \(220 more\)\.$"
    ) as refused:
        played(WordClash(), "nonsense")
    assert len(refused.value.legal) == 260


def test_completing_the_opponents_board_with_a_valid_word_loses() -> None:
    """WC-1, finishing=owner, and the book."""
    game = WordClash()
    moves = alternate(fill("PLANT", "opponent"), fill("QQQQ", "opponent"))
    assert game.outcome(played(game, *moves)) is Outcome.SECOND_WINS


def test_completing_the_opponents_board_with_an_invalid_word_wins() -> None:
    """WC-1, finishing=owner: a full board decides for its owner, no matter who filled it."""
    game = WordClash()
    moves = alternate(fill("PLANX", "opponent"), fill("QQQQ", "opponent"))
    assert game.outcome(played(game, *moves)) is Outcome.FIRST_WINS


def test_with_own_only_nobody_fills_the_last_slot_of_the_other_board() -> None:
    """WC-1, finishing=own-only."""
    game = WordClash(finishing=Finishing.OWN_ONLY)
    moves = alternate(fill("PLAN", "opponent"), fill("QQQQ", "opponent"))
    assert {name.split()[1] for name in legal_names(game, *moves)} == {"self"}
    assert {name.split()[1] for name in legal_names(game, *moves[:-1])} == {"self", "opponent"}


def test_the_playthrough_ends_with_an_invalid_word_and_a_win_for_the_second_player() -> None:
    game = WordClash()
    for plies in range(len(PLAYTHROUGH)):
        assert game.outcome(played(game, *PLAYTHROUGH[:plies])) is Outcome.UNDECIDED
    state = played(game, *PLAYTHROUGH)
    assert "[A, E, T, S, E]" in game.render(state)
    assert game.outcome(state) is Outcome.SECOND_WINS
    assert legal_names(game, *PLAYTHROUGH) == []


def test_the_standard_dictionary_holds_rare_words_and_the_common_one_does_not() -> None:
    """WC-2."""
    moves = alternate(fill("ABAFT", "self"), fill("QQQQ", "self"))
    assert WordClash().outcome(played(WordClash(), *moves)) is Outcome.FIRST_WINS
    common = WordClash(dictionary="common")
    assert common.outcome(played(common, *moves)) is Outcome.SECOND_WINS


def test_a_dictionary_may_be_a_file(tmp_path: Path) -> None:
    """WC-2."""
    file = tmp_path / "words.txt"
    file.write_text("xyz\nabcd\n")
    game = make("word-clash", length=3, dictionary=str(file))
    moves = alternate(fill("XYZ", "self"), fill("QQ", "self"))
    assert game.outcome(played(game, *moves)) is Outcome.FIRST_WINS


def test_a_dictionary_that_is_missing_empty_or_without_fitting_words_is_refused(tmp_path: Path) -> None:
    """WC-2."""
    with pytest.raises(RefusedError, match="dictionary cannot be 'nowhere'; valid: standard, common or a file"):
        make("word-clash", dictionary="nowhere")
    for text in ("", "two\nwords\n"):
        file = tmp_path / "words.txt"
        file.write_text(text)
        with pytest.raises(RefusedError, match="has no word of 8 letters"):
            make("word-clash", length=8, dictionary=str(file))


def test_a_game_has_at_most_twice_the_length_less_one_placements() -> None:
    """WC-3: no draws, since one board is full by then."""
    game = WordClash(length=3)
    moves = ("Q self 1", "Q self 1", "Q self 2", "Q self 2", "Q self 3")
    assert game.outcome(played(game, *moves[:4])) is Outcome.UNDECIDED
    assert game.outcome(played(game, *moves)) is Outcome.SECOND_WINS


@pytest.mark.parametrize("length", range(3, 9))
def test_offensive_words_are_valid_but_the_computer_does_not_spell_them(length: int) -> None:
    """WC-4."""
    game = WordClash(length=length)
    for word in sorted(word for word in denied() if len(word) == length):
        state = played(game, *alternate(fill(word, "self"), fill("Q" * (length - 1), "self"))[:-1])
        winning = parse_move(game, state, f"{word[-1]} self {length}")
        assert game.offends(state, winning)
        assert winning not in offered_moves(game, state)
        assert game.outcome(game.play(state, winning)) is Outcome.FIRST_WINS


def test_the_first_moves_that_win_are_those_on_the_opponents_board() -> None:
    game = WordClash()
    scored = solved(game).moves(game.initial())
    winning = {game.move_name(game.initial(), move.move) for move in scored if move.value is Value.WIN}
    assert winning == {name for name in legal_names(game) if " opponent " in name}


def test_the_result_says_who_won_and_why() -> None:
    """Ben moves first."""
    assert (
        result_text(make("word-clash", length=3), *["C self 1", "X self 1", "A self 2", "X self 2", "T self 3"])
        == "Ben's board reads CAT, a valid English word. Ben wins the game."
    )
    assert (
        result_text(make("word-clash", length=3), *["C self 1", "X self 1", "A self 2", "X self 2", "X self 3"])
        == "Ben's board reads CAX, not a valid English word. Ann wins the game."
    )


def test_a_preview_shows_the_board_that_a_letter_would_make() -> None:
    preview = previews_of(WordClash(), ["C self 1"], "E self 2").moves["E self 2"]
    words = "Your board would read _ E _ _ _, with 4 slots left."
    assert (preview.words, preview.result, preview.warning) == (words, "", False)


def test_whether_a_word_is_valid_shows_only_once_it_is_played() -> None:
    game, after = make("word-clash", length=3), ["C self 1", "X self 1", "A self 2", "X self 2"]
    previews = [previews_of(game, after, move).moves[move] for move in ("T self 3", "Q self 3")]
    assert [preview.words.replace("T.", "Q.") for preview in previews] == [
        "Your board would be complete: C A Q. A valid word wins, anything else loses."
    ] * 2
    assert {(preview.result, preview.warning) for preview in previews} == {("", True)}
