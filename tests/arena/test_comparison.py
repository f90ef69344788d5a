"""Several runs side by side: the figures of each run's own report, and differences only where they mean something."""

import json
from pathlib import Path

import pytest

from duelbook.arena import plan_evaluation, plan_tournament, run_evaluation, run_tournament
from tests.arena.conftest import Call

pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two evaluations of the same plan, one with other games, and a tournament."""
    folder = tmp_path_factory.mktemp("runs")
    for name, agent, games in (
        ("one", "greedy", ["crystal-capture"]),
        ("two", "expert", ["crystal-capture"]),
        ("three", "greedy", ["crystal-capture", "flag-chase"]),
    ):
        run_evaluation(plan_evaluation(agent, games, ["random", "perfect"], pairs=4), folder / name)
    run_tournament(plan_tournament(["flag-chase"], ["random", "greedy"], pairs=2), folder / "all", backend="serial")
    return folder


def test_rows_have_the_figures_of_the_reports(runs: Path, call: Call) -> None:
    said = call("compare", runs / "one", runs / "two", "--json")
    document = json.loads(said.out)
    assert document["notes"] == []
    for row, name in zip(document["overall"], ("one", "two"), strict=True):
        report = json.loads((runs / name / "report.json").read_text())["overall"]
        assert (row["run"], row["matches"], row["wins"]) == (name, report["matches"], report["wins"])
        assert round(row["accuracy"]["rate"], 6) == report["accuracy"]["rate"]
        assert round(row["accuracy"]["low"], 6) == report["accuracy"]["low"]
        assert row["regret"] == report["regret"]
    one, two = document["overall"]
    assert one["difference"] is None
    assert two["difference"]["rate"] == two["score"]["rate"] - one["score"]["rate"]
    assert two["difference"]["low"] < two["difference"]["rate"] < two["difference"]["high"]
    assert [part["game"] for part in document["games"]] == ["crystal-capture"]
    assert [part["opponent"] for part in document["opponents"]] == ["random", "perfect"]
    against = [sum(part["rows"][0]["matches"] for part in document["opponents"]), one["matches"]]
    assert against[0] == against[1]


def test_there_is_no_difference_between_runs_that_played_something_else(runs: Path, call: Call) -> None:
    document = json.loads(call("compare", runs / "one", runs / "three", runs / "all", "--json").out)
    assert document["notes"][0] == (
        "The runs differ in their games: one: crystal-capture; three: crystal-capture, flag-chase; all: flag-chase."
    )
    assert [(row["run"], row["agent"]) for row in document["overall"]] == [
        ("one", "greedy"),
        ("three", "greedy"),
        ("all", "random"),
        ("all", "greedy"),
    ]
    assert [row["difference"] for row in document["overall"]] == [None] * 4
    crystal, _ = document["games"]
    assert crystal["rows"][1]["difference"]["rate"] == 0  # the same agent in the same matches
    against_random, *_ = document["opponents"]
    assert [row["run"] for row in against_random["rows"]] == ["one", "three", "all"]


def test_the_figures_are_shown_and_the_page_is_written_once(runs: Path, tmp_path: Path, call: Call) -> None:
    page = tmp_path / "page.html"
    said = call("compare", runs / "one", runs / "two", "--out", page)
    assert said.code == 0
    assert said.out.splitlines()[0].split() == ["run", "agent", "score", "difference", "accuracy", "regret", "forfeits"]
    assert said.out.endswith(f"The page is {page}\n")
    assert "<h1>Comparison of 2 runs</h1>" in page.read_text()
    assert call("compare", runs / "one", runs / "two", "--out", page).code == 2


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["one"], "Give at least two different folders of tournaments or evaluations to compare."),
        (["one", "one"], "Give at least two different folders of tournaments or evaluations to compare."),
        (["one", "none"], "holds neither a tournament nor an evaluation."),
    ],
)
def test_what_cannot_be_compared_is_one_sentence(runs: Path, call: Call, names: list[str], said: str) -> None:
    found = call("compare", *(runs / name for name in names))
    assert (found.code, found.out, found.err.count("\n")) == (2, "", 1)
    assert found.err.endswith(f"{said}\n")


def test_runs_with_the_same_name_are_told_apart(runs: Path, tmp_path: Path, call: Call) -> None:
    (tmp_path / "one").symlink_to(runs / "two")
    copy = tmp_path / "other/one"
    copy.mkdir(parents=True)
    for file in ("evaluation.json", "results.log"):
        (copy / file).write_bytes((runs / "two" / file).read_bytes())
    document = json.loads(call("compare", runs / "one", copy, "--json").out)
    assert [run["run"] for run in document["runs"]] == [f"{runs.name}/one", "other/one"]
