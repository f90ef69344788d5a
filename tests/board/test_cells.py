"""Boards for the full screen: every legal move can be pressed in every game, at any width, with or without history."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from duelbook.board import Board, Cell, Grid, PlayerSide, Position, Theme, board_of, history_of, theme_of
from duelbook.board.cells import Look, Piece, TextBoard
from duelbook.board.picking import Picking, grouped
from duelbook.game import AnyGame, Outcome
from duelbook.games import GAMES, make
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


def text_board(position: Position, picked: tuple[str, ...] = (), *, is_open: bool = True) -> TextBoard:
    picking = Picking(list(position.legal), picked)
    return TextBoard(board_of(position), theme_of(position.game), picking, NAMES, is_open=is_open)


def pieces(board: TextBoard, width: int) -> list[Piece]:
    rows = [*board.side(1, width), *board.middle(width), *board.side(0, width)]
    return [piece for row in rows for piece in row.pieces]


def reachable(position: Position, width: int) -> set[str]:
    """Return the moves that pressing pieces leads to, in any order."""
    found, seen = set(), set()

    def press(picked: frozenset[str]) -> None:
        if picked in seen:
            return
        seen.add(picked)
        board = text_board(position, tuple(picked))
        for words in {piece.words for piece in pieces(board, width)} - {""}:
            if move := board.picking.chosen(words):
                found.add(move)
            else:
                press(picked | {words})

    press(frozenset())
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_legal_move_and_no_other_can_be_pressed(name: str) -> None:
    game = make(name)
    for number, (state, moves) in enumerate(positions(game, seed=3)):
        if number % 3 == 0:
            position = Position(game, state, history_of(game, moves)[1])
            assert reachable(position, WIDTHS[number % 4]) == set(position.legal)


@pytest.mark.parametrize("name", GAMES)
def test_nothing_can_be_pressed_where_nobody_is_asked(name: str) -> None:
    game = make(name)
    for state, moves in positions(game, seed=4):
        for history in (history_of(game, moves)[1], []):  # a puzzle may know only the position
            board = text_board(Position(game, state, history), is_open=False)
            assert not any(piece.words for piece in pieces(board, 80))


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
            board = text_board(Position(game, state, history_of(game, moves)[1]))
            layout = lay_out(board, width, height, lambda words: "")
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
    board = text_board(Position(game, game.initial()))
    assert [piece.text for piece in pieces(board, 60)] == ["Step 0 of 7", "climb 1", "climb 2"]
    assert [piece.words for piece in pieces(board, 60) if piece.look is Look.TILE] == ["climb 1", "climb 2"]


def test_many_moves_stand_in_groups() -> None:
    moves = [f"{verb} {number}" for verb in ("go", "jump") for number in range(5)]
    assert grouped(moves) == [("go", moves[:5]), ("jump", moves[5:])]
    assert grouped(moves[:6]) == [("", moves[:6])]
    assert grouped(["a", "b", *"cdefgh"]) == [("", ["a", "b", *"cdefgh"])]


def test_words_are_picked_in_any_order_until_one_move_is_left() -> None:
    picking = Picking(["a1 a2", "b1 a2", "b1 b2"])
    assert (picking.chosen("a1"), picking.chosen("b1"), picking.word(("c3", "a2"))) == ("a1 a2", "", "a2")
    picking.pick(["a2"])
    assert (picking.chosen("b1"), picking.chosen("b2"), picking.word(("a2",))) == ("b1 a2", "", "")
    picking.pick(["none of the moves has this"])
    assert (picking.picked, picking.left) == ((), {"a1 a2", "b1 a2", "b1 b2"})


@pytest.mark.parametrize(("turns", "shown"), [(True, ["d", "c", "b", "a"]), (False, ["a", "b", "c", "d"])])
def test_a_grid_is_turned_for_the_second_player_only_if_it_says_so(turns: bool, shown: list[str]) -> None:
    rows = [[Cell(text="a"), Cell(text="b")], [Cell(text="c"), Cell(text="d")]]
    board = Board((PlayerSide(), PlayerSide()), [Grid(rows, turns=turns)])
    drawn = TextBoard(board, Theme(), Picking([]), NAMES, near=1)
    assert [piece.text.strip() for row in drawn.middle(60) for piece in row.pieces] == shown
