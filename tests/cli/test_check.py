"""`duelbook check`."""

import json

from duelbook.testing import CHECKS
from tests.support.keyboard import run

BROKEN = "tests.support.games.broken"
SKIP = ("--skip", "compiled")


def test_a_sound_game_passes_line_by_line() -> None:
    done = run(["check", "flag-chase", "--option", "cells=7", *SKIP])
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].split()[:2] == ["ok", "options"]
    assert done.stdout.endswith(f"\nFlagChase(cells=7, stride=2): all {len(CHECKS) - 1} checks passed.\n")


def test_a_failure_is_a_sentence_with_the_moves_that_show_it() -> None:
    done = run(["check", f"{BROKEN}:NoMoves", "--option", "stones=6"])
    assert done.returncode == 1
    assert (
        "failed   moves          legal moves ascend, are known, and there are some until the end\n"
        "         No move is legal, but the game is undecided. Decide it in `outcome`, or add a move named 'pass'. "
        "After: take 1, take 3.\n"
    ) in done.stdout
    skipped = done.stdout.count("\nskipped ")
    assert skipped > 1
    ending = f"\nNoMoves(stones=6, most=3): 1 of {len(CHECKS)} checks failed, {skipped} could not be made.\n"
    assert done.stdout.endswith(ending)


def test_a_check_that_could_not_be_made_does_not_count_as_passed() -> None:
    done = run(["check", "tests.support.games.drop_four:DropFour", "--positions", "100", *SKIP])
    made = len(CHECKS) - 2
    assert done.returncode == 0
    assert done.stdout.endswith(f": {made} of {made + 1} checks passed, 1 could not be made.\n")


def test_it_prints_json() -> None:
    done = run(["check", f"{BROKEN}:SameNames", "--json", *SKIP])
    document = json.loads(done.stdout)
    assert (done.returncode, document["game"], document["passed"]) == (1, "same-names", False)
    assert document["options"] == {"stones": 12, "most": 3}
    names = next(check for check in document["checks"] if check["check"] == "names")
    assert names == {"check": "names", "result": "failed", "reason": names["reason"], "moves": []}


def test_an_oracle_is_compared_with() -> None:
    oracle = "duelbook.games.flag_chase.tests.oracle:verdict"
    assert run(["check", "flag-chase", "--oracle", oracle, *SKIP]).returncode == 0
    done = run(["check", "flag-chase", "--oracle", f"{BROKEN}:NoMoves", *SKIP])
    assert "failed   oracle" in done.stdout
