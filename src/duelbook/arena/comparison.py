"""Several runs side by side: what each of their agents did, in all games, in each game, and against each opponent."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from duelbook.agents import ForfeitKind
from duelbook.arena.documents import Comparison
from duelbook.arena.manifest import played_with
from duelbook.arena.openings import Openings
from duelbook.arena.pairing import MatchPlaces, PairedDifference, compare_places
from duelbook.arena.plan import EvaluationPlan, MatchPlan
from duelbook.arena.results import open_results
from duelbook.arena.tally import RunTally
from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.intervals import Share, difference, share

FORMAT, VERSION = "duelbook-comparison", 1
DRAWN_ONCE = " Without openings, what a rule book draws, such as the words of Alpha Chase, is drawn once, by the seed."
SAME = ("games", "opponents", "pairs", "seed", "openings", "ply_limit")  # what runs have to share to be comparable


class Run(NamedTuple):
    """A tournament or an evaluation that is compared."""

    name: str
    tally: RunTally
    places: MatchPlaces
    finished: int  # matches
    settings: dict[str, Any]  # of programs and language models, by their environment variables

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


def compare_runs(folders: Sequence[Path | str]) -> Comparison:
    """Return a comparison of several tournaments and evaluations as a JSON document, or raise RefusedError.

    Every table has a row for each run and agent. The difference is that of its score to the score of the same agent in
    an earlier run, or to that in the first row if no earlier run has the agent; `reference` names that row. Both are
    None unless the two met the same opponents in the same games, with openings of the same kind. It is that of the
    `pairs` of matches in which both had the same opening, seat and opponent, if all matches of one of the two have such
    a partner, and else that of two independent scores. `better` is the probability that the agent of the row is better.
    """
    runs = [_open(path, name) for name, path in named_folders(folders).items()]
    games = list(dict.fromkeys(game for run in runs for game in run.plan.games))
    opponents = list(dict.fromkeys(agent for run in runs for agent in run.opponents))
    document = {
        "format": FORMAT,
        "version": VERSION,
        "runs": [_about(run) for run in runs],
        "notes": [
            *_differences(runs),
            *differences_in_settings({run.name: run.settings for run in runs}),
            *_unfinished(runs),
        ],
        "overall": _table(runs),
        "games": [{"game": game, "rows": _table(runs, game=game)} for game in games],
        "opponents": [{"opponent": agent, "rows": _table(runs, opponent=agent)} for agent in opponents],
    }
    return Comparison(document)


def _open(path: Path, name: str) -> Run:
    with open_results(path) as results:
        manifest = parse((path / results.plan.manifest_name).read_bytes())
        plan, places = results.plan, MatchPlaces()
        tally = RunTally(plan, places.noting(plan, results), both_sides=True)
        return Run(name, tally, places, len(results), played_with(manifest))


def named_folders(folders: Sequence[Path | str]) -> dict[str, Path]:
    """Return the folders by their names, with as much of their paths as tells them apart.

    Raise RefusedError unless there are at least two different ones.
    """
    paths = [Path(folder) for folder in folders]
    if len(paths) < 2 or len({path.resolve() for path in paths}) < len(paths):
        raise RefusedError("Give at least two different folders of tournaments or evaluations to compare.")
    parts = [path.resolve().parts for path in paths]
    for count in range(1, max(map(len, parts)) + 1):
        names = ["/".join(part[-count:]) for part in parts]
        if len({*names}) == len(names):
            break
    return dict(zip(names, paths, strict=True))


def _about(run: Run) -> dict[str, Any]:
    plan, evidence = run.plan, run.tally.evidence()
    return {
        "run": run.name,
        "kind": plan.kind,
        "agents": [plan.agents[number] for number in run.measured],
        **{name: _setting(run, name) for name in SAME},
        "settings": run.settings,
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
        if len({tuple(sorted(value)) if isinstance(value, list | tuple) else value for value in values}) > 1:
            listed = "; ".join(f"{run.name}: {_shown(value)}" for run, value in zip(runs, values, strict=True))
            drawn = DRAWN_ONCE if name == "seed" and any(run.plan.openings is Openings.NONE for run in runs) else ""
            yield f"The runs differ in their {name.replace('_', ' ')}: {listed}.{drawn}"


def differences_in_settings(runs: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    """Yield a sentence about each setting of programs and models that is not the same in all runs that have it."""
    for name in dict.fromkeys(name for settings in runs.values() for name in settings):
        values = {run: json.dumps(settings[name]) for run, settings in runs.items() if name in settings}
        if len({*values.values()}) > 1:
            yield f"The runs differ in {name}: {'; '.join(f'{run}: {value}' for run, value in values.items())}."


def _shown(value: Any) -> str:
    return ", ".join(value) if isinstance(value, list) else "the default" if value is None else f"{value}"


def _unfinished(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        if run.finished < run.plan.total:
            yield f"{run.name} is not finished: {run.finished:,} of {run.plan.total:,} matches."


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
                places = run.places.of(agent, None if entry is None else run.plan.games[entry], opponent)
                rows.append({**row, "basis": _basis(run, agent, game, opponent), "places": places})
    return [_compared(row, reference_of(row, rows)) for row in rows]


def reference_of(row: dict[str, Any], rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the row to which another one is compared: the same agent's in an earlier run, or else the first row."""
    first = next(one for one in rows if one["agent"] == row["agent"])
    return rows[0] if first["run"] == row["run"] else first


def _basis(run: Run, agent: int, game: str | None, opponent: str | None) -> tuple[Any, ...]:
    """Return what two scores must share so that their difference says something about the agents."""
    others = {name for name in run.opponents if name != run.plan.agents[agent]}
    return game or {*run.plan.games}, opponent or others, run.plan.openings


def _compared(row: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Return the row with how far its score is from that of another one, if the two can be compared."""
    is_comparable = row is not other and row["basis"] == other["basis"]
    apart = _difference(row, other) if is_comparable else None
    reference = {name: other[name] for name in ("run", "agent")} if is_comparable else None
    compared = {**row, "difference": apart, "reference": reference}
    return {name: _document(value) for name, value in compared.items() if name not in ("basis", "places")}


def _difference(row: dict[str, Any], other: dict[str, Any]) -> PairedDifference:
    """Return how much more the agent of a row scored, in pairs of matches if the two rows share them."""
    paired = compare_places(row["places"], other["places"])
    return paired or PairedDifference(*difference(row["score"], other["score"]), None)


def _document(value: Any) -> Any:
    return value._asdict() if isinstance(value, Share | PairedDifference) else value


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
        "regret": None if score.mean_regret is None else round(score.mean_regret, 4),
        "decisions": score.mattered,
        "forfeits": {str(kind): score.forfeits[kind] for kind in ForfeitKind},
        "seconds_per_move": round(score.seconds / score.moves, 6) if score.moves else None,
    }
