"""`duelbook check-player`: a program that keeps the protocol passes, a broken one gets a sentence for each fault."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from duelbook import make
from duelbook.agents.process import child, conformance
from duelbook.agents.process.conformance import CHECKS, PlayerCheck
from duelbook.agents.process.settings import ProcessSettings
from duelbook.arena import plan_evaluation, run_evaluation
from tests.support.models import Duelbook
from tests.support.programs import ANSWER, FIRST_LEGAL, clock_file, hello, player_script, shell

PLAYERS = Path(__file__).parents[3] / "examples/players"
ALL = '"matches", "seed", "info"'
INFO = """echo '{"type": "info", "depth": 1}'"""


GRACE_SECONDS = child.GRACE_SECONDS


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give programs, which end by themselves, the time of a busy machine."""
    monkeypatch.setattr(child, "GRACE_SECONDS", 60)


@pytest.fixture
def impatient(patient: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give no more time than outside these tests to a program that does not end by itself."""
    monkeypatch.setattr(child, "GRACE_SECONDS", GRACE_SECONDS)


def failures(script: str, tmp_path: Path, *games: str, settings: ProcessSettings | None = None) -> dict[str, str]:
    """Return what is wrong with the program, by the name of the check."""
    file = tmp_path / "player.sh"
    file.write_text(script)
    played = [make(game) for game in games or ("flag-chase",)]
    findings = PlayerCheck(f"sh {file}", played, settings or ProcessSettings(90, 60, 60)).run()
    return {finding.check: finding.failure for finding in findings if finding.failure}


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference player, compiled with all warnings as errors."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("There is no C compiler.")
    program = tmp_path_factory.mktemp("c") / "reference"
    strict = ("-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic")
    subprocess.run([compiler, *strict, "-o", program, PLAYERS / "reference.c"], check=True)
    return program


def test_the_reference_player_in_c_passes_every_check(reference: Path, duelbook: Duelbook) -> None:
    done = duelbook("check-player", reference, "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout
    assert [check["result"] for check in document["checks"]] == ["ok"] * len(CHECKS)
    assert (document["name"], document["author"], document["passed"]) == ("Reference in C", "Duelbook", True)


@pytest.mark.parametrize("game", ["crystal-capture", "crystal-capture:deadlock=draw:goal=20"])
def test_the_reference_player_makes_no_mistake_in_crystal_capture(reference: Path, game: str, tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")
    plan = plan_evaluation(f"process:{reference}", [game], ["random", "expert"], pairs=6)
    report = run_evaluation(plan, tmp_path / "run")
    assert report["overall"]["regret"] == 0
    assert report["overall"]["decisions"] > 10


def test_the_reference_player_reads_any_text(reference: Path) -> None:
    lines: list[dict[str, Any]] = [
        {"type": "news", "text": 'a "quoted" \\ [text], {and} more', "type2": "turn"},
        {"type": "game", "options": {}, "rules": 'say "turn": \\', "game": "x", "empty": "", "none": None, "seed": 5},
        {"type": "turn", "state": {"legal": ["no"]}, "text": "", "legal": ['a "b", c]', "d\\"]},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run([reference], input=text, capture_output=True, text=True, check=True)
    hello, ready, answer = map(json.loads, done.stdout.splitlines())
    assert (hello["type"], ready) == ("hello", {"type": "ready"})
    assert answer["move"] in lines[2]["legal"]


def test_the_shell_script_passes_and_what_it_does_not_claim_is_skipped(duelbook: Duelbook) -> None:
    done = duelbook("check-player", PLAYERS / "last_move.sh", "--games", "flag-chase")
    assert done.returncode == 0
    skipped = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("skipped")]
    assert skipped == ["process", "seed", "info"]
    assert done.stdout.endswith("\nLast move by Duelbook: no check failed.\n")


def test_a_program_that_does_not_start_is_not_checked_further(duelbook: Duelbook) -> None:
    done = duelbook("check-player", "process:sh -c 'echo it broke >&2; exit 3'")
    assert done.returncode == 1
    assert done.stdout == (
        "failed   start    it says hello, gets ready, and answers its first question with a legal move in time\n"
        "         The program ended with exit code 3: it broke.\n"
        "\nThe program: it does not start to play, so nothing else was checked.\n"
    )


def test_a_program_that_keeps_the_protocol_passes(tmp_path: Path) -> None:
    assert failures(player_script(can=ALL, info=INFO), tmp_path, "flag-chase", "charge") == {}


def test_a_program_that_answers_a_result_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "SILENT_SECONDS", 60)
    found = failures(player_script().replace(">&3;;", ">&3; echo thanks;;"), tmp_path)
    assert found == {"result": "It wrote something after a result, though nobody had asked."}


@pytest.mark.usefixtures("impatient")
def test_a_program_that_goes_on_without_input_is_found(tmp_path: Path) -> None:
    found = failures(player_script() + "; sleep 60", tmp_path)
    assert found == {"end": "It was still running half a second after its input had ended."}


SECOND_MATCH = "n=$((n+1)); if [ $n -gt 1 ]; then exit 4; fi"


@pytest.mark.parametrize(
    ("script", "found"),
    [
        (
            player_script(can='"match"'),
            {"hello": "\"can\" names 'match', which means nothing; it may have matches, seed and info."},
        ),
        (player_script(can='"info"'), {"info": 'It says "info", but wrote no info line in any match.'}),
        (
            player_script(can='"matches"', ready=SECOND_MATCH),
            {
                "process": "Match 3 in one process, flag-chase as first player, after 0 moves: "
                "The program ended with exit code 4."
            },
        ),
        (
            player_script(turn="""echo "{\\"move\\": \\"$(( $(date +%N | tr -d 0 | tail -c 2) % 2 + 1 ))\\"}" """),
            {},  # chance is allowed, unless it says that it plays by the seed
        ),
        (
            player_script().replace("esac", """*) echo '{"type": "what"}';; esac"""),
            {
                "unknown": "flag-chase as first player, after 0 moves: "
                "The program wrote a line of type 'what' before it was ready."
            },
        ),
    ],
)
def test_each_fault_is_found(script: str, found: dict[str, str], tmp_path: Path) -> None:
    assert failures(script, tmp_path) == found


def test_a_program_that_plays_otherwise_by_the_same_seed_is_found(tmp_path: Path) -> None:
    count = tmp_path / "count"
    last = FIRST_LEGAL.replace(r'.*"legal": \["\([^"]*\)".*', r'.*"\([^"]*\)"\]}')
    turn = f"echo x >>{count}; if [ $(wc -l <{count}) -lt 4 ]; then {FIRST_LEGAL}; else {last}; fi"
    for can, again in (('"seed"', "when it was started again"), (ALL, "after other matches in one process")):
        count.unlink(missing_ok=True)
        found = failures(player_script(can=can, turn=turn, info=INFO), tmp_path, "crystal-capture")
        assert found == {"seed": f"crystal-capture as first player: the same seed gave other moves {again}."}


def test_an_illegal_move_is_named_with_its_place(tmp_path: Path) -> None:
    script = player_script(turn="""echo '{"move": "1"}'""")
    found = failures(script, tmp_path, "flag-chase", "crystal-capture")
    assert found["play"].startswith("crystal-capture as ")
    assert "The program's answer is not a legal move: '1' is not legal here." in found["play"]


@pytest.mark.parametrize(("seat", "moves"), [("first", 2), ("second", 3)])
def test_the_time_for_a_match_is_checked_in_every_game_from_both_seats(
    seat: str, moves: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Crystal Capture it takes too long for its second move. Flag Chase, the last game, is over in time."""
    clock = clock_file(tmp_path, monkeypatch)
    hear = """turns=; case $line in *'"game": "crystal-capture"'*'"match_seconds"'*) turns=x;; esac"""
    wait = f"""case $turns$line in xx{{*'"seat": "{seat}"'*) echo 100 >>{clock};; esac; turns=$turns${{turns:+x}}"""
    found = failures(player_script(ready=hear, info=wait), tmp_path, "crystal-capture", "flag-chase")
    used_up = "The program used up its 60 seconds for the match."
    assert found == {"clock": f"crystal-capture as {seat} player, after {moves} moves: {used_up}"}


def test_what_a_failure_leaves_without_anything_to_check_is_skipped(tmp_path: Path) -> None:
    started = tmp_path / "started"
    dies = f"if [ -e {started} ]; then exit 3; fi; touch {started}"
    file = tmp_path / "player.sh"
    file.write_text(player_script(can=ALL, ready=dies))
    findings = PlayerCheck(f"sh {file}", [make("flag-chase")], ProcessSettings(60, 60, 60)).run()
    skipped = "It did not play every match to the end, so this was not checked."
    assert {finding.check: finding.skipped for finding in findings if finding.skipped} == {
        "seed": skipped,
        "info": skipped,
    }


@pytest.mark.usefixtures("impatient")
def test_a_late_hello_is_told_with_the_time_that_it_had(tmp_path: Path) -> None:
    late = failures(player_script(start="sleep 60"), tmp_path, settings=ProcessSettings(0.2, 5, 0.4))
    assert late == {"start": "The program did not say hello within 0.4 seconds."}


def test_only_the_games_that_a_program_plays_are_checked(tmp_path: Path) -> None:
    script = player_script().replace('"can": []', '"games": ["flag-chase"]')
    assert failures(script, tmp_path, "charge", "flag-chase") == {}
    mute = failures(script.replace(FIRST_LEGAL, "exit 5"), tmp_path, "charge", "flag-chase")
    assert mute == {"start": "The program ended with exit code 5."}
    assert failures(script, tmp_path, "charge") == {
        "start": "It plays none of the games that were asked for; it plays flag-chase."
    }


def test_a_failure_that_comes_again_is_told_once(duelbook: Duelbook, tmp_path: Path) -> None:
    started = tmp_path / "started"
    crash = f"if [ -e {started} ]; then exit 3; fi; touch {started}; {ANSWER}"
    done = duelbook("check-player", shell(crash), "--games", "flag-chase")
    failed = [line for line in done.stdout.splitlines() if "exit code 3" in line]
    assert len(failed) == 1
    assert done.stdout.count("The same as in 'play'.\n") == 4


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (hello().replace('"author": "Tests"', '"more": 1'), "The program's hello is not valid: author is missing."),
        (hello().replace("1", "9"), "The program speaks version 9 of the protocol, but Duelbook speaks version 1."),
    ],
)
def test_a_hello_that_is_not_valid_or_of_another_version_is_not_checked_further(
    script: str, said: str, duelbook: Duelbook
) -> None:
    done = duelbook("check-player", shell(script), "--games", "flag-chase", "--json")
    document = json.loads(done.stdout)
    assert (document["name"], [check["reason"] for check in document["checks"]]) == (None, [said])


@pytest.mark.usefixtures("impatient")
def test_the_exit_code_is_1_if_a_check_fails(duelbook: Duelbook) -> None:
    done = duelbook("check-player", shell(f"{ANSWER}; sleep 60"), "--games", "flag-chase")
    assert done.returncode == 1
    assert done.stdout.endswith("Shell by Tests: 1 of 10 checks failed (end).\n")
