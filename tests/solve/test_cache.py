"""Solutions are shipped, saved in the cache folder, and found again."""

import os
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path

import pytest

from duelbook import GAMES, make
from duelbook.game import AnyGame
from duelbook.game_folder import game_file
from duelbook.solve import Solution, TooLargeError, solve
from duelbook.solve import cache as solution_cache
from duelbook.solve.cache import SHIPPED_FILE, _in_memory, cached_files, clear_cache, solved
from duelbook.solve.table import read_table
from tests.support.keyboard import run

SMALL_CHARGE = {"goal": 5, "charge_cards": 2, "block_cards": 1}  # solved at once, without compiled code

SHIPPED = {name: game_file(rules, SHIPPED_FILE) for name, rules in GAMES.items()}
TABLES = {name: file for name, file in SHIPPED.items() if file}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use an empty cache folder, with no solution in memory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(solution_cache, "SMALL_STATE_LIMIT", 100)
    _in_memory.clear()
    return tmp_path


def contents(solution: Solution) -> tuple[object, ...]:
    index, values, remoteness = solution.packed()
    return list(index.keys), index.packing.widths, list(values), list(remoteness), solution.states()


@pytest.mark.parametrize(("name", "file"), TABLES.items())
def test_the_shipped_table_is_what_the_solver_gives(
    name: str, file: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = read_table(file.read_bytes(), make(name))
    monkeypatch.setattr(solution_cache, "SHIPPED_FILE", "no such file")
    assert contents(solved(make(name))) == contents(shipped)


@pytest.mark.parametrize(("name", "file"), TABLES.items())
def test_the_shipped_table_is_used_and_small(name: str, file: Path, cache: Path) -> None:
    assert file.stat().st_size < 30_000
    script = (
        "import sys; from duelbook import make; from duelbook.solve import solved\n"
        f"game = make({name!r}); print(solved(game).remoteness(game.initial()), 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == f"{solved(make(name)).remoteness(make(name).initial())} False\n"
    assert cached_files() == []


def test_a_large_solution_is_saved_and_found_again(cache: Path) -> None:
    game = make("charge", **SMALL_CHARGE)
    first = solved(game)
    (file,) = cached_files()
    assert file.name.startswith("charge-")
    _in_memory.clear()
    again = solved(make("charge", **SMALL_CHARGE))
    assert again is not first
    assert contents(again) == contents(first)


def test_a_damaged_file_is_reported_and_made_again(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    game = make("charge", **SMALL_CHARGE)
    good = contents(solved(game))
    (file,) = cached_files()
    whole = file.read_bytes()
    for damage in (b"", whole[:-9], b"x" * 100):
        file.write_bytes(damage)
        _in_memory.clear()
        caplog.clear()
        assert contents(solved(game)) == good
        assert "is made again" in caplog.text
        assert read_table(file.read_bytes(), game, solution_cache._code_hash(game))


def test_several_processes_may_save_the_same_solution(cache: Path) -> None:
    script = (
        "from duelbook import make; from duelbook.solve import solved, cache; cache.SMALL_STATE_LIMIT = 100\n"
        f"solved(make('charge', **{SMALL_CHARGE!r}))"
    )
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    (file,) = cached_files()
    game = make("charge", **SMALL_CHARGE)
    assert read_table(file.read_bytes(), game, solution_cache._code_hash(game))
    assert not list(file.parent.glob(".*"))


def test_the_cache_command_shows_and_clears_the_folder(cache: Path) -> None:
    solved(make("charge", **SMALL_CHARGE))
    where = {"XDG_CACHE_HOME": str(cache)}
    assert "1 solution in " in run(["cache"], **where).stdout
    assert "Removed 1 solution from " in run(["cache", "--clear"], **where).stdout
    assert "0 solutions in " in run(["cache"], **where).stdout
    assert clear_cache() == 0


def test_a_game_is_solved_even_if_the_folder_cannot_be_written(cache: Path) -> None:
    (cache / "duelbook").write_text("a file where the folder should be")
    game = make("charge", **SMALL_CHARGE)
    assert solved(game).remoteness(game.initial())


def test_a_game_that_is_too_large_is_explored_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = make("charge", **SMALL_CHARGE), []

    def solve_with_limit(game: AnyGame) -> Solution:
        asked.append(game)
        return solve(game, limit=10)

    monkeypatch.setattr(solution_cache, "solve", solve_with_limit)
    monkeypatch.setattr(solution_cache, "_too_large", OrderedDict())
    for _ in range(2):
        with pytest.raises(TooLargeError):
            solved(game)
    assert asked == [game]


def charges(count: int) -> list[AnyGame]:
    return [make("charge", goal=5 + number, charge_cards=3, block_cards=1) for number in range(count)]


def test_the_folder_drops_what_was_not_used_for_longest_when_it_is_full(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last, *games = charges(5)  # the last one is the smallest
    for age, game in enumerate(games):
        solved(game)
        file = solution_cache._file(game)
        os.utime(file, (1000 + age, 1000 + age))
    used = [solution_cache._file(game) for game in games]
    assert cached_files() == sorted(used)
    _in_memory.clear()
    solved(games[0])  # so it is not the oldest any more
    monkeypatch.setattr(solution_cache, "MAX_FOLDER_BYTES", sum(file.stat().st_size for file in used))
    solved(last)
    assert cached_files() == sorted([used[0], *used[2:], solution_cache._file(last)])


def test_a_solution_larger_than_the_folder_may_be_is_saved_alone(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_cache, "MAX_FOLDER_BYTES", 1)
    for game in charges(3):
        solved(game)
        assert cached_files() == [solution_cache._file(game)]


@pytest.mark.parametrize("held", [1, 5])
def test_memory_holds_a_limited_number_of_bytes(cache: Path, monkeypatch: pytest.MonkeyPatch, held: int) -> None:
    games = [make("flag-chase", cells=cells, stride=3) for cells in range(11, 51, 2)]
    sizes = [solve(game).memory_bytes() for game in games]
    monkeypatch.setattr(solution_cache, "MAX_MEMORY_BYTES", sum(sizes[-held:]))
    for game in games:
        assert solved(game).game == game
    assert list(_in_memory) == games[-held:]


def test_a_limited_number_of_games_is_remembered_as_too_large(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_cache, "MAX_REMEMBERED_TOO_LARGE", 2)
    monkeypatch.setattr(solution_cache, "_too_large", OrderedDict())
    monkeypatch.setattr(solution_cache, "solve", lambda game: solve(game, limit=10))
    games = charges(5)
    for game in games:
        with pytest.raises(TooLargeError):
            solved(game)
    assert list(solution_cache._too_large) == games[-2:]
