"""Boards for the full screen: every legal move can be pressed in every game, at any width, with or without history."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from duelbook.game import AnyGame, Outcome, move_names
from duelbook.games import GAMES, make
from duelbook.narration import Seating, narration_for
from duelbook.pictures.picture import history_of
from duelbook.play.typed_moves import MoveQuestions
from duelbook.text_board import Look, Position, Row, TextBoard, grouped, text_board
from duelbook.tui.board_layout import lay_out

NAMES = ("Ann", "Ben")
WIDTHS = (20, 56, 78, 118)


def positions(game: AnyGame, seed: int) -> Iterator[tuple[Any, list[int]]]:
    """Return the positions of a random match, with the moves that led to them."""
    rng, state, moves = random.Random(seed), game.initial(), list[int]()
    while True:
        yield state, list(moves)
        if game.outcome(state) is not Outcome.UNDECIDED:
            return
        moves.append(rng.choice(list(game.legal_moves(state))))
        state = game.play(state, moves[-1])


def rows(board: TextBoard[Any, Any]) -> list[Row]:
    return [*board.side(1), *board.middle(), *board.side(0)]


def answers(position: Position, width: int) -> list[str]:
    """Return what can be pressed."""
    return [piece.answer for row in rows(text_board(position, width)) for piece in row.pieces if piece.answer]


def reachable(game: AnyGame, state: Any, moves: list[int], width: int) -> set[int]:
    """Return the moves that pressing pieces leads to, one answer after the other."""
    found, history = set(), history_of(game, moves)[1]

    def press(given: tuple[str, ...]) -> None:
        questions = MoveQuestions(narration_for(game, Seating()), state)
        for answer in given[:-1]:
            questions.answer(answer)
        move = questions.answer(given[-1]) if given else None
        if move is not None:
            found.add(move)
            return
        asked = Position(game, state, NAMES, history, questions.answers, questions.choices)
        for answer in answers(asked, width):
            press((*given, answer))

    press(())
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_and_no_other_can_be_pressed(name: str) -> None:
    game = make(name)
    for number, (state, moves) in enumerate(positions(game, seed=3)):
        if game.outcome(state) is Outcome.UNDECIDED and number % 3 == 0:
            assert reachable(game, state, moves, WIDTHS[number % 4]) == set(game.legal_moves(state))


@pytest.mark.parametrize("name", GAMES)
def test_nothing_can_be_pressed_where_nobody_is_asked(name: str) -> None:
    game = make(name)
    for state, moves in positions(game, seed=4):
        for history in (history_of(game, moves)[1], []):  # a puzzle may know only the position
            assert answers(Position(game, state, NAMES, history), 80) == []


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *((name, {}) for name in GAMES),
        ("charge", {"goal": 60, "biggest_charge": 9, "charge_cards": 9}),
        ("crystal-capture", {"crystals": 30, "goal": 100}),
        ("flag-chase", {"cells": 41, "stride": 9}),
        ("word-clash", {"length": 8}),
    ],
)
def test_a_board_fits_into_its_width_and_60_by_20_characters(name: str, options: dict[str, int]) -> None:
    game = make(name, **options)
    for state, moves in positions(game, seed=5):
        for width, height in ((60, 14), (78, 18), (118, 36)):
            board = text_board(Position(game, state, NAMES, history_of(game, moves)[1]), width)
            layout = lay_out(board, 0, width, height, {})
            assert layout.height == height
            for placed in layout.pieces:
                assert placed.x >= 0
                assert placed.x + placed.width <= width
                assert placed.y + placed.height <= height
            assert len({(cell, one.y) for one in layout.pieces for cell in range(one.x, one.x + one.width)}) == sum(
                one.width for one in layout.pieces
            )  # no piece covers another one


def test_a_game_without_a_board_shows_its_text_and_a_tile_for_each_move(use_games: Callable[[str], None]) -> None:
    use_games("tests.support.toy.rules:Staircase")
    game = make("staircase")
    position = Position(game, game.initial(), NAMES, choices=tuple(move_names(game, game.initial())))
    board = text_board(position, 60)
    assert type(board) is TextBoard
    pieces = [piece for row in board.middle() for piece in row.pieces]
    assert [piece.text for piece in pieces] == ["Step 0 of 7", "climb 1", "climb 2"]
    assert [piece.answer for piece in pieces if piece.look is Look.TILE] == ["climb 1", "climb 2"]


def test_many_moves_stand_in_groups() -> None:
    moves = [f"{verb} {number}" for verb in ("go", "jump") for number in range(5)]
    assert grouped(moves) == [("go", moves[:5]), ("jump", moves[5:])]
    assert grouped(moves[:6]) == [("", moves[:6])]
    assert grouped(["a", "b", *"cdefgh"]) == [("", ["a", "b", *"cdefgh"])]
