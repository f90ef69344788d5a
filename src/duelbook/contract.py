"""The contract of a game: what its rules must keep for the rest of Duelbook to be right, checked position by position.

`verify` is called where a game enters compiled or solving code. `duelbook.testing` checks the same and more.
"""

import random
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import islice, pairwise
from typing import Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.features import numbers_of
from duelbook.game import AnyGame, HasLongestGame, Move, Outcome, finds_moves
from duelbook.game_errors import BrokenGameError, raised_text
from duelbook.options import write_options
from duelbook.text import shorten

VERIFIED_GAMES = 3  # random games that `verify` plays
VERIFIED_PLIES = 40  # of each of them, at most
VERIFIED_REPLIES = 3  # moves that `verify` plays twice in each position
NEAREST_POSITIONS = 500  # among which the shortest line of moves to a fault is looked for
MAX_PLIES = 10_000  # within which a game must end or come back to an earlier state
WORD_BITS = 64  # of the words in which `mark_moves` marks moves
MAX_SHOWN_MOVES = 40  # of the line of moves in a message

Faults = Iterator[str]


class BrokenRulesError(BrokenGameError):
    """The rules of a game break the contract: `reason` says how, and `moves` names the moves that show it."""

    def __init__(self, game: AnyGame, reason: str, moves: tuple[str, ...] | None) -> None:
        self.reason, self.moves = reason, moves
        super().__init__(f"The rules of {described(game)} are broken: {reason} {line_text(moves)}".rstrip())


class ReachedPosition(NamedTuple):
    """A state and the moves that led to it."""

    moves: tuple[Move, ...]
    state: Any


def described(game: AnyGame) -> str:
    """Return the game with its options, as in `FlagChase(cells=5, stride=2)`."""
    try:
        options = write_options(game)
    except Exception:  # rules that are broken in this way, too
        return type(game).__name__
    return f"{type(game).__name__}({', '.join(f'{name}={value}' for name, value in options.items())})"


def line_text(moves: tuple[str, ...] | None) -> str:
    """Return a sentence with the moves that lead to a position."""
    if moves is None:
        return ""
    more = f", … ({len(moves) - MAX_SHOWN_MOVES} more)" if len(moves) > MAX_SHOWN_MOVES else ""
    return f"After: {', '.join(moves[:MAX_SHOWN_MOVES])}{more}." if moves else "In the initial state."


def names_of(game: AnyGame, moves: Iterable[Move]) -> tuple[str, ...]:
    """Return the names of the moves, played from the start. A move that has no name is written as its number."""
    names: list[str] = []
    try:
        state = game.initial()
        for move in moves:
            names.append(str(move))
            names[-1] = str(game.move_name(state, move))
            state = game.play(state, move)
    except Exception:
        names += [str(move) for move in list(moves)[len(names) :]]
    return tuple(names)


def legal_list(game: AnyGame, state: Any) -> list[Move]:
    """Return the legal moves, and one more than there can be if there are too many."""
    return list(islice(game.legal_moves(state), game.num_moves + 1))


def mover_faults(game: AnyGame, state: Any) -> Faults:
    """Return what is wrong with the player whose turn it is."""
    mover = game.mover(state)
    if not (isinstance(mover, int) and mover in (0, 1)):
        yield f"mover is {shorten(repr(mover))}, but there are exactly two players, 0 and 1."


def outcome_faults(game: AnyGame, state: Any) -> Faults:
    """Return what is wrong with the outcome."""
    outcome = game.outcome(state)
    if not isinstance(outcome, Outcome):
        yield f"outcome is {shorten(repr(outcome))}; it must be a member of Outcome, such as Outcome.UNDECIDED."


def move_faults(game: AnyGame, state: Any) -> Faults:
    """Return what is wrong with the legal moves."""
    legal, undecided = legal_list(game, state), game.outcome(state) == Outcome.UNDECIDED
    wrong = [move for move in legal if not isinstance(move, int) or not 0 <= move < game.num_moves]
    if wrong:
        yield (
            f"legal_moves has the move {shorten(repr(wrong[0]))}; "
            f"moves are whole numbers from 0 to {game.num_moves - 1} (num_moves is {game.num_moves})."
        )
    elif any(one >= other for one, other in pairwise(legal)):
        yield f"legal_moves are not in ascending order: {shorten(str(legal))}."
    if undecided and not legal:
        yield "No move is legal, but the game is undecided. Decide it in `outcome`, or add a move named 'pass'."
    if legal and not undecided:
        yield f"The game is decided, but there are legal moves: {shorten(str(legal))}."
    yield from _found_move_faults(game, state, legal)


def _found_move_faults(game: AnyGame, state: Any, legal: list[Move]) -> Faults:
    """Return what is wrong with `count_legal`, `nth_legal` and `mark_moves`, if the game has them."""
    if hasattr(game, "mark_moves"):
        words = [0] * -(-game.num_moves // WORD_BITS)
        game.mark_moves(state, words)
        marked = [move for move in range(WORD_BITS * len(words)) if words[move // WORD_BITS] >> move % WORD_BITS & 1]
        if marked != legal:
            yield f"mark_moves marks {shorten(str(marked))}, but the legal moves are {shorten(str(legal))}."
    if not finds_moves(game):
        return
    if game.count_legal(state) != len(legal):
        yield f"count_legal is {game.count_legal(state)}, but there are {len(legal)} legal moves."
        return
    for place, move in enumerate(legal):
        if game.nth_legal(state, place) != move:
            yield f"nth_legal is {game.nth_legal(state, place)} at place {place}, but that legal move is {move}."
            return


def state_faults(game: AnyGame, state: Any) -> Faults:
    """Return what is wrong with the state as a value."""
    if not isinstance(state, tuple) or not hasattr(state, "_fields"):
        yield f"The state must be a NamedTuple of whole numbers, not {shorten(repr(state))}."
        return
    wrong = [value for value in numbers_of(state) if not isinstance(value, int)]
    if wrong:
        yield (
            f"The state holds {shorten(repr(wrong[0]))}, a {type(wrong[0]).__name__}; "
            "only whole numbers and tuples of them are allowed."
        )
    elif _structure(state) != _structure(game.initial()):
        yield "The state has other fields or another number of values than the initial state."


def initial_faults(game: AnyGame) -> Faults:
    """Return what is wrong with the initial state: it must always be the same one."""
    if repr(game.initial()) != repr(game.initial()):
        yield f"initial differs when asked twice. {DETERMINISTIC} A shuffle or a deal is an option that is drawn."


def play_faults(game: AnyGame, state: Any, moves: Iterable[Move] | None = None) -> Faults:
    """Return what is wrong with playing these moves (default: all legal ones): each must always lead to one state."""
    first, second = legal_list(game, state), legal_list(game, state)
    if first != second:
        yield f"legal_moves differ when asked twice. {DETERMINISTIC}"
    if game.outcome(state) != game.outcome(state) or game.mover(state) != game.mover(state):
        yield f"outcome or mover differ when asked twice. {DETERMINISTIC}"
    before = repr(state)
    for move in first if moves is None else moves:
        if game.play(state, move) != game.play(state, move):
            name = names_of_one(game, state, move)
            yield f"The move {name} does not always lead to the same state. {DETERMINISTIC}"
            break
    if repr(state) != before:
        yield "play changes the state that it is given; it must return a new one."


NOT_HASHABLE = "its options must be hashable: make the class a dataclass with frozen=True, and use no lists or dicts."
DETERMINISTIC = "Rules must be deterministic: no dice, no clock, no memory outside the state."

PositionCheck = Callable[[AnyGame, Any], Faults]

KERNEL_CHECKS: dict[str, PositionCheck] = {  # in an order in which the first fault explains the later ones
    "states": state_faults,
    "players": mover_faults,
    "outcomes": outcome_faults,
    "moves": move_faults,
    "deterministic": play_faults,
}


def names_of_one(game: AnyGame, state: Any, move: Move) -> str:
    """Return the name of the move in quotes, or its number if it has no name."""
    try:
        return f"'{game.move_name(state, move)}'"
    except Exception:
        return f"number {move}"


def faults_of(check: PositionCheck, game: AnyGame, state: Any) -> Faults:
    """Return the faults that the check finds. An exception in the rules is one, too."""
    try:
        yield from check(game, state)
    except Exception as error:
        yield raised_text(error, type(game))


def random_positions(game: AnyGame, rng: random.Random, games: int, plies: int) -> Iterator[ReachedPosition]:
    """Return the positions of random games, each up to a number of plies."""
    for _ in range(games):
        position = ReachedPosition((), game.initial())
        for _ in range(plies):
            yield position
            legal = legal_list(game, position.state)
            if not legal:
                break
            move = rng.choice(legal)
            position = ReachedPosition((*position.moves, move), game.play(position.state, move))


def nearest_positions(game: AnyGame, count: int) -> tuple[list[ReachedPosition], bool]:
    """Return one position for each of the states nearest to the start, and whether these are all states.

    Rules that raise exceptions only make it fewer, since the checks find the exceptions.
    """
    found: list[ReachedPosition] = []
    with suppress(Exception):
        found.append(ReachedPosition((), game.initial()))
        seen: set[Any] = {found[0].state}
        todo = deque(found)
        while todo:
            position = todo.popleft()
            for move in legal_list(game, position.state):
                state = game.play(position.state, move)
                if state in seen:
                    continue
                if len(found) == count:
                    return found, False
                seen.add(state)
                found.append(ReachedPosition((*position.moves, move), state))
                todo.append(found[-1])
        return found, True
    return found, False


def long_game_faults(game: AnyGame, rng: random.Random) -> Iterator[tuple[str, tuple[Move, ...] | None]]:
    """Return what is wrong with a random game that is played until it ends or comes back to an earlier state.

    The moves are those that lead to an exception.
    """
    moves: list[Move] = []
    try:
        state = game.initial()
        seen = {state}
        while legal := legal_list(game, state):
            if isinstance(game, HasLongestGame) and len(moves) >= game.max_plies:
                yield f"A game takes more moves than max_plies says, {game.max_plies}.", (*moves, legal[0])
                return
            if len(moves) == MAX_PLIES:
                yield f"A game neither ended nor came back to an earlier state within {MAX_PLIES:,} moves.", None
                return
            moves.append(rng.choice(legal))
            state = game.play(state, moves[-1])
            if state in seen:
                return
            seen.add(state)
    except Exception as error:
        yield raised_text(error, type(game)), tuple(moves)


def verify(game: AnyGame) -> None:
    """Raise BrokenRulesError if the rules break the contract in one of a few random games. It takes a few ms, once.

    The error names a shortest line of moves, as `duelbook check` does.
    """
    try:
        hash(game)
    except TypeError:
        raise BrokenRulesError(game, NOT_HASHABLE, None) from None
    _verify(game)


def verify_once(game: AnyGame) -> None:
    """Do what `verify` does for the first game of each rules class: where games are played, not counted on."""
    if type(game) not in _verified:
        verify(game)
        _verified.add(type(game))


_verified: set[type[AnyGame]] = set()


@lru_cache(maxsize=256)
def _verify(game: AnyGame) -> None:
    rng = random.Random(0)

    def some_moves(game: AnyGame, state: Any) -> Faults:
        legal = legal_list(game, state)
        return play_faults(game, state, rng.sample(legal, min(VERIFIED_REPLIES, len(legal))))

    checks = [*list(KERNEL_CHECKS.values())[:-1], some_moves]

    last = ReachedPosition((), None)
    try:
        for fault in initial_faults(game):
            raise BrokenRulesError(game, fault, None)
        for last in random_positions(game, rng, VERIFIED_GAMES, VERIFIED_PLIES):
            for check in checks:
                for fault in faults_of(check, game, last.state):
                    raise _nearest_fault(game) or BrokenRulesError(game, fault, names_of(game, last.moves))
        for fault, moves in long_game_faults(game, rng):
            names = None if moves is None else names_of(game, moves)
            raise _nearest_fault(game) or BrokenRulesError(game, fault, names)
    except RefusedError:
        raise
    except Exception as error:
        broken = BrokenRulesError(game, raised_text(error, type(game)), names_of(game, last.moves))
        raise _nearest_fault(game) or broken from error


def _nearest_fault(game: AnyGame) -> BrokenRulesError | None:
    """Return the first fault of the first check that finds one, among the positions nearest to the start."""
    positions, _ = nearest_positions(game, NEAREST_POSITIONS)
    for check in KERNEL_CHECKS.values():
        for position in positions:
            for fault in faults_of(check, game, position.state):
                return BrokenRulesError(game, fault, names_of(game, position.moves))
    return None


def _structure(state: Any) -> Any:
    return tuple(map(_structure, state)) if isinstance(state, tuple) else None
