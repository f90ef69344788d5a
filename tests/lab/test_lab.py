"""The lab from the command line: the same files on every back end and after a crash, and what is in them."""

import csv
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pyarrow import parquet

from duelbook.arena.results_log import LOG
from duelbook.lab import Variant, plan_lab, run_lab
from duelbook.lab.measure import LevelMatches
from duelbook.lab.plots import DEPTH_RANGE, scatter, ticks_around
from duelbook.lab.report import MEASURES
from tests.support.keyboard import run

SWEEP = ("flag-chase", "--sweep", "cells=3..9", "--sweep", "stride=1,2", "--pairs", "2", "--seed", "3")
FILES = ("lab.json", "variants.csv", "variants.parquet", "report.html")


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in FILES}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lab") / "out"
    done = run(["lab", *SWEEP, "--out", str(folder), "--backend", "serial"])
    assert (done.returncode, done.stderr) == (0, "")
    assert re.match(r"On the front .*: [1-8] of 8\.\n\nvariant ", done.stdout)
    assert "\nThe rules do not allow 6 other combinations.\n" in done.stdout
    return folder


@pytest.mark.parametrize("backend", ["process", pytest.param("ray", marks=pytest.mark.long)])
def test_every_back_end_gives_the_same_files(backend: str, small: Path, tmp_path: Path) -> None:
    if backend == "ray":
        pytest.importorskip("ray", reason="Ray is not installed (extra ray)")
    plan = plan_lab("flag-chase", ["cells=3..9", "stride=1,2"], pairs=2, seed=3)
    run_lab(plan, tmp_path / "out", backend=backend, workers=2)
    assert files(tmp_path / "out") == files(small)


def test_another_seed_gives_other_matches(small: Path, tmp_path: Path) -> None:
    run_lab(plan_lab("flag-chase", ["cells=3..9", "stride=1,2"], pairs=2, seed=4), tmp_path / "out", backend="serial")
    assert files(tmp_path / "out")["variants.csv"] != files(small)["variants.csv"]


def test_a_lab_that_was_killed_is_resumed_and_gives_the_same_files(small: Path, tmp_path: Path) -> None:
    """What kill -9 leaves is shown with a tournament, which keeps the same kind of log."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "lab.json").write_bytes((small / "lab.json").read_bytes())
    first, second, *_ = (small / LOG).read_bytes().splitlines(keepends=True)
    (out / LOG).write_bytes(first + second + b"0000")  # as if it had been killed while it wrote
    for _ in range(2):  # the second time, every line of the log is whole
        assert run(["lab", "--out", str(out), "--resume", "--backend", "serial"]).returncode == 0
    assert (out / LOG).read_bytes().startswith(first + second)
    assert (out / LOG).read_bytes().count(b"\n") == 8
    assert files(out) == files(small)


def test_the_tables_have_the_same_cells_and_a_command_for_each_variant(small: Path) -> None:
    rows = list(csv.DictReader((small / "variants.csv").read_text().splitlines()))
    table = parquet.read_table(small / "variants.parquet")
    assert [*rows[0]] == table.column_names
    assert [int(row["cells"]) for row in rows] == table["cells"].to_pylist() == [3, 3, 5, 5, 7, 7, 9, 9]
    assert [float(row["first_score"]) for row in rows] == table["first_score"].to_pylist()
    assert str(table.schema.field("too_large").type) == "string"
    assert rows[-1]["command"] == "duelbook play flag-chase --option cells=9"
    assert rows[3]["command"] == "duelbook play flag-chase"
    for row in rows:
        assert run([*row["command"].split()[1:], "--p1", "perfect", "--p2", "random"]).returncode == 0


def test_the_report_is_well_formed_and_shows_every_variant(small: Path) -> None:
    text = (small / "report.html").read_text()
    page = ElementTree.fromstring(text.partition("\n")[2])
    assert "The rules do not allow 6 other combinations." in text
    assert len(page.findall(".//svg")) == 1 + 2 * 3
    assert text.count("duelbook play flag-chase --option cells=9 --option stride=1<") >= 1
    dots = page.find(".//svg")
    assert dots is not None
    assert len(dots.findall(".//circle")) == 8


def variant(number: int, first_score: float = 1.0, depth: float = 0.0) -> Variant:
    played = LevelMatches(4, first_score, 0.4, 1.0, {}, depth, depth, depth, 0.0, 0.0, 0.0, 2.0)
    return Variant(number, f"flag-chase:stride={number}", {"stride": number}, played=played)


def test_variants_on_one_dot_share_its_label_and_its_names() -> None:
    alike = [variant(number) for number in range(14)]
    picture = ElementTree.fromstring(scatter([*alike, variant(20, 0.5, 300)], {3, 7, 9, 20}))
    labels = [element.text for element in picture.findall("text") if not element.get("class")]
    assert labels == ["20", "3, 7, 9"]
    titles = {element.text for element in picture.findall("circle/title")}
    assert sorted(len(str(title).splitlines()) for title in titles) == [1, 13]
    assert any(str(title).endswith("\nand 2 more") for title in titles)
    many = ElementTree.fromstring(scatter(alike, range(14)))
    assert [element.text for element in many.findall("text") if not element.get("class")] == ["0, 1, 2, 3 +10"]


def test_an_axis_has_a_sensible_range_if_all_values_are_the_same() -> None:
    assert ticks_around([0.0, 0.0], DEPTH_RANGE) == [0, 20, 40, 60, 80, 100]
    assert ticks_around([-30.0, 420.0], DEPTH_RANGE) == [-100, 0, 100, 200, 300, 400, 500]
    for measure in MEASURES.values():
        assert measure.shown[0] == 0 < measure.shown[1]


def test_another_plan_is_not_mixed_in(small: Path) -> None:
    again = run(["lab", *SWEEP, "--out", str(small)])
    assert "already holds a lab. Add --resume" in again.stderr
    other = run(["lab", *SWEEP[:-1], "4", "--out", str(small), "--resume"])
    assert "holds another lab: seed is 3 there, not 4." in other.stderr
    assert run(["lab", *SWEEP, "--out", str(small), "--resume"]).returncode == 0
