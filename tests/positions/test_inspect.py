"""The Inspect task, run by Inspect with its mock model, gives the scores that Duelbook itself gives."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook.positions import load_positions
from duelbook.positions.scores import LEGAL, Reply, scores
from tests.support.keyboard import environment

ROOT = Path(__file__).parents[2]


def test_the_mock_model_is_scored_as_duelbook_scores_it(dataset: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.inspect_mock", dataset, tmp_path / "logs"],
        cwd=ROOT,
        env=environment(INSPECT_LOG_LEVEL="error", XDG_DATA_HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    positions = {one.id: one for one in load_positions(dataset)}
    assert found["status"] == "success"
    assert sorted(found["asked"]) == sorted(one.prompt[-1].content for one in positions.values())
    answers = {one["id"]: one for one in found["samples"]}
    assert sorted(answers) == sorted(positions)
    assert sorted(one["outcome"] for one in answers.values() if one["answer"] is None) == ["format", "illegal"]
    replies = [Reply(positions[name], one["answer"], one["outcome"]) for name, one in answers.items()]
    expected = scores(replies)
    metrics = found["metrics"]
    assert metrics["right"]["mean"] == pytest.approx(expected["accuracy"]["rate"], abs=1e-5)
    assert metrics["right"]["duelbook/accuracy_score"] == pytest.approx(expected["accuracy_score"]["rate"], abs=1e-5)
    assert metrics["regret"]["mean"] == pytest.approx(expected["regret"]["rate"], abs=1e-5)
    assert metrics["regret"]["duelbook/regret_score"] == pytest.approx(expected["regret_score"]["rate"], abs=1e-5)
    assert metrics["legal"]["mean"] == pytest.approx(expected["legal"]["rate"], abs=1e-5)
    for reply, one in zip(replies, answers.values(), strict=True):
        assert one["value"] == {"right": reply.is_right, "regret": reply.regret, "legal": reply.outcome == LEGAL}
