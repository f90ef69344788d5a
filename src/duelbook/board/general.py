"""The board of any game: its own, as its `board.py` says, or one of its text and a cell for each legal move."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

from duelbook.board.model import AnyPart, Board, Cell, PlayerSide, Row, Text
from duelbook.board.picking import grouped
from duelbook.board.position import Position
from duelbook.board.theme import Theme
from duelbook.game import AnyGame, plain_data
from duelbook.game_folder import game_module, game_value

MAX_CELLS = 300  # legal moves that get a cell; any move can be typed


def board_of(position: Position) -> Board:
    """Return the board of a position: the game's own, or the general one if it has none."""
    own: Callable[[Position], Board] | None = game_value(position.game, "board", "board")
    return own(position) if own else general_board(position)


def theme_of(game: AnyGame) -> Theme:
    """Return how the game's board looks."""
    theme: Theme = getattr(game_module(game, "board"), "THEME", Theme())
    return theme


def general_board(position: Position) -> Board:
    """Return the text of the position, and a cell for each move."""
    moves = move_rows(list(islice(position.legal, MAX_CELLS)))
    return Board((PlayerSide(), PlayerSide()), [Text(position.game.render(position.state)), *moves])


def fields_board(state: Any) -> Board:
    """Return the fields of a state, for a game whose own text or board fails."""
    return Board((PlayerSide(), PlayerSide()), [Text("\n".join(_field_lines(plain_data(state))))])


def move_rows(moves: Sequence[str]) -> list[AnyPart]:
    """Return rows of cells for moves; many moves stand in groups, by the words that they begin with."""
    return [
        Row(
            [*([Cell(text=word, state="caption")] if word else []), *(_move_cell(move, word) for move in found)],
            label=word or "Legal moves",
        )
        for word, found in grouped(moves)
        if found
    ]


def _move_cell(move: str, word: str) -> Cell:
    return Cell(text=move.removeprefix(word).strip() or move, words=(move,), label=move)


def _field_lines(value: Any) -> Iterable[str]:
    if not isinstance(value, dict):
        return [str(value)]
    return (f"{name}: {part}" for name, part in value.items())
