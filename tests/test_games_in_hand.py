"""Games in hand: an object does wherever a name does, also if its class was typed in and no file holds its source."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import duelbook
from duelbook import RefusedError
from duelbook.game import AnyGame
from duelbook.game_folder import game_folder
from duelbook.games import aim, label, make, rules_text
from duelbook.lab import lab
from duelbook.narration import Narration, Seating, narration_for
from duelbook.options import write_options
from duelbook.positions import load_positions, make_dataset, plan_positions, run_positions
from duelbook.study import position_report
from tests.support.toy import rules

AIM = "Climb one or two steps in turn; the player who reaches the top wins."
TYPED = (
    Path(rules.__file__)
    .read_text()
    .replace("class Staircase:\n", f'class Staircase:\n    """{AIM}"""\n\n')
    .replace("self.steps - state.step", "left(self.steps, state.step)")
) + "\n\ndef left(steps: int, step: int) -> int:\n    return steps - step\n"


@pytest.fixture(scope="module", params=["__main__", "a_module_that_does_not_exist"])
def stairs(request: pytest.FixtureRequest) -> AnyGame:
    return typed(request.param)


def typed(module: str, steps: int = 4) -> AnyGame:
    """Return a game whose class was typed in."""
    names: dict[str, Any] = {"__name__": module}
    exec(TYPED, names)
    game: AnyGame = names["Staircase"](steps=steps)
    return game


def test_it_has_texts_without_any_file(stairs: AnyGame) -> None:
    assert make(stairs) is stairs
    assert label(stairs) == "staircase"
    assert aim(stairs) == AIM
    assert rules_text(stairs).startswith("# Staircase\n\nClimb one")
    assert type(narration_for(stairs, Seating())) is Narration
    if type(stairs).__module__ != "__main__":  # which is pytest here
        assert game_folder(stairs) is None


def test_options_belong_to_the_game_in_hand(stairs: AnyGame) -> None:
    assert write_options(stairs) == {"steps": 4}
    with pytest.raises(RefusedError, match=r"Staircase\(steps=4\) is a game with its options already"):
        make(stairs, steps=5)


def test_it_is_parsed_counted_and_matched(stairs: AnyGame) -> None:
    assert duelbook.perft(stairs, 2) == 4
    assert duelbook.parse_move(stairs, stairs.initial(), "Climb 2") == 1
    match = duelbook.Match(stairs)
    match.play("climb 2")
    assert match.play(1) == 1
    assert match.outcome is duelbook.Outcome.SECOND_WINS
    with pytest.raises(duelbook.IllegalMoveError):
        match.play("climb 1")


def test_it_is_solved_and_studied(stairs: AnyGame) -> None:
    assert duelbook.solve.solve(stairs).value(stairs.initial()) is duelbook.solve.Value.WIN
    assert duelbook.solve.solved(stairs).remoteness(stairs.initial()) == 3
    suggestion = duelbook.hint(stairs, stairs.initial())
    assert suggestion
    assert suggestion.move == "climb 1"
    assert len(duelbook.review_game(stairs, ("climb 2", "climb 2")).moves) == 2
    assert duelbook.find_puzzle(stairs, "seed").answer in (0, 1)
    assert position_report(stairs, ("climb 1",)).winner == "first"


def test_it_is_audited(stairs: AnyGame) -> None:
    audit = duelbook.audit_game(stairs)
    assert audit.game == "staircase"
    assert audit.winner == "first"
    assert audit.examples == ()


@pytest.mark.parametrize("agent", ["random", "greedy", "search", "mcts:10", "perfect", "medium"])
def test_agents_play_it(stairs: AnyGame, agent: str) -> None:
    played = duelbook.play_match(stairs, (agent, "random"), seed=1)
    assert not played.forfeit
    assert played.record.outcome in (0, 1)


def test_a_program_plays_it(stairs: AnyGame) -> None:
    program = Path(__file__).parents[1] / "examples/players/last_move.sh"
    played = duelbook.play_match(stairs, (f"process:sh {program}", "random"), seed=1)
    assert not played.forfeit


def test_a_series_of_matches_is_played(stairs: AnyGame) -> None:
    result = duelbook.arena.play_series(stairs, ("perfect", "random"), 4)
    assert result["game"] == "staircase:steps=4"
    assert result["matches"] == 4


@pytest.mark.slow
def test_many_games_of_it_are_played_at_once() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    many = duelbook.envs.vector(typed("__main__"), 2)
    many.reset()
    assert many.step([1, 0])[0].tolist() == [[1, 2], [1, 1]]


def test_what_needs_a_name_says_how_to_register(stairs: AnyGame, tmp_path: Path) -> None:
    sentence = (
        r"The game Staircase has no name yet\. Name it for this process: "
        r"duelbook\.GAMES\.add\('staircase', Staircase\)\. So that others .* DUELBOOK_GAMES=module:Staircase"
    )
    record = duelbook.play_match(stairs, ("random", "random")).record
    with pytest.raises(RefusedError, match=sentence):
        duelbook.save_record(record, tmp_path / "game.json")
    with pytest.raises(RefusedError, match=sentence):
        duelbook.tournament([stairs], ["random", "greedy"])
    assert list(tmp_path.iterdir()) == []


def test_a_class_that_gets_a_name_for_this_process_takes_part_in_every_run(
    tmp_path: Path, use_games: Callable[[str], None]
) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed (extra arena)")
    use_games("")
    for steps in (9, 8):  # as in a notebook whose cells are run again
        stairs = typed("__main__", steps)
        duelbook.GAMES.add("staircase", type(stairs))
        label = f"staircase:steps={steps}"
        standings = duelbook.tournament([stairs, "staircase"], ["perfect", "random"], pairs=2)
        assert [part["game"] for part in standings["games"]] == [label, "staircase"]
        report = duelbook.evaluate("perfect", label, ["random"], pairs=2)
        assert [row["accuracy"] for row in report.rows()] == [1, 1]
        assert lab("staircase", f"steps={steps}", pairs=1).rows()[0]["exact_starts"] == 1
        folder = tmp_path / str(steps)
        make_dataset([label], folder / "positions", per_cell=2)
        positions = load_positions(folder / "positions", "test")
        answers = run_positions(plan_positions("perfect", positions), folder / "answers")
        assert answers["overall"]["accuracy"]["rate"] == 1


@pytest.mark.slow
def test_a_class_typed_at_a_prompt_gets_everything() -> None:
    pytest.importorskip("numba", reason="numba is not installed (extra fast)")
    script = TYPED + (
        "import duelbook\nfrom duelbook.compiled import playouts\n"
        "print(duelbook.solve.solved(Staircase(4)).states(), playouts(Staircase(4), 10, 1).draws)\n"
        "print(duelbook.audit_game(Staircase(4)).winner)\n"
    )
    done = subprocess.run([sys.executable, "-"], input=script, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "6 0\nfirst\n"
