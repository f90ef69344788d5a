"""Several position evaluations side by side: the scores of each agent, in all games and in each game."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from duelbook.agents.llm.settings import by_variable
from duelbook.arena.comparison import differences_in_settings, named_folders, reference_of
from duelbook.arena.documents import Comparison
from duelbook.arena.pairing import PairedDifference
from duelbook.arena.report.text import columns, difference_cells, reference_text
from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.intervals import paired_difference
from duelbook.positions.evaluation import ANSWERS, REPORT, REPORT_FORMAT, REPORT_VERSION
from duelbook.positions.plan import PositionPlan
from duelbook.positions.report import with_interval
from duelbook.text import hundredths, percentage, plural

FORMAT, VERSION = "duelbook-position-comparison", 1
FIGURES = ("answers", "accuracy", "accuracy_score", "regret", "regret_score", "legal")


class Answered(NamedTuple):
    """The answers to a position."""

    game: str
    cluster: str
    right: int
    answers: int

    @property
    def accuracy(self) -> float:
        return self.right / self.answers


def holds_positions(folder: Path | str) -> bool:
    """Return True if the folder holds a position evaluation."""
    return (Path(folder) / PositionPlan.manifest_name).is_file()


def compare_positions(folders: Sequence[Path | str]) -> Comparison:
    """Return a comparison of several position evaluations as a JSON document, or raise RefusedError.

    Every table has a row for each run. The difference is that of its accuracy to the accuracy of the same agent in an
    earlier run, or to that in the first row if no earlier run has the agent; `reference` names that row. Both are None
    unless the two were asked the same positions. It is that of the `pairs` of answers to the same position; `better` is
    the probability that the agent of the row is better.
    """
    reports = {name: _report(path) for name, path in named_folders(folders).items()}
    games = list(dict.fromkeys(part["game"] for one in reports.values() for part in one["parts"]["game"]))
    document = {
        "format": FORMAT,
        "version": VERSION,
        "runs": [{"run": name, **one["plan"], "planned": one["planned"]} for name, one in reports.items()],
        "notes": [*_notes(reports)],
        "overall": _table(reports, {name: one["overall"] for name, one in reports.items()}),
        "games": [{"game": game, "rows": _table(reports, _in_game(reports, game), game)} for game in games],
    }
    return Comparison(document)


def _report(folder: Path) -> dict[str, Any]:
    if not holds_positions(folder):
        raise RefusedError(
            f"'{folder}' holds no position evaluation. Position evaluations can only be compared with each other."
        )
    try:
        report = parse((folder / REPORT).read_bytes())
    except OSError as error:
        raise RefusedError(f"'{folder}' has no report yet ({error.strerror}). Finish it with --resume.") from error
    if (report.get("format"), report.get("version")) != (REPORT_FORMAT, REPORT_VERSION):
        raise RefusedError(f"Another version of Duelbook wrote the report in '{folder}'. Write it anew with --resume.")
    lines = map(parse, (folder / ANSWERS).read_bytes().splitlines())
    return {**report, "answers": _answers(lines)}


def _answers(lines: Iterable[dict[str, Any]]) -> dict[str, Answered]:
    """Return for each position how many answers there are, and how many of them are right."""
    found: dict[str, Answered] = {}
    for line in lines:
        before = found.get(line["position"], Answered(line["game"], line["cluster"], 0, 0))
        found[line["position"]] = before._replace(right=before.right + line["right"], answers=before.answers + 1)
    return found


def _in_game(reports: dict[str, Any], game: str) -> dict[str, Any]:
    parts = {name: [part for part in one["parts"]["game"] if part["game"] == game] for name, one in reports.items()}
    return {name: part[0] for name, part in parts.items() if part}


def _notes(reports: dict[str, Any]) -> Iterator[str]:
    """Yield what limits the comparison: other positions, and answers that are missing."""
    if len({one["plan"]["dataset"] for one in reports.values()}) > 1:
        yield "The runs were not all asked the same positions, so some differences say nothing and are left out."
    yield from differences_in_settings({name: by_variable(one["plan"]["model"]) for name, one in reports.items()})
    for name, one in reports.items():
        if one["overall"]["answers"] < one["planned"]:
            yield f"{name} is not finished: {one['overall']['answers']:,} of {plural(one['planned'], 'answer')}."


def _table(reports: dict[str, Any], cells: dict[str, Any], game: str | None = None) -> list[dict[str, Any]]:
    """Return a row for each run that has answers, in all games or in one."""
    rows = [
        {"run": run, "agent": reports[run]["plan"]["agent"], **{name: cell[name] for name in FIGURES}}
        for run, cell in cells.items()
        if cell["answers"]
    ]
    return [_compared(row, reference_of(row, rows), reports, game) for row in rows]


def _compared(row: dict[str, Any], other: dict[str, Any], reports: dict[str, Any], game: str | None) -> dict[str, Any]:
    one, two = (reports[each["run"]] for each in (row, other))
    apart = None
    if row is not other and one["plan"]["dataset"] == two["plan"]["dataset"]:
        apart = _difference(one["answers"], two["answers"], game)
    reference = {name: other[name] for name in ("run", "agent")} if apart else None
    return {**row, "difference": apart and apart._asdict(), "reference": reference}


def _difference(one: dict[str, Answered], two: dict[str, Answered], game: str | None) -> PairedDifference | None:
    """Return how much more accurate the first answers are, on the positions that both have answers to."""
    clusters: defaultdict[str, list[float]] = defaultdict(list)
    for position, answered in one.items():
        if position in two and game in (None, answered.game):
            clusters[answered.cluster].append(answered.accuracy - two[position].accuracy)
    pairs = sum(map(len, clusters.values()))
    if not pairs:
        return None
    rate = sum(map(sum, clusters.values())) / pairs
    return PairedDifference(*paired_difference(rate, clusters.values()), pairs)


def position_comparison_text(document: dict[str, Any]) -> str:
    """Return the overall scores of several position evaluations as a table."""
    headings = ["run", "agent", "answers", "accuracy", "difference", "better", "score", "mean regret", "legal answers"]
    table = [headings, *map(_row, document["overall"])]
    to = [row["reference"] for row in document["overall"] if row["reference"]]
    return "\n".join([*columns(table), *reference_text(to), *(f"Note: {note}" for note in document["notes"])])


def _row(row: dict[str, Any]) -> list[str]:
    apart = row["difference"]
    return [
        row["run"],
        row["agent"],
        f"{row['answers']:,}",
        with_interval(row["accuracy"], percentage),
        *difference_cells(apart),
        with_interval(row["accuracy_score"]),
        hundredths(row["regret"]["rate"]),
        percentage(row["legal"]["rate"]),
    ]
