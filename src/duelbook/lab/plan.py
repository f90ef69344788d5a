"""The plan of the lab: the variants of a game, and how each is measured."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple

from msgspec import Struct

from duelbook import __version__
from duelbook.agents import KINDS
from duelbook.arena.entries import GameEntry, make_entry, read_agents
from duelbook.arena.manifest import FORMATS, Format, GameDocument, game_document
from duelbook.arena.plan import MAX_PAIRS, MatchPlan, Plan, derive_seed
from duelbook.documents import convert
from duelbook.errors import RefusedError, check_range
from duelbook.game import AnyGame
from duelbook.games import find_rules
from duelbook.lab.sweep import Sweep, read_sweeps
from duelbook.options import OptionText, option_text, read_options
from duelbook.presets import expand_preset
from duelbook.records.record import MAX_SEED
from duelbook.solve.budget import MAX_MEGABYTES, MEGABYTE, VARIABLE, memory_budget

LAB, LAB_VERSION = "duelbook-lab", 1
LEVELS = tuple(name for name, kind in KINDS.items() if kind.exact)  # from the weakest to `perfect`
MAX_VARIANTS = 100_000
MAX_STARTS = 1000
PAIRS = 20  # of matches between every two levels that meet
STARTS = 10  # of a game whose start is drawn
MEGABYTES = 1000  # that solving one variant may take; the same on every machine, so that results are the same


class Variants(NamedTuple):
    """The variants of a sweep, and how many combinations the rules do not allow."""

    entries: tuple[GameEntry, ...]
    refused: int
    reason: str  # why the last of them is not allowed


@dataclass(frozen=True)
class LabPlan(Plan):
    """One task measures one variant: the game with one combination of the values of all sweeps."""

    kind = "lab"
    task = "variant"
    manifest_name = "lab.json"

    game: str
    options: tuple[tuple[str, OptionText], ...]  # those that all variants share
    sweeps: tuple[Sweep, ...]
    levels: tuple[str, ...] = LEVELS
    pairs: int = PAIRS
    starts: int = STARTS
    megabytes: int = MEGABYTES
    seed: int = 0

    @cached_property
    def variants(self) -> Variants:
        """The variants in the order of the sweeps, the last of which varies fastest."""
        names = [sweep.option for sweep in self.sweeps]
        entries, refused, reason = [], 0, ""
        for values in product(*(sweep.values for sweep in self.sweeps)):
            try:
                entries.append(make_entry(self.game, {**dict(self.options), **dict(zip(names, values, strict=True))}))
            except RefusedError as error:
                refused, reason = refused + 1, str(error)
        return Variants(tuple(entries), refused, reason)

    @property
    def total(self) -> int:
        return len(self.variants.entries)

    def describe(self, number: int) -> str:
        return self.variants.entries[number].label

    def matches(self, number: int) -> "VariantPlan":
        """Return the matches that measure a variant. Their seed depends on the variant, not on its number."""
        entry = self.variants.entries[number]
        return VariantPlan(
            (entry,), self.levels, self.pairs, derive_seed(self.seed, entry.label), exact=(True,), starts=self.starts
        )


@dataclass(frozen=True)
class VariantPlan(MatchPlan):
    """The matches of one variant: every level but the last meets itself, and every level meets the next one."""

    kind = "variant"
    manifest_name = ""  # it is part of the manifest of a lab

    starts: int = STARTS

    @cached_property
    def meetings(self) -> tuple[tuple[int, int], ...]:
        levels = range(len(self.agents) - 1)
        return tuple(meeting for level in levels for meeting in ((level, level), (level, level + 1)))

    def seed_of(self, number: int) -> int:
        return derive_seed(self.seed, "match", number)

    def name_of(self, number: int) -> str:
        return str(number)

    def start(self, entry: int, pair: int) -> AnyGame:
        return super().start(entry, pair % self.starts)

    def all_starts(self) -> list[AnyGame]:
        """Return every start that is played, once."""
        return list(dict.fromkeys(self.start(0, pair) for pair in range(min(self.pairs, self.starts))))


class LabDocument(Struct, kw_only=True, forbid_unknown_fields=True):
    """The manifest of a lab."""

    format: str = LAB
    version: int = LAB_VERSION
    duelbook: str = __version__
    games: list[GameDocument]  # the one game, with the options that all variants share
    sweeps: dict[str, list[int | str]]
    levels: list[str]
    pairs: int
    starts: int
    megabytes: int
    seed: int


def plan_lab(
    game: str,
    sweeps: Sequence[str],
    options: dict[str, Any] | None = None,
    *,
    pairs: int = PAIRS,
    starts: int = STARTS,
    megabytes: int | None = None,
    seed: int = 0,
) -> LabPlan:
    """Return the plan of a lab, or raise RefusedError.

    `sweeps` are texts such as `goal=9..30`; `options` are those that all variants share, and may name a preset. Every
    two levels that meet play `pairs` pairs of matches of each variant. A game whose start is drawn is measured over
    `starts` of them. `megabytes` is what solving a variant may take, by default what the environment
    says, or MEGABYTES; larger ones are not measured.
    """
    rules = find_rules(game)
    given = expand_preset(rules, options or {})
    read = read_sweeps(rules, sweeps, given)
    if megabytes is None:
        megabytes = memory_budget() // MEGABYTE if VARIABLE in os.environ else MEGABYTES
    fixed = tuple((name, option_text(value)) for name, value in read_options(rules, given).items())
    return _checked(LabPlan(game, fixed, read, pairs=pairs, starts=starts, megabytes=megabytes, seed=seed))


def _checked(plan: LabPlan) -> LabPlan:
    check_range("pairs", plan.pairs, 1, MAX_PAIRS)
    check_range("starts", plan.starts, 1, MAX_STARTS)
    check_range("memory", plan.megabytes, 1, MAX_MEGABYTES)
    check_range("seed", plan.seed, 0, MAX_SEED)
    combinations = 1
    for sweep in plan.sweeps:
        combinations *= len(sweep.values)
    if combinations > MAX_VARIANTS:
        raise RefusedError(f"The sweeps have {combinations:,} combinations; the maximum is {MAX_VARIANTS:,}.")
    if not plan.total:
        none = f"allow none of the {combinations:,} combinations" if combinations > 1 else "refuse this combination"
        raise RefusedError(f"The rules {none}. {plan.variants.reason}")
    return plan


def _write(plan: LabPlan) -> LabDocument:
    game = game_document(plan.variants.entries[0])  # for its rules and word list
    game.options = dict(plan.options)
    return LabDocument(
        games=[game],
        sweeps={sweep.option: list(sweep.values) for sweep in plan.sweeps},
        levels=list(plan.levels),
        pairs=plan.pairs,
        starts=plan.starts,
        megabytes=plan.megabytes,
        seed=plan.seed,
    )


def _read(given: Any) -> LabPlan:
    document = convert(given, LabDocument)
    [game] = document.games
    sweeps = tuple(Sweep(option, tuple(values)) for option, values in document.sweeps.items())
    return _checked(
        LabPlan(
            game.game,
            tuple(game.options.items()),
            sweeps,
            read_agents(document.levels),
            document.pairs,
            document.starts,
            document.megabytes,
            document.seed,
        )
    )


FORMATS[LAB] = Format(LAB_VERSION, LabPlan, _write, _read)
