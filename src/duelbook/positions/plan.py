"""The plan of a position evaluation: which positions an agent is asked, how often, and how a model is asked."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from duelbook import __version__
from duelbook.agents import is_model
from duelbook.agents.llm.prompt import turn_prompt
from duelbook.agents.llm.settings import Reading, read_reading
from duelbook.arena.entries import GameEntry, read_agents
from duelbook.arena.manifest import FORMATS, Format, GameDocument, game_document, program_settings
from duelbook.arena.plan import Plan
from duelbook.documents import convert
from duelbook.errors import RefusedError, check_range
from duelbook.games import make
from duelbook.positions.position import DatasetPosition
from duelbook.records.record import MAX_SEED

FORMAT, VERSION = "duelbook-position-evaluation", 1
MAX_SAMPLES = 1000


@dataclass(frozen=True)
class PositionPlan(Plan):
    """One task asks for the move in one position. All positions are asked once before any is asked again."""

    kind = "position evaluation"
    task = "question"
    manifest_name = "positions.json"

    agent: str
    entries: tuple[GameEntry, ...]
    dataset: str  # hash of the positions
    count: int
    samples: int
    seed: int
    model: dict[str, Any] = field(default_factory=dict)  # the settings of a language model; empty for another agent
    positions: tuple[DatasetPosition, ...] = field(default=(), compare=False)  # the manifest has only their hash

    @property
    def total(self) -> int:
        return self.count * self.samples

    def describe(self, number: int) -> str:
        return f"position {self.position(number).id}"

    def position(self, number: int) -> DatasetPosition:
        return self.positions[number % self.count]

    def sample(self, number: int) -> int:
        """Return how often the position was asked before."""
        return number // self.count

    def name_of(self, number: int) -> str:
        """Return the name of the question in the log of exchanges."""
        return f"{self.position(number).id} {self.sample(number) + 1}"


class PositionDocument(Struct, kw_only=True, forbid_unknown_fields=True):
    """The manifest of a position evaluation."""

    format: str = FORMAT
    version: int = VERSION
    duelbook: str = __version__
    agent: str
    games: list[GameDocument]
    dataset: str
    count: int
    samples: int
    seed: int
    model: dict[str, Any]
    settings: dict[str, Any] | UnsetType = UNSET  # those that decide how a program plays, if it is one


def plan_positions(
    agent: str,
    positions: Sequence[DatasetPosition],
    *,
    samples: int = 1,
    limit: int | None = None,
    seed: int = 0,
    attempts: int = 1,
    show_legal: bool = True,
    body: dict[str, Any] | None = None,
    reading: str = Reading.TOLERANT,
    tools: bool = False,
    system_role: bool = True,
) -> PositionPlan:
    """Return the plan to ask an agent for its move in each position, or raise RefusedError.

    Each position is asked `samples` times. With a `limit`, only this many positions are asked, drawn by the seed from
    all cells alike. What follows `seed` are the settings of a language model, if it is one.
    """
    [name] = read_agents([agent])
    check_range("samples", samples, 1, MAX_SAMPLES)
    check_range("seed", seed, 0, MAX_SEED)
    chosen = tuple(positions if limit is None else drawn(positions, limit, seed))
    if not chosen:
        raise RefusedError("There are no positions to ask.")
    for one in chosen:
        _check(one, is_asked_of_model=is_model(name))
    model: dict[str, Any] = {"attempts": attempts, "show_legal": show_legal, "body": body or {}}
    model |= {"reading": str(read_reading(reading)), "tools": tools, "system_role": system_role}
    return PositionPlan(
        agent=name,
        entries=tuple(GameEntry(game, ()) for game in dict.fromkeys(one.made() for one in chosen)),
        dataset=sha256(b"\n".join(map(msgspec.json.encode, chosen))).hexdigest(),
        count=len(chosen),
        samples=samples,
        seed=seed,
        model=model if is_model(name) else {},
        positions=chosen,
    )


def _check(position: DatasetPosition, *, is_asked_of_model: bool) -> None:
    """Raise RefusedError if this version of Duelbook has other rules, or would ask a model something else."""
    match = position.played()
    if is_asked_of_model and turn_prompt(match, show_legal=True) != position.prompt:
        raise RefusedError(
            f"The prompt of the position {position.id} was written by another version of Duelbook, which asks models "
            "differently. Write the dataset anew with: duelbook positions"
        )


def drawn(positions: Sequence[DatasetPosition], limit: int, seed: int) -> list[DatasetPosition]:
    """Return some of the positions, in their order: one of each cell in turn."""
    cells: dict[object, list[DatasetPosition]] = defaultdict(list)
    rng = random.Random(f"limit {seed}")
    for position in rng.sample(positions, len(positions)):
        cells[position.game, position.seat, position.strata].append(position)
    taken: list[DatasetPosition] = []
    while len(taken) < min(limit, len(positions)):
        taken += [cell.pop() for cell in cells.values() if cell]
    wanted = {position.id for position in taken[:limit]}
    return [position for position in positions if position.id in wanted]


def _write(plan: PositionPlan) -> PositionDocument:
    return PositionDocument(
        agent=plan.agent,
        games=[game_document(entry) for entry in plan.entries],
        dataset=plan.dataset,
        count=plan.count,
        samples=plan.samples,
        seed=plan.seed,
        model=plan.model,
        settings=program_settings([plan.agent]),
    )


def _read(given: Any) -> PositionPlan:
    document = convert(given, PositionDocument)
    [agent] = read_agents([document.agent])
    return PositionPlan(
        agent,
        tuple(GameEntry(make(game.game, **game.options), ()) for game in document.games),
        document.dataset,
        document.count,
        document.samples,
        document.seed,
        document.model,
    )


FORMATS[FORMAT] = Format(VERSION, PositionPlan, _write, _read)
