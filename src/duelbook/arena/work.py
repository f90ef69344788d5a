"""What a worker does: it plays games of a tournament, one after another, and answers their results as lines."""

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from duelbook.agents import StoppedError
from duelbook.arena.judging import judge
from duelbook.arena.manifest import read_manifest
from duelbook.arena.plan import Tournament
from duelbook.arena.playing import play_match
from duelbook.arena.result import Result, write_result
from duelbook.records.document import to_json
from duelbook.solve import try_solve

Line = tuple[int, str]  # the number of a game, and its result as a line

ENOUGH = 0.25  # seconds after which a worker hands over what it has


class Job(NamedTuple):
    """A tournament as workers get it."""

    manifest: str
    judged: tuple[bool, ...]  # for each game, whether its moves are judged by exact values


def work(job: Job, numbers: Sequence[int], enough: float = ENOUGH) -> list[Line]:
    """Answer the games of these numbers as far as they are played when the time is up; at least one."""
    tournament, lines, started = _tournament(job.manifest), [], time.monotonic()
    for number in numbers:
        try:
            lines.append((number, write_result(play(tournament, number, job.judged))))
        except StoppedError:
            if not lines:
                raise
            break  # what is finished counts; whoever goes on is told
        if time.monotonic() - started > enough:
            break
    return lines


def play(tournament: Tournament, number: int, judged: Sequence[bool]) -> Result:
    """Answer the result of the game of that number."""
    fixture = tournament.fixture(number)
    judging = judged[fixture.entry] and try_solve(fixture.game)  # solved before anybody's time runs
    played = play_match(
        fixture.game,
        tournament.names(fixture),
        first=fixture.first,
        seed=fixture.seed,
        limit=tournament.ply_limit,
        name=str(number),
    )
    judgements = judge(played.record) if judging else None
    return Result(
        number, to_json(played.record), played.forfeit, judgements, played.seconds_of(0), played.seconds_of(1)
    )


@lru_cache(maxsize=1)
def _tournament(manifest: str) -> Tournament:
    return read_manifest(manifest.encode())
