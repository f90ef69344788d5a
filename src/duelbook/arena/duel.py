"""A quick run of two agents against each other."""

from collections.abc import Callable, Iterator
from typing import Any

from duelbook.agents import ForfeitKind, is_exact
from duelbook.arena.plan import Entry, Tournament
from duelbook.arena.result import Result
from duelbook.arena.tally import Tally
from duelbook.arena.work import play
from duelbook.errors import RefusedError
from duelbook.intervals import wilson
from duelbook.solve import try_solve


def check_exact(entry: Entry, agents: tuple[str, ...]) -> bool:
    """Tell whether one of the agents plays by exact values; refuse a game that has none for it."""
    exact = [agent for agent in agents if is_exact(agent)]
    if exact and not try_solve(entry.game):
        raise RefusedError(f"{exact[0]} plays by exact values, and {entry.label} is too large to be solved")
    return bool(exact)


def duel(
    entry: Entry, agents: tuple[str, str], games: int, seed: int, told: Callable[[int], None], limit: int | None = None
) -> dict[str, Any]:
    """Answer how Player 1 did in so many games, from both seats in turn, with the interval of its score."""
    tournament = Tournament((entry,), agents, -(-games // 2), seed, limit)
    exact = check_exact(entry, agents)

    def played() -> Iterator[Result]:
        for number in range(games):
            if exact:
                try_solve(tournament.fixture(number).game)  # solved before anybody's time runs
            yield play(tournament, number, (False,))
            told(number + 1)

    tally = Tally(tournament, played())
    lengths = tally.lengths[0]
    one, two = tally.score(agent=0), tally.score(agent=1)
    low, high = wilson(one.points, one.matches)
    return {
        "game": entry.label,
        "agents": list(agents),
        "seed": seed,
        **one.results(),
        "score": round(one.points / one.matches, 6),
        "interval": [round(low, 6), round(high, 6)],
        "as_first": tally.score(agent=0, seat=0).results(),
        "as_second": tally.score(agent=0, seat=1).results(),
        "forfeit_reasons": [_reason(tally, number) for number in (0, 1)],
        "forfeits": [{str(kind): score.forfeits[kind] for kind in ForfeitKind} for score in (one, two)],
        "moves": round(sum(length * count for length, count in lengths.items()) / games, 2),
        "seconds_per_move": [round(score.seconds / max(1, score.moves), 6) for score in (one, two)],
    }


def _reason(tally: Tally, number: int) -> str | None:
    """Answer what happened at the first forfeit of an agent."""
    told = (forfeit.detail for fixture, forfeit in tally.forfeits if forfeit.by ^ fixture.first == number)
    return next(told, None)
