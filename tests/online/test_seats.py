"""The file with the seats: private, and safe with several processes at once, some of them killed."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from duelbook.online.errors import OnlineError
from duelbook.online.seats import MAX_SEATS, Seat, SeatStore

SERVER = "https://play.example"
WRITER = """
import sys
from pathlib import Path
from duelbook.online.seats import Seat, SeatStore
path, start, count = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for number in range(start, start + count):
    SeatStore(path).add(Seat("https://play.example", f"{number:024x}", "first", "secret", "charge"))
    print(number, flush=True)
"""


def seat(number: int, server: str = SERVER) -> Seat:
    return Seat(server, f"{number:024x}", "first", f"secret-{number}", "charge")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "online" / "seats.json"


def write(path: Path, start: int, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(path), str(start), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_a_seat_is_found_again_on_its_server_only(path: Path) -> None:
    store = SeatStore(path)
    store.add(seat(1))
    store.add(seat(1, "https://other.example"))
    assert SeatStore(path).find(SERVER, seat(1).match) == seat(1)
    assert store.find("http://play.example", seat(1).match) is None
    assert store.find(SERVER, seat(2).match) is None
    assert store.find(None, seat(1).match) == seat(1, "https://other.example")


def test_nobody_else_can_read_the_file(path: Path) -> None:
    path.parent.mkdir(parents=True, mode=0o755)
    SeatStore(path).add(seat(1))
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_token_is_not_part_of_what_an_error_or_a_log_would_show() -> None:
    assert "secret" not in repr(seat(1))


def test_only_so_many_seats_are_kept(path: Path) -> None:
    store = SeatStore(path)
    store.add(seat(0))
    store._save([seat(number) for number in range(MAX_SEATS)])
    store.add(seat(MAX_SEATS))
    assert len(store.at(SERVER)) == MAX_SEATS
    assert store.at(SERVER)[0] == seat(MAX_SEATS)
    assert store.find(SERVER, seat(0).match) is None


def test_two_processes_lose_no_seat_while_a_third_one_is_killed(path: Path) -> None:
    writers = [write(path, 0, 30), write(path, 100, 30)]
    victim = write(path, 200, 100_000)
    assert victim.stdout
    kept = [int(victim.stdout.readline()) for _ in range(5)]
    victim.send_signal(signal.SIGKILL)
    victim.communicate()
    for writer in writers:
        writer.communicate(timeout=60)
        assert writer.returncode == 0
    numbers = {int(one.match, 16) for one in SeatStore(path).at(SERVER)}
    assert {*range(30), *range(100, 130), *kept} <= numbers


def test_a_damaged_file_is_named_and_not_overwritten(path: Path) -> None:
    SeatStore(path).add(seat(1))
    path.write_text("{")
    with pytest.raises(OnlineError, match=r"seats\.json', is damaged: .* Move it away to start a new one\."):
        SeatStore(path).add(seat(2))
    assert path.read_text() == "{"


def test_a_folder_that_cannot_be_written_to_is_an_error_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OnlineError, match="Your seat cannot be kept in"):
        SeatStore(tmp_path / "file" / "online" / "seats.json").add(seat(1))
