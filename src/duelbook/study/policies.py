"""Policies: what a player does in every state. A table, a callable or an agent becomes a probability of every move."""

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from duelbook.agents import Agent, Forfeit, HasProbabilities, is_model, make_agent
from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame, Move, canonical_form, canonical_or_same
from duelbook.match import ReadOnlyMatch
from duelbook.notebook import progress_bar
from duelbook.solve import solved
from duelbook.study.known_policies import known_probabilities
from duelbook.study.state_graph import AskedState, Floats, Ints, StateGraph, state_graph
from duelbook.text import shorten

Choice = Move | Mapping[Move, float] | Sequence[float] | Floats  # a move, or the probabilities of moves
Policy = str | Agent | Mapping[Any, Choice] | Callable[[Any], Choice] | Floats

SAMPLES = 20  # moves of an agent in each state, if its probabilities are not known
MAX_SAMPLES = 100_000
GROUPS = 10  # of the samples, at most: how much they differ shows how much chance there is in a figure
TOLERANCE = 1e-4  # within which probabilities must add up to 1; those of 32 bits are not exact


class ReadPolicy(NamedTuple):
    """A policy on a graph."""

    name: str
    probabilities: Floats  # of each move of the graph
    samples: int | None  # how often the agent was asked in each state; None if the probabilities are exact
    counts: NDArray[np.uint16] | None = None  # for each group of samples, how often each move was chosen

    @property
    def groups(self) -> int:
        """The number of groups of samples; 0 if the probabilities are exact."""
        return 0 if self.counts is None else len(self.counts)

    def without(self, group: int) -> "ReadPolicy":
        """Return the policy without one group of its samples, or as it is if its probabilities are exact."""
        if self.samples is None or self.counts is None:
            return self
        left = self.samples - len(range(group, self.samples, self.groups))
        return self._replace(probabilities=(self.samples * self.probabilities - self.counts[group]) / left)


def read_policy(policy: Policy, graph: StateGraph, *, seed: int = 0, samples: int = SAMPLES) -> ReadPolicy:
    """Return the probability of every move. The policy is asked only where there is a choice.

    A table has an entry for each state: a move, or the probabilities of moves, as a mapping or as `num_moves` numbers.
    An array has one row of `num_moves` probabilities for each state, in the order of the game's solution. A callable
    takes a state and returns what a table holds. An agent, or the name of one, is asked for its probabilities if it
    knows them (see `HasProbabilities`); else it is asked for `samples` moves in each state. Of states that play alike
    only one is asked for. Raise RefusedError if an answer is missing, not legal, or no probability.
    """
    check_range("samples", samples, 1, MAX_SAMPLES)
    if isinstance(policy, Mapping):
        return ReadPolicy(policy_name(policy), _read_all(partial(_table_choice, policy, graph), graph), None)
    if hasattr(policy, "shape"):  # also an array has a method `choose`
        return ReadPolicy(policy_name(policy), _read_rows(policy, graph), None)
    if isinstance(policy, str) or is_agent_object(policy):
        return _read_agent(policy, graph, seed, samples)
    if callable(policy):
        return ReadPolicy(policy_name(policy), _read_all(lambda number: policy(graph.states[number]), graph), None)
    raise RefusedError(
        f"A policy is a table, an array, a callable, an agent or the name of one, not {shorten(repr(policy))}."
    )


def policy_name(policy: Policy) -> str:
    """Return what a report calls the policy."""
    if isinstance(policy, str):
        return policy
    if isinstance(policy, Mapping):
        return "table"
    if hasattr(policy, "shape"):
        return "array"
    return str(getattr(policy, "__name__", type(policy).__name__))


def is_agent_object(policy: object) -> TypeGuard[Agent]:
    """Return True if the policy is an agent. An array has a method of that name, too."""
    return hasattr(policy, "choose")


def _read_agent(policy: str | Agent, graph: StateGraph, seed: int, samples: int) -> ReadPolicy:
    if isinstance(policy, str) and is_model(policy):
        times = samples * len(graph.decisions())
        raise RefusedError(
            f"{shorten(policy)} would be asked {times:,} times. Measure it with duelbook.evaluate instead."
        )
    name = policy_name(policy)
    agents = [make_agent(policy, f"{seed} 0")] if isinstance(policy, str) else [policy]
    try:
        if (known := known_probabilities(agents[0], graph)) is not None:
            return ReadPolicy(name, known, None)
        if isinstance(exact := agents[0], HasProbabilities):
            probabilities = _read_all(lambda number: exact.probabilities(AskedState(graph, number)), graph)
            return ReadPolicy(name, probabilities, None)
        if isinstance(policy, str):
            agents += [make_agent(policy, f"{seed} {sample}") for sample in range(1, samples)]
        counts = np.zeros((min(samples, GROUPS), len(graph.moves)), np.uint16)
        for sample in range(samples):
            chosen = _read_all(partial(_chosen, agents[sample % len(agents)], graph), graph)
            counts[sample % len(counts)] += chosen.astype(np.uint16)
        return ReadPolicy(name, counts.sum(axis=0) / samples, samples, counts)
    finally:
        if isinstance(policy, str):
            for agent in agents:
                agent.close()


def _chosen(agent: Agent, graph: StateGraph, number: int) -> Move:
    return chosen_by(agent, AskedState(graph, number))


def chosen_by(agent: Agent, match: ReadOnlyMatch) -> Move:
    """Return the agent's move, or raise RefusedError if it forfeits."""
    try:
        return agent.choose(match)
    except Forfeit as error:
        raise RefusedError(f"The agent forfeits in {shorten(repr(match.state))}: {error}") from error


def entry_of(table: Mapping[Any, Choice], state: Any) -> Choice:
    """Return what the table has for a state, or raise RefusedError."""
    try:
        return table[state]
    except KeyError:
        raise RefusedError(
            f"The table has no entry for {shorten(repr(state))}. Add one, or give a callable that knows what to play."
        ) from None


def _table_choice(table: Mapping[Any, Choice], graph: StateGraph, number: int) -> Choice:
    """Return what a table has for a state of the graph, or else for its canonical form."""
    state, canonical = graph.states[number], canonical_form(graph.game)
    if canonical is None or state in table:
        return entry_of(table, state)
    form = canonical(state)
    return _translated(entry_of(table, form), form, graph, number)


def _translated(choice: Choice, form: Any, graph: StateGraph, number: int) -> dict[Move, float]:
    """Return what a choice in the canonical form of a state means in the state: moves that lead to the same classes."""
    game, legal = graph.game, list(graph.game.legal_moves(form))
    other_seat = game.mover(form) != graph.movers[number]
    goes_to: dict[int, float] = {}
    for move, chance in zip(legal, read_choice(game, form, choice, legal), strict=True):
        if chance:
            mover, kind = class_of(game, game.play(form, move))
            target = class_numbers(game)[1 - mover if other_seat else mover, kind]
            goes_to[target] = goes_to.get(target, 0.0) + chance
    own = slice(graph.starts[number], graph.starts[number + 1])
    moves, targets = graph.moves[own].tolist(), graph.targets[own].tolist()
    return {move: goes_to.get(target, 0.0) / targets.count(target) for move, target in zip(moves, targets, strict=True)}


def class_of(game: AnyGame, state: Any) -> tuple[int, Any]:
    """Return what states that play alike share: the player to move, and the canonical form."""
    return game.mover(state), canonical_or_same(game)(state)


@lru_cache(maxsize=1)  # as the graph
def class_numbers(game: AnyGame) -> dict[tuple[int, Any], int]:
    """Return the number of each class of states in the graph."""
    return {class_of(game, state): number for number, state in enumerate(state_graph(game).states)}


def _read_rows(rows: Any, graph: StateGraph) -> Floats:
    """Return the probability of every move of the graph, from an array with a row for each state of the solution."""
    wanted = (len(solved(graph.game)), graph.game.num_moves)
    if tuple(rows.shape) != wanted:
        raise RefusedError(f"The array must have the shape {wanted}, states by moves, not {tuple(rows.shape)}.")
    if canonical := canonical_form(graph.game):
        places = _places(graph.game)
        return _read_all(
            lambda number: _translated(rows[places[number]], canonical(graph.states[number]), graph, number), graph
        )
    decisions, probabilities = graph.decisions(), np.ones(len(graph.moves))
    given = np.asarray(rows, float)[_places(graph.game)[decisions]]
    moves, begins = graph.moves_of(decisions)
    cells = np.repeat(np.arange(len(decisions)), np.diff(begins, append=len(moves))), graph.moves[moves]
    illegal = np.ones(given.shape, bool)
    illegal[cells] = False
    totals = given.sum(axis=1)
    refused = ~(given >= 0).all(axis=1) | (given * illegal).any(axis=1) | ~(abs(totals - 1) <= TOLERANCE)
    for place in np.flatnonzero(refused).tolist():
        legal = graph.moves[moves][cells[0] == place].tolist()
        read_choice(graph.game, graph.states[decisions[place]], given[place], legal)
    probabilities[moves] = (given / totals[:, np.newaxis])[cells]
    return probabilities


@lru_cache(maxsize=1)  # as the graph
def _places(game: AnyGame) -> Ints:
    """Return the place of each state of the graph in the solution."""
    canonical = canonical_or_same(game)
    places = {state: place for place, (state, _, _) in enumerate(solved(game))}
    return np.array([places[canonical(state)] for state in state_graph(game).states])


def _read_all(choose: Callable[[int], Choice], graph: StateGraph) -> Floats:
    """Return the probability of every move of the graph. Where there is no choice it is 1."""
    moves, starts, decisions = graph.moves.tolist(), graph.starts.tolist(), graph.decisions().tolist()
    probabilities = [1.0] * len(moves)
    with progress_bar("Asking the policy", len(decisions)) as bar:
        for done, number in enumerate(decisions, 1):
            first, end = starts[number], starts[number + 1]
            legal = moves[first:end]
            probabilities[first:end] = read_choice(graph.game, graph.states[number], choose(number), legal)
            bar.update(done)
    return np.array(probabilities)


def read_choice(game: AnyGame, state: Any, choice: Choice, legal: list[Move]) -> list[float]:
    """Return the probability of each legal move of a state, or raise RefusedError."""
    try:
        return _read_choice(choice, legal, game.num_moves)
    except ValueError as error:
        given = shorten(repr(choice))
        raise RefusedError(f"The policy gives {given} in {shorten(repr(state))}: {error}") from error


def _read_choice(choice: Choice, legal: list[Move], num_moves: int) -> list[float]:
    """Return the probability of each legal move, or raise ValueError."""
    if type(choice) is int and choice in legal:
        return [float(move == choice) for move in legal]
    found = _as_mapping(choice, num_moves)
    total = sum(found.values())
    if not (min(found.values(), default=0.0) >= 0 and total < float("inf")):  # also if one of them is NaN
        raise ValueError("a probability must be a number from 0 to 1.")
    illegal = [move for move, chance in found.items() if chance and move not in legal]
    if illegal:
        raise ValueError(f"move {illegal[0]} is not legal. Legal moves: {', '.join(map(str, legal))}.")
    if abs(total - 1) > TOLERANCE:
        raise ValueError(f"the probabilities add up to {total:.6g}, not to 1.")
    return [found.get(move, 0.0) / total for move in legal]


def _as_mapping(choice: Choice, num_moves: int) -> dict[Move, float]:
    """Return the probability of each move that is named."""
    if isinstance(choice, Mapping):
        return {move: float(chance) for move, chance in choice.items()}
    if not getattr(choice, "shape", ()) and not isinstance(choice, Sequence):
        try:
            return {operator.index(choice): 1.0}  # a callable may return anything
        except TypeError:
            raise ValueError("it is neither a move nor probabilities of moves.") from None
    try:
        found = {move: float(chance) for move, chance in enumerate(choice)}  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ValueError("it is neither a move nor probabilities of moves.") from None
    if len(found) != num_moves:
        raise ValueError(
            f"there must be {num_moves} numbers, not {len(found)}: one for every move, also those not legal here."
        )
    return found
