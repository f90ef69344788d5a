"""The board of Flag Chase: the track from one player's end to the other's, with the flag in the middle."""

from duelbook.board import Board, Cell, PlayerSide, Position, Row, Sign, Theme, Track
from duelbook.game import SEAT_NAMES, by_seat
from duelbook.games.flag_chase.rules import FlagChase, State
from duelbook.text import plural

THEME = Theme(
    felt="#3c6b35",
    felt_deep="#2f5629",
    felt_line="#5d8f54",
    tile="#f3e6c8",
    tile_edge="#c9ae79",
    signs={"flag": Sign("M7 22V3l12 5-11 5v9Z", "⚑")},
)


def board(at: Position) -> Board:
    """Return the board of a position."""
    game: FlagChase = at.game
    state: State = at.state
    first, second = by_seat(state.mover, state.mine, state.theirs)
    tokens, flag = (first + 1, game.cells - second), game.cells // 2 + 1
    steps = [Cell(text=move, words=(move,), label=f"{plural(int(move), 'cell')} forward") for move in names(game)]
    places = ", ".join(f"the {SEAT_NAMES[seat]} player on cell {tokens[seat]}" for seat in (0, 1))
    label = f"A track of {game.cells} cells: the flag on cell {flag}, {places}"
    left = [abs(flag - place) for place in tokens]
    sides = [PlayerSide(f"{cells} to go" if cells else "on the flag") for cells in left]
    forward = Row([*steps, Cell(text="cells forward", state="caption")], label="Cells forward", is_choice=True)
    return Board((sides[0], sides[1]), [Track(track(at, tokens, flag), label), forward])


def names(game: FlagChase) -> list[str]:
    """Return the names of the moves."""
    return [str(step) for step in range(1, game.stride + 1)]


def track(at: Position, tokens: tuple[int, int], flag: int) -> list[Cell]:
    """Return the cells from the first player's end on, with their numbers as texts count them: from Player 1's end."""
    moves = reaching(at, tokens)
    cells = []
    for place in range(1, at.game.cells + 1):
        number = at.game.cells + 1 - place if at.player_1 else place
        here = tuple(seat for seat in (0, 1) if tokens[seat] == place)
        cells.append(
            Cell(
                text=str(number),
                words=moves.get(place, ()),
                tokens=here,
                sign="flag" if place == flag else "",
                label=f"cell {number}",
                last=at.last is not None and at.last.seat in here,
                piece=f"cell {place}",
                via=passed(at, place) if at.last and at.last.seat in here else (),
            )
        )
    return cells


def passed(at: Position, place: int) -> tuple[str, ...]:
    """Return the cells between the start and the end of the last move, which ends on this one."""
    assert at.last
    back = 1 if at.last.seat else -1
    return tuple(f"cell {place + back * step}" for step in range(int(at.last.move) - 1, 0, -1))


def reaching(at: Position, tokens: tuple[int, int]) -> dict[int, tuple[str, ...]]:
    """Return the moves that lead to each cell. A step beyond the flag ends on it (FC-1)."""
    found: dict[int, tuple[str, ...]] = {}
    for name, move in at.legal.items():
        covered = at.game.play(at.state, move).theirs
        place = at.game.cells - covered if at.mover else covered + 1
        found[place] = (*found.get(place, ()), name)
    return found
