"""Solutions in files: shipped, kept, checked."""

import json
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path

import pytest

from duelbook import make
from duelbook.game import AnyGame
from duelbook.solve import Solution, TooLargeError, solve
from duelbook.solve import cache as store
from duelbook.solve.cache import SHIPPED, _held, clear_cache, kept_files, solved
from duelbook.solve.retrograde import solve as interpreted
from duelbook.solve.table import MAGIC, DamagedTableError, read_table, write_table
from tests.support.keyboard import run
from tests.support.regenerate import TABLES

SMALL_CHARGE = {"goal": 9, "charge_cards": 3, "block_cards": 1}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder, and nothing remembered."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(store, "SMALL", 100)
    _held.clear()
    return tmp_path


def contents(solution: Solution) -> tuple[object, ...]:
    index, values, remoteness = solution.packed()
    return list(index.keys), index.packing.widths, list(values), list(remoteness), solution.states()


@pytest.mark.parametrize("name", TABLES)
def test_the_shipped_table_is_what_solving_anew_gives(name: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if it had been removed: the rebuilt one holds the same states with the same values."""
    shipped = read_table((SHIPPED / f"{name}.table").read_bytes(), make(name))
    monkeypatch.setattr(store, "SHIPPED", cache)
    assert contents(solved(make(name))) == contents(shipped)


@pytest.mark.parametrize("name", TABLES)
def test_the_shipped_table_is_used_and_small(name: str, cache: Path) -> None:
    assert (SHIPPED / f"{name}.table").stat().st_size < 30_000
    script = (
        "import sys; from duelbook import make; from duelbook.solve import solved\n"
        f"game = make({name!r}); print(solved(game).remoteness(game.initial()), 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "11 False\n"
    assert kept_files() == []


@pytest.mark.parametrize(
    ("name", "options"),
    [("charge", SMALL_CHARGE), ("crystal-capture", {"deadlock": "draw"}), ("flag-chase", {"cells": 31})],
)
def test_a_solution_reads_back_as_it_was_written(name: str, options: dict[str, object]) -> None:
    game = make(name, **options)
    written = interpreted(game)
    read = read_table(write_table(written, "code"), game, "code")
    assert contents(read) == contents(written)
    assert [read.moves(state) for state in (game.initial(),)] == [written.moves(game.initial())]


def test_a_table_of_something_else_or_damaged_is_refused() -> None:
    game = make("charge", **SMALL_CHARGE)
    raw = write_table(solve(game), "code")
    header, _, payload = raw[len(MAGIC) :].partition(b"\n")
    changed = json.loads(header) | {"states": 10**12}
    wrong = [
        b"",
        b"something else entirely",
        MAGIC,
        MAGIC + b"[]\n",
        MAGIC + b"{}\n",
        MAGIC + b"\xff\xfe\n",
        raw[:-1],
        raw + b"x",
        raw[:-20] + bytes([raw[-20] ^ 1]) + raw[-19:],
        MAGIC + json.dumps(changed).encode() + b"\n" + payload,
    ]
    for content in wrong:
        with pytest.raises(DamagedTableError):
            read_table(content, game, "code")
    for other, code in ((make("charge"), "code"), (make("flag-chase"), "code"), (game, "newer")):
        with pytest.raises(DamagedTableError, match="a table of another game"):
            read_table(raw, other, code)


def test_a_large_solution_is_kept_and_found_again(cache: Path) -> None:
    game = make("charge", **SMALL_CHARGE)
    first = solved(game)
    (file,) = kept_files()
    assert file.name.startswith("charge-")
    _held.clear()
    again = solved(make("charge", **SMALL_CHARGE))
    assert again is not first
    assert contents(again) == contents(first)


def test_a_damaged_file_is_reported_and_made_anew(cache: Path, caplog: pytest.LogCaptureFixture) -> None:
    game = make("charge", **SMALL_CHARGE)
    good = contents(solved(game))
    (file,) = kept_files()
    whole = file.read_bytes()
    for damage in (b"", whole[:-9], b"x" * 100):
        file.write_bytes(damage)
        _held.clear()
        caplog.clear()
        assert contents(solved(game)) == good
        assert "is made anew" in caplog.text
        assert read_table(file.read_bytes(), game, store._code(game))


def test_two_processes_that_keep_the_same_solution_do_no_harm(cache: Path) -> None:
    script = (
        "from duelbook import make; from duelbook.solve import solved, cache; cache.SMALL = 100\n"
        f"solved(make('charge', **{SMALL_CHARGE!r}))"
    )
    running = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(4)]
    assert [process.wait(60) for process in running] == [0] * 4
    (file,) = kept_files()
    game = make("charge", **SMALL_CHARGE)
    assert read_table(file.read_bytes(), game, store._code(game))
    assert not list(file.parent.glob(".*"))


def test_the_cache_is_shown_and_cleared(cache: Path) -> None:
    solved(make("charge", **SMALL_CHARGE))
    where = {"XDG_CACHE_HOME": str(cache)}
    assert "1 solution in " in run(["cache"], **where).stdout
    assert "Removed 1 solution from " in run(["cache", "--clear"], **where).stdout
    assert "0 solutions in " in run(["cache"], **where).stdout
    assert clear_cache() == 0


def test_a_folder_that_cannot_be_written_to_is_no_reason_to_stop(cache: Path) -> None:
    (cache / "duelbook").write_text("a file where the folder should be")
    game = make("charge", **SMALL_CHARGE)
    assert solved(game).remoteness(game.initial())


def test_that_a_game_is_too_large_is_found_out_once(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, asked = make("charge", **SMALL_CHARGE), []

    def beyond(game: AnyGame) -> Solution:
        asked.append(game)
        return solve(game, limit=10)

    monkeypatch.setattr(store, "solve", beyond)
    monkeypatch.setattr(store, "_refused", OrderedDict())
    for _ in range(2):
        with pytest.raises(TooLargeError):
            solved(game)
    assert asked == [game]
