"""What goes wrong in a game's own files is told as the game's, with the file and the line, wherever it happens."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from duelbook import make
from duelbook.arena import play_series
from duelbook.arena.match import play_match
from duelbook.game_errors import BrokenGameError
from duelbook.match import ReadOnlyMatch
from duelbook.testing import check_game
from tests.support.broken_package import NARRATION, write_package
from tests.support.keyboard import run

Use = Callable[..., None]
CLIMBS = "climb 2\n" * 3 + "climb 1\n"
NUMBERS = iter(range(1000))
PLAY = "    def play(self, state: State, move: Move) -> State:\n"
RENDER = "    def render(self, state: State) -> str:\n"
ANNOUNCE = NARRATION.replace("ending_by_rules(self, state, moves)", "announce(self, turn)")


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_games: Callable[[str], None]) -> Iterator[Use]:
    """A function that uses the game of a package that was just written, under the name `staircase`."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(replaced: tuple[str, str] = ("", ""), **files: str) -> None:
        use_games(write_package(tmp_path, f"broken_{next(NUMBERS)}", replaced, **files))

    yield write
    use_games("")


def longer(head: str, line: str) -> dict[str, Any]:
    """Return what to replace in the rules so that the method with this head has one more line."""
    return {"replaced": (head, f"{head}        {line}\n")}


def example(arguments: str) -> dict[str, str]:
    return {"examples": f"from duelbook.games import Example\n\nEXAMPLES = (Example({arguments}),)\n"}


@pytest.mark.parametrize(
    ("command", "written", "reason"),
    [
        (
            "play",
            {"replaced": (RENDER, RENDER.replace(", state: State", ""))},
            r"render raises TypeError.*/rules\.py:",
        ),
        ("play", longer(RENDER, "if state.step: raise KeyError('boom')"), r"render raises KeyError: 'boom' \("),
        ("play", longer(RENDER, "open('/nowhere/at/all')"), "render raises FileNotFoundError"),
        ("play", {"narration": "class Narration\n"}, r"narration.py raises SyntaxError: expected ':' \("),
        (
            "play",
            {"narration": "import nowhere\n"},
            r"narration.py raises ModuleNotFoundError: .*'nowhere' \(",
        ),
        ("play", {"narration": "Narration = None.x\n"}, "narration.py raises AttributeError: 'NoneType' object has no"),
        ("play", {"narration": "Story = 1\n"}, r"narration.py has no Narration\."),
        ("play", {"narration": NARRATION}, r"ending_by_rules raises KeyError: 'boom' \(.*narration\.py:6\)\.\n$"),
        (
            "audit",
            {"examples": "EXAMPLES = (\n"},
            r"SyntaxError: .* was never closed \(.*examples\.py:1\)\.\n$",
        ),
    ],
)
def test_a_command_says_in_one_line_what_is_broken(
    use: Use, command: str, written: dict[str, Any], reason: str
) -> None:
    use(**written)
    done = run([command, "staircase"], CLIMBS)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert re.search(f"^duelbook: The game Staircase is broken: .*{reason}", done.stderr)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ({"narration": "class Narration\n"}, r"narration\.py raises SyntaxError: expected ':' \("),
        ({"narration": NARRATION}, r"The narration fails: .* KeyError: 'boom' \(.*narration\.py:6\)\. After: "),
        ({"narration": ANNOUNCE}, r"fails for the move 'climb 1': announce raises KeyError: 'boom' \("),
        ({"narration": ANNOUNCE.replace("raise", "1 #")}, "announce for the move 'climb 1' is None; it must be text"),
        (example('"Short", ("climb 2",), winner="first"'), "'Short' the winner is first, but the game is "),
        (
            example('"High", ("climb 2", "climb 9")'),
            r"2, 'climb 9', is not legal\. .*: climb 1.*After: climb 2\.",
        ),
    ],
)
def test_the_check_names_what_is_broken(use: Use, written: dict[str, str], reason: str) -> None:
    use(**written)
    done = run(["check", "staircase", "--skip", "compiled"])
    assert done.returncode == 1
    assert re.search(reason, done.stdout)
    assert "<frozen" not in done.stdout


def test_a_series_of_a_broken_game_is_refused_and_no_agent_is_blamed(use: Use) -> None:
    use(**longer(PLAY, "raise KeyError('boom')"))
    done = run(["match", "--game", "staircase", "--p1", "random", "--p2", "greedy"])
    assert done.returncode == 2
    assert "The rules of Staircase(steps=7) are broken: play raises KeyError: 'boom' (" in done.stderr


def test_rules_that_fail_late_are_to_blame_too(use: Use) -> None:
    use(**longer(PLAY, "if state.step == 45: raise KeyError('boom')"))
    with pytest.raises(BrokenGameError, match="play raises KeyError: 'boom'"):
        play_series("staircase:steps=50", ("random", "greedy"), 20)


def test_an_agent_that_asks_the_rules_for_nonsense_forfeits(use: Use) -> None:
    use()

    class Confused:
        def choose(self, match: ReadOnlyMatch) -> int:
            match.game.play(None, 0)
            return 0

        def close(self) -> None:
            pass

    played = play_match(make("staircase"), ("a", "b"), make=lambda name, seed: Confused())
    assert played.forfeit
    assert played.forfeit.detail.startswith("AttributeError")


def test_a_false_example_is_one_of_the_game_with_default_options_unless_a_ruling_excuses_it(use: Use) -> None:
    use(**example('"High", ("climb 9",)'))
    [failure] = check_game(make("staircase", steps=3), skip=["compiled"])
    assert (failure.check, failure.game) == ("examples", "Staircase(steps=7)")
    use(**example('"High", ("climb 9",), ruling="ST-1"'))
    assert check_game(make("staircase"), skip=["compiled"]) == []


def test_the_rules_of_a_game_without_a_page_are_a_sentence(use: Use) -> None:
    use()
    assert "# Staircase\n\nClimb one or two steps" in run(["rules", "staircase"]).stdout


def test_the_audit_names_the_options_of_a_draw(use: Use) -> None:
    use(("won_by(1 - state.mover) if", "(Outcome.DRAW if state.mover else Outcome.SECOND_WINS) if"))
    assert "Yes, with the default options in " in run(["audit", "staircase"]).stdout
