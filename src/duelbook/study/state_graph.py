"""The states of a game and the moves between them as arrays, for measures of whole policies (extra `arena`)."""

from array import array
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duelbook.contract import described
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Outcome, Player, canonical_form
from duelbook.notebook import Bar, progress_bar
from duelbook.solve import Solution, solved

MAX_STATES = 3_000_000  # about 1 GB

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class AskedState(NamedTuple):
    """A state as an agent sees it: a match in which it has just been reached, by a shortest line of moves."""

    game: AnyGame
    state: Any
    states: tuple[Any, ...]
    moves: tuple[Move, ...]
    mover: Player


class StateGraph(NamedTuple):
    """Every state that play can reach, in order of distance from the start, and every move in it.

    Of states that play alike only the first one that is found is here. The moves of state n are those with the numbers
    `starts[n]` to `starts[n + 1]`, in ascending order. Results and values are those of the first player: 1 for a win, 0
    for a draw, -1 for a loss.
    """

    game: AnyGame
    states: list[Any]
    reached: list[tuple[int, Move]]  # the state before, and the move from there
    movers: Ints
    over: NDArray[np.bool_]
    values: Ints  # exact ones; where the game is over, the result
    starts: Ints
    moves: Ints  # the number of each move in the rules
    sources: Ints  # the state in which each move is made
    targets: Ints  # the state to which it leads
    arriving: Ints  # the numbers of all moves in the order of their targets
    arrivals: Ints  # those that lead to state n are `arriving[arrivals[n]:arrivals[n + 1]]`

    def decisions(self) -> Ints:
        """Return the numbers of the states in which there is a choice."""
        return np.flatnonzero(np.diff(self.starts) > 1)

    def legal(self, number: int) -> list[Move]:
        """Return the legal moves of a state."""
        found: list[Move] = self.moves[self.starts[number] : self.starts[number + 1]].tolist()
        return found

    def moves_of(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Return the numbers of the moves of these states, and where those of each state begin among them."""
        return _ranges(self.starts, numbers)

    def before(self, numbers: Ints) -> Ints:
        """Return the states from which one move leads to one of these."""
        places, _ = _ranges(self.arrivals, numbers)
        found = np.zeros(len(self.states), bool)
        found[self.sources[self.arriving[places]]] = True
        return np.flatnonzero(found)

    def asked(self, number: int) -> AskedState:
        """Return the state as an agent sees it."""
        mover, states, moves = int(self.movers[number]), [self.states[number]], []
        while number:
            number, move = self.reached[number]
            states.append(self.states[number])
            moves.append(move)
        return AskedState(self.game, states[0], tuple(reversed(states)), tuple(reversed(moves)), mover)

    def losses(self) -> Ints:
        """Return what each move gives away to the player who makes it: 0 to 2."""
        lost = self.values[self.sources] - self.values[self.targets]
        return np.where(self.movers[self.sources] == 0, lost, -lost)


def added_up(places: Ints, amounts: Floats, count: int) -> Floats:
    """Return the sum of the amounts at each place, from 0 to `count` - 1."""
    return np.bincount(places, amounts, count).astype(float, copy=False)


def _ranges(starts: Ints, numbers: Ints) -> tuple[Ints, Ints]:
    """Return all places from `starts[n]` to `starts[n + 1]` for each number, and where those of each number begin."""
    lengths = starts[numbers + 1] - starts[numbers]
    begins = np.cumsum(lengths) - lengths
    return np.repeat(starts[numbers] - begins, lengths) + np.arange(lengths.sum()), begins


@lru_cache(maxsize=1)  # a learner is measured again and again
def state_graph(game: AnyGame) -> StateGraph:
    """Return the graph of the game. Raise TooLargeError or RefusedError if it has too many states."""
    solution = solved(game)
    if len(solution) > MAX_STATES:
        raise RefusedError(
            f"{described(game)} has {len(solution):,} states. Policies are measured in games of at most {MAX_STATES:,}."
        )
    with progress_bar("Finding states", len(solution)) as bar:
        return _explored(solution, bar)


def _explored(solution: Solution, bar: Bar) -> StateGraph:
    game, canonical = solution.game, canonical_form(solution.game) or (lambda state: state)
    start = game.initial()
    index, states, reached = {(game.mover(start), canonical(start)): 0}, [start], [(0, 0)]
    movers, over, values = array("q"), array("b"), array("q")
    starts, moves, targets = array("q", [0]), array("q"), array("q")
    for number, state in enumerate(states):
        mover, value = game.mover(state), solution.value(state)
        movers.append(mover)
        over.append(game.outcome(state) != Outcome.UNDECIDED)
        values.append(-value if mover else value)
        for move in game.legal_moves(state):
            following = game.play(state, move)
            target = index.setdefault((game.mover(following), canonical(following)), len(states))
            if target == len(states):
                states.append(following)
                reached.append((number, move))
            moves.append(move)
            targets.append(target)
        starts.append(len(moves))
        bar.update(number + 1)
    ends, leads_to = np.array(starts), np.array(targets)
    sources = np.repeat(np.arange(len(states)), np.diff(ends))
    arriving = np.argsort(leads_to, kind="stable")
    return StateGraph(
        game,
        states,
        reached,
        np.array(movers),
        np.array(over, bool),
        np.array(values),
        ends,
        np.array(moves),
        sources,
        leads_to,
        arriving,
        np.searchsorted(leads_to[arriving], np.arange(len(states) + 1)),
    )
