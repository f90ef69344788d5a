"""The states of a game and the moves between them as arrays, for measures of whole policies (extra `arena`)."""

from array import array
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duelbook.contract import described
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Outcome, canonical_or_same
from duelbook.notebook import Bar, progress_bar
from duelbook.solve import Solution, solved
from duelbook.solve.budget import has_fast
from duelbook.solve.retrograde import without_garbage_collector
from duelbook.solve.solution import KIND_BITS, KIND_MASK, VALUES

MAX_STATES = 3_000_000  # about 1 GB
COMPILED_STATES = 100_000  # at least, for the rules to be compiled; with fewer, that takes longer than it saves

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


class AskedState:
    """A state as an agent sees it: a match in which it has just been reached, by a shortest line of moves."""

    def __init__(self, graph: "StateGraph", number: int) -> None:
        self.game, self.state, self.mover = graph.game, graph.states[number], int(graph.movers[number])
        self._graph, self._number = graph, number

    @cached_property
    def states(self) -> tuple[Any, ...]:
        return (*(self._graph.states[number] for number in self._graph.sources[self._line].tolist()), self.state)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        return tuple(self._graph.moves[self._line].tolist())

    @cached_property
    def _line(self) -> list[int]:
        """The numbers of the moves from the start to this state: each state is found by the first that leads there."""
        graph, number, line = self._graph, self._number, list[int]()
        while number:
            line.append(int(graph.arriving[graph.arrivals[number]]))
            number = int(graph.sources[line[-1]])
        return line[::-1]


class StateGraph(NamedTuple):
    """Every state that play can reach, in order of distance from the start, and every move in it.

    Of states that play alike only the first one that is found is here. The moves of state n are those with the numbers
    `starts[n]` to `starts[n + 1]`, in ascending order. Results and values are those of the first player: 1 for a win, 0
    for a draw, -1 for a loss.
    """

    game: AnyGame
    states: list[Any]
    movers: Ints
    over: Flags
    values: Ints  # exact ones; where the game is over, the result
    remoteness: Ints  # plies to the end if both play best; -1 if play is endless
    starts: Ints
    moves: Ints  # the number of each move in the rules
    sources: Ints  # the state in which each move is made
    targets: Ints  # the state to which it leads
    arriving: Ints  # the numbers of all moves in the order of their targets
    arrivals: Ints  # those that lead to state n are `arriving[arrivals[n]:arrivals[n + 1]]`

    def decisions(self) -> Ints:
        """Return the numbers of the states in which there is a choice."""
        return np.flatnonzero(np.diff(self.starts) > 1)

    def moves_of(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Return the numbers of the moves of these states, and where those of each state begin among them."""
        return _ranges(self.starts, numbers)

    def before(self, numbers: Ints) -> Ints:
        """Return the states from which one move leads to one of these."""
        places, _ = _ranges(self.arrivals, numbers)
        found = np.zeros(len(self.states), bool)
        found[self.sources[self.arriving[places]]] = True
        return np.flatnonzero(found)

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


class VisitedStates(NamedTuple):
    """What is found on the way through all states (see `StateGraph`)."""

    states: list[Any]
    movers: Ints
    over: Flags
    codes: Ints  # value and remoteness of each state (see `duelbook.solve.solution.code_of`)
    starts: Ints
    moves: Ints
    targets: Ints


@lru_cache(maxsize=1)  # a learner is measured again and again
def state_graph(game: AnyGame) -> StateGraph:
    """Return the graph of the game. Raise TooLargeError or RefusedError if it has too many states."""
    solution = solved(game)
    if len(solution) > MAX_STATES:
        raise RefusedError(
            f"{described(game)} has {len(solution):,} states. Policies are measured in games of at most {MAX_STATES:,}."
        )
    with progress_bar("Finding states", len(solution)) as bar, without_garbage_collector():
        states, movers, over, codes, starts, moves, targets = _explored(solution, bar)
    values = np.array(VALUES)[codes & KIND_MASK]
    arriving = np.argsort(targets, kind="stable")
    return StateGraph(
        game=solution.game,
        states=states,
        movers=movers,
        over=over,
        values=np.where(movers == 0, values, -values),
        remoteness=codes >> KIND_BITS,
        starts=starts,
        moves=moves,
        sources=np.repeat(np.arange(len(states)), np.diff(starts)),
        targets=targets,
        arriving=arriving,
        arrivals=np.searchsorted(targets[arriving], np.arange(len(states) + 1)),
    )


def _explored(solution: Solution, bar: Bar) -> VisitedStates:
    """Return all states: those of a large game in compiled code, if that is possible."""
    if len(solution) >= COMPILED_STATES and has_fast():
        from duelbook.study.compiled_graph import explore_compiled  # loads numba

        if explored := explore_compiled(solution, bar):
            return explored
    return explore_interpreted(solution, bar)


def explore_interpreted(solution: Solution, bar: Bar) -> VisitedStates:
    """Return all states, without compiled code."""
    game, canonical = solution.game, canonical_or_same(solution.game)
    start = game.initial()
    index, states = {(game.mover(start), canonical(start)): 0}, [start]
    movers, over, codes = array("q"), array("b"), array("q")
    starts, moves, targets = array("q", [0]), array("q"), array("q")
    for number, state in enumerate(states):
        movers.append(game.mover(state))
        over.append(game.outcome(state) != Outcome.UNDECIDED)
        codes.append(solution.code(state))
        for move in game.legal_moves(state):
            following = game.play(state, move)
            target = index.setdefault((game.mover(following), canonical(following)), len(states))
            if target == len(states):
                states.append(following)
            moves.append(move)
            targets.append(target)
        starts.append(len(moves))
        bar.update(number + 1)
    return VisitedStates(
        states,
        np.array(movers),
        np.array(over, bool),
        np.array(codes),
        np.array(starts),
        np.array(moves),
        np.array(targets),
    )
