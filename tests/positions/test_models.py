"""Language models asked for single moves: one reply each, and no reply is lost or paid for twice."""

import json
from pathlib import Path

from duelbook.positions import load_positions
from tests.support.endpoint import Reply, endpoint, entries, in_turn, last_legal, legal, say
from tests.support.models import Duelbook

AGENT = ("eval", "--agent", "llm:small-model", "--positions")


def test_each_position_is_asked_once_with_the_prompt_of_the_dataset(
    dataset: Path, tmp_path: Path, duelbook: Duelbook
) -> None:
    with endpoint(in_turn(say("no idea"))) as serving:
        done = duelbook(*AGENT, dataset, "--out", tmp_path / "run", **serving.environment())
    assert (done.returncode, done.stderr) == (0, "")
    positions = load_positions(dataset)
    prompts = [[{"role": one.role, "content": one.content} for one in position.prompt] for position in positions]
    assert sorted(map(json.dumps, prompts)) == sorted(json.dumps(body["messages"]) for body in serving.bodies)
    report = json.loads((tmp_path / "run/report.json").read_text())
    assert report["overall"]["answers"] == report["spent"]["requests"] == len(positions)
    assert sum(report["overall"]["outcomes"].values()) - report["overall"]["outcomes"]["legal"] == 1
    assert "Answers without a legal move: 1 (" in done.stdout


def test_a_limit_of_requests_stops_it_and_resuming_pays_for_nothing_twice(
    dataset: Path, tmp_path: Path, duelbook: Duelbook
) -> None:
    command = (*AGENT, dataset, "--out", tmp_path / "run", "--limit", 12, "--samples", 2, "--max-calls", 9)
    with endpoint(last_legal) as serving:
        runs = [duelbook(*command, **serving.environment())]
        while runs[-1].returncode == 1:
            runs.append(duelbook(*command, "--resume"))
    assert [run.returncode for run in runs] == [1, 1, 0]
    assert "answers of 24 planned\n12 positions, asked 2 times each; seed 0\n" in runs[0].stdout
    assert runs[0].stderr == (
        "duelbook: The limit of 9 requests is reached. Continue with the same command and --resume.\n"
    )
    assert len(serving.bodies) == len(entries(tmp_path / "run/exchanges.jsonl")) == 24
    seeds = {(body["messages"][1]["content"], body["seed"]) for body in serving.bodies}
    assert len(seeds) == 24  # the second sample of a position has another seed


def test_a_reply_that_was_logged_before_its_answer_was_saved_is_not_asked_for_again(
    dataset: Path, tmp_path: Path, duelbook: Duelbook
) -> None:
    """What a kill leaves; the kill itself is shown with matches, which keep the same logs."""
    command = (*AGENT, dataset, "--out", tmp_path / "run")
    results, answers = tmp_path / "run/results.log", tmp_path / "run/answers.jsonl"
    with endpoint(last_legal) as serving:
        assert duelbook(*command, **serving.environment()).returncode == 0
        asked, before = len(serving.bodies), answers.read_bytes()
        *kept, torn, _ = results.read_bytes().splitlines(keepends=True)
        results.write_bytes(b"".join(kept) + torn[:9])
        assert duelbook(*command, "--resume").returncode == 0
    assert (len(serving.bodies), answers.read_bytes()) == (asked, before)
    logged = [entry["match"] for entry in entries(tmp_path / "run/exchanges.jsonl")]
    assert sorted(logged) == sorted(f"{one.id} 1" for one in load_positions(dataset))  # each reply once


def test_what_a_model_does_wrong_is_told_apart(dataset: Path, tmp_path: Path, duelbook: Duelbook) -> None:
    odd = [say("no idea"), say("MOVE: 99"), say("I'm sorry, but I can't help with that.")]
    command = (*AGENT, dataset, "--limit", 6, "--workers", 1)

    def behave(body: dict[str, object], number: int) -> Reply:
        return odd[number % 6] if number % 6 < 3 else say(f"**MOVE: {legal(body)[0]}**")

    with endpoint(behave) as serving:
        done = duelbook(*command, "--out", tmp_path / "tolerant", **serving.environment())
        strict = duelbook(*command, "--reading", "strict", "--out", tmp_path / "strict")
    assert (done.returncode, strict.returncode) == (0, 0)
    assert len(serving.bodies) == 12  # one attempt each
    found, other = (json.loads((tmp_path / name / "report.json").read_text()) for name in ("tolerant", "strict"))
    assert found["overall"]["outcomes"] == {"format": 1, "illegal": 1, "legal": 3, "refusal": 1}
    assert other["overall"]["outcomes"] == {"format": 4, "illegal": 1, "refusal": 1}
    assert found["replies"] == other["replies"]  # which has what both rules accept
    assert (other["overall"]["legal"]["rate"], other["overall"]["accuracy"]["rate"]) == (0, 0)
    assert "Answers without a legal move: 3 (1 format, 1 illegal, 1 refusal). They count as losses." in done.stdout
    assert "legal moves shown, strict reading\n" in strict.stdout
    compared = duelbook("compare", tmp_path / "tolerant", tmp_path / "strict").stdout
    assert 'Note: The runs differ in DUELBOOK_LLM_READING: tolerant: "tolerant"; strict: "strict".\n' in compared
    assert compared.count("differ in") == 1


def test_a_model_is_asked_nothing_that_the_dataset_does_not_have(
    dataset: Path, tmp_path: Path, duelbook: Duelbook
) -> None:
    row = json.loads((dataset / "test.jsonl").read_text().splitlines()[0])
    row["prompt"][0]["content"] += " Hurry up."
    (tmp_path / "other.jsonl").write_text(json.dumps(row) + "\n")
    with endpoint() as serving:
        done = duelbook(*AGENT, tmp_path / "other.jsonl", "--out", tmp_path / "run", **serving.environment())
    assert (done.returncode, serving.bodies) == (2, [])
    assert "was written by another version of Duelbook, which asks models differently." in done.stderr
    assert not (tmp_path / "run").exists()
