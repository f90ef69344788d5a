"""Tournaments from the command line: the same files on every back end, and their content."""

import json
from collections import OrderedDict
from pathlib import Path

import pytest

from duelbook import RefusedError, make
from duelbook.arena import TournamentPlan, load_manifest, plan_tournament, run_tournament
from duelbook.records.document import from_json
from tests.arena.conftest import SMALL, Call, files
from tests.support.keyboard import run_process, session, without_colour


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_give_the_same_files(small: Path, tmp_path: Path, workers: int) -> None:
    done = run_process(["tournament", *SMALL, "--workers", str(workers), "--out", str(tmp_path / "out")])
    assert (done.returncode, done.stderr) == (0, "")
    assert files(tmp_path / "out") == files(small)


def test_python_plays_the_same_tournament_without_printing(
    small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = plan_tournament(["crystal-capture"], ["random", "greedy", "perfect"], pairs=20, seed=5)
    standings = run_tournament(plan, tmp_path / "out", backend="serial")
    assert standings == json.loads((small / "standings.json").read_text())
    assert files(tmp_path / "out") == files(small)
    with pytest.raises(RefusedError, match="already holds a tournament"):
        run_tournament(plan, tmp_path / "out", backend="serial")
    assert run_tournament(plan, tmp_path / "out", resume=True, backend="serial") == standings
    assert capsys.readouterr() == ("", "")


def test_every_match_replays_in_the_order_of_the_plan(small: Path) -> None:
    plan = load_manifest(small / "manifest.json", TournamentPlan)
    lines = (small / "matches.jsonl").read_text().splitlines()
    records = [from_json(json.loads(line)) for line in lines]
    assert [record.seed for record in records] == [plan.seed_of(number) for number in range(plan.total)]
    assert [record.first for record in records[:4]] == [0, 1, 0, 1]
    timings = [json.loads(line) for line in (small / "timings.jsonl").read_text().splitlines()]
    for record, timing in zip(records, timings, strict=True):
        assert len(record.moves) - record.opening == len(timing["first"]) + len(timing["second"])


def test_the_standings_add_up(small: Path) -> None:
    document = json.loads((small / "standings.json").read_text())
    assert document["matches"] == 120
    [game] = document["games"]
    for table in (document["overall"], game):
        rows = table["standings"]
        assert [row["agent"] for row in rows] == ["perfect", "greedy", "random"]
        assert sum(row["points"] for row in rows) == 120
        assert sum(table["seats"].values()) == 120
        for row, cells in zip(rows, table["cross"], strict=True):
            assert row["matches"] == row["wins"] + row["draws"] + row["ply_limit"] + row["losses"] == 80
            assert row["points"] == sum(cell["points"] for cell in cells if cell)
            assert row["as_first"]["matches"] == row["as_second"]["matches"] == 40
            assert row["low"] <= row["rating"] <= row["high"]
        assert rows[0]["accuracy"] == 1
        assert rows[0]["regret"] == 0
        assert rows[0]["as_first"]["wins"] >= 20, "half of the openings are won for the first player"
        assert rows[2]["accuracy"] < rows[1]["accuracy"] < 1
    assert sum(game["lengths"].values()) == 120


def test_a_manifest_plays_the_tournament_again(small: Path, tmp_path: Path, call: Call) -> None:
    arguments = ["--manifest", small / "manifest.json", "--out", tmp_path / "out"]
    assert call("tournament", *arguments, "--seed", 1).err.startswith("duelbook: --manifest cannot be combined with")
    assert call("tournament", *arguments, "--backend", "serial").code == 0
    assert files(tmp_path / "out") == files(small)


def test_forfeits_of_every_kind_are_losses_and_shown_apart(tmp_path: Path, call: Call) -> None:
    out = tmp_path / "out"
    games = ("--games", "charge", "--agents", "random,illegal,late,broken", "--pairs", "2")
    assert call("tournament", *games, "--backend", "serial", "--out", out).code == 0
    document = json.loads((out / "standings.json").read_text())
    rows = {row["agent"]: row for row in document["overall"]["standings"]}
    for agent, kind in (("illegal", "illegal"), ("late", "timeout"), ("broken", "error")):
        lost = {name: count for name, count in rows[agent]["forfeits"].items() if count}
        assert lost == {kind: rows[agent]["losses"]}
        assert rows[agent]["losses"] >= 8
    assert rows["random"]["wins"] == 12
    assert len(document["forfeits"]) == 24
    records = [from_json(json.loads(line)) for line in (out / "matches.jsonl").read_text().splitlines()]
    assert {str(record.reason) for record in records} == {"forfeit"}
    page = (out / "report.html").read_text()
    assert "RuntimeError: &lt;script&gt;" in page
    assert "<script" not in page


def test_a_match_at_the_ply_limit_is_half_a_point_and_shown_apart(tmp_path: Path, call: Call) -> None:
    games = ("--games", "charge", "--agents", "random,greedy", "--pairs", "2", "--ply-limit", "2")
    assert call("tournament", *games, "--backend", "serial", "--out", tmp_path / "out").code == 0
    document = json.loads((tmp_path / "out/standings.json").read_text())
    for row in document["overall"]["standings"]:
        assert (row["ply_limit"], row["draws"], row["points"], row["rating"]) == (4, 0, 2, 0)
    assert "4 matches stopped at the ply limit" in (tmp_path / "out/report.html").read_text()


def test_a_game_that_is_too_large_to_solve_is_played_without_judgement(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.solve.cache._too_large", OrderedDict({make("flag-chase"): None}))
    games = ("--games", "flag-chase", "--pairs", "1", "--backend", "serial", "--out", tmp_path / "out")
    said = call("tournament", *games, "--agents", "random,perfect")
    assert said.err == (
        "duelbook: flag-chase is too large to solve, and perfect needs its exact values. "
        "Leave it out, or let expert or mcts play.\n"
    )
    assert (said.code, (tmp_path / "out").exists()) == (2, False)
    said = call("tournament", *games, "--agents", "random,greedy")
    note = "flag-chase is too large to solve: 2 of its matches have no accuracy and no regret."
    assert f"Note: {note}\n" in said.out
    document = json.loads((tmp_path / "out/standings.json").read_text())
    assert document["notes"] == [note]
    assert {row["accuracy"] for row in document["overall"]["standings"]} == {None}


def test_a_terminal_shows_a_progress_bar(tmp_path: Path) -> None:
    games = "--games flag-chase --agents random,greedy --pairs 10 --backend serial"
    screen, code = session(f"tournament {games} --out {tmp_path / 'out'}", "", TERM="xterm-256color")
    assert code == 0
    assert "Playing" in screen
    assert "/20" in without_colour(screen)
    assert "/s" in without_colour(screen)
    assert "Played 20 matches. The report is" in screen


def test_the_example_in_the_documentation_is_true(tmp_path: Path, call: Call) -> None:
    page = (Path(__file__).parents[2] / "docs/research.md").read_text()
    shown = page.split("    $ duelbook tournament ")[1].split("\n\n")[0].replace("\n    ", "\n")
    arguments, table = shown.split("\n", 1)
    said = call("tournament", *arguments.removesuffix("results").split(), tmp_path / "out", "--backend", "serial")
    assert said.out.startswith(f"{table}\n\nPlayed 480 matches. The report is ")
    rows = json.loads((tmp_path / "out/standings.json").read_text())["overall"]["standings"]
    assert (rows[0]["losses"], rows[0]["accuracy"], rows[0]["regret"]) == (33, 1, 0), "all lost from the opening on"
