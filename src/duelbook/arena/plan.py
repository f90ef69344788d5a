"""The plan of a tournament: which games are played by whom, numbered, each with a seed of its own."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from typing import NamedTuple

from duelbook.agents import make_agent
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, has_choices, random_choice, with_choices
from duelbook.games import GAMES, make, name_of
from duelbook.options import option_pairs, write_options
from duelbook.text import MAX_AGENT_CHARACTERS, clean_name, shorten

MOST_GAMES = 10_000_000  # of a tournament


class Entry(NamedTuple):
    """A game that is part of a tournament."""

    game: AnyGame
    drawn: bool  # what players choose before the start is drawn for each pair of games

    @property
    def label(self) -> str:
        """Answer the game as it is asked for, with the options that are not the book's: `charge:goal=21`."""
        return ":".join([name_of(self.game), *(f"{name}={value}" for name, value in self.changed().items())])

    def changed(self) -> dict[str, int | str]:
        """Answer the options that differ from those of the book."""
        chosen = self.game.chosen if self.drawn and has_choices(self.game) else None
        default = write_options(type(self.game)())
        options = write_options(self.game)
        return {name: value for name, value in options.items() if value != default[name] and name != chosen}


class Fixture(NamedTuple):
    """One game of a tournament: who plays what, and with which seed."""

    number: int
    entry: int  # which of the games
    pair: int  # counted for each game and two agents
    agents: tuple[int, int]  # which of the agents, Player 1 and Player 2
    first: int  # which of these two moves first
    game: AnyGame
    seed: int


@dataclass(frozen=True)
class Tournament:
    """Every game is played by every two agents in `pairs` pairs: the same opening from both seats."""

    entries: tuple[Entry, ...]
    agents: tuple[str, ...]
    pairs: int
    seed: int
    ply_limit: int | None = None  # None is that of each game

    @cached_property
    def meetings(self) -> tuple[tuple[int, int], ...]:
        return tuple(combinations(range(len(self.agents)), 2))

    @property
    def total(self) -> int:
        return len(self.entries) * self.pairs * len(self.meetings) * 2

    def fixture(self, number: int) -> Fixture:
        """Answer the game of that number, from 0; all agents meet at one opening before the next one is played."""
        rest, first = divmod(number, 2)
        rest, meeting = divmod(rest, len(self.meetings))
        entry, pair = divmod(rest, self.pairs)
        game = opening(self.entries[entry], self.seed, pair)
        return Fixture(number, entry, pair, self.meetings[meeting], first, game, self.seed_of(number))

    def seed_of(self, number: int) -> int:
        return derived(self.seed, "game", number)

    def names(self, fixture: Fixture) -> tuple[str, str]:
        one, two = fixture.agents
        return self.agents[one], self.agents[two]


def opening(entry: Entry, seed: int, pair: int) -> AnyGame:
    """Answer the game with all that chance decides before the first move; the same for every two agents."""
    if not entry.drawn or not has_choices(entry.game):
        return entry.game
    rng = random.Random(derived(seed, "opening", entry.label, pair))
    first = random_choice(entry.game, (), rng)
    return with_choices(entry.game, first, random_choice(entry.game, (first,), rng))


def derived(*parts: int | str) -> int:
    """Answer a seed of 63 bits that is the hash of the parts."""
    digest = sha256(" ".join(map(str, parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def read_entries(texts: Sequence[str]) -> tuple[Entry, ...]:
    """Answer the games that somebody lists: `all`, or names with options, as in `charge:goal=21,flag-chase`."""
    names = [name for text in texts for name in _split_games(text)]
    entries = tuple(map(read_entry, GAMES if names == ["all"] else names))
    _check_different("game", [entry.label for entry in entries])
    return entries


def read_entry(text: str) -> Entry:
    name, *options = text.split(":")
    return make_entry(name, option_pairs(options))


def make_entry(name: str, options: dict[str, str]) -> Entry:
    """Answer the game with these options; what players choose is drawn unless it is one of them."""
    game = make(name, **options)
    return Entry(game, has_choices(game) and game.chosen not in options)


def _split_games(text: str) -> list[str]:
    """Answer the parts between commas; a comma may also be part of an option, as in `words=PLANT,GHOST`."""
    parts: list[str] = []
    for part in text.split(","):
        if parts and "=" in parts[-1] and part.strip().partition(":")[0] not in GAMES:
            parts[-1] += f",{part}"
        else:
            parts.append(part.strip())
    return parts


def split_agents(texts: Sequence[str]) -> list[str]:
    """Answer the agents in lists with commas; a command may hold commas itself, so that it stands alone or last."""
    agents: list[str] = []
    for text in texts:
        before, command, after = text.partition("process:")
        agents += [part.strip() for part in before.split(",") if part.strip() or not command]
        agents += [command + after.strip()] if command else []
    return agents


def check_agents(texts: Sequence[str]) -> tuple[str, ...]:
    """Answer the agents of these names, all different, or refuse the first that is none."""
    agents = [clean_name(agent, MAX_AGENT_CHARACTERS) for agent in texts]
    for agent in agents:
        make_agent(agent).close()
    _check_different("agent", agents)
    return tuple(agents)


def read_agents(texts: Sequence[str]) -> tuple[str, ...]:
    """Answer the agents of these names, at least two and all different."""
    agents = check_agents(texts)
    if len(agents) < 2:
        raise RefusedError("a tournament needs at least two agents; give them as in --agents greedy,perfect")
    return agents


def check_size(tournament: Tournament) -> None:
    if tournament.total > MOST_GAMES:
        raise RefusedError(f"{tournament.total:,} games are too many for a tournament; the most is {MOST_GAMES:,}")


def _check_different(what: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise RefusedError(f"{what} '{shorten(name)}' is given twice")
