"""Several runs side by side: what each of their agents did, in all games, in each game, and against each opponent."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from duelbook.agents import ForfeitKind
from duelbook.arena.plan import EvaluationPlan, MatchPlan
from duelbook.arena.results import open_results
from duelbook.arena.tally import Tally
from duelbook.errors import RefusedError
from duelbook.intervals import Share, difference, share
from duelbook.text import plural

FORMAT, VERSION = "duelbook-comparison", 1
SAME = ("games", "opponents", "pairs", "seed", "openings", "ply_limit")  # what runs have to share to be comparable


class Run(NamedTuple):
    """A tournament or an evaluation that is compared."""

    name: str
    tally: Tally
    finished: int  # matches

    @property
    def plan(self) -> MatchPlan:
        return self.tally.plan

    @property
    def measured(self) -> range:
        """The agents that the run measures: all of a tournament, the first of an evaluation."""
        return range(1 if isinstance(self.plan, EvaluationPlan) else len(self.plan.agents))

    @property
    def opponents(self) -> Sequence[str]:
        return self.plan.opponents if isinstance(self.plan, EvaluationPlan) else self.plan.agents


def compare_runs(folders: Sequence[Path | str]) -> dict[str, Any]:
    """Return a comparison of several tournaments and evaluations as a JSON document, or raise RefusedError.

    Every table has a row for each run and agent. The difference is that of its score to the score in the first row; it
    is None unless both met the same opponents in the same games, with openings of the same kind.
    """
    paths = [Path(folder) for folder in folders]
    if len(paths) < 2 or len({path.resolve() for path in paths}) < len(paths):
        raise RefusedError("Give at least two different folders of tournaments or evaluations to compare.")
    runs = [_open(path, name) for path, name in zip(paths, _names(paths), strict=True)]
    games = list(dict.fromkeys(game for run in runs for game in run.plan.games))
    opponents = list(dict.fromkeys(agent for run in runs for agent in run.opponents))
    return {
        "format": FORMAT,
        "version": VERSION,
        "runs": [_about(run) for run in runs],
        "notes": [*_differences(runs), *_unfinished(runs)],
        "overall": _table(runs),
        "games": [{"game": game, "rows": _table(runs, game=game)} for game in games],
        "opponents": [{"opponent": agent, "rows": _table(runs, opponent=agent)} for agent in opponents],
    }


def _open(path: Path, name: str) -> Run:
    with open_results(path) as results:
        return Run(name, Tally(results.plan, results, both_sides=True), len(results))


def _names(paths: Sequence[Path]) -> list[str]:
    """Return the names of the folders, with as much of their paths as tells them apart."""
    parts = [path.resolve().parts for path in paths]
    for count in range(1, max(map(len, parts)) + 1):
        names = ["/".join(part[-count:]) for part in parts]
        if len({*names}) == len(names):
            break
    return names


def _about(run: Run) -> dict[str, Any]:
    plan, evidence = run.plan, run.tally.evidence()
    return {
        "run": run.name,
        "kind": plan.kind,
        "agents": [plan.agents[number] for number in run.measured],
        **{name: _setting(run, name) for name in SAME},
        "matches": run.finished,
        "planned": plan.total,
        "different_openings": evidence.openings,
    }


def _setting(run: Run, name: str) -> Any:
    value = list(run.opponents) if name == "opponents" else getattr(run.plan, name)
    return str(value) if name == "openings" else value


def _differences(runs: Sequence[Run]) -> Iterator[str]:
    """Yield a sentence about each setting that is not the same in all runs, since it limits what can be compared."""
    for name in SAME:
        values = [_setting(run, name) for run in runs]
        if any(value != values[0] for value in values[1:]):
            listed = "; ".join(f"{run.name}: {_shown(value)}" for run, value in zip(runs, values, strict=True))
            yield f"The runs differ in their {name.replace('_', ' ')}: {listed}."


def _shown(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else "the default" if value is None else f"{value}"


def _unfinished(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        if run.finished < run.plan.total:
            yield f"{run.name} is not finished: {run.finished:,} of {plural(run.plan.total, 'match', 'es')}."


def _table(runs: Sequence[Run], *, game: str | None = None, opponent: str | None = None) -> list[dict[str, Any]]:
    """Return what each agent did, in one game or against one opponent if it is given."""
    rows: list[dict[str, Any]] = []
    for run in runs:
        if (game and game not in run.plan.games) or (opponent and opponent not in run.opponents):
            continue
        entry = None if game is None else run.plan.games.index(game)
        for agent in run.measured:
            number = None if opponent is None else run.plan.agents.index(opponent, len(run.measured) == 1)
            row = _row(run, agent, entry, number) if agent != number else None
            if row and row["matches"]:
                rows.append({**row, "basis": _basis(run, agent, game, opponent)})
    return [_compared(row, rows[0]) for row in rows]


def _basis(run: Run, agent: int, game: str | None, opponent: str | None) -> tuple[Any, ...]:
    """Return what two scores must share so that their difference says something about the agents."""
    others = {name for name in run.opponents if name != run.plan.agents[agent]}
    return game or {*run.plan.games}, opponent or others, run.plan.openings


def _compared(row: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    """Return the row with how far its score is from that of the first one, if the two can be compared."""
    is_comparable = row is not first and row["basis"] == first["basis"]
    apart = difference(row["score"], first["score"]) if is_comparable else None
    return {name: _document(value) for name, value in {**row, "difference": apart}.items() if name != "basis"}


def _document(value: Any) -> Any:
    return value._asdict() if isinstance(value, Share) else value


def _row(run: Run, agent: int, entry: int | None, opponent: int | None) -> dict[str, Any]:
    score = run.tally.score(entry=entry, agent=agent, opponent=opponent)
    evidence = run.tally.evidence(entry=entry, agent=agent, opponent=opponent)
    return {
        "run": run.name,
        "agent": run.plan.agents[agent],
        **score.results(),
        "different_matches": evidence.matches,
        "score": share(score.points, score.matches, evidence.points()),
        "accuracy": share(score.kept, score.mattered, evidence.accuracy()),
        "regret": round(score.regret / score.mattered, 4) if score.mattered else None,
        "decisions": score.mattered,
        "forfeits": {str(kind): score.forfeits[kind] for kind in ForfeitKind},
        "seconds_per_move": round(score.seconds / score.moves, 6) if score.moves else None,
    }
