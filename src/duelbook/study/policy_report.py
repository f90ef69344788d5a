"""The regret of a policy: what it gives away, and what it is worth against an opponent who knows it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame, Player
from duelbook.games import label, make
from duelbook.match import ply_limit
from duelbook.study.policies import MAX_SAMPLES, SAMPLES, Policy, ReadPolicy, policy_name, read_policy
from duelbook.study.policy_matches import can_stand_for_all, measure_in_matches
from duelbook.study.state_graph import Floats, StateGraph, added_up, state_graph
from duelbook.tables import Row, cell_text, data_frame, html_table, paragraph
from duelbook.text import shorten

ITSELF = "itself"
MATCHES_PER_SAMPLE = 10  # from each seat
DIGITS = 12  # to which figures are rounded: sums of 64-bit numbers are not more exact


class Weights(StrEnum):
    """How much each decision counts."""

    VISITS = "visits"  # as often as the policy meets it in a game against the opponent
    UNIFORM = "uniform"  # all alike


@dataclass(frozen=True)
class PolicyReport:
    """A policy measured by exact values. A win counts 1, a draw 0 and a loss -1."""

    game: AnyGame
    policy: str
    opponent: str  # `itself`, or the other policy; it decides about visits and results
    weights: Weights
    regret: float  # the mean of what a decision gives away: the value of the state minus that after the move
    accuracy: float | None  # the probability that a decision keeps the value, where some legal move would not
    results: tuple[float, float]  # the expected result against the opponent, as first and as second player
    best_response: tuple[float, float] | None  # the same against an opponent who knows the policy and answers it best
    exploitability: float | None  # what both seats lose on average to that opponent, compared with perfect play
    samples: int | None  # moves that the agent was asked for in each state; None if its probabilities are exact
    matches: int | None  # from each seat, if it was measured in matches; there is no best response then
    regret_error: float | None  # the standard error of the regret; None if nothing was sampled, or only once
    graph: StateGraph = field(repr=False)
    visits: Floats = field(repr=False)  # the weight of each state of the graph
    given_away: Floats = field(repr=False)  # in each state of the graph, on average

    def __str__(self) -> str:
        """Return the figures as aligned lines."""
        shown = [(str(row["figure"]), cell_text(row[self.policy])) for row in self.rows()]
        wide = max(len(name) for name, _ in shown)
        lines = (f"  {name.ljust(wide)}  {value}" for name, value in shown)
        return "\n".join([f"{self.policy} in {label(self.game)}", *lines])

    def __float__(self) -> float:
        return self.regret

    def rows(self) -> list[Row]:
        """Return the figures by name."""
        sampled = {} if self.regret_error is None else {"standard error of the regret": self.regret_error}
        figures = {
            "regret": self.regret,
            **sampled,
            "accuracy": self.accuracy,
            f"result as first player against {self.opponent}": self.results[0],
            f"result as second player against {self.opponent}": self.results[1],
        }
        if self.best_response:
            figures |= {
                "result as first player against the best response": self.best_response[0],
                "result as second player against the best response": self.best_response[1],
                "exploitability": self.exploitability,
            }
        return [{"figure": name, self.policy: value} for name, value in figures.items()]

    def table(self) -> Any:
        """Return one row for each decision that gives value away, the costliest first.

        A row has the state, its weight, and what the policy gives away there on average.
        """
        return data_frame(self._costs())

    def _costs(self) -> Iterator[Row]:
        cost = self.visits * self.given_away
        for number in np.argsort(-cost, kind="stable"):
            if self.given_away[number] <= 0:
                continue
            yield {
                "state": self.graph.states[number],
                "weight": float(self.visits[number]),
                "regret": float(self.given_away[number]),
            }

    def _repr_html_(self) -> str:
        if self.matches is not None:
            asked = (
                "A player here may play differently in states that play alike, so these are the figures of "
                f"{self.matches} matches from each seat."
            )
        elif self.samples is not None:
            asked = (
                f"It was asked for {self.samples} moves in each state; the figures are those of their frequencies. "
                "More samples make them more exact."
            )
        else:
            asked = "Its probabilities are exact."
        counted = {
            Weights.VISITS: f"Decisions count as often as they come up in a game against {self.opponent}.",
            Weights.UNIFORM: "All decisions count alike.",
        }[self.weights]
        return html_table(self.rows(), label(self.game)) + paragraph(f"{counted} {asked}")


def regret(
    policy: Policy,
    game: str | AnyGame,
    *,
    weights: str = Weights.VISITS,
    opponent: Policy | None = None,
    seed: int = 0,
    samples: int = SAMPLES,
) -> PolicyReport:
    """Measure a policy by the exact values of a game that can be solved (extra `arena`).

    A policy is a table or a callable that gives a move or the probabilities of moves for each state, an array of
    probabilities with a row for each state of the solution, an agent, or the name of one. Everything is exact, not
    sampled, unless an agent does not know its probabilities: then it is asked for `samples` moves in each state, by
    `seed`, and the figures are those of the frequencies. `regret_error` of the report is the standard error of the
    regret, from how much groups of samples differ (the jackknife). An agent that is given by its name has a new seed
    for each sample; an object is asked again and again, and if it always plays the same, the error does not show how
    much its seed matters. The best response knows the sampled moves, so that on average it makes the agent look worse
    than it is.

    `weights` is `visits`, by which a decision counts as often as it comes up in a game from the start against the
    `opponent` (by default the policy itself; from both seats alike), or `uniform`: all decisions that play can reach
    count alike. Decisions are states with more than one legal move. After as many plies as a match may have
    (`duelbook.match.ply_limit`) a game is a draw.

    Of states that play alike one stands for all, if the policies play alike there, too. A callable is asked in up to
    three of them to see that. If one does not, or if an agent from outside plays such a game, the figures are those of
    `10 * samples` matches from each seat; `matches` says so, there is no best response, and `weights` must be `visits`.
    """
    if weights not in list(Weights):
        raise RefusedError(f"weights must be one of {', '.join(Weights)}, not {shorten(repr(weights))}.")
    game = make(game)
    graph = state_graph(game)
    check_range("samples", samples, 1, MAX_SAMPLES)
    if not can_stand_for_all([policy] if opponent is None else [policy, opponent], graph):
        return _in_matches(policy, opponent, graph, Weights(weights), seed, MATCHES_PER_SAMPLE * samples)
    own = read_policy(policy, graph, seed=seed, samples=samples)
    other = own if opponent is None else read_policy(opponent, graph, seed=seed + 1, samples=samples)
    played = _play_both(graph, own, other)
    worst = tuple(best_response(graph, own.probabilities, seat) for seat in (0, 1))
    weight = _weight(graph, played, Weights(weights))
    losses = graph.losses()
    given_away = added_up(graph.sources, own.probabilities * losses, len(graph.states))
    kept = added_up(graph.sources, own.probabilities * (losses == 0), len(graph.states))
    mattered = weight * (added_up(graph.sources, losses.astype(float), len(graph.states)) > 0)
    return PolicyReport(
        game=game,
        policy=own.name,
        opponent=ITSELF if opponent is None else other.name,
        weights=Weights(weights),
        regret=_mean(given_away, weight) or 0.0,
        accuracy=_mean(kept, mattered),
        results=(_rounded(played[0][1]), _rounded(-played[1][1])),
        best_response=(_rounded(worst[0]), _rounded(worst[1])),
        exploitability=_rounded(-sum(worst) / 2),
        samples=own.samples,
        matches=None,
        regret_error=_regret_error(graph, own, other, Weights(weights)),
        graph=graph,
        visits=weight,
        given_away=given_away,
    )


def _in_matches(
    policy: Policy, opponent: Policy | None, graph: StateGraph, weights: Weights, seed: int, matches: int
) -> PolicyReport:
    """Return the report of a policy that does not play alike in states that play alike, or whose opponent does not."""
    if weights is not Weights.VISITS:
        raise RefusedError(
            f"A player here may play differently in states that play alike, so {policy_name(policy)} is measured in "
            f"matches, where decisions count by {Weights.VISITS}, not {weights}."
        )
    found = measure_in_matches(policy, opponent, graph, seed, matches)
    return PolicyReport(
        game=graph.game,
        policy=policy_name(policy),
        opponent=ITSELF if opponent is None else policy_name(opponent),
        weights=weights,
        regret=_rounded(found.regret),
        accuracy=None if found.accuracy is None else _rounded(found.accuracy),
        results=found.results,
        best_response=None,
        exploitability=None,
        samples=None,
        matches=matches,
        regret_error=_rounded(found.error),
        graph=graph,
        visits=found.visits,
        given_away=found.given_away,
    )


def _play_both(graph: StateGraph, own: ReadPolicy, other: ReadPolicy) -> list[tuple[Floats, float]]:
    """Return what `play` does for each seat of the first policy."""
    first = play(graph, own, other, 0)
    return [first, first if other is own else play(graph, own, other, 1)]


def _weight(graph: StateGraph, played: list[tuple[Floats, float]], weights: Weights) -> Floats:
    """Return how much each state counts: nothing if there is no choice."""
    choices: Floats = (np.diff(graph.starts) > 1).astype(float)
    if weights is Weights.UNIFORM:
        return choices
    for_both: Floats = sum(visits * (graph.movers == seat) for seat, (visits, _) in enumerate(played)) / 2
    return choices * for_both


def _regret_error(graph: StateGraph, own: ReadPolicy, other: ReadPolicy, weights: Weights) -> float | None:
    """Return the standard error of the regret by the jackknife, or None if there are not two groups of samples.

    The regret is computed anew without each group, also without the same group of the opponent's samples.
    """
    groups = max(own.groups, other.groups)
    if groups < 2:
        return None
    losses, found = graph.losses(), []
    for group in range(groups):
        one = own.without(group)
        two = one if other is own else other.without(group)
        given_away = added_up(graph.sources, one.probabilities * losses, len(graph.states))
        played = [] if weights is Weights.UNIFORM else _play_both(graph, one, two)
        found.append(_mean(given_away, _weight(graph, played, weights)) or 0.0)
    return _rounded(float(np.sqrt((groups - 1) * np.var(found))))


def _mean(values: Floats, weights: Floats) -> float | None:
    total = float(weights.sum())
    return _rounded(float(values @ weights) / total) if total else None


def _rounded(figure: float) -> float:
    return round(figure, DIGITS) + 0.0  # not -0.0


def play(graph: StateGraph, own: ReadPolicy, other: ReadPolicy, seat: Player) -> tuple[Floats, float]:
    """Return how often each state comes up in a game on average, and the expected result for the first player.

    The first policy has this seat, the other one the other seat.
    """
    mine = graph.movers[graph.sources] == seat
    probabilities = np.where(mine, own.probabilities, other.probabilities)
    here = np.zeros(len(graph.states))
    here[0] = 1.0
    visits = np.zeros(len(graph.states))
    for _ in range(ply_limit(graph.game)):
        visits += here
        moves, _ = graph.moves_of(np.flatnonzero(here))
        here = added_up(graph.targets[moves], probabilities[moves] * here[graph.sources[moves]], len(here))
        if not len(moves):
            break
    visits += here * graph.over  # after the last ply nobody decides any more
    return visits, float(visits @ (graph.values * graph.over))


def best_response(graph: StateGraph, probabilities: Floats, seat: Player) -> float:
    """Return the expected result for this seat, which plays by the probabilities, if the opponent answers best.

    The result after n more plies at most, 0 if that is too few, follows from that after n - 1. It is final once it does
    not change, which is soon in a game that cannot go round in circles.
    """
    results = (graph.values * graph.over).astype(float) * (1 if seat == 0 else -1)
    changed = np.flatnonzero(results)
    for _ in range(ply_limit(graph.game)):
        todo = graph.before(changed)
        moves, begins = graph.moves_of(todo)
        if not len(moves):
            break
        after = results[graph.targets[moves]]
        mean = np.add.reduceat(probabilities[moves] * after, begins)
        found = np.where(graph.movers[todo] == seat, mean, np.minimum.reduceat(after, begins))
        changed = todo[found != results[todo]]
        results[todo] = found
    return float(results[0])
