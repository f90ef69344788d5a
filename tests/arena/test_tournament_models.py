"""Language models in tournaments: the match of an exchange, the settings in the manifest, and limits."""

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from duelbook import make
from duelbook.arena import play_match
from tests.support.endpoint import KEY, Reply, endpoint, entries, last_legal
from tests.support.models import Duelbook, ServeModel

pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")

MODEL = ("--agents", "greedy,llm:small-model", "--games", "charge", "--pairs", 1, "--backend", "serial")


def moves_in_log(log: Path, match: object, seat: str) -> list[str]:
    return [entry["move"] for entry in entries(log) if (entry["match"], entry["seat"]) == (match, seat)]


class TestTheMatchOfAnExchange:
    @pytest.mark.parametrize("backend", ["serial", "process"])
    def test_it_finds_the_record_in_a_tournament(self, backend: str, tmp_path: Path, duelbook: Duelbook) -> None:
        with endpoint() as serving:
            done = duelbook(
                *("tournament", "--agents", "llm:small-model,random", "--games", "flag-chase,charge", "--pairs", 2),
                *("--openings", "book"),
                *("--backend", backend, "--out", tmp_path / "run"),
                **serving.environment(),
            )
        assert done.returncode == 0, done.stderr
        records = [json.loads(line) for line in (tmp_path / "run/matches.jsonl").read_text().splitlines()]
        assert len(records) == 8
        for number, record in enumerate(records):
            seat = number % 2  # Player 1 moves first and second in turn
            said = moves_in_log(tmp_path / "run/exchanges.jsonl", str(number), ("first", "second")[seat])
            assert said == record["moves"][seat::2]
        assert {entry["match"] for entry in entries(tmp_path / "run/exchanges.jsonl")} <= set(map(str, range(8)))

    def test_it_is_the_number_of_the_match_in_a_series(self, tmp_path: Path, duelbook: Duelbook) -> None:
        log = tmp_path / "log.jsonl"
        with endpoint() as serving:
            agents = ("--p1", "llm:small-model", "--p2", "random")
            settings = ("--games", "charge,flag-chase", "--matches", 3, "--openings", "book")
            done = duelbook("match", *agents, *settings, **serving.environment(log=log))
        assert done.returncode == 0, done.stderr
        for game in ("charge", "flag-chase"):
            asked = sum(entry["game"] == game for entry in entries(log))
            assert f"\n  replies of llm:small-model: {asked}. The strict rule accepts 100.0%;" in done.stdout
        assert [entry["match"] for entry in entries(log) if entry["ply"] < 2][:3] == ["0", "1", "2"]

    def test_it_is_the_seed_from_python(self, serve_model: ServeModel) -> None:
        served = serve_model()
        play_match(make("charge"), ("llm:small-model", "random"), seed=7, make=lambda name, seed: served.agent)
        assert {entry["match"] for entry in served.log()} == {"7"}


class TestTheSettingsOfATournament:
    def test_the_manifest_has_those_that_decide_how_a_model_plays_and_no_key(
        self, tmp_path: Path, duelbook: Duelbook
    ) -> None:
        with endpoint() as serving:
            settings = serving.environment(attempts=2, body='{"temperature": 0.5}')
            assert duelbook("tournament", *MODEL, "--out", tmp_path / "run", **settings).returncode == 0
        text = (tmp_path / "run/manifest.json").read_text()
        assert json.loads(text)["settings"] == {
            "DUELBOOK_LLM_TIMEOUT": 60.0,
            "DUELBOOK_LLM_ATTEMPTS": 2,
            "DUELBOOK_LLM_SHOW_LEGAL": True,
            "DUELBOOK_LLM_READING": "tolerant",
            "DUELBOOK_LLM_TOOLS": False,
            "DUELBOOK_LLM_SYSTEM_ROLE": True,
            "DUELBOOK_LLM_BODY": {"temperature": 0.5},
        }
        assert KEY not in text
        assert serving.url not in text

    def test_a_changed_setting_is_refused_when_resuming_and_when_replaying(
        self, tmp_path: Path, duelbook: Duelbook
    ) -> None:
        file = tmp_path / "run/manifest.json"
        with endpoint() as serving:
            settings = serving.environment()
            stopped = duelbook("tournament", *MODEL, "--out", file.parent, **settings, DUELBOOK_LLM_MAX_CALLS="2")
            assert stopped.returncode == 2
            before, asked = (file.parent / "results.log").read_bytes(), len(serving.bodies)
            settings["DUELBOOK_LLM_MAX_CALLS"] = "0"
            for setting, value, said in (
                ("ATTEMPTS", "7", "DUELBOOK_LLM_ATTEMPTS=3, but it is now 7."),
                ("SHOW_LEGAL", "no", "DUELBOOK_LLM_SHOW_LEGAL=true, but it is now false."),
                ("TIMEOUT", "9", "DUELBOOK_LLM_TIMEOUT=60.0, but it is now 9.0."),
                ("BODY", '{"temperature": 1}', 'DUELBOOK_LLM_BODY={}, but it is now {"temperature": 1}.'),
            ):
                changed = {f"DUELBOOK_LLM_{setting}": value}
                for more in (("--out", file.parent, "--resume"), ("--out", tmp_path / "again", "--manifest", file)):
                    done = duelbook("tournament", *more, "--trust", **settings | changed)
                    message = f"duelbook: {file}: The manifest was written with {said}\n"
                    assert (done.returncode, done.stderr) == (2, message)
                settings = {f"DUELBOOK_LLM_{setting}": ""} | settings  # which is the default
            assert (file.parent / "results.log").read_bytes() == before
            assert len(serving.bodies) == asked
            assert not (tmp_path / "again").exists()
            resumed = duelbook(
                "tournament", "--out", file.parent, "--resume", "--backend", "serial", "--trust", **settings
            )
            assert resumed.returncode == 0
        note = f"Replies of llm:small-model: {len(serving.bodies)}. The strict rule accepts 100.0%;"
        assert f"Note: {note}" in resumed.stdout, "no reply was asked for twice"


class TestLimits:
    def run(self, out: Path, duelbook: Duelbook, workers: int = 2, **limits: int) -> tuple[str, int, int]:
        """Return the error of a tournament with some workers, its requests, and the most at the same time.

        The first replies come when two requests are there, and all of them take so long that others come meanwhile.
        """

        def slow(body: dict[str, Any], number: int) -> Reply:
            deadline = time.monotonic() + 60
            while serving.most_at_once < 2 and time.monotonic() < deadline:
                time.sleep(0.01)
            return replace(last_legal(body, number), delay=0.05)

        with endpoint(slow) as serving:
            settings = serving.environment(timeout=90, **limits)
            agents = ("--agents", "llm:small-model,random", "--games", "charge", "--pairs", 6)
            done = duelbook("tournament", *agents, "--workers", workers, "--out", out, **settings)
            return done.stderr, len(serving.bodies), serving.most_at_once

    def test_all_workers_count_requests_together_and_send_few_at_once(self, tmp_path: Path, duelbook: Duelbook) -> None:
        complaint, asked, most = self.run(tmp_path / "run", duelbook, workers=3, max_calls=20, concurrency=2)
        assert "The limit of 20 requests is reached." in complaint
        assert 16 <= asked <= 20  # requests that were about to be sent are counted, too
        assert most == 2

    def test_all_workers_count_tokens_together(self, tmp_path: Path, duelbook: Duelbook) -> None:
        complaint, asked, _ = self.run(tmp_path / "run", duelbook, max_tokens=1000)  # a reply is 110
        assert "The limit of 1,000 tokens is reached" in complaint
        assert 10 <= asked <= 13
