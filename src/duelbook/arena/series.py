"""A series: some matches between two agents, without any files."""

from collections.abc import Iterator
from typing import Any

from duelbook.agents import ForfeitKind, is_exact, is_model
from duelbook.agents.process import KEPT
from duelbook.arena.documents import SeriesResult
from duelbook.arena.entries import GameEntry, read_agents, read_entry
from duelbook.arena.match import check_pair
from duelbook.arena.openings import Openings, read_openings
from duelbook.arena.plan import TournamentPlan, checked
from duelbook.arena.results import MatchResult
from duelbook.arena.runner import RunDisplay, SilentDisplay, play_fixture, prepare
from duelbook.arena.tally import RunTally
from duelbook.errors import check_range
from duelbook.game import AnyGame
from duelbook.intervals import clustered

MAX_SERIES = 1_000_000


def play_series(
    game: GameEntry | str | AnyGame,
    agents: tuple[str, str],
    matches: int = 20,
    *,
    seed: int = 0,
    openings: str = Openings.BALANCED,
    ply_limit: int | None = None,
    display: RunDisplay | None = None,
) -> SeriesResult:
    """Let two agents play some matches, in turn from each seat, and return how the first agent did.

    `game` is a name with options, as in `charge:goal=21`, or a game. `openings` says what chance decides before the
    agents take over: `balanced`, `book` or `none`. The result is a JSON document: the score with its 95% interval,
    which is None if there were too few different matches for one, the results by seat, forfeits with the first reason
    of each agent, and the time per move, which is None for an agent that made none; where language models play, also
    what the rules of reading accept of their replies.
    """
    entry = game if isinstance(game, GameEntry) else read_entry(game)
    display = display or SilentDisplay()
    check_range("matches", matches, 1, MAX_SERIES)
    check_pair(agents)
    for agent in agents:
        read_agents([agent])
    how = read_openings(openings)
    plan = checked(TournamentPlan((entry,), agents, -(-matches // 2), seed, ply_limit, how))
    if plan.openings is Openings.BALANCED or any(map(is_exact, agents)):
        with display.busy(f"Preparing {entry.label}"):
            plan = prepare(plan)

    def results() -> Iterator[MatchResult]:
        with KEPT.during_run(), display.progress(entry.label, matches) as report:
            for number in range(matches):
                yield play_fixture(plan, number, judging=False)
                report(number + 1)

    earlier = [len(_readings(agent)) for agent in agents]
    document = _document(entry, agents, seed, RunTally(plan, results()))
    read = [_readings(agent)[before:] for agent, before in zip(agents, earlier, strict=True)]
    if not any(read):
        return SeriesResult(document)
    from duelbook.agents.llm import count_readings

    return SeriesResult(document | {"replies": [*map(count_readings, read)]})


def _readings(agent: str) -> list[dict[str, str]]:
    """Return what the rules of reading have made of each reply in this process, if the agent is a language model."""
    if not is_model(agent):
        return []
    from duelbook.agents.llm import shared_client

    return shared_client().readings[agent.removeprefix("llm:")]


def _document(entry: GameEntry, agents: tuple[str, str], seed: int, tally: RunTally) -> dict[str, Any]:
    lengths = tally.lengths[0]
    scores = [tally.score(agent=number) for number in (0, 1)]
    one, evidence = scores[0], tally.evidence()
    interval = clustered(one.points / one.matches, evidence.points())
    return {
        "game": entry.label,
        "agents": list(agents),
        "seed": seed,
        **one.results(),
        "score": round(one.points / one.matches, 6),
        "interval": interval and [round(end, 6) for end in interval],
        "different_matches": evidence.matches,
        "openings": evidence.openings,
        "as_first": tally.score(agent=0, seat=0).results(),
        "as_second": tally.score(agent=0, seat=1).results(),
        "forfeit_reasons": [_first_reason(tally, number) for number in (0, 1)],
        "forfeits": [{str(kind): score.forfeits[kind] for kind in ForfeitKind} for score in scores],
        "moves": round(sum(length * count for length, count in lengths.items()) / one.matches, 2),
        "seconds_per_move": [round(score.seconds / score.moves, 6) if score.moves else None for score in scores],
    }


def _first_reason(tally: RunTally, number: int) -> str | None:
    """Return the detail of an agent's first forfeit."""
    details = (forfeit.detail for fixture, forfeit in tally.forfeits if forfeit.by ^ fixture.first == number)
    return next(details, None)
