"""Evaluations of language models: no reply is lost or paid for twice."""

import json
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from duelbook.arena.runner import WAITING
from tests.support.endpoint import (
    Reply,
    always,
    endpoint,
    entries,
    fail,
    in_turn,
    last_legal,
    legal,
    say,
    streamed_legal,
)
from tests.support.keyboard import environment
from tests.support.models import QUICK, Duelbook, matches


class TestLanguageModels:
    def test_a_model_is_measured_end_to_end(self, tmp_path: Path, duelbook: Duelbook) -> None:
        command = ("eval", "--agent", "llm:small-model", *QUICK, "--out", tmp_path / "run")
        with endpoint(in_turn(say("no idea"))) as serving:
            done = duelbook(*command, "--input-price", 2, "--output-price", 8, **serving.environment())
        assert (done.returncode, done.stderr) == (0, "")
        report = json.loads((tmp_path / "run/report.json").read_text())
        asked = len(serving.bodies)
        assert report["overall"]["matches"] == report["planned"] == 16
        assert report["spent"]["requests"] == asked
        assert report["spent"]["results"] == {"accepted": asked - 1, "format": 1}
        assert report["spent"]["tokens_read"] == 100 * asked
        assert report["spent"]["cost"] == round((100 * asked * 2 + 10 * asked * 8) / 1_000_000, 6)
        page = (tmp_path / "run/report.txt").read_text()
        assert done.stdout.startswith(page)
        assert page.startswith("llm:small-model: 16 matches\n2 pairs per game and opponent")
        how = "up to 3 answers per move, 60 s for each, legal moves shown, tolerant reading"
        assert f"\n{how}\n" in page
        assert f"<p>Language models have {how}.</p>" in (tmp_path / "run/report.html").read_text()
        log = entries(tmp_path / "run/exchanges.jsonl")
        assert len(log) == asked
        played = [json.loads(line)["match"] for line in matches(tmp_path / "run")]
        assert {entry["match"] for entry in log} <= set(played)
        done = duelbook(*command, "--resume", "--input-price", 1)  # needs no endpoint
        assert (done.returncode, done.stderr) == (0, "")
        assert " Cost: " in done.stdout

    def test_a_limit_stops_it_and_resuming_pays_for_nothing_twice(self, tmp_path: Path, duelbook: Duelbook) -> None:
        whole, parts = tmp_path / "whole", tmp_path / "parts"
        with endpoint() as serving:
            settings = serving.environment()
            command = ["eval", "--agent", "llm:small-model", *QUICK]
            assert duelbook(*command, "--out", whole, **settings).returncode == 0
            needed = len(serving.bodies)
            runs = [duelbook(*command, "--out", parts, "--max-calls", 3)]
            while runs[-1].returncode == 1:
                runs.append(duelbook(*command, "--out", parts, "--max-calls", 3, "--resume"))
        assert runs[0].stderr == (
            "duelbook: The limit of 3 requests is reached. Continue with the same command and --resume.\n"
        )
        assert "of 16 planned" in runs[0].stdout
        assert runs[-1].returncode == 0
        assert len(runs) == -(-needed // 3)
        assert len(serving.bodies) == 2 * needed
        assert matches(parts) == matches(whole)
        assert len(entries(parts / "exchanges.jsonl")) == needed

    @pytest.mark.parametrize(
        ("before", "after", "kept", "said"),
        [
            (
                {"body": '{"temperature": 0}'},
                {"body": '{"temperature": 1}'},
                {"temperature": 0},
                "body.temperature is 0",
            ),
            ({"timeout": 7}, {"timeout": 8}, 7, "timeout is 7.0"),
        ],
        ids=["further fields", "time for a reply"],
    )
    def test_a_part_of_the_run_must_be_the_same_when_it_is_resumed(
        self, before: dict[str, Any], after: dict[str, Any], kept: object, said: str, tmp_path: Path, duelbook: Duelbook
    ) -> None:
        command = ["eval", "--agent", "llm:small-model", "--games", "flag-chase", "--pairs", 1, "--opponent", "random"]
        command += ["--out", tmp_path / "run"]
        with endpoint() as serving:
            assert duelbook(*command, **serving.environment(**before)).returncode == 0
            again = duelbook(*command, "--resume", **serving.environment(**after))
        [name] = before
        assert json.loads((tmp_path / "run/evaluation.json").read_text())[name] == kept
        assert again.returncode == 2
        assert f"another evaluation: {said} there, not " in again.stderr

    def test_legal_moves_can_be_hidden_and_attempts_limited(self, tmp_path: Path, duelbook: Duelbook) -> None:
        with endpoint(always(say("MOVE: x"))) as serving:
            done = duelbook(
                *("eval", "--agent", "llm:small-model", "--games", "charge", "--pairs", 1, "--opponent", "random"),
                *("--hide-legal", "--attempts", 2, "--out", tmp_path / "run"),
                **serving.environment(),
            )
        assert "up to 2 answers per move, 60 s for each, legal moves hidden" in done.stdout
        assert "Forfeits: 2 (2 illegal), counted as losses." in done.stdout
        assert len(serving.bodies) == 4
        assert "egal moves:" not in json.dumps(serving.bodies)

    @pytest.mark.parametrize(
        ("answered", "fault", "said"),
        [
            (4, fail(500), "answered 500: try later. Continue with the same command and --resume."),
            (
                0,
                Reply(b'{"error": {"message": "System role not supported"}}', 400),
                "set DUELBOOK_LLM_SYSTEM_ROLE=no. Then begin anew with another --out: a run keeps its settings.",
            ),
        ],
        ids=["breaks down", "needs other settings"],
    )
    def test_an_endpoint_that_fails_stops_it_without_a_loss(
        self, answered: int, fault: Reply, said: str, tmp_path: Path, duelbook: Duelbook
    ) -> None:
        with endpoint(lambda body, number: last_legal(body, number) if number < answered else fault) as serving:
            command = ["eval", "--agent", "llm:small-model", *QUICK, "--out", tmp_path / "run", "--workers", 1]
            done = duelbook(*command, **serving.environment(retries=0))
            assert done.returncode == 2
            assert done.stderr.startswith(f"duelbook: The endpoint {serving.url} answered ")
            assert done.stderr.endswith(f"{said}\n")
            serving.behave = last_legal
            again = duelbook(*command, "--resume")
        assert again.returncode == 0
        assert "Forfeits: 0." in again.stdout

    @pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
    def test_after_kill_9_no_reply_is_paid_for_twice(self, streamed: bool, tmp_path: Path, duelbook: Duelbook) -> None:
        """The process is killed while it waits for a reply; all replies before that are taken from its log."""
        reply = streamed_legal if streamed else last_legal
        options = ["--games", "charge", "--pairs", 1, "--opponent", "random", "--workers", 1]
        command = [*map(str, ("eval", "--agent", "llm:small-model", *options, "--out"))]
        run, whole = tmp_path / "run", tmp_path / "whole"
        with endpoint(reply) as serving:
            settings = serving.environment(timeout=60, stream="yes" if streamed else "no")
            assert duelbook(*command, whole, **settings).returncode == 0
            needed = len(serving.bodies)
            serving.behave = lambda body, number: replace(reply(body, number), delay=60 * (number == needed + 3))
            arguments = [sys.executable, "-m", "duelbook", *command, str(run)]
            running = subprocess.Popen(arguments, env=environment(**settings), stdout=subprocess.DEVNULL)
            while len(serving.bodies) < needed + 4:
                time.sleep(0.02)
            running.send_signal(signal.SIGKILL)
            running.wait()
            assert len(entries(run / "exchanges.jsonl")) == 3  # in the middle of the first match
            assert not (run / "results.log").read_text()
            with (run / "exchanges.jsonl").open("a") as log:
                log.write('{"match": "half a line')
            assert duelbook(*command, run, "--resume").returncode == 0
        assert len(serving.bodies) == 2 * needed + 1  # the one under way was never answered
        assert matches(run) == matches(whole)
        assert [entry["streamed"] for entry in entries(run / "exchanges.jsonl")] == [streamed] * needed

    def test_the_report_has_the_rates_of_both_rules(self, tmp_path: Path, duelbook: Duelbook) -> None:
        def bold(body: dict[str, Any], number: int) -> Reply:
            return say(f"**MOVE: {legal(body)[-1]}**" if number % 2 else f"MOVE: {legal(body)[-1]}")

        command = ["eval", "--agent", "llm:small-model", "--games", "charge", "--pairs", 1, "--opponent", "random"]
        with endpoint(bold) as serving:
            done = duelbook(*command, "--out", tmp_path / "run", "--workers", 1, **serving.environment())
            again = duelbook(*command, "--out", tmp_path / "run", "--resume", "--reading", "strict")
        report = json.loads((tmp_path / "run/report.json").read_text())
        replies, asked = report["replies"], len(serving.bodies)
        assert (replies["count"], replies["strict"]["format"]) == (asked, asked // 2)
        assert (replies["strict"]["accepted"], replies["tolerant"]["accepted"]) == (asked - asked // 2, asked)
        rate = f"{1 - asked // 2 / asked:.1%}"
        assert (
            f"\nReplies: {asked}. The strict rule accepts {rate} (not accepted: {asked // 2} format); "
            "the tolerant rule accepts 100.0%.\n"
        ) in done.stdout
        assert json.loads((tmp_path / "run/evaluation.json").read_text())["reading"] == "tolerant"
        assert again.returncode == 2
        assert again.stderr.endswith('holds another evaluation: reading is "tolerant" there, not "strict".\n')

    @pytest.mark.parametrize("again", [False, True], ids=["once", "twice"])
    @pytest.mark.parametrize("run", ["eval", "tournament"])
    def test_an_interrupt_waits_for_the_replies_under_way_and_a_second_one_stops_at_once(
        self, run: str, again: bool, tmp_path: Path
    ) -> None:
        told, log = threading.Event(), tmp_path / "run/exchanges.jsonl"

        def behave(body: dict[str, Any], number: int) -> Reply:
            assert number < 3 or told.wait(60)
            return say("MOVE: 1", delay=300 if again and number >= 3 else 0)

        options = ["--agent", "llm:small-model"]
        if run == "tournament":
            options = ["--agents", "llm:small-model,random", "--workers", "2"]
        with endpoint(behave) as serving:
            running = subprocess.Popen(
                [sys.executable, "-m", "duelbook", run, *options, "--games", "flag-chase", "--out", str(log.parent)],
                env=environment(**serving.environment(timeout=600)),
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            while len(serving.bodies) < 5 or log.read_text().count("\n") < 3:
                time.sleep(0.02)
            running.send_signal(signal.SIGINT)
            assert running.stderr
            assert running.stderr.readline() == f"duelbook: {WAITING}\n"
            told.set()
            if again:
                running.send_signal(signal.SIGINT)
            shown, complaint = running.communicate(timeout=60)
            asked = len(serving.bodies)
        assert (running.returncode, complaint.startswith("duelbook: Stopped. ")) == (130, True), complaint
        assert run == "tournament" or "of 90 planned" in shown
        assert len(entries(log)) == (3 if again else asked), "unless it is stopped at once, no reply is lost"
