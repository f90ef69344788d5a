"""A board as rows of text pieces, for a full-screen terminal. `TextBoard` works for any game, from its text and moves.

A game with a board of its own has a `text_board.py` whose class `TextBoard` says what the players have and what is
between them, from the game's `view`. How pieces look, and how they are pressed, is not its concern.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, NamedTuple, TypeVar

from duelbook.game import AnyGame, Outcome, Player, move_names, state_view
from duelbook.game_folder import game_value
from duelbook.pictures.picture import Played, named
from duelbook.text import sanitize

TOKENS = ("●", "◆")  # of the first and the second player, as on the page
MAX_UNGROUPED = 6  # so few moves are easily read with their whole names
MIN_WIDTH = 20  # of a board
MAX_POINT_COLUMNS = 3  # of a bar

GameT = TypeVar("GameT", bound=AnyGame)
State = TypeVar("State")


class Look(StrEnum):
    """What a piece is, which decides how it looks."""

    PLAIN = "plain"
    QUIET = "quiet"
    STRONG = "strong"
    FIRST = "first"  # in the colour of the first player
    SECOND = "second"
    FIRST_TEXT = "first text"  # text in the colour of the first player
    SECOND_TEXT = "second text"
    EMPTY = "empty"  # an empty part of a bar, an empty slot or cell
    CELL = "cell"  # an empty cell that can be reached
    TILE = "tile"  # something to play
    GONE = "gone"  # what was a tile, or cannot be played now


TILES = (Look.TILE, Look.GONE)  # drawn with a space on both sides
MIN_TILE_WIDTH = 5
SEAT_LOOKS = (Look.FIRST, Look.SECOND)
SEAT_TEXTS = (Look.FIRST_TEXT, Look.SECOND_TEXT)


class Piece(NamedTuple):
    """A text on the board. It can be pressed if it has an answer to what the player is asked."""

    text: str
    look: Look = Look.PLAIN
    answer: str = ""
    last: bool = False  # it shows the last move


class Row(NamedTuple):
    """Pieces side by side, with gaps between them. A tall row takes three lines where there is room."""

    pieces: Sequence[Piece]
    gap: int = 1
    tall: bool = False


@dataclass(frozen=True)
class Position:
    """What a board shows: a position, how it came about, and what the player who may press is asked."""

    game: AnyGame
    state: Any
    names: tuple[str, str]  # of the players, by seat
    history: Sequence[Played] = ()
    answers: tuple[str, ...] = ()  # given so far to the questions of this turn
    choices: tuple[str, ...] = ()  # the answers that the question may get; none if nobody may press
    player_1: Player = 0  # the seat of Player 1, whom texts may place by name (ALL-1)


class TextBoard(Generic[GameT, State]):
    """The board of one position, in a width of so many columns."""

    def __init__(self, position: Position, width: int) -> None:
        self.game: GameT = position.game  # type: ignore[assignment] # the board belongs to this game
        self.state: State = position.state
        self.names, self.history, self.answers = position.names, position.history, position.answers
        self.choices, self.player_1 = position.choices, position.player_1
        self.width = max(MIN_WIDTH, width)
        self.view = state_view(position.game, position.state)
        self.over = position.game.outcome(position.state) != Outcome.UNDECIDED
        self.mover: Player | None = None if self.over else position.game.mover(position.state)
        self.legal = [] if self.over else list(move_names(position.game, position.state))
        self.last = position.history[-1] if position.history else None

    def note(self, seat: Player) -> str:
        """Return what stands beside a player's name, such as a total."""
        return ""

    def side(self, seat: Player) -> list[Row]:
        """Return what a player has."""
        return []

    def step_note(self) -> str:
        """Return how to go on where the answers given so far do not complete a move."""
        return "Backspace chooses the part before again."

    def middle(self) -> list[Row]:
        """Return what is between the players: in general, the text of the game and a tile for each move."""
        text = sanitize(named(self.game.render(self.state), self.names)).rstrip()
        lines = [Row([Piece(line)]) for line in aligned(text.split("\n"))]
        return [*lines, Row([]), *self.tiles(self.choices or self.legal)]

    def tiles(self, moves: Sequence[str]) -> list[Row]:
        """Return tiles for moves or answers; many moves stand in groups, by the words that they begin with."""
        rows: list[Row] = []
        for word, found in grouped(moves):
            pieces = [self.tile(move.removeprefix(word).strip() or move, move) for move in found]
            rows += self.wrapped([Piece(word, Look.QUIET), *pieces] if word else pieces)
        return rows

    def tile(self, text: str, answer: str, *, last: bool = False) -> Piece:
        """Return a tile: one to press if it is among the choices, or else one that is legal or gone."""
        if answer in self.choices:
            return Piece(text, Look.TILE, answer, last)
        return Piece(text, Look.TILE if answer in self.legal else Look.GONE, last=last)

    def bar(self, parts: Sequence[tuple[int, Look, Callable[[int], str]]]) -> Row:
        """Return a bar of parts: how many points each has, how it looks, and its text in so many columns."""
        points = sum(amount for amount, _, _ in parts)
        columns = min(MAX_POINT_COLUMNS * points, self.width - 4)
        pieces, done, end = [Piece("▕")], 0, 0
        for amount, look, text in parts:
            done += amount
            begin, end = end, columns * done // points
            pieces.append(Piece(text(end - begin), look))
        return Row([piece for piece in (*pieces, Piece("▏")) if piece.text], gap=0)

    def wrapped(self, pieces: Iterable[Piece], per_row: int = 0) -> list[Row]:
        """Return the pieces in as many tall rows as they need, with at most so many in each."""
        rows: list[list[Piece]] = [[]]
        used = 0
        for piece in pieces:
            room = max(MIN_TILE_WIDTH, len(piece.text) + 2 * (piece.look in TILES)) + 1
            if rows[-1] and (used + room > self.width or len(rows[-1]) == per_row):
                rows.append([])
                used = 0
            rows[-1].append(piece)
            used += room
        return [Row(row, tall=True) for row in rows if row]


AnyTextBoard = TextBoard[Any, Any]


def text_board(position: Position, width: int) -> AnyTextBoard:
    """Return the board of a position: the game's own, or the general one if it has none."""
    own: type[AnyTextBoard] | None = game_value(position.game, "text_board", "TextBoard")
    return (own or TextBoard)(position, width)


def aligned(lines: Sequence[str]) -> list[str]:
    """Return lines of the same length, so that a drawing stays one when each line is centred."""
    width = max(map(len, lines))
    return [line.ljust(width) for line in lines]


def grouped(moves: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the moves in groups by the words that they begin with. Few moves, or single words, are one group."""
    if len(moves) <= MAX_UNGROUPED or not any(" " in move for move in moves):
        return [("", list(moves))]
    ways = [_cut(moves, lambda move: move.partition(" ")[0]), _cut(moves, lambda move: move.rpartition(" ")[0])]
    best = min(ways, key=lambda groups: len(groups) + max(map(len, groups.values())))
    return [("", list(moves))] if len(best) == len(moves) else list(best.items())


def _cut(moves: Sequence[str], beginning: Any) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for move in moves:
        groups.setdefault(beginning(move) if " " in move else "", []).append(move)
    return groups
