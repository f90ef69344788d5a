"""Games are kept as they are played, can be found again, and trouble with the history never stops play."""

import json
import re
import shlex
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pexpect
import pytest

from duelbook.history.store import History
from duelbook.records import Person, load_record
from tests.support.keyboard import DUELBOOK, at_terminal, environment, lines, run, session, spawn


@pytest.fixture
def data(tmp_path: Path) -> dict[str, str]:
    """A data folder of the test's own."""
    return {"XDG_DATA_HOME": str(tmp_path / "data")}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of the history in that folder."""
    return tmp_path / "data" / "duelbook" / "history.sqlite"


class TestKeeping:
    def test_a_game_that_was_killed_is_resumed_with_all_that_was_shown(self, data: dict[str, str], file: Path) -> None:
        record = file.parents[2] / "game.json"
        child = spawn(f"play charge --name1 Red --record {record}", **data)
        for player, move in (("Red", "charge 3"), ("Player 2", "charge 2")):
            child.expect_exact(f"{player}, play a card: ")
            child.sendline(move)
        child.expect_exact("Total charge: 2.")
        child.kill(signal.SIGKILL)
        child.expect(pexpect.EOF)
        assert load_record(record).moves == ("charge 3", "charge 2")
        assert History(file).record(1).moves == ("charge 3", "charge 2")
        screen, code = session("resume", "Red, play a card: «charge 1»\nplay a card: «^C»\n", **data)
        assert "Resumed after 2 moves." in screen
        assert screen.endswith("The game is kept. Resume it with: duelbook resume 1\n")
        assert code == 130
        assert [(game.number, game.moves) for game in History(file).games()] == [(1, 3)]

    def test_a_game_taken_back_or_resigned_is_kept_as_it_is(self, data: dict[str, str], file: Path) -> None:
        run(["play", "charge", "--p2", "random"], lines("charge 3", "undo", "charge 4", "resign", "y"), **data)
        record = History(file).record(1)
        assert (record.moves[0], record.reason) == ("charge 4", "resignation")

    def test_a_game_that_is_resumed_from_its_file_has_one_number(
        self, data: dict[str, str], file: Path, tmp_path: Path
    ) -> None:
        record = tmp_path / "game.json"
        run(["play", "charge", "--record", str(record)], lines("charge 3"), **data)
        run(["play", "--resume", str(record)], lines("charge 2"), **data)
        assert [(game.number, game.moves, game.imported) for game in History(file).games()] == [(1, 2, False)]

    def test_hints_and_values_are_noted_also_after_a_game_was_resumed(self, data: dict[str, str], file: Path) -> None:
        run(["play", "flag-chase"], lines("hint", "1"), **data)
        run(["resume"], lines("2"), **data)
        run(["play", "flag-chase", "--show-values"], lines("2"), **data)
        run(["play", "flag-chase"], lines("2"), **data)
        assert [(game.number, game.helped) for game in History(file).games()] == [(3, False), (2, True), (1, True)]

    def test_two_terminals_that_resume_the_same_game_keep_both(self, data: dict[str, str], file: Path) -> None:
        run(["play", "charge"], lines("charge 3"), **data)
        other = {"charge 5": lambda: run(["resume", "1"], lines("charge 2"), **data)}
        screen, _ = at_terminal("resume 1", "charge 5", "quit", before=other, **data)
        assert "Game 1 was continued or removed in another terminal. This one is kept as game 2." in screen
        assert {History(file).record(number).moves[1] for number in (1, 2)} == {"charge 2", "charge 5"}


class TestTrouble:
    def test_a_damaged_history_is_one_sentence_and_play_goes_on(self, data: dict[str, str], file: Path) -> None:
        file.parent.mkdir(parents=True)
        file.write_bytes(b"scribbles " * 1000)
        done = run(["play", "charge"], lines("charge 3", "charge 2", "quit"), **data)
        assert done.stdout.count(f"This game is not kept. The history '{file}' cannot be used: it is damaged.") == 1
        assert "Total charge: 2." in done.stdout
        assert "\n\n\n" not in done.stdout
        assert done.stdout.endswith("The game is unfinished, and it is not kept.\n")
        assert (done.returncode, done.stderr) == (0, "")
        for command in (["history"], ["resume"], ["review"], ["replay"], ["history", "statistics"]):
            done = run(command, **data)
            assert done.stderr == (
                f"duelbook: The history '{file}' cannot be used: it is damaged. "
                "Start a new one with what can be read: duelbook history repair\n"
            )
            assert done.returncode == 2
        assert (
            "Took over 0 games. How many are lost is not known. The damaged file is "
            in run(["history", "repair"], **data).stdout
        )
        assert "Your history is empty." in run(["history"], **data).stdout

    def test_a_history_that_is_damaged_during_a_game_does_not_stop_it(self, data: dict[str, str], file: Path) -> None:
        def damage() -> None:
            for part in file.parent.glob("history.sqlite*"):
                part.write_bytes(b"scribbles " * 1000)

        command = "play charge --first 1 --seed 5 --p2 beginner"
        screen, code = at_terminal(command, "charge 1", "1", "quit", before={"1": damage}, **data)
        assert "not kept" in screen
        assert code == 0
        damaged = run(["history"], **data)
        assert re.fullmatch(r"duelbook: The history '.+' cannot be used: .+: duelbook history repair\n", damaged.stderr)
        assert run(["history", "repair"], **data).returncode == 0
        assert run(["play", "flag-chase"], lines("2"), **data).returncode == 0
        assert run(["review"], **data).returncode == 0

    def test_a_game_that_cannot_be_read_is_named_and_the_one_before_it_is_resumed(
        self, data: dict[str, str], file: Path
    ) -> None:
        for _ in range(2):
            run(["play", "charge"], lines("charge 3", "quit"), **data)
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("UPDATE games SET record = replace(record, 'charge 3', 'charge 99') WHERE number = 2")
        problem = "Game 2 of your history cannot be read: "
        advice = "remove it with: duelbook history remove 2\n"
        for command in (["review"], ["review", "2"], ["resume", "2"]):
            done = run(command, **data)
            assert done.stderr.startswith(f"duelbook: {problem}")
            assert done.stderr.endswith(advice)
        done = run(["history", "repair"], **data)
        assert (done.returncode, done.stdout.startswith(problem), done.stdout.endswith(advice)) == (1, True, True)
        done = run(["resume"], lines("charge 2", "quit"), **data)
        assert done.stdout.startswith(problem)
        assert done.stdout.endswith("The game is kept. Resume it with: duelbook resume 1\n")
        assert run(["history", "remove", "2"], **data).stdout == "Removed 1 game.\n"
        assert run(["history", "repair"], **data).stdout == f"Nothing is wrong with {file}.\n"

    def test_a_disk_that_takes_no_more_is_one_sentence_and_play_goes_on(self, data: dict[str, str], file: Path) -> None:
        """A limit for the size of files stands for the disk."""
        limited = f"ulimit -f 4; exec {sys.executable} -m duelbook play charge"
        done = subprocess.run(
            ["sh", "-c", limited],
            input=lines("charge 3", "charge 2", "quit"),
            env=environment(**data, PYTHONDONTWRITEBYTECODE="1"),  # or it would keep modules that it wrote in part
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.count(f"This game is not kept. The history '{file}' cannot be used: ") == 1
        assert "Total charge: 2." in done.stdout
        assert (done.returncode, done.stderr) == (0, "")

    def test_play_that_is_kept_again_after_trouble_is_kept_as_a_whole(self, data: dict[str, str], file: Path) -> None:
        file.parent.parent.mkdir()
        file.parent.write_text("in the way")
        screen, _ = at_terminal("play charge", "charge 3", "charge 2", before={"charge 2": file.parent.unlink}, **data)
        assert screen.count("This game is not kept.") == 1
        assert screen.endswith("The game is kept. Resume it with: duelbook resume 1\n")
        assert History(file).record(1).moves == ("charge 3", "charge 2")

    def test_what_was_kept_before_the_trouble_is_named(self, data: dict[str, str], file: Path) -> None:
        run(["play", "charge"], lines("charge 3"), **data)

        def replace_by_folder() -> None:
            file.rename(file.with_name("elsewhere"))
            file.mkdir()

        screen, _ = at_terminal("resume", "charge 2", before={"charge 2": replace_by_folder}, **data)
        assert "What is played now is not kept." in screen
        assert "The last moves are not kept." in screen


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "answers", "said"),
    [
        ("learn flag-chase", lines("2", "", "q"), "Right! "),
        ("puzzle flag-chase", lines("2", "q"), "Right: 2 wins"),
    ],
)
def test_on_a_full_disk_everything_goes_on_and_says_what_is_lost(
    tmp_path: Path, command: str, answers: str, said: str
) -> None:
    """A limit for the size of files stands for the disk."""
    variables = environment(XDG_DATA_HOME=str(tmp_path / "data"), XDG_CACHE_HOME=str(tmp_path / "cache"))
    done = subprocess.run(
        ["sh", "-c", f"ulimit -f 0; exec {shlex.join(DUELBOOK)} {command}"],
        input=answers,
        env=variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert said in done.stdout
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert re.search("not (be )?(kept|saved|written)", done.stdout + done.stderr)


class TestPages:
    @pytest.fixture
    def played(self, data: dict[str, str]) -> dict[str, str]:
        """A win and a loss against a level, a game of two people, and an unfinished one."""
        run(["play", "flag-chase", "--p2", "easy"], lines("2"), **data)
        run(["play", "flag-chase", "--p2", "hard"], lines("1", "resign", "y"), **data)
        run(["play", "flag-chase", "--name1", "Red", "--name2", "Blue"], lines("1", "2"), **data)
        run(["play", "charge", "--p1", "random"], lines("charge 1", "quit"), **data)
        return data

    def test_the_list_has_the_last_game_first_and_can_be_filtered(self, played: dict[str, str]) -> None:
        def numbers(*filters: str) -> list[int]:
            return [game["number"] for game in json.loads(run(["history", *filters, "--json"], **played).stdout)]

        assert numbers("--game", "flag-chase") == numbers("--games", "flag-chase") == [3, 2, 1]
        assert numbers("--opponent", "easy") == [1]
        assert numbers("--opponent", "human") == [3]
        assert numbers("--result", "lost") == [2]
        assert numbers("--result", "unfinished") == [4]
        assert numbers("--since", "2020-01-01", "--limit", "2") == [4, 3]
        assert numbers("--until", "2020-01-01") == []

    def test_an_unknown_opponent_is_told_with_the_known_ones(self, played: dict[str, str], file: Path) -> None:
        record = replace(History(file).record(1), people=(Person("Ann", "easy"), Person("Bob", "search:4")))
        History(file).keep(None, record, helped=False)  # which has no opponent
        told = run(["history", "--opponent", "chess"], **played).stderr
        assert told.endswith("in your history. Your history has: easy, hard, human, random.\n")

    def test_people_over_the_network_are_counted_apart(self, data: dict[str, str], file: Path) -> None:
        run(["play", "flag-chase", "--p2", "easy"], lines("2"), **data)
        record, only_online = History(file).record(1), {"XDG_DATA_HOME": f"{data['XDG_DATA_HOME']}-online"}
        record = replace(record, people=(Person("Ann", "online:Ann"), Person("Bob")))
        for kept in (History(file), History(Path(only_online["XDG_DATA_HOME"]) / "duelbook" / "history.sqlite")):
            kept.keep(None, record, helped=False)
        online = "Against people over the network: 0 won, 1 lost, 0 drawn (0% of the points)\n"
        page = run(["history", "statistics"], **data).stdout
        assert f"Against the computer: 1 won, 0 lost, 0 drawn (100% of the points)\n{online}" in page
        assert run(["history", "statistics"], **only_online).stdout.startswith(f"1 game, 0 unfinished\n{online}")

    def test_the_pages_are_as_narrow_as_the_terminal(self, played: dict[str, str]) -> None:
        names = ("--name1", "Player 1", "--name2", "Somebody with a long name")
        run(["play", "crystal-capture", "--first", "1", *names], lines("9", "8", "resign"), **played)

        def page(command: str, columns: int) -> str:
            screen, code = at_terminal(command, before=None, COLUMNS=str(columns), **played)
            assert code == 0
            assert max(map(len, screen.splitlines())) <= columns, screen
            return screen

        assert "Crystal Capture  Player 1, S" in page("history", 80)
        narrow = page("history", 40)
        assert "Crystal Capture, Player\n   1, Somebody with a long name:\n" in narrow
        assert "Flag Chase, hard (you moved" in " ".join(narrow.split())
        assert "  easy: 1 game, 1 won, 0 lost, 0 drawn\n  (100% of the points)\n" in page("history statistics", 40)

    def test_a_folder_in_its_place_and_a_number_without_end_are_told(self, data: dict[str, str], file: Path) -> None:
        file.parent.mkdir(parents=True)
        file.mkdir()
        assert "it is a folder. Move it away to begin a new history." in run(["history"], **data).stderr
        file.rmdir()
        assert run(["review", "9" * 4000], **data).stderr.startswith("duelbook: ")

    def test_a_game_is_replayed_by_its_number_or_as_the_last_one(self, played: dict[str, str]) -> None:
        assert json.loads(run(["replay", "--json"], **played).stdout)["game"] == "charge"
        assert json.loads(run(["replay", "1", "--json"], **played).stdout)["moves"] == ["2"]

    def test_games_go_out_and_in_as_records(self, played: dict[str, str], tmp_path: Path) -> None:
        folder = tmp_path / "records"
        done = run(["history", "export", str(folder), "--game", "flag-chase"], **played)
        assert done.stdout == f"Wrote 3 records to {folder}.\n"
        assert load_record(folder / "3-flag-chase.json").people[0].name == "Red"
        assert run(["history", "remove", "1", "2"], **played).stdout == "Removed 2 games.\n"
        (folder / "broken.json").write_text("{")
        done = run(["history", "import", str(folder)], **played)
        assert "broken.json: " in done.stdout
        assert done.stdout.endswith("Imported 2 games. Extended 0; 1 was known already.\n")
        assert done.returncode == 1
        assert "Rating: none yet." in run(["history", "statistics"], **played).stdout, "imported games do not count"

    def test_an_imported_record_starts_no_program(self, played: dict[str, str], tmp_path: Path) -> None:
        record = tmp_path / "game.json"
        run(["play", "charge", "--record", str(record), "--no-history"], lines("charge 1"), **played)
        document = json.loads(record.read_text())
        document["players"][1]["agent"] = "process:touch harm"
        record.write_text(json.dumps(document))
        run(["history", "import", str(record)], **played)
        done = run(["resume", "5"], **played)
        assert "names the agent 'process:touch harm' for Player 2. If you trust it, add --p2 " in done.stderr
        assert done.returncode == 2

    def test_resume_leaves_out_a_game_that_is_not_installed_any_more(
        self, data: dict[str, str], number_row: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from duelbook import GAMES

        run(["play", number_row, "--seed", "1"], lines("left", "quit"), **data)
        monkeypatch.delenv("DUELBOOK_GAMES")
        GAMES.reload()
        assert run(["resume"], **data).stderr == (
            "duelbook: There is no unfinished game in your history that is installed; not installed: number-row. "
            "Play a game with: duelbook play\n"
        )
        run(["play", "charge"], lines("charge 3", "quit"), **data)
        monkeypatch.setenv("DUELBOOK_GAMES", "tests.support.games.number_row:NumberRow")
        GAMES.reload()
        run(["resume", "1"], lines("right", "quit"), **data)
        monkeypatch.delenv("DUELBOOK_GAMES")
        GAMES.reload()
        assert "Player 2, play a card" in run(["resume"], lines("quit"), **data).stdout
