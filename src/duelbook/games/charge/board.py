"""The board of Charge: a battery and an open hand for each player, and the cards that can be played."""

from duelbook.board import Board, Cell, Gauge, PlayerSide, Portion, Position, Row, Sign, Theme
from duelbook.board.model import CellState
from duelbook.game import Player, by_seat
from duelbook.games.charge.rules import Charge, State
from duelbook.text import plural

THEME = Theme(
    felt="#3a4149",
    felt_deep="#2d3339",
    felt_line="#5b6670",
    tile="#f4f6f2",
    tile_edge="#bcc6c9",
    signs={
        "charge": Sign("M13 1 4 13.5h6L8.5 23 19 9.5h-6.5Z"),
        "block": Sign("M12 1 21 4v8c0 5-4 9-9 11-5-2-9-6-9-11V4Z"),
        "steal": Sign("M2 9h11V4l9 8-9 8v-5H2Z"),
        "refresh": Sign("M12 3a9 9 0 0 1 8.5 6H23l-4.5 6L14 9h3a6 6 0 1 0 .6 6h3.2A9 9 0 1 1 12 3Z"),
    },
)
NAMED = ("block", "steal", "refresh")  # the moves that have no number


def board(at: Position) -> Board:
    """Return the board of a position."""
    game: Charge = at.game
    charges = [card(at, "charge", str(points)) for points in range(1, game.biggest_charge + 1)]
    others = [card(at, name) for name in NAMED]
    return Board(
        (side(at, 0), side(at, 1)),
        [Row(charges, label="Charge", is_choice=True), Row(others, label="Other moves", is_choice=True)],
    )


def side(at: Position, seat: Player) -> PlayerSide:
    """Return the points, a battery with a cell for each, and the hand."""
    state: State = at.state
    own, goal = by_seat(state.mover, state.mine, state.theirs)[seat], at.game.goal
    gain = state.gain if at.last and at.last.seat == seat else 0
    portions = [Portion(own.points - gain), Portion(gain, gained=True)]
    battery = Gauge(seat, [portion for portion in portions if portion.points], goal, is_divided=True)
    hand = [stack("charge", own.charges), stack("block", own.blocks), stack("steal", own.steals)]
    return PlayerSide(f"{own.points} of {goal}", [battery, Row([*hand, *just_played(at, seat)], label="Cards")])


def stack(name: str, count: int) -> Cell:
    """Return the cards of one kind in a hand."""
    state: CellState = "" if count else "empty"
    return Cell(text=name.capitalize(), sign=name, count=count, state=state, label=plural(count, f"{name} card"))


def just_played(at: Position, seat: Player) -> list[Cell]:
    """Return the card that a player has just played and what it gained, or that they are blocked."""
    state: State = at.state
    if not at.last or at.last.seat != seat:
        return [Cell(text="blocked", sign="block", owner=1 - seat)] if seat == at.mover and state.blocked else []
    move = at.last.move
    name, _, points = move.partition(" ")
    played = Cell(
        text=points or name.capitalize(),
        sign=name,
        owner=seat,
        last=True,
        label=f"has just played {move}",
        piece=f"{move} by {seat}",
        origin=f"card {move}",
    )
    gained = [Cell(text=f"+{state.gain}" if state.gain else "no gain", state="caption", last=True)] if points else []
    return [Cell(text="played", state="caption"), played, *gained]


def card(at: Position, name: str, points: str = "") -> Cell:
    """Return a card that can be played, with what it would cost or not bring."""
    move = f"{name} {points}".strip()
    look, note = outlook(at, name, move)
    about = note if move in at.legal else "not allowed now"
    label = f"{move.capitalize()}{about and f', {about}'}"
    return Cell(
        text=points or name.capitalize(),
        words=(move,),
        sign=name,
        state=look,
        note=note,
        label=label,
        piece=f"card {move}",
    )


def outlook(at: Position, name: str, move: str) -> tuple[CellState, str]:
    """Return how a card looks that would cost its player points, or add nothing, and a word that says so."""
    state: State = at.state
    if move not in at.legal or name not in ("charge", "steal"):
        return "", ""
    if at.game.play(state, at.legal[move]).theirs.points > state.mine.points:
        return "", ""
    if name == "charge" and state.blocked:
        return "vain", "blocked"
    return ("vain", "nothing") if name == "steal" and not state.gain else ("warn", f"over {at.game.goal}")
