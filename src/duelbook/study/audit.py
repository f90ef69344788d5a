"""An audit: does a rule book keep what it promises? Everything in it is computed."""

import importlib
from collections.abc import Iterator
from dataclasses import replace
from enum import IntEnum
from typing import Any, NamedTuple

from duelbook.agents import make_agent
from duelbook.game import AnyGame, IllegalMoveError, Outcome, outcome_name
from duelbook.games import Example, make
from duelbook.intervals import wilson
from duelbook.match import Match, ply_limit
from duelbook.options import option_text, options_of
from duelbook.solve import Value, solved
from duelbook.solve.termination import Shape, shape, shortest_end

RANDOM_GAMES, PERFECT_GAMES, DUELS = 500, 20, 100  # how many games each share and each win rate is taken from
PAIRS = (("perfect", "random"), ("perfect", "greedy"), ("greedy", "random"))


class LevelEnd(NamedTuple):
    """An option under which a game can end level: how often it does, and the shortest such game."""

    option: str
    share: float
    shortest: tuple[str, ...]


class Duel(NamedTuple):
    """How often one agent beats another from a seat, with the 95 % interval."""

    agent: str
    opponent: str
    seat: str
    rate: float
    low: float
    high: float


class Replayed(NamedTuple):
    """What came of replaying an example: the move that broke it off, if one did, and who won."""

    example: Example
    broken_at: int | None
    winner: str


class Audit(NamedTuple):
    game: str
    shape: Shape
    level_ends: tuple[LevelEnd, ...]
    winner: str
    remoteness: int | None
    first_moves: int
    winning_first_moves: int
    duels: tuple[Duel, ...]
    mattering_at_random: float
    mattering_in_perfect_play: float
    examples: tuple[Replayed, ...]


def audit(name: str) -> Audit:
    """Answer what is true of the game with its default options."""
    game = make(name)
    solution, start = solved(game), game.initial()
    scored = solution.moves(start)
    value = solution.value(start)
    return Audit(
        game=name,
        shape=shape(game),
        level_ends=tuple(_level_ends(game)),
        winner={Value.WIN: "first", Value.LOSS: "second", Value.DRAW: "none"}[value],
        remoteness=solution.remoteness(start),
        first_moves=len(scored),
        winning_first_moves=sum(move.value is Value.WIN for move in scored),
        duels=tuple(_duels(game)),
        mattering_at_random=_mattering(game, "random", RANDOM_GAMES),
        mattering_in_perfect_play=_mattering(game, "perfect", PERFECT_GAMES),
        examples=tuple(replayed(game, example) for example in examples_of(game)),
    )


def examples_of(game: AnyGame) -> tuple[Example, ...]:
    """Answer the examples of the game's book, if its folder has them."""
    module = f"{type(game).__module__.rpartition('.')[0]}.examples"
    try:
        found: tuple[Example, ...] = importlib.import_module(module).EXAMPLES
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return ()
    return found


def replayed(game: AnyGame, example: Example) -> Replayed:
    """Replay an example as far as the rules allow."""
    match = Match(game)
    for number, name in enumerate(example.moves, 1):
        try:
            match.play(name)
        except IllegalMoveError:
            return Replayed(example, number, _winner(match.outcome))
    return Replayed(example, None, _winner(match.outcome))


def _winner(outcome: Outcome) -> str:
    return "" if outcome is Outcome.UNDECIDED else outcome_name(outcome)


def _level_ends(game: AnyGame) -> Iterator[LevelEnd]:
    """Look for level ends under the default options and under each other choice that an option offers."""
    variants: list[tuple[str, AnyGame]] = [("default", game)]
    for option in options_of(type(game)):
        if issubclass(option.type, IntEnum):
            others = [member for member in option.type if member != option.default]
            changes: list[dict[str, Any]] = [{option.name: member} for member in others]
            variants += [
                (f"{option.name}={option_text(change[option.name])}", replace(game, **change)) for change in changes
            ]
    for name, variant in variants:
        shortest = shortest_end(variant, lambda outcome: outcome == Outcome.DRAW)
        if shortest is not None:
            ends = [match.outcome for match in _games(variant, "random", "random", RANDOM_GAMES)]
            yield LevelEnd(name, ends.count(Outcome.DRAW) / len(ends), shortest)


def _duels(game: AnyGame) -> Iterator[Duel]:
    for agent, opponent in PAIRS:
        for seat in (0, 1):
            pair = (agent, opponent) if seat == 0 else (opponent, agent)
            wins = sum(match.outcome == seat for match in _games(game, *pair, DUELS))
            yield Duel(agent, opponent, ("first", "second")[seat], wins / DUELS, *wilson(wins, DUELS))


def _mattering(game: AnyGame, agent: str, count: int) -> float:
    """Answer the share of positions in which some legal move gives value away, in games of an agent with itself."""
    solution, decisions, mattering = solved(game), 0, 0
    for match in _games(game, agent, agent, count):
        for state in match.states[:-1]:
            scored = solution.moves(state)
            decisions += 1
            mattering += scored[0].value != scored[-1].value
    return mattering / decisions


def _games(game: AnyGame, first: str, second: str, count: int) -> Iterator[Match]:
    """Play games between two agents, the same ones every time."""
    for seed in range(count):
        agents = make_agent(first, f"{seed} first"), make_agent(second, f"{seed} second")
        match = Match(game, ply_limit=ply_limit(game))
        while not match.over:
            match.play(agents[match.mover].choose(match))
        yield match
