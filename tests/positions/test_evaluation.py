"""Agents asked for single moves: the scores of known agents, files, resuming, and bad input."""

import json
from pathlib import Path
from typing import Any

import pytest

from duelbook import RefusedError
from duelbook.agents import StoppedError
from duelbook.positions import PositionScores, load_positions, plan_positions, run_positions
from tests.support.models import Duelbook
from tests.support.programs import ALWAYS_1, ANSWER, shell


def asked(agent: str, dataset: Path, folder: Path, **more: Any) -> PositionScores:
    return run_positions(plan_positions(agent, load_positions(dataset), **more), folder)


class TestAgents:
    def test_perfect_makes_no_mistake(self, dataset: Path, tmp_path: Path) -> None:
        overall = asked("perfect", dataset, tmp_path / "run")["overall"]
        assert (overall["accuracy"]["rate"], overall["regret"]["rate"], overall["legal"]["rate"]) == (1, 0, 1)

    def test_random_scores_about_zero(self, dataset: Path, tmp_path: Path) -> None:
        overall = asked("random", dataset, tmp_path / "run", samples=10)["overall"]
        assert overall["accuracy_score"]["low"] < 0 < overall["accuracy_score"]["high"]
        assert abs(overall["accuracy_score"]["rate"]) < 0.15

    def test_the_scores_are_a_table_that_shows_itself(self, dataset: Path, tmp_path: Path) -> None:
        found = asked("random", dataset, tmp_path / "run")
        assert dict(found) == json.loads((tmp_path / "run/report.json").read_text())
        rows = found.rows()
        assert len(found.table()) == len(rows) == 1 + sum(map(len, found["parts"].values()))
        assert (rows[0]["by"], rows[0]["answers"]) == ("all", found["overall"]["answers"])
        games = {row["part"]: row["accuracy"] for row in rows if row["by"] == "game"}
        assert games == {cell["game"]: cell["accuracy"]["rate"] for cell in found["parts"]["game"]}
        shown = found._repr_html_()
        assert f"<caption>random: {len(load_positions(dataset)):,} answers</caption>" in shown
        assert shown.count("<tr>") == len(rows) + 1
        nothing = PositionScores(found | {"overall": {"positions": 0, "answers": 0}, "parts": {}})
        assert nothing.rows() == []
        assert nothing._repr_html_().startswith("<p>random: 0 answers of ")

    def test_a_program_is_asked_from_where_the_game_stands(self, dataset: Path, tmp_path: Path) -> None:
        """The program answers 1, which is not always legal."""
        command = f"process:{shell(ALWAYS_1)}"
        report = asked(command, dataset, tmp_path / "run", limit=12)
        positions = {one.id: one for one in load_positions(dataset)}
        lines = [json.loads(line) for line in (tmp_path / "run/answers.jsonl").read_text().splitlines()]
        assert len(lines) == report["overall"]["answers"] == 12
        for line in lines:
            position = positions[line["position"]]
            is_legal = "1" in [one.move for one in position.legal]
            assert (line["move"], line["outcome"]) == (("1", "legal") if is_legal else (None, "illegal"))
            assert line["right"] == ("1" in position.good)
            assert line["regret"] == position.regret_of(line["move"])

    def test_the_same_seed_gives_the_same_answers(self, dataset: Path, tmp_path: Path) -> None:
        for name, seed in (("one", 1), ("two", 1), ("three", 2)):
            asked("random", dataset, tmp_path / name, seed=seed)
        one, two, three = ((tmp_path / name / "answers.jsonl").read_bytes() for name in ("one", "two", "three"))
        assert one == two != three

    def test_a_failure_of_our_own_agent_stops_the_run(
        self, dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(*_: object) -> int:
            raise RuntimeError("a bug")

        monkeypatch.setattr("duelbook.agents.greedy.GreedyAgent.choose", broken)
        with pytest.raises(StoppedError, match=r"greedy cannot play .* a bug"):
            asked("greedy", dataset, tmp_path / "run")
        report = json.loads((tmp_path / "run/report.json").read_text())
        assert report["overall"]["answers"] == 0

    def test_a_limit_takes_positions_from_all_cells(self, dataset: Path) -> None:
        positions = load_positions(dataset)
        plan = plan_positions("greedy", positions, limit=10)
        cells = [(one.game, one.seat, one.strata) for one in plan.positions]
        assert len(cells) == len(set(cells)) == 10
        assert plan_positions("greedy", positions, limit=10, seed=1).dataset != plan.dataset
        assert plan_positions("greedy", positions, limit=10_000).positions == tuple(positions)


class TestTheCommand:
    def test_it_reports_and_resumes(self, dataset: Path, tmp_path: Path, duelbook: Duelbook) -> None:
        command = ("eval", "--agent", "greedy", "--positions", dataset, "--out", tmp_path / "run", "--samples", 2)
        done = duelbook(*command)
        assert (done.returncode, done.stderr) == (0, "")
        page = (tmp_path / "run/report.txt").read_text()
        assert done.stdout == f"{page}\nThe answers and the report are in {tmp_path / 'run'}.\n"
        assert "asked 2 times each; seed 0" in page
        assert "pass@2" in page
        shown = (tmp_path / "run/report.html").read_text()
        assert "asked 2 times each; seed 0" in shown
        assert [shown.count(part) for part in ("<svg", "<caption>By ", "pass@2")] == [2, 5, 1]
        answers = (tmp_path / "run/answers.jsonl").read_bytes()
        log = tmp_path / "run/results.log"
        lines = log.read_bytes().splitlines(keepends=True)
        log.write_bytes(b"".join(lines[:5]) + lines[5][:20])  # as if it had been killed
        assert duelbook(*command, "--resume").returncode == 0
        assert (tmp_path / "run/answers.jsonl").read_bytes() == answers
        assert duelbook(*command).stderr.startswith("duelbook: ")
        other = duelbook(*command[:-1], 3, "--resume")
        assert "holds another position evaluation: samples is 2 there, not 3." in other.stderr
        count = json.loads((tmp_path / "run/positions.json").read_text())["count"]
        fewer = duelbook(*command, "--limit", 3, "--resume")
        assert f"holds another position evaluation: count is {count} there, not 3." in fewer.stderr

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["--positions", "{data}", "--pairs", 2], "--pairs cannot be combined with --positions."),
            (["--positions", "{data}", "--split", "dev"], "has no split 'dev'. It has: train, test."),
            (["--positions", "{tmp}/none"], "Cannot read '"),
            (["--positions", "{tmp}/bad.jsonl"], "line 1 is not a position: split is missing."),
            (["--positions", "{data}", "--resume"], "holds no position evaluation to resume."),
        ],
    )
    def test_bad_input_is_one_line_and_nothing_is_written(
        self, arguments: list[object], said: str, dataset: Path, tmp_path: Path, duelbook: Duelbook
    ) -> None:
        (tmp_path / "bad.jsonl").write_text('{"id": "x"}\n')
        given = [str(one).format(data=dataset, tmp=tmp_path) for one in arguments]
        done = duelbook("eval", "--agent", "greedy", *given, "--out", tmp_path / "run")
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
        assert done.stderr.count("\n") == 1
        assert not (tmp_path / "run").exists()

    def test_a_program_is_not_asked_again_with_other_times(
        self, dataset: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        plan = plan_positions(f"process:{shell(ANSWER)}", load_positions(dataset), limit=3)
        report = run_positions(plan, tmp_path / "run")
        settings = json.loads((tmp_path / "run/positions.json").read_text())["settings"]
        assert settings["DUELBOOK_PROCESS_SECONDS"] == 10.0
        monkeypatch.setenv("DUELBOOK_PROCESS_SECONDS", "4")
        with pytest.raises(RefusedError, match=r"written with DUELBOOK_PROCESS_SECONDS=10\.0, but it is now 4\.0\.$"):
            run_positions(plan, tmp_path / "run", resume=True)
        monkeypatch.delenv("DUELBOOK_PROCESS_SECONDS")
        assert run_positions(plan, tmp_path / "run", resume=True) == report
        asked("greedy", dataset, tmp_path / "greedy", limit=3)
        assert "settings" not in json.loads((tmp_path / "greedy/positions.json").read_text())

    def test_a_changed_dataset_is_not_resumed(self, dataset: Path, tmp_path: Path) -> None:
        asked("greedy", dataset, tmp_path / "run")
        other = load_positions(dataset, "train")
        with pytest.raises(RefusedError, match="holds another position evaluation: "):
            run_positions(plan_positions("greedy", other), tmp_path / "run", resume=True)
