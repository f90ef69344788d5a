"""Language models in tournaments: which game an exchange belongs to."""

import json
from pathlib import Path

import pytest

from duelbook import make
from duelbook.arena.playing import play_match
from tests.agents.conftest import Duelbook, Seat
from tests.agents.endpoint import endpoint, entries

pytest.importorskip("choix", reason="choix is not installed (extra arena)")


@pytest.fixture(autouse=True)
def _own_log(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget where the exchanges of an earlier tournament were kept, also when this one is over."""
    monkeypatch.setenv("DUELBOOK_LLM_LOG", "")
    monkeypatch.delenv("DUELBOOK_LLM_LOG")


def said_by_model(log: Path, match: object, seat: str) -> list[str]:
    """Answer the moves of a model in one game, as the log of exchanges has them."""
    return [entry["move"] for entry in entries(log) if (entry["match"], entry["seat"]) == (match, seat)]


class TestTheMatchOfAnExchange:
    @pytest.mark.parametrize("backend", ["serial", "process"])
    def test_it_finds_the_record_in_a_tournament(self, backend: str, tmp_path: Path, duelbook: Duelbook) -> None:
        with endpoint() as serving:
            done = duelbook(
                *("tournament", "--agents", "llm:small-model,random", "--games", "flag-chase,charge", "--pairs", 2),
                *("--backend", backend, "--out", tmp_path / "run"),
                **serving.environment(),
            )
        assert done.returncode == 0, done.stderr
        records = [json.loads(line) for line in (tmp_path / "run/matches.jsonl").read_text().splitlines()]
        assert len(records) == 8
        for number, record in enumerate(records):
            seat = number % 2  # who is Player 1 moves first and second in turn
            said = said_by_model(tmp_path / "run/exchanges.jsonl", str(number), ("first", "second")[seat])
            assert said == record["moves"][seat::2]
        assert {entry["match"] for entry in entries(tmp_path / "run/exchanges.jsonl")} <= set(map(str, range(8)))

    def test_it_is_the_number_of_the_game_in_a_quick_run(self, tmp_path: Path, duelbook: Duelbook) -> None:
        log = tmp_path / "log.jsonl"
        with endpoint() as serving:
            agents = ("--p1", "llm:small-model", "--p2", "random")
            done = duelbook("match", *agents, "--game", "charge", "--games", 3, **serving.environment(log=log))
        assert done.returncode == 0, done.stderr
        assert [entry["match"] for entry in entries(log) if entry["ply"] < 2] == ["0", "1", "2"]

    def test_it_is_the_seed_from_python(self, seat: Seat) -> None:
        seated = seat()
        play_match(make("charge"), ("llm:small-model", "random"), seed=7, make=lambda name, seed: seated.agent)
        assert {entry["match"] for entry in seated.log()} == {"7"}
