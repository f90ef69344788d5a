"""The `Game` protocol, and functions that work for every game. Start here.

The methods `initial`, `mover`, `legal_moves`, `play` and `outcome` are a game's kernel. They use only ints, enum
members and int arrays, so that the same source also compiles under numba (see `duelbook.compiled`).
"""

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum, IntEnum, StrEnum
from itertools import islice
from typing import Any, ClassVar, Literal, Protocol, TypeGuard, TypeVar, cast, runtime_checkable

from duelbook.errors import RefusedError
from duelbook.text import fold, quote

Move = int  # 0 … game.num_moves - 1
Player = int  # the seat: 0 moves first, 1 second

SeatName = Literal["first", "second"]
OutcomeName = Literal["first", "second", "draw", "none"]

SEAT_NAMES: tuple[SeatName, SeatName] = ("first", "second")
PASS = "pass"  # the name of the move that is legal only when nothing else is; the program plays it
MAX_LISTED_MOVES = 40  # in the message about an illegal move
MAX_BROWSER_NUMBER = (1 << 53) - 1  # larger whole numbers are not exact in JavaScript


class Outcome(IntEnum):
    """Who has won, if the game is decided."""

    FIRST_WINS = 0  # equals the winning Player
    SECOND_WINS = 1
    DRAW = 2
    UNDECIDED = 3


class Reason(StrEnum):
    """Why a match is over, or that it is not."""

    RULES = "rules"
    RESIGNATION = "resignation"
    TIME = "time"
    FORFEIT = "forfeit"
    ABSENCE = "absence"
    PLY_LIMIT = "ply limit"
    UNFINISHED = "unfinished"


State = TypeVar("State")
T = TypeVar("T")


class Game(Protocol[State]):
    """The rules of one game. A game is a frozen dataclass whose fields are the rule options."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    def __hash__(self) -> int: ...

    @property
    def num_moves(self) -> int:
        """The number of different moves; a move is an int from 0 to `num_moves` - 1."""
        ...

    def initial(self) -> State:
        """Return the state before the first move."""
        ...

    def mover(self, state: State) -> Player:
        """Return the player whose turn it is."""
        ...

    def legal_moves(self, state: State) -> Iterator[Move]:
        """Return the legal moves in ascending order; none once the game is decided."""
        ...

    def play(self, state: State, move: Move) -> State:
        """Return the state after the move. The move must be legal."""
        ...

    def outcome(self, state: State) -> Outcome:
        """Return who has won, or `Outcome.UNDECIDED`."""
        ...

    def move_name(self, state: State, move: Move) -> str:
        """Return the name of the move: what a player types, as in `charge 3`."""
        ...

    def render(self, state: State) -> str:
        """Return the state as plain text that names the players by seat."""
        ...


AnyGame = Game[Any]


class HasChoices(Game[Any], Protocol):
    """A game with a drawn option of which each player may choose their own part before the start."""

    choice: ClassVar[str]  # what a player chooses, as in `word`
    chosen: ClassVar[str]  # the drawn option that holds both choices, by seat, as in `words`

    def choices(self) -> tuple[str, ...]:
        """Return what the program offers and draws from. `check_choice` may accept more from a person (AC-3)."""
        ...

    def check_choice(self, text: str) -> str:
        """Return the choice that the text names, or raise RefusedError with the reason."""
        ...


class UsesWordList(Protocol):
    """A game whose rules depend on a word list."""

    digest: str  # hash of the list; a record holds it, since the list is part of the rules (WC-2)


@runtime_checkable
class HasOffensiveMoves(Protocol):
    """A game with legal moves that the computer must not choose (WC-4)."""

    def offends(self, state: Any, move: Move) -> bool:
        """Return True if the move spells an offensive word."""
        ...


@runtime_checkable
class HasCanonicalStates(Protocol):
    """A game with states that play alike, so that one of them can stand for all."""

    def canonical(self, state: Any) -> Any:
        """Return the representative of all states that play like this one."""
        ...


@runtime_checkable
class HasClassTable(HasCanonicalStates, Game[Any], Protocol):
    """A game whose `canonical` does not compile, and which finds the classes of states in a table instead."""

    def class_table(self) -> Sequence[int]:
        """Return the table: an `array("q")`. It is asked for only when compiled code needs it."""
        ...

    def class_of(self, state: Any, table: Sequence[int]) -> Any:
        """Return what stands for all states with the same canonical state, and for no others.

        It is a state with small numbers, which need not be one of the game. The method compiles.
        """
        ...


@runtime_checkable
class HasProfiles(HasCanonicalStates, Game[Any], Protocol):
    """A game that knows from which states equally many moves lead to each class."""

    def profile_of(self, state: Any, table: Sequence[int]) -> Any:
        """Return what only such states have in common, as a state, which need not be one of the game.

        The table is that of `class_table`, or empty. The method compiles.
        """
        ...


@runtime_checkable
class CountsSuccessors(Protocol):
    """A game that counts equivalent moves faster than it can play them one by one."""

    def following(self, state: Any) -> dict[Any, int]:
        """Return the canonical states after one move, each with the number of moves that lead to it.

        Only for games in which the players take turns strictly.
        """
        ...


@runtime_checkable
class HasLongestGame(Protocol):
    """A game that always ends, and knows how long it can take."""

    @property
    def max_plies(self) -> int:
        """The number of moves of the longest game."""
        ...


class FindsMoves(Game[Any], Protocol):
    """A game that counts its legal moves, and finds one of them, faster than it can list them all."""

    def count_legal(self, state: Any) -> int:
        """Return the number of legal moves."""
        ...

    def nth_legal(self, state: Any, n: int) -> Move:
        """Return the legal move at place `n`, from 0 to `count_legal(state)` - 1, in ascending order."""
        ...


class MarksMoves(Protocol):
    """A game that marks its legal moves faster than it can find them one by one."""

    def mark_moves(self, state: Any, words: Any) -> None:
        """Set the bit of every legal move: that of move `m` is bit `m % 64` of word `m // 64`. The words are 0 before.

        Compiled, a word has 64 bits; interpreted, higher bits do not count.
        """
        ...


class IllegalMoveError(RefusedError):
    """The move is not legal in this state; `legal` holds the names of the moves that are."""

    def __init__(self, text: str, legal: Iterable[str]) -> None:
        self.legal = tuple(legal)
        super().__init__(f"{quote(text)} is not legal here. {self.allowed()}")

    def allowed(self) -> str:
        """Return a sentence that lists the legal moves."""
        if not self.legal:
            return "The game is over."
        more = len(self.legal) - MAX_LISTED_MOVES
        rest = f", … ({more} more)" if more > 0 else ""
        return f"Legal moves: {', '.join(self.legal[:MAX_LISTED_MOVES])}{rest}."


def illegal_number(game: AnyGame, state: Any, number: Move) -> IllegalMoveError:
    """Return the error of a move that was given by its number. The legal moves are listed with theirs."""
    legal = (f"{move} ({game.move_name(state, move)})" for move in game.legal_moves(state))
    return IllegalMoveError(f"move number {number}", legal)


def won_by(player: Player) -> Outcome:
    """Return the outcome in which the player wins."""
    return Outcome.SECOND_WINS if player else Outcome.FIRST_WINS


def outcome_name(outcome: Outcome) -> OutcomeName:
    """Return the outcome as records and the API write it."""
    names: tuple[OutcomeName, ...] = ("first", "second", "draw", "none")
    return names[outcome]


def by_seat(mover: Player, mine: T, theirs: T) -> tuple[T, T]:
    """Return the mover's and the opponent's values in the order of seats: the first player's, then the second's."""
    return (mine, theirs) if mover == 0 else (theirs, mine)


def each_bit(mask: int) -> Iterator[Move]:
    """Return the positions of the set bits, in ascending order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def move_names(game: AnyGame, state: Any) -> dict[str, Move]:
    """Return the legal moves by name."""
    return {game.move_name(state, move): move for move in game.legal_moves(state)}


def parse_move(game: AnyGame, state: Any, text: str) -> Move:
    """Return the legal move with this name, or raise IllegalMoveError. Case and extra spaces do not matter (ALL-4)."""
    names = move_names(game, state)
    if text in names:
        return names[text]
    wanted = fold(text)
    for name, move in names.items():
        if fold(name) == wanted:
            return move
    raise IllegalMoveError(text, names)


def canonical_form(game: AnyGame) -> Callable[[Any], Any] | None:
    """Return the game's `canonical` method, or None if the game has none."""
    form: Callable[[Any], Any] | None = getattr(game, "canonical", None)  # isinstance with a protocol is slow
    return form


def canonical_or_same(game: AnyGame) -> Callable[[Any], Any]:
    """Return the game's `canonical` method, or a function that returns the state itself if the game has none."""
    return canonical_form(game) or (lambda state: state)


def canonical_start(game: AnyGame) -> Any:
    """Return the state at the start, by its canonical form if the game has one."""
    return canonical_or_same(game)(game.initial())


def offered_moves(game: AnyGame, state: Any, moves: Iterable[Move] | None = None) -> list[Move]:
    """Return these moves (default: all legal ones) without offensive ones, unless there are no others."""
    legal = list(game.legal_moves(state) if moves is None else moves)
    return inoffensive_moves(game, state, legal) or legal


def inoffensive_moves(game: AnyGame, state: Any, moves: Iterable[Move]) -> list[Move]:
    """Return the moves among these that the computer may name (WC-4)."""
    if not hasattr(game, "offends"):  # isinstance with a protocol is slow
        return list(moves)
    offensive = cast(HasOffensiveMoves, game)
    return [move for move in moves if not offensive.offends(state, move)]


def forced_pass(game: AnyGame, state: Any) -> Move | None:
    """Return the pass that the program plays for a player who has no other move, or None (CC-1)."""
    legal = list(islice(game.legal_moves(state), 2))
    return legal[0] if len(legal) == 1 and game.move_name(state, legal[0]) == PASS else None


def finds_moves(game: Any) -> TypeGuard[FindsMoves]:
    """Return True if the game has `count_legal` and `nth_legal`."""
    return hasattr(game, "nth_legal")  # isinstance with a protocol is slow


def random_move(game: AnyGame, state: Any, rng: random.Random) -> Move:
    """Return a legal move, each with the same probability: the same one whether or not the game has `nth_legal`."""
    if finds_moves(game):
        return game.nth_legal(state, rng.randrange(game.count_legal(state)))
    return rng.choice(list(game.legal_moves(state)))


def has_choices(game: AnyGame) -> TypeGuard[HasChoices]:
    """Return True if each player chooses something before the start."""
    return hasattr(game, "choices")  # isinstance with a protocol is slow


def uses_word_list(game: AnyGame) -> TypeGuard[UsesWordList]:
    """Return True if the rules depend on a word list."""
    return hasattr(game, "digest")


def random_choice(game: HasChoices, taken: Collection[str], rng: random.Random) -> str:
    """Return a random choice for the computer, one that is not taken if possible (AC-8)."""
    free = [choice for choice in game.choices() if choice not in taken]
    return rng.choice(free or list(game.choices()))


def random_choices(game: HasChoices, rng: random.Random) -> tuple[str, str]:
    """Return a random choice for each seat, different ones if possible: the draw if nobody chooses."""
    first = random_choice(game, (), rng)
    return first, random_choice(game, (first,), rng)


def with_choices(game: HasChoices, first: str, second: str) -> AnyGame:
    """Return the game with the players' choices, given by seat."""
    changes: dict[str, Any] = {game.chosen: (first, second)}
    return replace(game, **changes)


def state_view(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return the state as JSON for a board to draw: the game's own `view`, or else its fields."""
    draw: Callable[[Any], dict[str, Any]] | None = getattr(game, "view", None)
    view = draw(state) if draw else plain_data(state)
    return view if isinstance(view, dict) else {"state": view}


def plain_data(value: Any) -> Any:
    """Return a state, or a part of one, as JSON values: named fields as an object, a mask as the list of its bits.

    A mask is a number that is too large for a browser; smaller ones may be numbers or masks, and stay numbers.
    """
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(plain_data(name)): plain_data(part) for name, part in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain_data(part) for part in (sorted(value) if isinstance(value, set | frozenset) else value)]
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, int) and abs(value) > MAX_BROWSER_NUMBER:
        return list(each_bit(value)) if value > 0 else str(value)
    return value


def perft(game: AnyGame, depth: int, state: Any = None) -> int:
    """Return the number of move sequences of exactly `depth` moves from the state (default: the initial one)."""
    if state is None:
        state = game.initial()
    if depth == 0:
        return 1
    moves = game.legal_moves(state)
    if depth == 1:
        return sum(1 for _ in moves)
    return sum(perft(game, depth - 1, game.play(state, move)) for move in moves)
