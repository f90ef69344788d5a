"""Policies: what a player does in every state. A table, a callable or an agent becomes a probability of every move."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np

from duelbook.agents import Agent, Forfeit, HasProbabilities, current_name, make_agent
from duelbook.errors import RefusedError, check_range
from duelbook.game import Move, canonical_form
from duelbook.notebook import progress_bar
from duelbook.solve import solved
from duelbook.study.state_graph import Floats, StateGraph
from duelbook.text import shorten

Choice = Move | Mapping[Move, float] | Sequence[float] | Floats  # a move, or the probabilities of moves
Policy = str | Agent | Mapping[Any, Choice] | Callable[[Any], Choice] | Floats

SAMPLES = 20  # moves of an agent in each state, if its probabilities are not known
MAX_SAMPLES = 100_000
TOLERANCE = 1e-4  # within which probabilities must add up to 1; those of 32 bits are not exact


class ReadPolicy(NamedTuple):
    """A policy on a graph."""

    name: str
    probabilities: Floats  # of each move of the graph
    samples: int | None  # how often the agent was asked in each state; None if the probabilities are exact


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
        return ReadPolicy("table", _read_all(_entries(policy, graph), graph), None)
    if hasattr(policy, "shape"):  # also an array has a method `choose`
        return ReadPolicy("array", _read_all(_rows(policy, graph), graph), None)
    if isinstance(policy, str) or _is_agent(policy):
        return _read_agent(policy, graph, seed, samples)
    if callable(policy):
        name = getattr(policy, "__name__", type(policy).__name__)
        return ReadPolicy(name, _read_all(lambda number: policy(graph.states[number]), graph), None)
    raise RefusedError(
        f"A policy is a table, an array, a callable, an agent or the name of one, not {shorten(repr(policy))}."
    )


def _is_agent(policy: object) -> TypeGuard[Agent]:
    return hasattr(policy, "choose")


def _read_agent(policy: str | Agent, graph: StateGraph, seed: int, samples: int) -> ReadPolicy:
    if isinstance(policy, str) and policy.startswith("llm:"):
        times = samples * len(graph.decisions())
        raise RefusedError(
            f"{shorten(policy)} would be asked {times:,} times. Measure it with duelbook.evaluate instead."
        )
    name = current_name(policy) if isinstance(policy, str) else type(policy).__name__
    agents = [make_agent(policy, f"{seed} 0")] if isinstance(policy, str) else [policy]
    try:
        if isinstance(known := agents[0], HasProbabilities):
            return ReadPolicy(name, _read_all(lambda number: known.probabilities(graph.asked(number)), graph), None)
        if isinstance(policy, str):
            agents += [make_agent(policy, f"{seed} {sample}") for sample in range(1, samples)]
        counts = np.zeros(len(graph.moves))
        for sample in range(samples):
            asked = agents[sample % len(agents)]
            counts += _read_all(lambda number, asked=asked: _chosen(asked, graph, number), graph)  # type: ignore[misc]
        return ReadPolicy(name, counts / samples, samples)
    finally:
        if isinstance(policy, str):
            for agent in agents:
                agent.close()


def _chosen(agent: Agent, graph: StateGraph, number: int) -> Move:
    try:
        return agent.choose(graph.asked(number))
    except Forfeit as error:
        raise RefusedError(f"The agent forfeits in {shorten(repr(graph.states[number]))}: {error}") from error


def _entries(table: Mapping[Any, Choice], graph: StateGraph) -> Callable[[int], Choice]:
    """Return a function that finds the entry of a state, or of its canonical form."""
    canonical = canonical_form(graph.game) or (lambda state: state)

    def entry(number: int) -> Choice:
        state = graph.states[number]
        for key in (state, canonical(state)):
            try:
                return table[key]
            except KeyError:
                continue
        raise RefusedError(
            f"The table has no entry for {shorten(repr(state))}. Add one, or give a callable that knows what to play."
        )

    return entry


def _rows(rows: Any, graph: StateGraph) -> Callable[[int], Choice]:
    """Return a function that finds the row of a state."""
    solution, canonical = solved(graph.game), canonical_form(graph.game) or (lambda state: state)
    wanted = (len(solution), graph.game.num_moves)
    if tuple(rows.shape) != wanted:
        raise RefusedError(f"The array must have the shape {wanted}, states by moves, not {tuple(rows.shape)}.")
    places = {state: place for place, (state, _, _) in enumerate(solution)}
    return lambda number: rows[places[canonical(graph.states[number])]]


def _read_all(choose: Callable[[int], Choice], graph: StateGraph) -> Floats:
    """Return the probability of every move of the graph. Where there is no choice it is 1."""
    probabilities, decisions = np.ones(len(graph.moves)), graph.decisions().tolist()
    with progress_bar("Asking the policy", len(decisions)) as bar:
        for done, number in enumerate(decisions, 1):
            choice, legal = choose(number), graph.legal(number)
            try:
                probabilities[graph.starts[number] : graph.starts[number + 1]] = _read_choice(choice, legal)
            except ValueError as error:
                state, given = shorten(repr(graph.states[number])), shorten(repr(choice))
                raise RefusedError(f"The policy gives {given} in {state}: {error}") from error
            bar.update(done)
    return probabilities


def _read_choice(choice: Choice, legal: list[Move]) -> list[float]:
    """Return the probability of each legal move, or raise ValueError."""
    found = _as_mapping(choice)
    if not all(0 <= chance < float("inf") for chance in found.values()):
        raise ValueError("a probability must be a number from 0 to 1.")
    illegal = [move for move, chance in found.items() if chance and move not in legal]
    if illegal:
        raise ValueError(f"move {illegal[0]} is not legal. Legal moves: {', '.join(map(str, legal))}.")
    total = sum(found.values())
    if abs(total - 1) > TOLERANCE:
        raise ValueError(f"the probabilities add up to {total:.6g}, not to 1.")
    return [found.get(move, 0.0) / total for move in legal]


def _as_mapping(choice: Choice) -> dict[Move, float]:
    """Return the probability of each move that is named."""
    if isinstance(choice, Mapping):
        return {move: float(chance) for move, chance in choice.items()}
    if not getattr(choice, "shape", ()) and not isinstance(choice, Sequence):
        try:
            return {operator.index(choice): 1.0}  # a callable may return anything
        except TypeError:
            raise ValueError("it is neither a move nor probabilities of moves.") from None
    try:
        return {move: float(chance) for move, chance in enumerate(choice)}  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ValueError("it is neither a move nor probabilities of moves.") from None
