"""A plan: numbered tasks for workers. In a tournament and an evaluation they are matches, each with its own seed."""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from typing import Any, ClassVar, NamedTuple, TypeVar

from duelbook.agents import is_model
from duelbook.agents.llm.settings import Reading, read_reading
from duelbook.arena.entries import GameEntry, read_agents, read_entries
from duelbook.arena.openings import FEW_WALKS, NO_MOVES, WALKS, Opening, Openings, draw_openings, read_openings
from duelbook.errors import RefusedError, check_range
from duelbook.game import SEAT_NAMES, AnyGame
from duelbook.options import draw
from duelbook.records.record import MAX_SEED

MAX_MATCHES = 10_000_000
MAX_PAIRS = 1_000_000
MAX_PLY_LIMIT = 1_000_000


class Fixture(NamedTuple):
    """One match of a plan."""

    number: int
    name: str  # the match in logs and files
    entry: int  # index of the game
    pair: int
    agents: tuple[int, int]  # indices of the agents of Player 1 and Player 2
    first: int  # which of these two moves first
    game: AnyGame
    seed: int


class Plan(ABC):
    """Tasks for workers, numbered from 0. A results folder holds a plan and the results of its tasks."""

    kind: ClassVar[str]
    task: ClassVar[str]  # what one task is
    manifest_name: ClassVar[str]

    @property
    @abstractmethod
    def total(self) -> int:
        """The number of tasks."""

    @abstractmethod
    def describe(self, number: int) -> str:
        """Return what the task with this number is about."""


@dataclass(frozen=True)
class MatchPlan(Plan):
    """Every two agents that meet play each game in `pairs` pairs of matches: the same opening, once from each seat."""

    task = "match"
    first_pair: ClassVar[int] = 0  # the number of the first pair

    entries: tuple[GameEntry, ...]
    agents: tuple[str, ...]
    pairs: int
    seed: int
    ply_limit: int | None = None  # None for the limit of each game
    openings: Openings = Openings.BOOK
    exact: tuple[bool, ...] = field(default=(), compare=False)  # for each game, whether its exact values are used

    @property
    @abstractmethod
    def meetings(self) -> tuple[tuple[int, int], ...]:
        """The pairs of agents, by index, that play each other."""

    @cached_property
    def games(self) -> list[str]:
        """The labels of the games."""
        return [entry.label for entry in self.entries]

    @property
    def total(self) -> int:
        """The number of matches."""
        return len(self.entries) * self.pairs * len(self.meetings) * 2

    def fixture(self, number: int) -> Fixture:
        """Return the match with this number, from 0. All agents meet in one opening before the next one is played."""
        entry, pair, agents, first = self._place(number)
        game = self.start(entry, pair)
        return Fixture(number, self.name_of(number), entry, pair, agents, first, game, self.seed_of(number))

    def start(self, entry: int, pair: int) -> AnyGame:
        """Return the game with everything that the rule book lets chance decide. It is the same for all agents."""
        game, drawn = self.entries[entry]
        if not drawn:
            return game
        pair = self.first_pair if self.openings is Openings.NONE else pair
        return draw(game, random.Random(derive_seed(self.seed, "opening", self.games[entry], pair)), drawn)

    def opening(self, entry: int, pair: int) -> Opening:
        """Return the moves that chance makes before the agents take over. They are the same for all agents.

        They may depend on exact values, so the plan must be a prepared one.
        """
        if self.openings is not Openings.BALANCED:
            return NO_MOVES
        walks = FEW_WALKS if self.entries[entry].drawn else WALKS
        seed = derive_seed(self.seed, "moves", self.games[entry])
        return draw_openings(self.start(entry, pair), seed, walks, exact=self.exact[entry]).of(pair - self.first_pair)

    def _place(self, number: int) -> tuple[int, int, tuple[int, int], int]:
        rest, first = divmod(number, 2)
        rest, meeting = divmod(rest, len(self.meetings))
        entry, pair = divmod(rest, self.pairs)
        return entry, pair + self.first_pair, self.meetings[meeting], first

    @abstractmethod
    def seed_of(self, number: int) -> int:
        """Return the seed of the match with this number."""

    @abstractmethod
    def name_of(self, number: int) -> str:
        """Return the name of the match with this number in logs and files."""

    def players(self, fixture: Fixture) -> tuple[str, str]:
        """Return the names of the agents of Player 1 and Player 2."""
        one, two = fixture.agents
        return self.agents[one], self.agents[two]

    def describe(self, number: int) -> str:
        entry, _, (one, two), _ = self._place(number)
        return f"{self.games[entry]}, {self.agents[one]} against {self.agents[two]}"


class TournamentPlan(MatchPlan):
    """Every agent meets every other one."""

    kind = "tournament"
    manifest_name = "manifest.json"

    @cached_property
    def meetings(self) -> tuple[tuple[int, int], ...]:
        return tuple(combinations(range(len(self.agents)), 2))

    def seed_of(self, number: int) -> int:
        return derive_seed(self.seed, "game", number)

    def name_of(self, number: int) -> str:
        return str(number)


@dataclass(frozen=True)
class EvaluationPlan(MatchPlan):
    """The first agent, which is measured, meets every other one.

    A seed follows from the game, the opponent and the pair, so that a further opponent leaves all other matches as they
    are. Both matches of a pair have the same seed.
    """

    kind = "evaluation"
    manifest_name = "evaluation.json"
    first_pair = 1

    attempts: int = 0  # answers that a language model may give for one move
    show_legal: bool = True  # whether a language model is shown the legal moves
    body: dict[str, Any] = field(default_factory=dict)  # further fields of every request to a language model
    reading: Reading | None = None  # how the replies of language models are read; None if none plays
    tools: bool = False  # whether language models may call a function to move
    system_role: bool = True  # whether the rules are a system message to a language model
    timeout: float | None = None  # seconds for one reply of a language model; known when the run begins

    @cached_property
    def meetings(self) -> tuple[tuple[int, int], ...]:
        return tuple((0, opponent) for opponent in range(1, len(self.agents)))

    @property
    def opponents(self) -> tuple[str, ...]:
        return self.agents[1:]

    def seed_of(self, number: int) -> int:
        entry, pair, (_, opponent), _ = self._place(number)
        return derive_seed(self.seed, self.games[entry], self.agents[opponent], pair)

    def name_of(self, number: int) -> str:
        entry, pair, (_, opponent), first = self._place(number)
        return f"{self.games[entry]} {self.agents[opponent]} {pair} {SEAT_NAMES[first]}"


P = TypeVar("P", bound=MatchPlan)


def plan_tournament(
    games: Sequence[str | AnyGame] | str,
    agents: Sequence[str] | str,
    *,
    pairs: int = 10,
    seed: int = 0,
    ply_limit: int | None = None,
    openings: str = Openings.BALANCED,
) -> TournamentPlan:
    """Return the plan of a tournament, or raise RefusedError.

    `games` are names with options, as in `charge:goal=21`, or games, or just `all`. `agents` are the names of at least
    two different agents. Both may also be one text, with commas between the names. Every two agents play each game in
    `pairs` pairs of matches. `openings` says what chance decides before they take over: `balanced`, `book` or `none`.
    The same `seed` gives the same matches.
    """
    how = read_openings(openings)
    return checked(TournamentPlan(read_entries(games), read_agents(agents), pairs, seed, ply_limit, how))


def plan_evaluation(
    agent: str,
    games: Sequence[str | AnyGame] | str = "all",
    opponents: Sequence[str] | str = ("perfect", "greedy", "random"),
    *,
    pairs: int = 15,
    seed: int = 0,
    openings: str = Openings.BALANCED,
    attempts: int = 0,
    show_legal: bool = True,
    body: dict[str, Any] | None = None,
    reading: str = Reading.TOLERANT,
    tools: bool = False,
    system_role: bool = True,
) -> EvaluationPlan:
    """Return the plan of an evaluation of one agent, or raise RefusedError.

    The agent plays each game against every opponent in `pairs` pairs of matches. `games` and `opponents` are names, or
    one text with commas between them; games may also be games in hand. `openings` says what chance decides
    before they take over: `balanced`, `book` or `none`. `reading` is the rule by which replies of language models are
    read, `tolerant` or `strict`. It and what follows `openings` record the settings of language models, if any play.
    """
    agents, how = (*read_agents([agent]), *read_agents(opponents)), read_openings(openings)
    models: dict[str, Any] = {"attempts": attempts, "show_legal": show_legal, "body": body or {}}
    if any(map(is_model, agents)):
        models |= {"reading": read_reading(reading), "tools": tools, "system_role": system_role}
    return checked(EvaluationPlan(read_entries(games), agents, pairs, seed, openings=how, **models))


def checked(plan: P) -> P:
    """Return the plan, or raise RefusedError if one of its numbers is out of range."""
    if isinstance(plan, TournamentPlan) and len(plan.agents) < 2:
        raise RefusedError("A tournament needs at least two agents, for example greedy,perfect.")
    check_range("pairs", plan.pairs, 1, MAX_PAIRS)
    check_range("seed", plan.seed, 0, MAX_SEED)
    if plan.ply_limit is not None:
        check_range("ply_limit", plan.ply_limit, 1, MAX_PLY_LIMIT)
    if len(plan.exact) not in (0, len(plan.entries)):
        raise RefusedError(f"exact must have one value for each of the {len(plan.entries)} games.")
    if plan.total > MAX_MATCHES:
        raise RefusedError(f"The plan has {plan.total:,} matches; the maximum is {MAX_MATCHES:,}.")
    return plan


def derive_seed(*parts: int | str) -> int:
    """Return a seed of 63 bits: a hash of the parts."""
    digest = sha256(" ".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
