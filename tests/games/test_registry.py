"""The registry: games of this package, of other packages, and of the environment variable."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from duelbook import GAMES, RefusedError, make
from duelbook.games import find_rules, name_of, origin, problems
from duelbook.registry import kebab_case, load_object
from tests.support.broken_package import write_package
from tests.support.entry_points import write_entry_points
from tests.support.keyboard import run
from tests.support.toy.rules import Staircase

UseGames = Callable[[str], None]
TARGET = "tests.support.toy.rules:Staircase"
ODD_GAMES = Path(__file__).parents[1] / "support/odd_games"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_games: UseGames) -> Callable[..., None]:
    """A function that installs a package with entry points, as far as Python can tell."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def add(package: str, **games: str) -> None:
        write_entry_points(tmp_path, "duelbook.games", package, **games)
        use_games("")

    return add


def test_a_package_adds_a_game_by_an_entry_point(install: Callable[..., None]) -> None:
    built_in = list(GAMES)
    install("stairs", staircase=TARGET, a_staircase=TARGET)
    assert list(GAMES) == [*built_in, "a-staircase", "staircase"]
    assert len(GAMES) == len(built_in) + 2
    assert make("staircase", steps="3") == Staircase(3)
    assert origin("staircase") == "stairs 1.2"
    assert origin("charge") == "built in"
    assert problems() == ()


def test_the_variable_names_games_of_a_folder(use_games: UseGames) -> None:
    use_games(f"{TARGET}, steps={TARGET},")
    assert find_rules("staircase") is find_rules("steps") is Staircase
    assert name_of(Staircase()) == "staircase"
    assert origin("steps") == "DUELBOOK_GAMES"
    assert problems() == ()


def test_a_game_that_is_installed_and_named_by_the_variable_is_one_game(
    install: Callable[..., None], use_games: UseGames
) -> None:
    install("stairs", staircase=TARGET)
    use_games(TARGET)
    assert origin("staircase") == "DUELBOOK_GAMES"
    assert problems() == ()


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("no_such_module:Tower", "ModuleNotFoundError: No module named 'no_such_module'"),
        ("tests.support.toy.rules:Tower", "module 'tests.support.toy.rules' has no attribute 'Tower'"),
        ("tests.support.toy.rules:won_by", "is not a class."),
        (
            "tests.support.odd_games.refused:NoGame",
            "The class NoGame is not a game: it has no play, render, num_moves.",
        ),
        ("tests.support.odd_games.refused:Thawed", "The class Thawed must be a frozen dataclass"),
        (
            "tests.support.odd_games.refused:Lists",
            "The option walls of Lists needs a default that can be written as text: ",
        ),
        (
            "tests.support.odd_games.refused:NoDefault",
            "The option steps of NoDefault needs a default that can be written as text",
        ),
        ("tests.support.odd_games.refused:Raises", f"by zero ({ODD_GAMES}/refused.py:44)."),
        ("tests.support.odd_games.leaving:Leaving", f"SystemExit: 3 ({ODD_GAMES}/leaving.py:3)."),
    ],
)
def test_a_game_that_cannot_be_used_is_one_sentence(
    install: Callable[..., None], use_games: UseGames, target: str, sentence: str
) -> None:
    install("stairs", staircase=TARGET, tower=target)
    assert "tower" not in GAMES
    assert "staircase" in GAMES
    [problem] = problems()
    assert problem.startswith("The game 'tower' (stairs 1.2) cannot be used. ")
    assert sentence in problem
    assert "\n" not in problem
    with pytest.raises(RefusedError, match=re.escape(problem)):
        make("tower")
    use_games(f"tower={target}")
    assert sentence in problems()[0]


def test_a_mistake_in_the_source_has_its_file_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_games: UseGames
) -> None:
    file = tmp_path / "misspelt_rules.py"
    file.write_text("\n\nclass Tower\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    use_games("misspelt_rules:Tower")
    [problem] = problems()
    assert problem.endswith(f" cannot be used. SyntaxError: expected ':' ({file}:3).")


def test_a_module_that_is_not_in_the_current_folder_comes_with_what_to_do(
    use_games: UseGames, install: Callable[..., None]
) -> None:
    use_games("tower_game.rules:Tower")
    what_to_do = (
        "No module named 'tower_game'. Modules are looked for in the current folder and among the installed packages: "
        "change to the folder that has tower_game in it, or install its package."
    )
    assert problems()[0].endswith(what_to_do)
    with pytest.raises(RefusedError, match=re.escape(what_to_do)):
        load_object("tower_game.rules:Tower")
    use_games("")
    install("stairs", tower="tower_game.rules:Tower")
    assert problems()[0].endswith("No module named 'tower_game'."), "another folder does not help a package"


def test_built_in_names_win(install: Callable[..., None]) -> None:
    charge = GAMES["charge"]
    install("stairs", charge=TARGET)
    assert GAMES["charge"] is charge
    assert problems() == (
        "The game 'charge' (stairs 1.2) cannot be used. A built-in game has that name. Choose another one.",
    )


def test_of_two_packages_with_the_same_name_the_first_one_wins(install: Callable[..., None]) -> None:
    install("stairs", steps="tests.support.odd_games.refused:Downstairs")
    install("a-stairs", steps=TARGET)
    assert GAMES["steps"] is Staircase
    assert problems() == (
        "The game 'steps' (stairs 1.2) cannot be used. The name is taken by a-stairs 1.2. Choose another one.",
    )


@pytest.mark.parametrize("name", ["Tower", "tower_2", "tower-", "-tower", "all", "t" * 41, "1tower"])
def test_a_name_is_checked(use_games: UseGames, name: str) -> None:
    use_games(f"{name}={TARGET}")
    assert name not in GAMES
    assert "Its name must begin with a small letter and have only small letters" in problems()[0]


@pytest.mark.parametrize("text", ["tower", "tower.py", "a b:C", "x=y=z:Z", ":", "tests:"])
def test_the_variable_is_checked(use_games: UseGames, text: str) -> None:
    use_games(f"{text},{TARGET}")
    assert problems() == (f"DUELBOOK_GAMES must be module:Class or name=module:Class, not '{text}'.",)
    assert "staircase" in GAMES


def test_a_module_that_asks_for_all_games_while_it_is_loaded_does_no_harm(use_games: UseGames) -> None:
    use_games("tests.support.odd_games.curious:Curious")
    assert "curious" in GAMES
    assert problems() == ()


def test_the_name_of_an_unknown_game_says_how_to_register_it() -> None:
    with pytest.raises(RefusedError, match=r"The game Staircase has no name yet. Name it .* DUELBOOK_GAMES=module:St"):
        name_of(Staircase())


def test_the_list_of_games_names_packages_and_problems(use_games: UseGames) -> None:
    use_games(f"{TARGET},nowhere:Tower")
    lines = run(["games"]).stdout.splitlines()
    assert lines[0].endswith("(built in)")
    assert lines[-2].startswith("staircase ")
    assert lines[-2].endswith(" (DUELBOOK_GAMES)")
    assert lines[-1].startswith("The game 'tower' (DUELBOOK_GAMES) cannot be used. ModuleNotFoundError")


def test_the_list_of_games_names_a_narration_that_cannot_be_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, use_games: UseGames
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    use_games(write_package(tmp_path, "speechless", narration="class Narration\n"))
    lines = run(["games"]).stdout.splitlines()
    assert lines[-2].startswith("staircase ")
    file = tmp_path / "speechless/narration.py"
    assert lines[-1] == f"The game Staircase is broken: narration.py raises SyntaxError: expected ':' ({file}:1)."


@pytest.mark.parametrize(("name", "game"), [("TallTower", "tall-tower"), ("NIM", "nim"), ("HTTPGame2", "http-game2")])
def test_a_class_name_becomes_the_name_of_a_game(name: str, game: str) -> None:
    assert kebab_case(name) == game
