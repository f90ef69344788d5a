"""The history: games are kept as they are played, whatever other terminals, the disk or a kill do."""

import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from duelbook import make
from duelbook.game import Reason
from duelbook.history.database import APPLICATION_ID, DamagedHistoryError, HistoryError
from duelbook.history.kept_game import OwnResult
from duelbook.history.store import History
from duelbook.history.transfer import export_games, import_games, repair
from duelbook.match import Match
from duelbook.records import Person, Record, load_record, save_record

PEOPLE = (Person("Red"), Person("Player 2", "easy"))


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "data" / "history.sqlite")


def played(*moves: str, people: tuple[Person, Person] = PEOPLE, first: int = 0, seed: int = 1) -> Record:
    """Return a game of Flag Chase. `2` from the start wins it."""
    match = Match(make("flag-chase"))
    for move in moves:
        match.play(move)
    return match.record(people, first, seed=seed)


class TestKeeping:
    def test_a_game_has_one_number_however_often_it_is_kept(self, history: History) -> None:
        slot = history.keep(None, played("1"), helped=False)
        slot = history.keep(slot, played("1", "1"), helped=True)
        other = history.keep(None, played("2"), helped=False)
        assert (slot.number, other.number) == (1, 2)
        assert [(game.number, game.moves, game.helped) for game in history.games()] == [(2, 1, False), (1, 2, True)]
        assert history.record(1).moves == ("1", "1")

    def test_a_game_that_went_on_in_another_terminal_is_not_overwritten(self, history: History) -> None:
        mine = theirs = history.keep(None, played("1"), helped=False)
        history.keep(theirs, played("1", "1"), helped=False)
        forked = history.keep(mine, played("1", "2"), helped=False)
        assert forked.number == 2
        assert [history.record(number).moves for number in (1, 2)] == [("1", "1"), ("1", "2")]

    def test_a_removed_number_is_not_used_again(self, history: History) -> None:
        for _ in range(2):
            slot = history.keep(None, played("1"), helped=False)
        assert history.remove([2, 99]) == 1
        assert history.keep(None, played("1"), helped=False).number == 3
        assert history.keep(slot, played("1", "1"), helped=False).number == 4, "also if its game was removed"

    def test_the_last_game_is_the_one_that_was_played_last(self, history: History) -> None:
        slot = history.keep(None, played("1"), helped=False)
        history.keep(None, played("2"), helped=False)
        assert (history.last().number, history.last_unfinished().number) == (2, 1)
        history.keep(slot, played("1", "1"), helped=False)
        assert history.last().number == 1

    def test_many_terminals_at_once_lose_nothing(self, history: History) -> None:
        script = (
            "import sys; from pathlib import Path; from duelbook import Match, make\n"
            "from duelbook.history.store import History; from duelbook.records import Person\n"
            "match, slot, people = Match(make('flag-chase')), None, (Person('Red'), Person('Blue'))\n"
            "for _ in range(10):\n"
            "    slot = History(Path(sys.argv[1])).keep(slot, match.record(people, 0), helped=False)\n"
        )
        command = [sys.executable, "-c", script, str(history.path)]
        running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
        assert [process.communicate(timeout=60)[1] for process in running] == ["", "", ""]
        assert sorted((game.number, game.version) for game in history.games()) == [(1, 10), (2, 10), (3, 10)]


class TestResults:
    @pytest.mark.parametrize(
        ("record", "result", "opponent"),
        [
            (played("2"), OwnResult.WON, "easy"),
            (played("2", first=1), OwnResult.LOST, "easy"),
            (played("1", "2"), OwnResult.LOST, "easy"),
            (played("1", "2", people=PEOPLE[::-1]), OwnResult.WON, "easy"),
            (played("1"), OwnResult.UNFINISHED, "easy"),
            (played("2", people=(Person("Red"), Person("Blue"))), OwnResult.NONE, "human"),
            (played("2", people=(Person("Red", "easy"), Person("Blue", "hard"))), OwnResult.NONE, ""),
        ],
    )
    def test_the_result_is_that_of_the_only_person(
        self, history: History, record: Record, result: OwnResult, opponent: str
    ) -> None:
        history.keep(None, record, helped=False)
        assert (history.last().result, history.last().opponent) == (result, opponent)


class TestTrouble:
    def test_a_history_that_does_not_exist_is_empty(self, history: History) -> None:
        assert history.games() == []
        assert not history.path.exists()
        with pytest.raises(
            HistoryError, match=r"There is no unfinished game in your history\. Play a game with: duelbook"
        ):
            history.last_unfinished()
        with pytest.raises(
            HistoryError, match=r"There is no game 1000000 in your history\. List the games with: duelb"
        ):
            history.game(10**6)
        with pytest.raises(HistoryError, match="There is no game in your history"):
            history.last()

    @pytest.mark.parametrize("content", [b"not a database " * 50, b"SQLite format 3\0" + bytes(range(256)) * 20])
    def test_a_damaged_file_is_one_sentence_and_is_left_alone(self, history: History, content: bytes) -> None:
        history.path.parent.mkdir()
        history.path.write_bytes(content)
        for use in (history.games, lambda: history.keep(None, played("1"), helped=False)):
            with pytest.raises(DamagedHistoryError, match=r"^The history '.*' cannot be used: it is damaged\. "):
                use()
        assert history.path.read_bytes() == content

    def test_the_database_of_another_program_is_left_alone(self, history: History) -> None:
        history.path.parent.mkdir()
        with sqlite3.connect(history.path) as other:
            other.execute("CREATE TABLE mine (a)")
        with pytest.raises(DamagedHistoryError, match="it is a database of another program"):
            history.keep(None, played("1"), helped=False)

    def test_a_history_of_another_version_is_neither_changed_nor_repaired(self, history: History) -> None:
        history.path.parent.mkdir()
        with sqlite3.connect(history.path) as newer:
            newer.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            newer.execute("PRAGMA user_version = 99")
        for use in (history.games, lambda: repair(history)):
            with pytest.raises(HistoryError, match="was written by another version of Duelbook"):
                use()

    def test_a_python_with_an_old_sqlite_is_told_what_the_history_needs(
        self, history: History, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 26, 0))
        with pytest.raises(HistoryError, match=r"needs SQLite 3\.31 or newer; this Python has"):
            history.games()

    def test_a_folder_that_cannot_be_made_is_one_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(HistoryError, match=r"^The folder '.*' cannot be made: File exists\."):
            History(tmp_path / "file" / "history.sqlite").keep(None, played("1"), helped=False)

    def test_a_terminal_that_holds_the_file_for_long_is_named(
        self, history: History, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("duelbook.history.database.WAIT_SECONDS", 0.05)
        history.keep(None, played("1"), helped=False)
        other = sqlite3.connect(history.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(HistoryError, match="another terminal is writing to it"):
            history.keep(None, played("1"), helped=False)
        other.close()
        assert history.keep(None, played("1"), helped=False).number == 2

    def test_a_disk_without_room_keeps_what_was_there(self, history: History, monkeypatch: pytest.MonkeyPatch) -> None:
        slot = history.keep(None, played("1"), helped=False)
        connect = sqlite3.connect

        def connect_to_full_disk(*arguments: object, **options: object) -> sqlite3.Connection:
            connection = connect(*arguments, **options)  # type: ignore[call-overload]
            connection.execute("PRAGMA max_page_count = 1")
            assert isinstance(connection, sqlite3.Connection)
            return connection

        monkeypatch.setattr("sqlite3.connect", connect_to_full_disk)
        with pytest.raises(HistoryError, match="there is no room left on the disk"):
            history.keep(None, played(*["1"] * 2, people=(Person("x" * 9000), Person("Blue"))), helped=False)
        monkeypatch.undo()
        assert history.record(slot.number).moves == ("1",)
        assert history.keep(slot, played("1", "1"), helped=False).number == slot.number

    def test_a_file_that_was_removed_is_made_again(self, history: History) -> None:
        slot = history.keep(None, played("1"), helped=False)
        history.path.unlink()
        history.keep(slot, played("1", "1"), helped=False)
        assert history.last().moves == 2


class TestTransfer:
    def test_exported_games_can_be_imported_elsewhere_once(self, history: History, tmp_path: Path) -> None:
        for record in (played("2"), played("1", seed=2)):
            history.keep(None, record, helped=False)
        folder = tmp_path / "records"
        assert export_games(history, history.games(), folder) == 2
        assert export_games(history, history.games(), folder) == 2, "the same games may be written again"
        assert load_record(folder / "1-flag-chase.json").moves == ("2",)
        (folder / "3-other.json").write_text("{}")
        other = History(tmp_path / "other.sqlite")
        done = import_games(other, [folder])
        assert (done.added, done.extended, done.known, len(done.problems)) == (2, 0, 0, 1)
        assert import_games(other, [folder])[:3] == (0, 0, 2)
        assert all(game.imported for game in other.games())

    def test_imported_games_keep_the_order_in_which_they_were_played(self, history: History, tmp_path: Path) -> None:
        for number in range(11):  # within a second or two
            history.keep(None, played("1", seed=number), helped=False)
        export_games(history, history.games(), tmp_path)
        early = replace(played("2", seed=11), started="2020-01-01T12:00:00+00:00")
        save_record(early, tmp_path / "early.json")
        save_record(replace(early, seed=12, started=None), tmp_path / "0.json")
        other = History(tmp_path / "other.sqlite")
        assert import_games(other, [tmp_path]).added == 13
        assert [other.record(number).seed for number in range(1, 14)] == [11, *range(11), 12]

    def test_a_longer_record_of_a_known_game_extends_it(self, history: History, tmp_path: Path) -> None:
        record = played("1", "1")
        history.keep(None, played("1"), helped=False)
        save_record(record, tmp_path / "game.json")
        assert import_games(history, [tmp_path / "game.json"])[:3] == (0, 1, 0)
        assert history.record(1).moves == ("1", "1")

    def test_another_game_is_not_overwritten_by_an_export(self, history: History, tmp_path: Path) -> None:
        history.keep(None, played("2"), helped=False)
        (tmp_path / "1-flag-chase.json").write_text("my notes")
        with pytest.raises(ValueError, match=r"flag-chase\.json"):
            export_games(history, history.games(), tmp_path)
        assert (tmp_path / "1-flag-chase.json").read_text() == "my notes"


class TestRepair:
    def test_the_games_that_can_be_read_are_in_the_new_history(self, history: History) -> None:
        for number in range(40):
            history.keep(None, played("1", seed=number), helped=number == 3)
        assert repair(history) is None, "nothing is wrong"
        before = {game.number: game for game in history.games()}
        content = bytearray(history.path.read_bytes())
        content[20480:21288] = b"\xff" * 808
        history.path.write_bytes(content)
        done = repair(history)
        assert done is not None
        assert 10 < done.games < 40
        assert done.lost == 40 - done.games
        assert len(history.games()) == done.games
        assert {game.number: game for game in history.games()}.items() <= before.items()
        assert done.damaged.read_bytes() == content

    def test_a_file_that_is_no_database_gives_an_empty_history(self, history: History) -> None:
        history.path.parent.mkdir()
        history.path.write_text("scribbles " * 100)
        done = repair(history)
        assert done
        assert (done.games, done.damaged.name) == (0, "history-damaged-1.sqlite")
        assert history.games() == []


def test_times_are_utc_whatever_a_record_says(history: History) -> None:
    record = played("2")
    history.keep(None, record, helped=False)
    assert history.last().changed.tzinfo is UTC
    assert abs((datetime.now(UTC) - history.last().changed).total_seconds()) < 3600
    assert history.last().reason is Reason.RULES
