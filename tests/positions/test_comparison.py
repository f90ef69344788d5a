"""Position evaluations side by side."""

import json
from pathlib import Path

import pytest

from duelbook.positions import compare_positions, load_positions, plan_positions, run_positions
from tests.support.models import Duelbook


@pytest.fixture(scope="module")
def runs(dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the answers of three agents to the same positions, and of one to others."""
    folder = tmp_path_factory.mktemp("runs")
    for name, agent, limit in (
        ("weak", "random", 30),
        ("again", "random", 30),
        ("strong", "perfect", 30),
        ("few", "random", 8),
    ):
        plan = plan_positions(agent, load_positions(dataset), limit=limit, samples=1 + (name == "again"))
        run_positions(plan, folder / name)
    return folder


def test_rows_have_the_figures_of_the_reports_and_their_difference(runs: Path) -> None:
    document = compare_positions([runs / "weak", runs / "strong", runs / "again"])
    weak, strong, again = document["overall"]
    for row in document["overall"]:
        report = json.loads((runs / row["run"] / "report.json").read_text())["overall"]
        assert {name: row[name] for name in ("answers", "accuracy", "regret", "legal")} == {
            name: report[name] for name in ("answers", "accuracy", "regret", "legal")
        }
    assert weak["difference"] is weak["reference"] is None
    for row in (strong, again):
        assert row["reference"] == {"run": "weak", "agent": "random"}
        assert row["difference"]["rate"] == pytest.approx(row["accuracy"]["rate"] - weak["accuracy"]["rate"], abs=1e-6)
        assert row["difference"]["pairs"] == 30
    assert strong["difference"]["low"] > 0
    assert strong["difference"]["better"] > 0.99
    assert {part["game"] for part in document["games"]} == {"crystal-capture", "flag-chase"}
    assert document["notes"] == []


def test_the_same_answers_are_hardly_apart(dataset: Path, runs: Path, tmp_path: Path) -> None:
    run_positions(plan_positions("random", load_positions(dataset), limit=30), tmp_path / "same")
    document = compare_positions([runs / "weak", tmp_path / "same"])
    found = document["overall"][1]["difference"]
    assert (found["rate"], found["better"]) == (0, 0.5)
    assert found["high"] < 0.1
    assert [part["rows"][1]["difference"]["pairs"] for part in document["games"]] == [28, 2]


def test_other_positions_have_no_difference(runs: Path) -> None:
    document = compare_positions([runs / "weak", runs / "few"])
    assert [row["difference"] for row in document["overall"]] == [None, None]
    assert document["notes"][0].startswith("The runs were not all asked the same positions")


def test_the_command_compares_positions_and_says_what_it_cannot_do(
    runs: Path, tmp_path: Path, duelbook: Duelbook
) -> None:
    done = duelbook("compare", runs / "weak", runs / "strong")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].split()[:6] == ["run", "agent", "answers", "accuracy", "difference", "better"]
    assert "The difference is in percentage points, to weak random." in done.stdout
    assert json.loads(duelbook("compare", runs / "weak", runs / "strong", "--json").stdout)["overall"]
    mixed = duelbook("compare", runs / "weak", tmp_path)
    assert mixed.returncode == 2
    assert "holds no position evaluation. Position evaluations can only be compared with each other." in mixed.stderr
    rows = duelbook("decisions", runs / "weak")
    assert rows.stderr.endswith("holds a position evaluation: each decision is a line of answers.jsonl there.\n")


def test_the_page_has_a_table_and_a_plot_for_all_games_and_for_each(
    runs: Path, tmp_path: Path, duelbook: Duelbook
) -> None:
    done = duelbook("compare", runs / "weak", runs / "strong", "--out", tmp_path / "page.html")
    assert done.stdout.splitlines()[-1] == f"The page is {tmp_path / 'page.html'}"
    page = (tmp_path / "page.html").read_text()
    assert page.count("<caption>Accuracy") == page.count("<caption>Regret") == 3
    assert page.count("<svg") == 6
    strong = compare_positions([runs / "weak", runs / "strong"])["overall"][1]
    accuracy, apart = strong["accuracy"], strong["difference"]
    assert f"<td>{accuracy['rate']:.0%} ({accuracy['low']:.0%} to {accuracy['high']:.0%})</td>" in page
    assert f"<td>+{100 * apart['rate']:.1f} (+{100 * apart['low']:.1f} to +{100 * apart['high']:.1f})</td>" in page
    assert "<script" not in page
