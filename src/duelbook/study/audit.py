"""The audit of a game: whether its rule book keeps its promises. Everything in it is computed."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import partial
from itertools import cycle
from typing import Any, NamedTuple

from duelbook.agents import make_agent
from duelbook.errors import check_range
from duelbook.game import AnyGame, IllegalMoveError, Outcome, outcome_name
from duelbook.game_folder import game_value
from duelbook.games import Example, label, make
from duelbook.intervals import wilson
from duelbook.match import Match, ply_limit
from duelbook.options import draw, drawn_options, option_text, options_of, pairs_text
from duelbook.solve import TooLargeError, Value, solved
from duelbook.solve.termination import Termination, find_termination, shortest_draw

RANDOM_GAMES = 500  # played for each share in random games
PERFECT_GAMES = 20  # played for the share in perfect play
DUEL_GAMES = 100  # played for each win rate
DRAWN_STARTS = 5  # of a game whose start is drawn; everything is averaged over them
MAX_DRAWN_STARTS = 1000
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


class AuditedStart(NamedTuple):
    """Perfect play from one start."""

    drawn: str  # the options that were drawn, as in `row=3,1,2`
    winner: str
    remoteness: int | None
    first_moves: int
    winning_first_moves: int


class Audit(NamedTuple):
    """The facts about one game. `duelbook audit --json` prints these fields."""

    game: str
    shape: Termination
    level_ends: tuple[PossibleDraw, ...]
    winner: str  # this and the next three: from the default start
    remoteness: int | None
    first_moves: int
    winning_first_moves: int
    drawn_starts: tuple[AuditedStart, ...]  # over which all the rest is measured; empty if nothing is drawn
    duels: tuple[Duel, ...]
    mattering_at_random: float  # the share of positions in which some legal move gives value away
    mattering_in_perfect_play: float
    examples: tuple[ReplayedExample, ...]
    sought_draws: tuple[str, ...]  # the options with which draws were looked for; `default` stands for the default ones


def audit_game(game: str | AnyGame, drawn_starts: int = DRAWN_STARTS) -> Audit:
    """Return the facts about the game: a name, which stands for the default options, or a game in hand.

    A game that is given by name and whose start is drawn is measured over that many starts, always the same ones.
    A game in hand is measured as it is.
    """
    rules = make(game)
    count = starts_count(game, drawn_starts)
    starts = starts_of(rules, count)
    default = _audited_start(rules)
    shape = _termination(starts)  # first, since it needs the most memory
    draws = dict(_possible_draws(_variants(rules, count), count))
    return Audit(
        game=label(rules),
        shape=shape,
        level_ends=tuple(filter(None, draws.values())),
        **{name: value for name, value in default._asdict().items() if name != "drawn"},
        drawn_starts=tuple(map(_audited_start, starts)) if count else (),
        duels=tuple(duels(starts, AGENT_PAIRS, DUEL_GAMES)),
        mattering_at_random=_share_that_matters(starts, "random", RANDOM_GAMES),
        mattering_in_perfect_play=_share_that_matters(starts, "perfect", PERFECT_GAMES),
        examples=tuple(replay_example(rules, example) for example in examples_of(rules)),
        sought_draws=tuple(draws),
    )


def starts_count(game: str | AnyGame, drawn_starts: int) -> int:
    """Return how many drawn starts are measured: 0 unless the game is given by name and its start is drawn."""
    check_range("drawn_starts", drawn_starts, 1, MAX_DRAWN_STARTS)
    return drawn_starts if isinstance(game, str) and drawn_options(type(make(game))) else 0


def starts_of(game: AnyGame, count: int) -> list[AnyGame]:
    """Return the game from that many drawn starts, or as it is if the number is 0."""
    return [draw(game, random.Random(f"audit {number}")) for number in range(count)] or [game]


def _audited_start(game: AnyGame) -> AuditedStart:
    solution, start = solved(game), game.initial()
    scored = solution.moves(start)
    return AuditedStart(
        drawn=pairs_text(game, drawn_options(type(game))),
        winner={Value.WIN: "first", Value.LOSS: "second", Value.DRAW: "none"}[solution.value(start)],
        remoteness=solution.remoteness(start),
        first_moves=len(scored),
        winning_first_moves=sum(move.value is Value.WIN for move in scored),
    )


def _termination(starts: Sequence[AnyGame]) -> Termination:
    """Return a cycle if there is one from any of the starts, or else the longest game of all."""
    found = [find_termination(game) for game in starts]
    endless = (termination for termination in found if termination.longest is None)
    return next(endless, max(found, key=lambda termination: termination.longest or 0))


def examples_of(game: AnyGame) -> tuple[Example, ...]:
    """Return the examples of the game's rule book, if its folder has them."""
    found: tuple[Example, ...] = game_value(game, "examples", "EXAMPLES") or ()
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


def _variants(game: AnyGame, count: int) -> dict[str, AnyGame]:
    """Return the game with its own options, and with each other choice of each option that is one of a few."""
    variants: dict[str, AnyGame] = {"default": game}
    change_of = type(game) if count else partial(replace, game)  # another option may not fit the default start
    for option in options_of(type(game)):
        if issubclass(option.type, IntEnum):
            for member in option.type:
                if member != option.default:
                    change: dict[str, Any] = {option.name: member}
                    variants[f"{option.name}={option_text(member)}"] = change_of(**change)
    return variants


def _possible_draws(variants: Mapping[str, AnyGame], count: int) -> Iterator[tuple[str, PossibleDraw | None]]:
    """Look for draws in each of the variants, except those that are too large."""
    for name, variant in variants.items():
        starts = starts_of(variant, count)
        try:
            found = [shortest_draw(start) for start in starts]
        except TooLargeError:
            continue
        shortest = min((moves for moves in found if moves is not None), key=len, default=None)
        if shortest is None:
            yield name, None
        else:
            outcomes = [match.outcome for match in play_games(starts, "random", "random", RANDOM_GAMES)]
            yield name, PossibleDraw(name, outcomes.count(Outcome.DRAW) / len(outcomes), shortest)


def duels(starts: Sequence[AnyGame], pairs: Sequence[tuple[str, str]], count: int) -> Iterator[Duel]:
    """Let agents play each other so many times from each seat."""
    for agent, opponent in pairs:
        for seat in (0, 1):
            pair = (agent, opponent) if seat == 0 else (opponent, agent)
            wins = sum(match.outcome == seat for match in play_games(starts, *pair, count))
            yield Duel(agent, opponent, ("first", "second")[seat], wins / count, *wilson(wins, count))


def _share_that_matters(starts: Sequence[AnyGame], agent: str, count: int) -> float:
    """Return the share of positions in which some legal move gives value away, in games of an agent with itself."""
    decisions = mattering = 0
    for match in play_games(starts, agent, agent, count):
        solution = solved(match.game)
        for state in match.states[:-1]:
            scored = solution.moves(state)
            decisions += 1
            mattering += scored[0].value != scored[-1].value
    return mattering / decisions


def play_games(starts: Sequence[AnyGame], first: str, second: str, count: int) -> Iterator[Match]:
    """Play games between two agents, from one start after the other. The games are the same every time."""
    for seed, game in zip(range(count), cycle(starts), strict=False):
        agents = make_agent(first, f"{seed} first"), make_agent(second, f"{seed} second")
        match = Match(game, ply_limit=ply_limit(game))
        while not match.over:
            match.play(agents[match.mover].choose(match))
        yield match
