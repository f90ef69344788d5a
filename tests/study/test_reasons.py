"""Reasons: every threat, line and trap that is stated is true, in all games."""

import random
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.game import AnyGame, Outcome, Reason
from duelbook.narration import Voice
from duelbook.records.record import Person, Record
from duelbook.solve import solved
from duelbook.study.comments import comments
from duelbook.study.facts import (
    Mistake,
    Threat,
)
from duelbook.study.hints import hint
from duelbook.study.puzzle_kinds import Puzzle, PuzzleKind
from duelbook.study.puzzles import find_puzzle, why_right, why_wrong
from duelbook.study.review import review_game
from duelbook.study.wording import explanation, why
from tests.support.claims import Claims
from tests.support.games.grid import Grid
from tests.support.games.last_stone import LastStone
from tests.support.games.number_row import NumberRow
from tests.support.games.pits import Pits
from tests.support.naive import naive_values
from tests.support.playing import played

HEXAPAWN = Path(__file__).parents[2] / "examples/packages/hexapawn"
VOICES = (Voice("Ann", "Bob"), Voice("Bob", "Ann"))  # by seat
POSITIONS = 40  # of each game
FEWER = {"word-clash": 2, "word-clash, short": 6, "alpha-chase": 12}  # positions of games with many moves
GAMES_PLAYED = 3  # of each game
NAIVE = ("crystal", "flag", "hexapawn", "pits", "stone", "row")  # small enough for the naive method


def hexapawn(**options: Any) -> AnyGame:
    sys.path.insert(0, str(HEXAPAWN))
    try:
        rules = import_module("hexapawn_game.rules")
    finally:
        sys.path.remove(str(HEXAPAWN))
    game: AnyGame = rules.Hexapawn(**{name: rules.Stuck[value] for name, value in options.items()})
    return game


CASES: dict[str, Any] = {
    **{name: lambda name=name: make(name) for name in GAMES},
    "crystal-capture with draws": lambda: make("crystal-capture", crystals=7, goal=13, deadlock="draw"),
    "flag-chase, long": lambda: make("flag-chase", cells=15, stride=3),
    "word-clash, short": lambda: make("word-clash", length=3, dictionary="common"),
    "hexapawn": hexapawn,
    "hexapawn with draws": lambda: hexapawn(stuck="DRAWS"),
    "pits": Pits,
    "pits with draws": lambda: Pits(pits=4),
    "last stone": lambda: LastStone(stones=14),
    "number row": lambda: NumberRow(row=(3, 8, 1, 5, 4, 2, 7, 6)),
    "grid": lambda: Grid(size=3),
}


@cache
def case(name: str) -> tuple[AnyGame, Claims]:
    game: AnyGame = CASES[name]()
    if any(word in name for word in NAIVE):
        known = naive_values(game)
        return game, Claims(game, lambda state: known[state][0])
    return game, Claims(game, solved(game).value)


def positions(game: AnyGame, count: int) -> Iterator[Any]:
    """Return undecided positions of games in which both players play well, but not always."""
    rng, solution, seen = random.Random(1), solved(game), set()
    for _ in range(10 * count):
        state = game.initial()
        while game.outcome(state) == Outcome.UNDECIDED:
            if state not in seen:
                seen.add(state)
                yield state
            if len(seen) == count:
                return
            legal = list(game.legal_moves(state))
            move = rng.choice(legal) if rng.random() < 0.6 else solution.moves(state)[0].move
            state = game.play(state, move)


@pytest.mark.parametrize("name", CASES)
def test_every_hint_is_true_as_text_and_as_data_and_begins_with_a_nudge(name: str) -> None:
    game, claims = case(name)
    for state in positions(game, FEWER.get(name, POSITIONS)):
        found = hint(game, state)
        assert found
        claims.check_hint(state, f"{found.move}: {found.why}")
        for fact in found.facts:
            claims.check(state, fact)
        assert {fact.move for fact in found.facts} == {found.move}
        nudge = re.sub(r"\d+ of your \d+ moves|one of your \d+ moves", "", found.nudge)
        assert not re.search(rf"\b{re.escape(found.move)}\b", nudge), "the nudge names the move"


@pytest.mark.parametrize("name", CASES)
def test_every_comment_on_a_mistake_or_a_trap_is_true(name: str) -> None:
    game, claims = case(name)
    rng = random.Random(2)
    for _ in range(1 if name in FEWER else GAMES_PLAYED):
        record = random_game(game, rng)
        review = review_game(game, record.moves)
        found = comments(record, review)
        mistakes = {ply for ply, move in enumerate(review.moves, 1) if move.regret}
        assert mistakes <= {*found}
        for ply, comment in found.items():
            state, voice = played(game, *record.moves[: ply - 1]), VOICES[review.moves[ply - 1].player]
            for fact in comment.facts:
                claims.check(state, fact)
            if ply in mistakes:
                claims.check_mistake(state, comment.text, voice)
            else:
                claims.check_reason(state, record.moves[ply - 1], comment.text, voice)
                assert ply + 1 in mistakes, "nobody fell into the trap"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name == "word-clash, short")) for name in CASES]
)
def test_puzzles_explain_the_answer_and_every_wrong_move(name: str) -> None:
    game, claims = case(name)
    try:
        puzzle = find_puzzle(game, "1")
    except RefusedError:
        assert name in ("grid", "pits with draws")
        return
    right = why_right(puzzle)
    claims.check_hint(puzzle.state, f"{right.facts[0].move}: {why(right.facts, Voice())}")
    assert right.text == explanation(right.facts, Voice())
    check_wrong_moves(puzzle, claims, "does not win")


@pytest.mark.parametrize("name", ["crystal-capture", "charge", "alpha-chase"])
def test_every_move_but_the_only_one_is_said_to_lose(name: str) -> None:
    """Also where the only move that does not lose wins."""
    puzzle = find_puzzle(name, "1", kind=PuzzleKind.ONLY_MOVE)
    assert puzzle.wins()
    check_wrong_moves(puzzle, Claims(puzzle.game, solved(puzzle.game).value), "loses")


def check_wrong_moves(puzzle: Puzzle, claims: Claims, fails: str) -> None:
    """Check what is said about wrong moves, which begins with these words."""
    game = puzzle.game
    for wrong in [move for move in game.legal_moves(puzzle.state) if move != puzzle.answer][:10]:
        found = why_wrong(puzzle, wrong)
        name = game.move_name(puzzle.state, wrong)
        assert found.text.startswith(f"{name} {fails}: ")
        follows = found.text.removeprefix(f"{name} {fails}: ")
        if found.facts:
            claims.check_mistake(puzzle.state, f"After {name}, {follows}", Voice())
        for fact in found.facts:
            claims.check(puzzle.state, fact)


def test_in_a_drawn_position_the_reason_is_how_another_move_loses() -> None:
    game, _ = case("crystal-capture with draws")
    solution, told = solved(game), 0
    for state in positions(game, POSITIONS):
        found = hint(game, state)
        if found and solution.value(state) == 0 and solution.moves(state)[-1].value == -1:
            assert any(isinstance(fact, Mistake | Threat) for fact in found.facts), found.why
            told += 1
    assert told > 5
    found = hint(game, played(game, "2"))
    assert found
    assert found.why.endswith("holds the draw. After 7 your opponent plays 6 and wins in 3 moves.")


def test_a_pass_that_keeps_the_win_after_every_reply_is_told_as_a_noun() -> None:
    game = make("crystal-capture", crystals=11, goal=25)
    state = played(game, "5", "1", "7", "3", "8", "6")
    found = hint(game, state)
    assert found
    assert found.why.endswith("every other move loses. Whatever your opponent replies, a pass keeps the win.")
    Claims(game, solved(game).value).check_hint(state, f"{found.move}: {found.why}")


def random_game(game: AnyGame, rng: random.Random) -> Record:
    state, names = game.initial(), []
    while game.outcome(state) == Outcome.UNDECIDED:
        move = rng.choice(list(game.legal_moves(state)))
        names.append(game.move_name(state, move))
        state = game.play(state, move)
    return Record(game, (Person("Ann"), Person("Bob")), 0, tuple(names), game.outcome(state), Reason.RULES)
