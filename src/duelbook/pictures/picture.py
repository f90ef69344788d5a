"""The picture of a position. `Picture` works for any game, from its text.

A game with a board of its own has a `picture.py` whose class `Picture` draws the players' sides and what is between
them, in the colours and shapes of its `board.js`.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from duelbook.game import AnyGame, Move, Outcome, Player, move_names, plain_data, state_view
from duelbook.game_folder import game_value
from duelbook.pictures.colours import INK, TILE
from duelbook.pictures.parts import WIDTH, place, table
from duelbook.pictures.svg import MONO, Drawing, cut, label, rect, wrap
from duelbook.text import sanitize

SEATS_AS_NAMES = ("First player", "Second player")
SEAT_WORDS = re.compile(r"\b(?:the )?(first|second) player\b", re.IGNORECASE)  # how `render` names the players
MONO_EM = 0.602  # the width of a character
MAX_TEXT_SIZE, MIN_TEXT_SIZE = 30.0, 11.0
MAX_COLUMNS = 48  # a text with longer lines is prose, and is wrapped
MAX_LINES = 24
PROSE_SIZE = 20.0

GameT = TypeVar("GameT", bound=AnyGame)
State = TypeVar("State")


class Played(NamedTuple):
    """A move that was played."""

    seat: Player
    move: str


class Picture(Generic[GameT, State]):
    """The drawing of one position. The first player is near, the second far, as spectators see it on the page."""

    def __init__(
        self, game: GameT, state: State, history: Sequence[Played] = (), names: Sequence[str] = SEATS_AS_NAMES
    ) -> None:
        self.game = game
        self.state = state
        self.history = history  # may be empty, where only the state is known
        self.names = names
        self.view = state_view(game, state)
        self.over = game.outcome(state) != Outcome.UNDECIDED
        self.mover: Player | None = None if self.over else game.mover(state)
        self.legal = frozenset() if self.over else frozenset(move_names(game, state))
        self.last = history[-1] if history else None

    def note(self, seat: Player) -> str:
        """Return what stands beside a player's name, such as a total."""
        return ""

    def side(self, seat: Player) -> Drawing | None:
        """Return what a player has."""
        return None

    def middle(self) -> Drawing:
        """Return what is between the players."""
        return text_board(named(self.game.render(self.state), self.names))

    def draw(self) -> Drawing:
        """Return the whole board."""
        near, far = (
            place(seat, self.names[seat], self.note(seat), self.side(seat), turn=self.mover == seat) for seat in (0, 1)
        )
        return table(far, self.middle(), near)


AnyPicture = Picture[Any, Any]


class FieldsPicture(Picture[Any, Any]):
    """The picture of a game whose own text or picture fails: the fields of the state."""

    def __init__(
        self, game: AnyGame, state: Any, history: Sequence[Played] = (), names: Sequence[str] = SEATS_AS_NAMES
    ) -> None:
        self.game, self.state, self.history, self.names = game, state, history, names
        self.mover = None

    def middle(self) -> Drawing:
        return text_board("\n".join(_field_lines(plain_data(self.state))))


def picture_of(
    game: AnyGame, state: Any, history: Sequence[Played] = (), names: Sequence[str] = SEATS_AS_NAMES
) -> Drawing:
    """Return the picture of a position: the game's own, or the general one if it has none."""
    own: type[AnyPicture] | None = game_value(game, "picture", "Picture")
    return (own or Picture)(game, state, history, names).draw()


def position_svg(
    game: AnyGame, state: Any, history: Sequence[Played] = (), names: Sequence[str] = SEATS_AS_NAMES
) -> str:
    """Return the picture of a position as an SVG document."""
    return picture_of(game, state, history, names).document()


def fields_picture(game: AnyGame, state: Any, names: Sequence[str] = SEATS_AS_NAMES) -> Drawing:
    """Return a picture that needs nothing of the game's own code."""
    return FieldsPicture(game, state, (), names).draw()


def history_of(game: AnyGame, moves: Iterable[Move]) -> tuple[Any, list[Played]]:
    """Return the state after the moves, and the moves by name with those who played them."""
    state, history = game.initial(), []
    for move in moves:
        history.append(Played(game.mover(state), game.move_name(state, move)))
        state = game.play(state, move)
    return state, history


def named(text: str, names: Sequence[str]) -> str:
    """Return a text with the names of the players instead of their seats."""
    return SEAT_WORDS.sub(lambda found: names[found[1].lower() == "second"], text)


def text_board(text: str, width: float = WIDTH) -> Drawing:
    """Return a text on a tile, as large as it fits; long lines are wrapped."""
    lines = sanitize(text).rstrip().split("\n")
    columns = max(8, *map(len, lines))
    if columns > MAX_COLUMNS:
        lines = [part for line in lines for part in wrap(line, (width - 40) * 0.98, PROSE_SIZE, MAX_LINES) or [""]]
        columns = max(8, *map(len, lines))
    size = max(MIN_TEXT_SIZE, min(MAX_TEXT_SIZE, (width - 40) / columns / MONO_EM))
    lines = [cut(line, 2 * width, size) for line in lines[:MAX_LINES]]
    height = 40 + 1.4 * size * len(lines)
    left = (width - columns * size * MONO_EM) / 2
    drawn = [
        label(line, max(20.0, left), 20 + 1.4 * size * (index + 0.5), size, INK, "start", MONO)
        for index, line in enumerate(lines)
    ]
    return Drawing(width, height, rect(0, 0, width, height, 12, TILE) + "".join(drawn))


def _field_lines(value: Any) -> Iterable[str]:
    if not isinstance(value, dict):
        return [str(value)]
    return (f"{name}: {part}" for name, part in value.items())
