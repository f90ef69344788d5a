"""The board of Hexapawn: press a pawn, and then the cell where it goes."""

from duelbook.board import Board, Cell, Grid, Position, PlayerSide, Theme
from duelbook.game import SEAT_NAMES, by_seat
from hexapawn_game.rules import Hexapawn, State

THEME = Theme(felt="#6b4a3a", felt_deep="#573b2e", felt_line="#8d6a57")


def board(at: Position) -> Board:
    """Return the board of a position."""
    game: Hexapawn = at.game
    state: State = at.state
    pawns = by_seat(state.mover, state.mine, state.theirs)
    rows = [[cell(at, row * game.size + column, pawns) for column in range(game.size)] for row in range(game.size)]
    sides = [PlayerSide(f"{count.bit_count()} pawns") for count in pawns]
    grid = Grid(rows[::-1], label="The board", turns=True)
    return Board((sides[0], sides[1]), [grid], cue="Pick a pawn and where it goes.")


def cell(at: Position, number: int, pawns: tuple[int, int]) -> Cell:
    """Return a cell with the pawn on it."""
    name, here = at.game.cell_name(number), tuple(seat for seat in (0, 1) if pawns[seat] >> number & 1)
    label = f"{name}, {f'a pawn of the {SEAT_NAMES[here[0]]} player' if here else 'free'}"
    last = at.last is not None and at.last.move.endswith(name)
    return Cell(text=name, words=(name,), tokens=here, label=label, last=last, piece=f"cell {name}")
