"""Evaluations: the matches, the report, and bad input."""

import json
import os
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from duelbook import make
from duelbook.agents import ForfeitKind
from duelbook.agents.llm.log import Exchange, Tokens
from duelbook.arena import EvaluationPlan, Prices, plan_evaluation, run_evaluation
from duelbook.arena.evaluation import evaluation_report
from duelbook.arena.report import evaluation_page
from duelbook.arena.report.text import evaluation_text
from duelbook.arena.results_log import LOG
from duelbook.arena.runner import play_fixture, prepare
from duelbook.arena.tally import RunTally
from duelbook.game import SEAT_NAMES
from duelbook.records.document import from_json
from duelbook.study.review import review_game
from tests.support.models import Duelbook, matches
from tests.support.programs import ALWAYS_1, ANSWER, shell

Measure = Callable[..., dict[str, Any]]


def planned(
    agent: str, opponents: str = "random", games: str = "flag-chase", pairs: int = 3, seed: int = 5
) -> EvaluationPlan:
    return plan_evaluation(agent, [games], opponents, pairs=pairs, seed=seed, openings="book", attempts=3)


@pytest.fixture
def measure(tmp_path: Path) -> Measure:
    def measured(plan: EvaluationPlan, name: str = "run", parallel: int = 1) -> dict[str, Any]:
        return run_evaluation(plan, tmp_path / name, parallel=parallel)

    return measured


class TestTheReport:
    def test_a_perfect_agent_loses_only_positions_that_are_lost_from_the_start(self, measure: Measure) -> None:
        report = measure(planned("perfect", "perfect", "flag-chase,crystal-capture"))
        first, second = report["seats"]
        assert (first["win_rate"]["count"], first["win_rate"]["of"], first["win_rate"]["rate"]) == (6, 6, 1.0)
        assert second["win_rate"]["rate"] == 0.0
        overall = report["overall"]
        assert (overall["accuracy"]["rate"], overall["regret"]) == (1.0, 0.0)
        assert overall["lost_from_the_start"]["count"] == overall["never_better"]["count"] == overall["losses"] == 6
        assert overall["forfeits"] == dict.fromkeys(ForfeitKind, 0)

    @pytest.mark.parametrize("openings", ["balanced", "book", "none"])
    def test_it_names_the_openings_and_its_page_is_there_from_the_first_match_on(self, openings: str) -> None:
        plan = plan_evaluation("greedy", ["flag-chase", "crystal-capture"], ["random"], pairs=2, openings=openings)
        plan = prepare(plan)
        results = [play_fixture(plan, number) for number in range(plan.total)]
        for count in (0, 1, 3, len(results)):
            tally = RunTally(plan, results[:count])
            report = evaluation_report(tally)
            assert evaluation_text(report).splitlines()[1].endswith(f"; seed 0, openings {openings}")
            page = evaluation_page(tally, report)
            assert f"Openings: {openings}." in page
            assert ("No match is finished yet." in page) == (count == 0)

    def test_a_note_names_games_that_cannot_be_judged(self, measure: Measure, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("duelbook.solve.cache._too_large", {make("flag-chase"): None})
        report = measure(planned("greedy", games="flag-chase,crystal-capture", pairs=1))
        note = "flag-chase is too large to solve: 2 of its matches have no accuracy and no regret."
        assert report["notes"] == [note]
        assert f"\nNote: {note}\n" in evaluation_text(report)

    def test_regret_is_the_value_that_an_agent_gives_away(self, measure: Measure) -> None:
        """In Flag Chase the first player wins with 2 and loses with 1, and the shell player always plays 1."""
        report = measure(planned(f"process:{shell(ALWAYS_1)}", "perfect", pairs=2))
        first = report["seats"][0]
        assert (first["wins"], first["decisions"], first["regret"]) == (0, 2, 2.0)
        assert first["accuracy"]["rate"] == 0.0
        assert first["lost_from_the_start"] == {"count": 0, "of": 2, "rate": 0.0}
        assert report["seats"][1]["lost_from_the_start"]["rate"] == 1.0

    def test_forfeits_are_losses_and_shown_by_kind(self, measure: Measure) -> None:
        report = measure(planned("process:false", "random", "charge", pairs=2))
        overall = report["overall"]
        assert (overall["matches"], overall["losses"]) == (4, 4)
        assert overall["forfeits"] == dict.fromkeys(ForfeitKind, 0) | {"error": 4}
        assert overall["decisions"] == overall["accuracy"]["of"] == 3, "one start was lost, whatever was played"
        assert (overall["accuracy"]["rate"], overall["regret"]) == (0.0, 2.0)
        assert "Forfeits: 4 (4 error), counted as losses." in evaluation_text(report)

    def test_a_win_by_forfeit_of_the_opponent_is_shown(self, measure: Measure) -> None:
        report = measure(planned("greedy", "process:false", "charge", pairs=1))
        assert (report["overall"]["wins"], report["overall"]["opponent_forfeits"]) == (2, 2)
        assert "Won by a forfeit of the opponent: 2." in evaluation_text(report)

    def test_it_adds_up(self, measure: Measure, tmp_path: Path) -> None:
        plan = planned("greedy", "random,easy", "crystal-capture:deadlock=draw,alpha-chase", pairs=3)
        report = measure(plan)
        overall = report["overall"]
        for cut in ("seats", "opponents", "games", "cells"):
            for name in ("matches", "wins", "losses", "draws", "undecided", "decisions"):
                assert sum(cell[name] for cell in report[cut]) == overall[name], (cut, name)
        records = [(task["match"], from_json(task["record"])) for task in map(json.loads, matches(tmp_path / "run"))]
        won = sum(record.outcome == (0 if match.endswith(" first") else 1) for match, record in records)
        assert overall["wins"] == won
        own = [
            move
            for match, record in records
            for move in review_game(record.game, record.moves).moves
            if move.mattered and SEAT_NAMES[move.player] == match.rpartition(" ")[2]
        ]
        assert overall["decisions"] == len(own)
        assert overall["accuracy"]["count"] == sum(move.regret == 0 for move in own)
        assert overall["regret"] == pytest.approx(sum(move.regret for move in own) / len(own), abs=1e-4)
        assert overall["matches"] == report["planned"] == 24

    def test_matches_are_the_same_in_several_threads(self, measure: Measure, tmp_path: Path) -> None:
        plan = planned("greedy", f"random,process:{shell(ALWAYS_1)}")
        measure(plan, "one")
        measure(plan, "three", parallel=3)
        one, three = ((tmp_path / name / "matches.jsonl").read_bytes() for name in ("one", "three"))
        assert one == three

    def test_the_cost_is_that_of_the_agents_own_tokens(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("DUELBOOK_LLM_BASE_URL", "http://localhost:8080/v1")
        plan = planned("llm:small-model", pairs=1)
        own, other = (
            Exchange(
                match="flag-chase random 1 first",
                game="flag-chase",
                ply=0,
                seat=seat,
                model="small-model",
                seed=1,
                attempt=1,
                prompt=[],
                result="accepted",
                status=200,
                seconds=0.5,
                tokens=Tokens(1_000_000, 500_000, reasoning=200_000),
            )
            for seat in ("first", "second")
        )
        report = evaluation_report(RunTally(plan, []), [own, other], Prices(3.0, 10.0))
        assert report["spent"] == {
            "requests": 1,
            "results": {"accepted": 1},
            "tokens_read": 1_000_000,
            "tokens_written": 500_000,
            "tokens_reasoning": 200_000,
            "tokens_cached": 0,
            "estimated": False,
            "median_seconds": 0.5,
            "cost": 8.0,
        }
        assert "Cost: 8.0000." in evaluation_text(report)
        own.result = "failed"  # a response that is no reply takes no part in the time of a reply
        assert evaluation_report(RunTally(plan, []), [own])["spent"]["median_seconds"] is None


class TestBadInput:
    @pytest.fixture
    def run(self, tmp_path: Path, measure: Measure) -> Path:
        measure(planned("greedy", "random", pairs=1, seed=0))
        return tmp_path / "run"

    def again(self, duelbook: Duelbook, run: Path, *more: object) -> "subprocess.CompletedProcess[str]":
        command = ("eval", "--agent", "greedy", "--games", "flag-chase", "--opponent", "random", "--pairs", 1)
        return duelbook(*command, "--openings", "book", "--attempts", 3, "--out", run, *more)

    def test_another_evaluation_is_not_overwritten(self, run: Path, duelbook: Duelbook) -> None:
        before = {file: file.read_bytes() for file in run.iterdir()}
        said = "already holds an evaluation. Add --resume (in Python: resume=True), or give another folder."
        assert said in self.again(duelbook, run).stderr
        other = self.again(duelbook, run, "--resume", "--seed", 1)
        assert (other.returncode, other.stdout) == (2, "")
        assert "holds another evaluation: seed is 0 there, not 1." in other.stderr
        assert {file: file.read_bytes() for file in run.iterdir()} == before

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ('"number"', "number", "Line 1 is not JSON"),
            ('"number":0', '"number":"0"', "number must be a whole number, not text."),
            ('"number":0', '"number":7', "The match is not part of this evaluation."),
            ('"number":0', '"more":0,"number":0', "'more' is not a known field."),
            ('"result":"', '"result":"x', "record.result cannot be"),
            ('"forfeit":null', '"forfeit":[0,"error",""]', "The forfeit does not follow from the record."),
            ('"forfeit":null', '"forfeit":[0,"fault",""]', "forfeit[1] cannot be 'fault'"),
        ],
    )
    def test_a_wrong_line_is_reported_with_its_number(
        self, run: Path, duelbook: Duelbook, old: str, new: str, said: str
    ) -> None:
        file = run / LOG
        body, *others = file.read_text().partition(" ")[2].splitlines(keepends=True)
        wrong = body.rstrip("\n").replace(old, new, 1)
        for checksum, message in ((zlib.crc32(wrong.encode()), said), (0, "The line is damaged: its checksum is")):
            damaged = "".join([f"{checksum:08x} {wrong}\n", *others])
            file.write_text(damaged)
            done = self.again(duelbook, run, "--resume")
            assert (done.returncode, done.stdout) == (2, "")
            assert f"{file}, line 1: " in done.stderr
            assert message in done.stderr
            assert file.read_text() == damaged

    def test_a_crash_at_the_very_start_leaves_nothing_in_the_way(self, tmp_path: Path, duelbook: Duelbook) -> None:
        (tmp_path / "run").mkdir()
        (tmp_path / "run" / LOG).touch()
        assert self.again(duelbook, tmp_path / "run").returncode == 0

    def test_it_is_not_resumed_with_other_times_for_programs(self, tmp_path: Path, duelbook: Duelbook) -> None:
        plan = ("--agent", f"process:{shell(ANSWER)}", "--games", "flag-chase", "--opponent", "random", "--pairs", 1)
        command = ("eval", *plan, "--out", tmp_path / "run")
        assert duelbook(*command).returncode == 0
        log, published = tmp_path / "run" / LOG, (tmp_path / "run/matches.jsonl").read_bytes()
        log.write_bytes(log.read_bytes()[:-40])
        cut = log.read_bytes()
        done = duelbook(*command, "--resume", DUELBOOK_PROCESS_MATCH_SECONDS="7")
        said = "The manifest was written with DUELBOOK_PROCESS_MATCH_SECONDS=0.0, but it is now 7.0."
        assert (done.returncode, done.stderr) == (2, f"duelbook: {tmp_path / 'run/evaluation.json'}: {said}\n")
        assert log.read_bytes() == cut
        assert duelbook(*command, "--resume", DUELBOOK_PROCESS_MATCH_SECONDS="").returncode == 0
        assert (tmp_path / "run/matches.jsonl").read_bytes() == published

    def test_a_damaged_log_of_exchanges_is_reported_with_the_line(self, run: Path, duelbook: Duelbook) -> None:
        (run / "exchanges.jsonl").write_text('{"match": "x", "result": 1}\n')
        done = self.again(duelbook, run, "--resume")
        assert done.returncode == 2
        assert f"{run / 'exchanges.jsonl'}, line 1 is not an exchange: " in done.stderr

    def test_the_folder_is_named_after_the_agent(
        self, tmp_path: Path, duelbook: Duelbook, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        agent = "process:sh -c 'exit 1'"
        duelbook("eval", "--agent", agent, "--games", "flag-chase", "--pairs", 1, "--opponent", "random")
        assert os.listdir() == ["eval-process-sh-c-exit-1"]
