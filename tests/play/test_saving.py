"""Where a match is saved, and what is said about a file that cannot be written: the match goes on."""

import shutil
from pathlib import Path

import pytest

from duelbook.agents import KINDS, AgentKind, StoppedError
from duelbook.agents.random_agent import RandomAgent
from duelbook.game import Move
from duelbook.match import ReadOnlyMatch
from duelbook.play.arguments import PlayArguments
from duelbook.play.events import Kind
from duelbook.play.local_table import LocalTable
from duelbook.play.session import Session
from duelbook.play.setup import new_match
from duelbook.records import load_record
from tests.support.conversing import begun, texts, told


def sit(record: Path | None = None, two: str = "human") -> Session:
    new = new_match(PlayArguments("charge", agents=("human", two), record=record))
    session = Session(LocalTable(new.begin({})[0], new.setup))
    begun(session)
    return session


def test_a_game_that_could_not_be_saved_is_not_called_saved(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    session = sit(folder / "x")
    shutil.rmtree(folder)
    assert "Cannot save to" in " ".join(texts(told(session, "charge 3")))
    left = " ".join(texts(told(session, "quit")))
    assert "The game is saved" not in left
    assert "The game is kept. Resume it with: duelbook resume " in left


def test_another_file_is_never_overwritten_but_the_same_game_may_be_saved_again(tmp_path: Path) -> None:
    other, file = tmp_path / "thesis.txt", tmp_path / "game.json"
    other.write_text("years of work")
    session = sit()
    assert "already exists" in texts(told(session, f"save {other}"), Kind.REFUSAL)[0]
    assert other.read_text() == "years of work"
    told(session, f"save {file}", "charge 1", f"save {file}")
    assert load_record(file).moves == ("charge 1",)


@pytest.mark.parametrize("name", ["~nobody-here/x", "x" * 300, "a\0b", "/no/where/x", "/dev/full/x", "."])
def test_a_file_that_cannot_be_written_does_not_end_the_game(name: str) -> None:
    session = sit()
    assert len(texts(told(session, f"save {name}"), Kind.REFUSAL)) == 1
    told(session, "charge 3")
    assert len(session.match.moves) == 1


def test_a_match_without_a_file_asks_for_its_name() -> None:
    assert texts(told(sit(), "save"), Kind.REFUSAL) == ["Name the file to save to: save FILE"]


def test_a_match_goes_on_if_it_cannot_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/dev/null")
    session = sit()
    told(session, "charge 1", "charge 2")
    assert len(session.match.moves) == 2
    assert session.table.setup.keeper
    assert session.table.setup.keeper.number is None


class Unreachable(RandomAgent):
    """An agent whose endpoint is down."""

    def choose(self, match: ReadOnlyMatch) -> Move:
        raise StoppedError("The endpoint does not answer.")


def test_a_game_that_an_error_ends_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "unreachable", AgentKind(Unreachable, "is down"))
    session = sit(two="unreachable")
    said = texts(told(session, "charge 3"))
    assert session.ended
    assert str(session.ended.problem) == "The endpoint does not answer."
    assert "The game is kept. Resume it with: duelbook resume " in " ".join(said)
