"""The audit of a game: whether its rule book keeps its promises. Everything in it is computed."""

from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum
from typing import Any, NamedTuple

from duelbook.agents import make_agent
from duelbook.game import AnyGame, IllegalMoveError, Outcome, outcome_name
from duelbook.game_folder import game_module
from duelbook.games import Example, label, make
from duelbook.intervals import wilson
from duelbook.match import Match, ply_limit
from duelbook.options import option_text, options_of
from duelbook.solve import Value, solved
from duelbook.solve.termination import Termination, find_termination, shortest_game

RANDOM_GAMES = 500  # played for each share in random games
PERFECT_GAMES = 20  # played for the share in perfect play
DUEL_GAMES = 100  # played for each win rate
AGENT_PAIRS = (("perfect", "random"), ("perfect", "greedy"), ("greedy", "random"))


class PossibleDraw(NamedTuple):
    """An option under which a game can end in a draw: how often it does, and the shortest such game."""

    option: str
    share: float
    shortest: tuple[str, ...]


class Duel(NamedTuple):
    """How often one agent beats another from one seat, with the 95% interval."""

    agent: str
    opponent: str
    seat: str
    rate: float
    low: float
    high: float


class ReplayedExample(NamedTuple):
    """The result of replaying an example: the first illegal move, if there is one, and the winner."""

    example: Example
    broken_at: int | None  # the number of the illegal move, from 1
    winner: str


class Audit(NamedTuple):
    """The facts about one game. `duelbook audit --json` prints these fields."""

    game: str
    shape: Termination
    level_ends: tuple[PossibleDraw, ...]
    winner: str
    remoteness: int | None
    first_moves: int
    winning_first_moves: int
    duels: tuple[Duel, ...]
    mattering_at_random: float  # the share of positions in which some legal move gives value away
    mattering_in_perfect_play: float
    examples: tuple[ReplayedExample, ...]


def audit_game(game: str | AnyGame) -> Audit:
    """Return the facts about the game: a name, which stands for the default options, or a game in hand."""
    game = make(game)
    solution, start = solved(game), game.initial()
    scored = solution.moves(start)
    value = solution.value(start)
    return Audit(
        game=label(game),
        shape=find_termination(game),
        level_ends=tuple(_possible_draws(game)),
        winner={Value.WIN: "first", Value.LOSS: "second", Value.DRAW: "none"}[value],
        remoteness=solution.remoteness(start),
        first_moves=len(scored),
        winning_first_moves=sum(move.value is Value.WIN for move in scored),
        duels=tuple(_duels(game)),
        mattering_at_random=_share_that_matters(game, "random", RANDOM_GAMES),
        mattering_in_perfect_play=_share_that_matters(game, "perfect", PERFECT_GAMES),
        examples=tuple(replay_example(game, example) for example in examples_of(game)),
    )


def examples_of(game: AnyGame) -> tuple[Example, ...]:
    """Return the examples of the game's rule book, if its folder has them."""
    module = game_module(game, "examples")
    found: tuple[Example, ...] = module.EXAMPLES if module else ()
    return found


def replay_example(game: AnyGame, example: Example) -> ReplayedExample:
    """Replay an example up to its end or its first illegal move."""
    match, broken_at = Match(game), None
    for number, name in enumerate(example.moves, 1):
        try:
            match.play(name)
        except IllegalMoveError:
            broken_at = number
            break
    winner = "" if match.outcome is Outcome.UNDECIDED else outcome_name(match.outcome)
    return ReplayedExample(example, broken_at, winner)


def _possible_draws(game: AnyGame) -> Iterator[PossibleDraw]:
    """Look for draws under the default options, and with each other choice of each option."""
    variants: list[tuple[str, AnyGame]] = [("default", game)]
    for option in options_of(type(game)):
        if issubclass(option.type, IntEnum):
            others = [member for member in option.type if member != option.default]
            changes: list[dict[str, Any]] = [{option.name: member} for member in others]
            variants += [
                (f"{option.name}={option_text(change[option.name])}", replace(game, **change)) for change in changes
            ]
    for name, variant in variants:
        shortest = shortest_game(variant, lambda outcome: outcome == Outcome.DRAW)
        if shortest is not None:
            outcomes = [match.outcome for match in _play(variant, "random", "random", RANDOM_GAMES)]
            yield PossibleDraw(name, outcomes.count(Outcome.DRAW) / len(outcomes), shortest)


def _duels(game: AnyGame) -> Iterator[Duel]:
    for agent, opponent in AGENT_PAIRS:
        for seat in (0, 1):
            pair = (agent, opponent) if seat == 0 else (opponent, agent)
            wins = sum(match.outcome == seat for match in _play(game, *pair, DUEL_GAMES))
            yield Duel(agent, opponent, ("first", "second")[seat], wins / DUEL_GAMES, *wilson(wins, DUEL_GAMES))


def _share_that_matters(game: AnyGame, agent: str, count: int) -> float:
    """Return the share of positions in which some legal move gives value away, in games of an agent with itself."""
    solution, decisions, mattering = solved(game), 0, 0
    for match in _play(game, agent, agent, count):
        for state in match.states[:-1]:
            scored = solution.moves(state)
            decisions += 1
            mattering += scored[0].value != scored[-1].value
    return mattering / decisions


def _play(game: AnyGame, first: str, second: str, count: int) -> Iterator[Match]:
    """Play games between two agents. The games are the same every time."""
    for seed in range(count):
        agents = make_agent(first, f"{seed} first"), make_agent(second, f"{seed} second")
        match = Match(game, ply_limit=ply_limit(game))
        while not match.over:
            match.play(agents[match.mover].choose(match))
        yield match
