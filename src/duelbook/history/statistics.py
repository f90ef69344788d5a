"""What the games of the history add up to: results by game and by opponent, and streaks."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from duelbook.history.kept_game import KeptGame, Result
from duelbook.records.record import HUMAN, is_online

DECIDED = (Result.WON, Result.LOST, Result.DRAWN)


class Tally(NamedTuple):
    """How games ended for the person who played them."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        return self.won + self.lost + self.drawn


class Streaks(NamedTuple):
    """Games won in a row: up to now, and the most ever."""

    now: int
    best: int


def tally(games: Iterable[KeptGame]) -> Tally:
    """Return how the games ended. Those without a result for one person do not count."""
    results = [game.result for game in games]
    return Tally(*(results.count(result) for result in DECIDED))


def tallies(games: Iterable[KeptGame], key: Callable[[KeptGame], str]) -> dict[str, Tally]:
    """Return how the games ended, by a key such as the opponent. Keys without a result are left out."""
    groups: dict[str, list[KeptGame]] = {}
    for game in games:
        if game.result in DECIDED:
            groups.setdefault(key(game), []).append(game)
    return {name: tally(group) for name, group in groups.items()}


def tally_online(games: Iterable[KeptGame]) -> Tally:
    """Return how the games against people over the network ended."""
    return tally(game for game in games if is_online(game.opponent))


def tally_computer(games: Iterable[KeptGame]) -> Tally:
    """Return how the games against the computer ended."""
    return tally(game for game in games if not is_online(game.opponent))


def streaks(games: Sequence[KeptGame]) -> Streaks:
    """Return the streaks in games that are given the latest first."""
    now = best = 0
    for game in reversed(games):
        if game.result in DECIDED:
            now = now + 1 if game.result is Result.WON else 0
            best = max(best, now)
    return Streaks(now, best)


def wins_by_name(games: Iterable[KeptGame]) -> dict[str, int]:
    """Return how many finished games between two people each of them has won, by name."""
    wins: dict[str, int] = {}
    for game in games:
        if game.opponent == HUMAN and game.finished:
            for number, person in enumerate(game.people):
                wins[person.name] = wins.get(person.name, 0) + (game.winner == number)
    return wins
