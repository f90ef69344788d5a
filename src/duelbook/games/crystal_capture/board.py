"""The board of Crystal Capture: the crystals between the players, and a bar for each that fills up to the goal."""

from duelbook.board import Board, Cell, Gauge, PlayerSide, Portion, Position, Row, Sign, Theme
from duelbook.board.model import CellState
from duelbook.game import PASS, SEAT_NAMES, Player, by_seat
from duelbook.games.crystal_capture.rules import CrystalCapture, State, pool_numbers

GEM = Sign(
    "M12 1 21.5 6.5V17.5L12 23 2.5 17.5V6.5Z",
    is_shape=True,
    facets=("M12 1 21.5 6.5 17.8 8.6 12 5.2 6.2 8.6 2.5 6.5Z", "M12 5.2 17.8 8.6V15.4L12 18.8 6.2 15.4V8.6Z"),
)
THEME = Theme(
    felt="#3d3560", felt_deep="#302a4d", felt_line="#5d5488", tile="#efe9ff", tile_edge="#b9abea", signs={"gem": GEM}
)


def board(at: Position) -> Board:
    """Return the board of a position."""
    game: CrystalCapture = at.game
    pool = pool_numbers(at.state)
    crystals = [crystal(at, str(number), in_pool=number in pool) for number in range(1, game.crystals + 1)]
    about = "Pass" if PASS in at.legal else "Pass, only when no crystal fits"
    crystals.append(Cell(text="Pass", words=(PASS,), label=about, last=at.is_last(PASS)))
    middle = Row(crystals, label="Crystals", wrap=(12, 10) if game.crystals <= 12 else (10,))
    return Board((side(at, 0), side(at, 1)), [middle])


def side(at: Position, seat: Player) -> PlayerSide:
    """Return the points and the bar: a portion for each crystal that the player has captured."""
    state: State = at.state
    total, goal = by_seat(state.mover, state.mine, state.theirs)[seat], at.game.goal
    captured = [move for move in at.played(seat) if move != PASS]
    portions = [Portion(int(move), move, gained=at.is_last(move), piece=f"crystal {move}") for move in captured]
    if sum(portion.points for portion in portions) != total:  # only the position is known
        portions = [Portion(total, str(total))] if total else []
    return PlayerSide(f"{total} of {goal}", [Gauge(seat, portions, goal)])


def crystal(at: Position, number: str, *, in_pool: bool) -> Cell:
    """Return a crystal: free, too large for the player to move, or taken."""
    if in_pool:
        out = at.mover is not None and number not in at.legal
        label = f"Crystal {number}{', too large' if out else ''}"
        state: CellState = "out" if out else ""
        return Cell(text=number, words=(number,), sign="gem", state=state, label=label, piece=f"crystal {number}")
    taker, last = at.player_of(number), at.is_last(number)
    by = "" if taker is None else f" by the {SEAT_NAMES[taker]} player"
    label = f"Crystal {number}, {'just ' if last else ''}taken{by}"
    return Cell(text=number, words=(number,), sign="gem", owner=taker, state="gone", label=label, last=last)
