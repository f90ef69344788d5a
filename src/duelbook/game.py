"""What a game is, and what can be said of every game alike.

The methods `initial`, `mover`, `legal_moves`, `play` and `outcome` are a game's kernel. They keep to
whole numbers, enum members and int arrays, so that the same source also compiles (see `compiled.py`).
"""

import random
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from enum import IntEnum
from itertools import islice
from typing import Any, ClassVar, Protocol, TypeGuard, TypeVar, runtime_checkable

from duelbook.errors import RefusedError
from duelbook.text import fold, shorten

Move = int  # 0 … game.num_moves - 1
Player = int  # the seat: 0 moves first, 1 second

PASS = "pass"  # the name of a move that is only there because nothing else is; the program plays it
LISTED = 40  # legal moves that a refusal spells out


class Outcome(IntEnum):
    FIRST_WINS = 0  # equals the winning Player
    SECOND_WINS = 1
    DRAW = 2
    UNDECIDED = 3


State = TypeVar("State")


class Game(Protocol[State]):
    """The rules of one game with its options: a frozen dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __hash__(self) -> int: ...

    @property
    def num_moves(self) -> int: ...

    def initial(self) -> State: ...

    def mover(self, state: State) -> Player: ...

    def legal_moves(self, state: State) -> Iterator[Move]:
        """Answer the legal moves in ascending order; nothing once the game is decided."""
        ...

    def play(self, state: State, move: Move) -> State:
        """Answer what follows; trusts that the move is legal."""
        ...

    def outcome(self, state: State) -> Outcome: ...

    def move_name(self, state: State, move: Move) -> str:
        """Answer what a player types for the move."""
        ...

    def render(self, state: State) -> str:
        """Answer the state as plain text, naming the players by seat."""
        ...


AnyGame = Game[Any]


class HasChoices(Game[Any], Protocol):
    """A game in which each player chooses something of their own before the start."""

    choice: ClassVar[str]  # what a player chooses, as in `word`
    chosen: ClassVar[str]  # the option that holds both choices, by seat, as in `words`

    def choices(self) -> tuple[str, ...]:
        """Answer what may be chosen."""
        ...

    def check_choice(self, text: str) -> str:
        """Answer the choice that the text names, or refuse it with the reason."""
        ...


class UsesWordList(Protocol):
    """A game whose rules rest on a word list."""

    digest: str  # the hash of the list, which is part of a record (WC-2)


@runtime_checkable
class HasOffensiveMoves(Protocol):
    """A game with legal moves that the computer had better not choose (WC-4)."""

    def offends(self, state: Any, move: Move) -> bool:
        """Tell whether the move spells a slur."""
        ...


@runtime_checkable
class HasCanonicalStates(Protocol):
    """A game that knows which of its states play alike."""

    def canonical(self, state: Any) -> Any:
        """Answer the representative of all states that play like this one."""
        ...


@runtime_checkable
class CountsSuccessors(Protocol):
    """A game with so many alike moves that it counts them faster than they can be played."""

    def following(self, state: Any) -> dict[Any, int]:
        """Answer the canonical states that follow, each with the number of moves that lead to it.

        Only for games in which the players alternate.
        """
        ...


class IllegalMoveError(RefusedError):
    """A move that is not legal here; `legal` holds the names of all that are."""

    def __init__(self, text: str, legal: Iterable[str]) -> None:
        self.legal = tuple(legal)
        super().__init__(f"'{shorten(text)}' is not legal here; {self.allowed()}")

    def allowed(self) -> str:
        """Answer in words what is legal instead."""
        if not self.legal:
            return "the game is over"
        more = len(self.legal) - LISTED
        rest = f", … ({more} more)" if more > 0 else ""
        return f"legal: {', '.join(self.legal[:LISTED])}{rest}"


def won_by(player: Player) -> Outcome:
    return Outcome.SECOND_WINS if player else Outcome.FIRST_WINS


def each_bit(mask: int) -> Iterator[Move]:
    """Answer the positions of the bits that are set, in ascending order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def move_names(game: AnyGame, state: Any) -> dict[str, Move]:
    """Answer every legal move by its name."""
    return {game.move_name(state, move): move for move in game.legal_moves(state)}


def parse_move(game: AnyGame, state: Any, text: str) -> Move:
    """Answer the legal move of that name, whatever its case and spacing, or raise IllegalMoveError."""
    names = move_names(game, state)
    if text in names:
        return names[text]
    wanted = fold(text)
    for name, move in names.items():
        if fold(name) == wanted:
            return move
    raise IllegalMoveError(text, names)


def canonical_form(game: AnyGame) -> Callable[[Any], Any] | None:
    """Answer what maps the states that play alike to one of them; None where every state stands for itself."""
    return game.canonical if isinstance(game, HasCanonicalStates) else None


def offered_moves(game: AnyGame, state: Any, moves: Iterable[Move] | None = None) -> list[Move]:
    """Answer the moves that the computer may choose, of all legal ones or of these: no slurs, if there are others."""
    legal = list(game.legal_moves(state) if moves is None else moves)
    if not isinstance(game, HasOffensiveMoves):
        return legal
    return [move for move in legal if not game.offends(state, move)] or legal


def forced_pass(game: AnyGame, state: Any) -> Move | None:
    """Answer the pass that the program plays for a player who has nothing else (CC-1)."""
    legal = list(islice(game.legal_moves(state), 2))
    return legal[0] if len(legal) == 1 and game.move_name(state, legal[0]) == PASS else None


def has_choices(game: AnyGame) -> TypeGuard[HasChoices]:
    """Tell whether players choose something of their own before the start (`isinstance` of a protocol is slow)."""
    return hasattr(game, "choices")


def uses_word_list(game: AnyGame) -> TypeGuard[UsesWordList]:
    """Tell whether the rules rest on a word list."""
    return hasattr(game, "digest")


def any_choice(game: HasChoices, taken: Collection[str], rng: random.Random) -> str:
    """Answer what the computer chooses: anything that is not taken (AC-8)."""
    others = [choice for choice in game.choices() if choice not in taken]
    return rng.choice(others or list(game.choices()))


def with_choices(game: HasChoices, first: str, second: str) -> AnyGame:
    """Answer the game with what the players chose, by seat."""
    changes: dict[str, Any] = {game.chosen: (first, second)}
    return replace(game, **changes)


def state_view(game: AnyGame, state: Any) -> dict[str, Any]:
    """Answer the state as JSON for a board to draw; without words of the game's own, field by field."""
    draw: Callable[[Any], dict[str, Any]] | None = getattr(game, "view", None)
    view: dict[str, Any] = draw(state) if draw else state._asdict()
    return view


def perft(game: AnyGame, depth: int, state: Any = None) -> int:
    """Count the lines of exactly `depth` moves from the state (by default the initial one)."""
    if state is None:
        state = game.initial()
    if depth == 0:
        return 1
    moves = game.legal_moves(state)
    if depth == 1:
        return sum(1 for _ in moves)
    return sum(perft(game, depth - 1, game.play(state, move)) for move in moves)
