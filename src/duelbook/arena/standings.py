"""The standings of a tournament as a JSON document, without times, so that the same seed gives the same bytes."""

from collections.abc import Sequence
from typing import Any

from duelbook.agents import ForfeitKind
from duelbook.arena.ratings import AgentRating, Meetings, ratings
from duelbook.arena.tally import LostByForfeit, Meeting, RunTally, Score
from duelbook.game import SEAT_NAMES

FORMAT = "duelbook-standings"
VERSION = 1
TABLE_FIELDS = ("standings", "cross", "seats")


def standings(tally: RunTally) -> dict[str, Any]:
    """Return the standings of all games together and of each game, and every forfeit."""
    games = [_game(tally, entry) for entry in range(len(tally.plan.entries))]
    return {
        "format": FORMAT,
        "version": VERSION,
        "matches": tally.plan.total,
        **_different(tally, None),
        "overall": {name: games[0][name] for name in TABLE_FIELDS} if len(games) == 1 else _table(tally, None),
        "games": games,
        "forfeits": [_forfeit(tally, loss) for loss in tally.forfeits],
        "notes": tally.notes(),
    }


def _game(tally: RunTally, entry: int) -> dict[str, Any]:
    lengths = tally.lengths[entry]
    moves = sum(length * count for length, count in lengths.items())
    return {
        "game": tally.plan.entries[entry].label,
        "matches": lengths.total(),
        **_different(tally, entry),
        **_table(tally, entry),
        "unjudged": tally.unjudged[entry],
        "length": {"mean": round(moves / lengths.total(), 3), "shortest": min(lengths), "longest": max(lengths)},
        "lengths": {str(length): lengths[length] for length in sorted(lengths)},
    }


def _different(tally: RunTally, entry: int | None) -> dict[str, int]:
    evidence = tally.evidence(entry=entry)
    return {"different_matches": evidence.matches, "openings": evidence.openings}


def _table(tally: RunTally, entry: int | None) -> dict[str, Any]:
    """Return the agents in order of their ratings, their cross table, and the results by seat."""
    agents = range(len(tally.plan.agents))
    rated = ratings(len(agents), {meeting: _meetings(tally, entry, meeting) for meeting in tally.plan.meetings})
    order = sorted(agents, key=lambda agent: (-rated[agent].rating, agent))
    return {
        "standings": [_row(tally, entry, agent, rated[agent]) for agent in order],
        "cross": [[_cell(tally, entry, agent, other) for other in order] for agent in order],
        "seats": _seats([score for key, score in tally.scores.items() if key.seat == 0 and entry in (None, key.entry)]),
    }


def _meetings(tally: RunTally, entry: int | None, meeting: Meeting) -> Meetings:
    one, two = meeting
    score = tally.score(entry=entry, agent=one, opponent=two)
    return Meetings(score.points, score.matches, tally.evidence(entry=entry, agent=one, opponent=two).points())


def _row(tally: RunTally, entry: int | None, agent: int, rating: AgentRating) -> dict[str, Any]:
    score = tally.score(entry=entry, agent=agent)
    return {
        "agent": tally.plan.agents[agent],
        **rating._asdict(),
        **_results(score),
        "as_first": _results(tally.score(entry=entry, agent=agent, seat=0)),
        "as_second": _results(tally.score(entry=entry, agent=agent, seat=1)),
        "accuracy": _share(score.kept, score.mattered),
        "regret": _share(score.regret, score.mattered),
        "decisions": score.decisions,
        "mattered": score.mattered,
    }


def _results(score: Score) -> dict[str, Any]:
    return {
        **score.results(),
        "forfeits": {str(kind): score.forfeits[kind] for kind in ForfeitKind},
    }


def _cell(tally: RunTally, entry: int | None, agent: int, other: int) -> dict[str, Any] | None:
    if agent == other:
        return None
    score = tally.score(entry=entry, agent=agent, opponent=other)
    return {"points": score.points, "matches": score.matches}


def _seats(firsts: Sequence[Score]) -> dict[str, int]:
    """Return how matches ended by seat, from the scores of the first players."""
    return {
        "first": sum(score.wins for score in firsts),
        "second": sum(score.losses for score in firsts),
        "draws": sum(score.draws for score in firsts),
        "ply_limit": sum(score.limits for score in firsts),
    }


def _forfeit(tally: RunTally, loss: LostByForfeit) -> dict[str, Any]:
    fixture, forfeit = loss
    return {
        "match": fixture.number,
        "game": tally.plan.entries[fixture.entry].label,
        "agent": tally.plan.players(fixture)[forfeit.by ^ fixture.first],
        "seat": SEAT_NAMES[forfeit.by],
        "kind": str(forfeit.kind),
        "detail": forfeit.detail,
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
