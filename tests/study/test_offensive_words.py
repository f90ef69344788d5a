"""Offensive words (WC-4): what is said about a position names no move that spells one, and stays true."""

from itertools import chain

from duelbook import make
from duelbook.game import parse_move
from duelbook.narration import Voice
from duelbook.records.record import replay
from duelbook.solve import Value, solved
from duelbook.study.hints import hint
from duelbook.study.puzzle_bank import puzzles_after
from duelbook.study.reasons import Reasons
from duelbook.study.review import Verdict, review_game
from duelbook.words import denied
from tests.support.playing import played

GAME = make("word-clash", finishing="own-only")
ONLY_WIN = "T self 5"  # after these moves: every other move loses
BEFORE = tuple(chain.from_iterable((f"{letter} self {n}", f"Q self {n}") for n, letter in enumerate("VOMI", 1)))


def test_the_position_is_won_by_an_offensive_word_only() -> None:
    scored = solved(GAME).moves(played(GAME, *BEFORE))
    assert "VOMIT" in denied()
    assert [GAME.move_name(None, one.move) for one in scored if one.value is Value.WIN] == [ONLY_WIN]


def test_no_hint_and_no_puzzle_is_about_it() -> None:
    found = hint(GAME, played(GAME, *BEFORE))
    assert found
    assert ONLY_WIN not in " ".join(found.steps())
    assert not puzzles_after(GAME, [move for move, _ in replay(GAME, BEFORE)])


def test_the_opponents_threat_is_told_without_its_move() -> None:
    """A move before, the second player has no move that prevents it."""
    state = played(GAME, *BEFORE[:-1])
    facts = Reasons(GAME, solved(GAME)).facts(state, parse_move(GAME, state, BEFORE[-1]), Voice())
    assert ONLY_WIN not in str(facts)


def test_a_review_judges_the_move_as_it_is_but_suggests_another() -> None:
    *_, word = review_game(GAME, (*BEFORE, ONLY_WIN)).moves
    assert (word.verdict, word.after) == (Verdict.BEST, Value.WIN)
    *_, other = review_game(GAME, (*BEFORE, "X self 5")).moves
    assert (other.verdict, other.before) == (Verdict.BLUNDER, Value.WIN)
    assert other.best != ONLY_WIN
