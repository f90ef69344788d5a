"""Every decision of a run in Parquet: the sums are those of the reports."""

import json
from pathlib import Path
from typing import Any

import pytest

from duelbook import make
from duelbook.arena import plan_evaluation, plan_tournament, run_evaluation, run_tournament
from duelbook.arena.decisions import DECISIONS
from duelbook.solve import solved
from tests.arena.conftest import Call
from tests.support.playing import played
from tests.support.programs import player_script

parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed (extra lab)")


def rows_of(file: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = parquet.read_table(file).to_pylist()
    return rows


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of two games, one of them with a start that is drawn."""
    folder = tmp_path_factory.mktemp("decisions") / "run"
    plan = plan_tournament(["crystal-capture", "alpha-chase:ending=exhausted"], ["greedy", "random"], pairs=3)
    run_tournament(plan, folder, backend="serial")
    return folder


def test_the_sums_are_those_of_the_standings(run: Path, call: Call) -> None:
    said = call("decisions", run)
    rows = rows_of(run / DECISIONS)
    assert said == (0, f"{len(rows)} decisions in 12 of 12 matches: {run / DECISIONS}\n", "")
    standings = json.loads((run / "standings.json").read_text())
    for game in standings["games"]:
        for row in game["standings"]:
            own = [one for one in rows if (one["game"], one["agent"]) == (game["game"], row["agent"])]
            mattered = [one for one in own if one["mattered"]]
            assert (len(own), len(mattered)) == (row["decisions"], row["mattered"])
            assert round(sum(one["regret"] for one in mattered) / len(mattered), 4) == row["regret"]
            assert round(sum(one["regret"] == 0 for one in mattered) / len(mattered), 4) == row["accuracy"]


def test_each_row_is_true(run: Path, call: Call) -> None:
    assert call("decisions", run).code == 0
    records = [json.loads(line) for line in (run / "matches.jsonl").read_text().splitlines()]
    times = [json.loads(line) for line in (run / "timings.jsonl").read_text().splitlines()]
    for row in rows_of(run / DECISIONS):
        record = records[row["match"]]
        game = make(row["game"].partition(":")[0], **json.loads(row["options"]))
        state = played(game, *record["moves"][: row["ply"] - 1])
        assert json.loads(row["state"]) == json.loads(json.dumps(state._asdict()))
        assert row["move"] == record["moves"][row["ply"] - 1]
        assert row["ply"] > record["opening"]
        assert row["legal"] == len(list(game.legal_moves(state))) > 1
        assert row["value_before"] == solved(game).value(state)
        assert row["regret"] == row["value_before"] - row["value_after"]
        assert {row["agent"], row["opponent"]} == {"greedy", "random"}
        player = next(player for player in record["players"] if player["seat"] == row["seat"])
        assert player["agent"] == row["agent"]
        assert row["seconds"] in times[row["match"]][row["seat"]]
        assert row["points"] == (record["result"] == row["seat"])


def test_a_program_s_own_evaluation_stands_beside_the_exact_value(tmp_path: Path, call: Call) -> None:
    script = tmp_path / "player.sh"
    script.write_text(player_script(info="""echo '{"type": "info", "evaluation": -0.25, "depth": 2}'"""))
    run_evaluation(plan_evaluation(f"process:sh {script}", ["crystal-capture"], ["random"], pairs=1), tmp_path / "run")
    script.unlink()  # the program is not needed to read the run
    assert call("decisions", tmp_path / "run", "--out", tmp_path / "own.parquet").code == 0
    rows = rows_of(tmp_path / "own.parquet")
    own = [row for row in rows if row["agent"].startswith("process:")]
    assert {(row["evaluation"], row["depth"]) for row in own} == {(-0.25, 2)}
    assert {row["evaluation"] for row in rows if row not in own} == {None}
    assert rows[0]["name"].startswith("crystal-capture random 1 ")
    assert not (tmp_path / "run" / DECISIONS).exists()


def test_a_forfeit_is_a_row_without_a_move_and_adds_up_to_the_report(tmp_path: Path, call: Call) -> None:
    """The program forfeits when the crystal that it always takes is taken."""
    script, run = tmp_path / "player.sh", tmp_path / "run"
    script.write_text(player_script(turn="""echo '{"move": "1"}'"""))
    run_evaluation(plan_evaluation(f"process:sh {script}", ["crystal-capture"], ["random"], pairs=2), run)
    assert call("decisions", run).code == 0
    own = [row for row in rows_of(run / DECISIONS) if row["agent"] != "random"]
    overall = json.loads((run / "report.json").read_text())["overall"]
    mattered = [row for row in own if row["mattered"]]
    assert len(mattered) == overall["decisions"]
    assert round(sum(row["regret"] for row in own) / len(mattered), 4) == overall["regret"]
    assert sum(row["regret"] == 0 for row in mattered) == overall["accuracy"]["count"]

    records = [json.loads(line)["record"] for line in (run / "matches.jsonl").read_text().splitlines()]
    forfeits = [row for row in own if row["forfeit"]]
    assert {(row["mattered"], row["value_before"], row["regret"]) for row in forfeits} == {(True, 1, 2), (False, 1, 0)}
    expected = {number for number, record in enumerate(records) if record["reason"] == "forfeit"}
    assert {row["match"] for row in forfeits} == expected != set()
    assert {(row["forfeit"], row["move"], row["seconds"]) for row in forfeits} == {("illegal", None, None)}
    for row in forfeits:
        game = make("crystal-capture", **json.loads(row["options"]))
        moves = records[row["match"]]["moves"]
        state = played(game, *moves)
        assert row["ply"] == len(moves) + 1
        before = solved(game).value(state)
        assert (row["value_before"], row["value_after"], row["points"]) == (before, -1, 0)
        assert row["best"] in {game.move_name(state, move) for move in game.legal_moves(state)}
        assert row["mattered"] == (len({one.value for one in solved(game).moves(state)}) > 1)


def test_a_game_that_is_too_large_has_no_values(tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUELBOOK_SOLVE_MEGABYTES", "1")
    plan = plan_tournament(["crystal-capture:crystals=30:goal=60"], ["greedy", "random"], pairs=1)
    run_tournament(plan, tmp_path / "run", backend="serial")
    assert call("decisions", tmp_path / "run").code == 0
    rows = rows_of(tmp_path / "run" / DECISIONS)
    assert rows
    assert {row["value_before"] for row in rows} == {row["regret"] for row in rows} == {None}


def test_what_is_no_run_or_would_replace_a_file_is_one_sentence(run: Path, tmp_path: Path, call: Call) -> None:
    said = call("decisions", tmp_path)
    assert said == (2, "", f"duelbook: '{tmp_path}' holds neither a tournament nor an evaluation.\n")
    taken = tmp_path / "taken"
    taken.write_text("mine")
    said = call("decisions", run, "--out", taken)
    message = f"duelbook: '{taken}' already exists. Choose another file, or remove that one first.\n"
    assert said == (2, "", message)
    assert taken.read_text() == "mine"
    assert call("decisions", run, "--out", tmp_path / "no/folder.parquet").code == 2
