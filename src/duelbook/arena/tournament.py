"""A tournament from its plan to its files."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress

from duelbook.arena.duel import check_exact
from duelbook.arena.folder import Results
from duelbook.arena.manifest import write_manifest
from duelbook.arena.plan import Tournament
from duelbook.arena.report import report_page
from duelbook.arena.tally import Tally
from duelbook.arena.work import Job
from duelbook.arena.workers import BACKENDS
from duelbook.arena.workers.pool import DyingWorkerError, Pool, leftovers, play_all
from duelbook.errors import RefusedError
from duelbook.files import write_atomic, write_parts
from duelbook.solve import try_solve

MATCHES, TIMINGS, STANDINGS, REPORT = "matches.jsonl", "timings.jsonl", "standings.json", "report.html"
EXCHANGES = "exchanges.jsonl"  # with language models, if any play


def prepared(tournament: Tournament) -> Job:
    """Answer the tournament as workers get it; refuse one in which an agent could not play."""
    judged = tuple(try_solve(entry.game) for entry in tournament.entries)
    for entry in tournament.entries:
        check_exact(entry, tournament.agents)
    return Job(write_manifest(tournament), judged)


def hire(job: Job, backend: str, workers: int | None = None, address: str | None = None) -> Pool:
    """Answer the workers of a back end."""
    return BACKENDS[backend](job, workers, address)


def play(results: Results, pool: Pool, told: Callable[[int], None]) -> None:
    """Play what is missing and keep it; `told` is called with the number of games that are there now."""
    try:
        for number, line in play_all(results.missing(), pool):
            results.append(number, line)
            told(len(results))
    except BaseException as error:
        with suppress(Exception):  # what was interrupted may answer nonsense
            for number, line in leftovers(pool):
                results.append(number, line)
        if isinstance(error, DyingWorkerError):
            raise RefusedError(f"{error} ({_described(results.tournament, error.number)})") from error
        raise


def publish(results: Results) -> dict[str, object]:
    """Write the files of a tournament that is over, and answer its standings."""
    from duelbook.arena.standings import standings  # loads numpy and more

    folder, tally = results.folder, Tally(results.tournament, results)
    document = standings(tally)
    write_parts(folder / MATCHES, (_line(result.record) for result in results))
    write_parts(folder / TIMINGS, _timings(results))
    write_atomic(folder / STANDINGS, (json.dumps(document, indent=2) + "\n").encode())
    write_atomic(folder / REPORT, report_page(tally, document).encode())
    return document


def _timings(results: Results) -> Iterator[bytes]:
    for result in results:
        yield _line({"match": result.number, "first": result.first, "second": result.second})


def _line(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode() + b"\n"


def _described(tournament: Tournament, number: int) -> str:
    fixture = tournament.fixture(number)
    one, two = tournament.names(fixture)
    return f"{tournament.entries[fixture.entry].label}, {one} against {two}"
