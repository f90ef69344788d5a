"""What goes wrong in a game's own files is told as the game's, with the file and the line, wherever it happens."""

from collections.abc import Callable, Iterator
from pathlib import Path

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


@pytest.fixture
def use(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_games: Callable[[str], None]) -> Iterator[Use]:
    """A function that uses the game of a package that was just written, under the name `staircase`."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(replaced: tuple[str, str] = ("", ""), **files: str) -> None:
        use_games(write_package(tmp_path, f"broken_{next(NUMBERS)}", replaced, **files))

    yield write
    use_games("")


def insert(method: str, line: str) -> tuple[str, str]:
    """Return the first line of a method, and what to replace it with to have one more line after it."""
    heads = {
        "play": "    def play(self, state: State, move: Move) -> State:\n",
        "render": "    def render(self, state: State) -> str:\n",
    }
    return heads[method], f"{heads[method]}        {line}\n"


def refused(arguments: list[str], answers: str = "") -> str:
    """Return the one line that the command prints on standard error."""
    done = run(arguments, answers)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("\n") == 1
    return done.stderr


class TestPlay:
    def test_a_method_with_other_parameters(self, use: Use) -> None:
        use(("def render(self, state: State)", "def render(self)"))
        line = refused(["play", "staircase"], CLIMBS)
        assert line.startswith(
            "duelbook: The game Staircase is broken: render raises TypeError: Staircase.render() takes "
        )
        assert "/rules.py:" in line

    def test_an_error_in_the_text_of_a_state(self, use: Use) -> None:
        use(insert("render", "if state.step: raise KeyError('boom')"))
        line = refused(["play", "staircase"], CLIMBS)
        assert "The game Staircase is broken: render raises KeyError: 'boom' (" in line

    @pytest.mark.parametrize(
        ("source", "reason"),
        [
            ("class Narration\n", "narration.py raises SyntaxError: expected ':' ("),
            ("import nowhere_at_all\n", "narration.py raises ModuleNotFoundError: No module named 'nowhere_at_all' ("),
            ("Narration = None.x\n", "narration.py raises AttributeError: 'NoneType' object has no attribute 'x' ("),
            ("Story = 1\n", "narration.py has no Narration."),
        ],
    )
    def test_a_narration_that_cannot_be_loaded(self, use: Use, source: str, reason: str) -> None:
        use(narration=source)
        assert reason in refused(["play", "staircase"], CLIMBS)

    def test_an_error_in_the_narration(self, use: Use) -> None:
        use(narration=NARRATION)
        line = refused(["play", "staircase"], CLIMBS)
        assert "The game Staircase is broken: ending_by_rules raises KeyError: 'boom' (" in line
        assert line.endswith("narration.py:6).\n")

    def test_an_error_of_the_system(self, use: Use) -> None:
        use(insert("render", "open('/nowhere/at/all')"))
        assert "render raises FileNotFoundError" in refused(["play", "staircase"], CLIMBS)


def test_the_audit_names_the_line_of_broken_examples(use: Use) -> None:
    use(examples="EXAMPLES = (\n")
    line = refused(["audit", "staircase"])
    assert "The game Staircase is broken: examples.py raises SyntaxError: '(' was never closed (" in line
    assert line.endswith("examples.py:1).\n")


class TestMatches:
    def test_a_series_of_a_broken_game_is_refused_and_no_agent_is_blamed(self, use: Use) -> None:
        use(insert("play", "raise KeyError('boom')"))
        line = refused(["match", "--game", "staircase", "--p1", "random", "--p2", "greedy"])
        assert "The rules of Staircase(steps=7) are broken: play raises KeyError: 'boom' (" in line

    def test_rules_that_fail_late_are_to_blame_too(self, use: Use) -> None:
        use(insert("play", "if state.step == 45: raise KeyError('boom')"))
        with pytest.raises(BrokenGameError, match="play raises KeyError: 'boom'"):
            play_series("staircase:steps=50", ("random", "greedy"), 20)

    def test_an_agent_that_asks_the_rules_for_nonsense_forfeits(self, use: Use) -> None:
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


class TestCheck:
    def test_a_narration_that_cannot_be_loaded_is_named_with_its_line(self, use: Use) -> None:
        use(narration="class Narration\n")
        done = run(["check", "staircase", "--skip", "compiled"])
        assert "narration.py raises SyntaxError: expected ':' (" in done.stdout
        assert "<frozen" not in done.stdout

    def test_an_error_of_the_narration_has_a_line(self, use: Use) -> None:
        use(narration=NARRATION)
        done = run(["check", "staircase", "--skip", "compiled"])
        assert "The narration fails: ending_by_rules raises KeyError: 'boom' (" in done.stdout
        assert "narration.py:6). After: " in done.stdout

    def test_what_cannot_be_announced_is_named(self, use: Use) -> None:
        use(narration=NARRATION.replace("ending_by_rules(self, state, moves)", "announce(self, turn)"))
        done = run(["check", "staircase", "--skip", "compiled"])
        assert "The narration fails for the move 'climb 1': announce raises KeyError: 'boom' (" in done.stdout
        use(
            narration=NARRATION.replace("ending_by_rules(self, state, moves)", "announce(self, turn)").replace(
                "raise", "1 #"
            )
        )
        done = run(["check", "staircase", "--skip", "compiled"])
        assert "The narration's announce for the move 'climb 1' is None; it must be text." in done.stdout

    @pytest.mark.parametrize(
        ("example", "reason"),
        [
            ('"Short", ("climb 2",), winner="first"', "In the example 'Short' the winner is first, but the game is "),
            (
                '"High", ("climb 2", "climb 9")',
                "move 2, 'climb 9', is not legal. Legal moves: climb 1, climb 2. After: climb 2.",
            ),
        ],
    )
    def test_a_false_example_is_found(self, use: Use, example: str, reason: str) -> None:
        use(examples=f"from duelbook.games import Example\n\nEXAMPLES = (Example({example}),)\n")
        done = run(["check", "staircase", "--skip", "compiled"])
        assert done.returncode == 1
        assert reason in done.stdout

    def test_a_false_example_is_one_of_the_game_with_default_options(self, use: Use) -> None:
        use(examples='from duelbook.games import Example\n\nEXAMPLES = (Example("High", ("climb 9",)),)\n')
        [failure] = check_game(make("staircase", steps=3), skip=["compiled"])
        assert (failure.check, failure.game) == ("examples", "Staircase(steps=7)")

    def test_a_ruling_excuses_an_example(self, use: Use) -> None:
        example = 'Example("High", ("climb 9",), ruling="ST-1")'
        use(examples=f"from duelbook.games import Example\n\nEXAMPLES = ({example},)\n")
        assert run(["check", "staircase", "--skip", "compiled"]).returncode == 0


def test_the_rules_of_a_game_without_a_page_are_a_sentence(use: Use) -> None:
    use()
    assert "# Staircase\n\nClimb one or two steps" in run(["rules", "staircase"]).stdout


def test_the_audit_names_the_options_of_a_draw(use: Use) -> None:
    use(("won_by(1 - state.mover) if", "(Outcome.DRAW if state.mover else Outcome.SECOND_WINS) if"))
    assert "Yes, with the default options in " in run(["audit", "staircase"]).stdout
