"""Policies measured in matches: in a game with classes of states one may play differently in states that play alike."""

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from duelbook.agents import close_agent, is_model, is_own, make_agent
from duelbook.agents.perfect import PerfectAgent
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Outcome, Player, canonical_form
from duelbook.match import Match, ply_limit
from duelbook.notebook import progress_bar
from duelbook.study.policies import (
    TOLERANCE,
    Choice,
    Policy,
    chosen_by,
    class_numbers,
    class_of,
    entry_of,
    is_agent_object,
    read_choice,
)
from duelbook.study.state_graph import Floats, StateGraph, state_graph
from duelbook.text import shorten

Choose = Callable[[Match], Move]
PERFECT = "perfect"
OWN_MODULES = "duelbook.agents."  # the modules of agents that play alike in states that play alike


class MatchFigures(NamedTuple):
    """What a policy did in matches."""

    regret: float
    error: float  # the standard error of the regret
    accuracy: float | None
    results: tuple[float, float]  # as first and as second player
    visits: Floats  # how often each state of the graph, or one that plays alike, was a decision in a match
    given_away: Floats  # there, on average


def can_stand_for_all(policies: Sequence[Policy], graph: StateGraph) -> bool:
    """Return True if one state can stand for all that play alike: the policies play alike there, or give nothing away.

    Whatever perfect players do, their regret is 0 and the result that of the game.
    """
    if all(isinstance(policy, PerfectAgent) or (isinstance(policy, str) and policy == PERFECT) for policy in policies):
        return True
    return all(_plays_alike(policy, graph) for policy in policies)


def _plays_alike(policy: Policy, graph: StateGraph) -> bool:
    """Return False if the policy may play differently in states that play alike.

    A callable is asked in up to three states of each class. Tables and arrays have one entry for a class. Duelbook's
    own agents play alike if equally many moves lead to each class. Agents from outside may do anything.
    """
    if not canonical_form(graph.game) or isinstance(policy, Mapping) or hasattr(policy, "shape"):
        return True
    if isinstance(policy, str):
        return is_model(policy) or (is_own(policy) and _moves_are_alike(graph.game))
    if is_agent_object(policy):
        return type(policy).__module__.startswith(OWN_MODULES) and _moves_are_alike(graph.game)
    return not callable(policy) or _is_alike(policy, graph.game)


@lru_cache(maxsize=1)  # as the graph
def _moves_are_alike(game: AnyGame) -> bool:
    """Return True if equally many moves lead to each class from states that play alike, as in Alpha Chase.

    In Word Clash they need not, so an agent that draws from several moves is not the same in all of them.
    """

    def any_move(state: Any) -> Choice:
        legal = list(game.legal_moves(state))
        return dict.fromkeys(legal, 1 / len(legal))

    return _is_alike(any_move, game)


def _is_alike(policy: Callable[[Any], Choice], game: AnyGame) -> bool:
    for alike in _alike(game):
        one, *others = (_goes_to(policy, state, game) for state in alike)
        if any(abs(one[key] - other[key]) > TOLERANCE for other in others for key in one | other):
            return False
    return True


@lru_cache(maxsize=1)  # as the graph
def _alike(game: AnyGame) -> list[list[Any]]:
    """Return up to three states of each class that has several, if there is a choice in it.

    They are found on the way of the graph, by moves in their order; by moves in the opposite order; and by any moves.
    """
    graph, rng = state_graph(game), random.Random(0)
    backwards = _found(game, lambda moves: moves[::-1])
    anyhow = _found(game, lambda moves: rng.sample(moves, len(moves)))
    found = []
    for number in graph.decisions().tolist():
        state = graph.states[number]
        key = class_of(game, state)
        if len(alike := list(dict.fromkeys((state, backwards[key], anyhow[key])))) > 1:
            found.append(alike)
    return found


def _found(game: AnyGame, ordered: Callable[[list[Move]], list[Move]]) -> dict[Any, Any]:
    """Return the first state of each class, if moves are tried in this order."""
    start = game.initial()
    found, states = {class_of(game, start): start}, [start]
    for state in states:
        for move in ordered(list(game.legal_moves(state))):
            following = game.play(state, move)
            if (key := class_of(game, following)) not in found:
                found[key] = following
                states.append(following)
    return found


def _goes_to(policy: Callable[[Any], Choice], state: Any, game: AnyGame) -> dict[Any, float]:
    """Return the probability of each class of states after the policy's move."""
    legal, found = list(game.legal_moves(state)), defaultdict[Any, float](float)
    for move, chance in zip(legal, read_choice(game, state, policy(state), legal), strict=True):
        if chance:
            found[class_of(game, game.play(state, move))] += chance
    return found


def measure_in_matches(
    policy: Policy, opponent: Policy | None, graph: StateGraph, seed: int, matches: int
) -> MatchFigures:
    """Return what the policy does against the opponent, by default itself, in `matches` matches from each seat."""
    scorer, results, parts = _Scorer(graph), [0, 0], []
    sides = [("own", policy), ("other", policy if opponent is None else opponent)]
    players = _PolicyPlayers(graph.game)
    with progress_bar("Playing matches", matches) as bar:
        for number in range(matches):
            before = scorer.given, scorer.decisions
            for seat in (0, 1):
                with ExitStack() as stack:
                    own, their = (players.player(one, f"{seed} {number} {seat} {who}", stack) for who, one in sides)
                    results[seat] += _play(graph.game, (their, own) if seat else (own, their), seat, scorer)
            parts.append((scorer.given - before[0], scorer.decisions - before[1]))
            bar.update(number + 1)
    regret = scorer.given / scorer.decisions if scorer.decisions else 0.0
    apart = sum((given - regret * decisions) ** 2 for given, decisions in parts)
    error = (apart * matches / max(1, matches - 1)) ** 0.5 / scorer.decisions if scorer.decisions else 0.0
    return MatchFigures(
        regret=regret,
        error=error,
        accuracy=scorer.kept / scorer.mattered if scorer.mattered else None,
        results=(results[0] / matches, results[1] / matches),
        visits=scorer.visits / (2 * matches),
        given_away=np.divide(scorer.costs, scorer.visits, out=np.zeros_like(scorer.costs), where=scorer.visits > 0),
    )


def _play(game: AnyGame, players: tuple[Choose, Choose], seat: Player, scorer: "_Scorer") -> int:
    """Play a match in which the policy has this seat, and return its result: 1, 0 or -1."""
    match = Match(game, ply_limit=ply_limit(game))
    while not match.over:
        mover, state = match.mover, match.state
        match.play(players[mover](match))
        if mover == seat:
            scorer.add(state, match.state)
    if match.outcome not in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
        return 0
    return 1 if match.outcome == seat else -1


class _Scorer:
    """Adds up what decisions give away."""

    def __init__(self, graph: StateGraph) -> None:
        self._graph = graph
        self._numbers = class_numbers(graph.game)
        self._choices = np.diff(graph.starts) > 1
        self._matters = np.zeros(len(graph.states), bool)
        self._matters[graph.sources[graph.losses() > 0]] = True
        self.visits, self.costs = np.zeros(len(graph.states)), np.zeros(len(graph.states))
        self.decisions = self.mattered = self.kept = self.given = 0

    def add(self, state: Any, following: Any) -> None:
        """Count a move, if there was a choice."""
        before, after = self._number(state), self._number(following)
        if not self._choices[before]:
            return
        lost = int(self._graph.values[before] - self._graph.values[after])
        lost = -lost if self._graph.movers[before] else lost
        self.decisions += 1
        self.given += lost
        self.visits[before] += 1
        self.costs[before] += lost
        if self._matters[before]:
            self.mattered += 1
            self.kept += not lost

    def _number(self, state: Any) -> int:
        return self._numbers[class_of(self._graph.game, state)]


class _PolicyPlayers:
    """Makes players of policies. An agent that is given by its name is made anew for each match."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._answers: dict[int, dict[Any, list[float]]] = defaultdict(dict)  # of callables and tables, by state

    def player(self, policy: Policy, seed: str, stack: ExitStack) -> Choose:
        """Return the player of one match, who is closed with the stack."""
        if isinstance(policy, str):
            if is_model(policy):
                raise RefusedError(f"{shorten(policy)} is measured with duelbook.evaluate instead.")
            agent = make_agent(policy, seed)
            stack.callback(close_agent, agent)
            return lambda match: chosen_by(agent, match)
        if hasattr(policy, "shape"):  # also an array has a method `choose`
            raise RefusedError(
                "An array has one row for all states that play alike, which its opponent does not play alike. "
                "Give a callable instead."
            )
        if is_agent_object(policy):
            return lambda match: chosen_by(policy, match)
        ask = partial(entry_of, policy) if isinstance(policy, Mapping) else policy
        assert callable(ask)
        answers, rng = self._answers[id(policy)], random.Random(seed)

        def choose(match: Match) -> Move:
            state, legal = match.state, list(match.game.legal_moves(match.state))
            if len(legal) == 1:
                return legal[0]
            if state not in answers:
                answers[state] = read_choice(match.game, state, ask(state), legal)
            return rng.choices(legal, answers[state])[0]

        return choose
