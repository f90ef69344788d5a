"""Recording and resuming, the time limit, and names."""

import shutil
import signal
import time
from pathlib import Path

import pexpect
import pytest

from duelbook.records.file import load
from tests.support.keyboard import DUELBOOK, environment, lines, piped, session, without_colour


class TestRecording:
    def test_a_finished_game_says_how_to_replay_it(self, tmp_path: Path) -> None:
        file = tmp_path / "my game.json"
        done = piped(["play", "flag-chase", "--record", str(file), "--name1", "Red"], lines("2"))
        assert done.stdout.endswith(
            f"Red wins!\n\nReview this game with: duelbook review '{file}' (or step through it: duelbook replay)\n"
        )
        record = load(file)
        assert (record.moves, record.people[0].name) == (("2",), "Red")

    def test_every_move_is_saved_at_once(self, tmp_path: Path) -> None:
        """Even a kill loses nothing."""
        file = tmp_path / "game.json"
        child = pexpect.spawn(
            DUELBOOK[0], [*DUELBOOK[1:], "play", "charge", "--record", str(file)], env=environment(), timeout=20
        )
        child.expect_exact("Player 1, play a card: ")
        child.sendline("charge 3")
        child.expect_exact("Player 2, play a card: ")
        child.kill(signal.SIGKILL)
        child.expect(pexpect.EOF)
        assert load(file).moves == ("charge 3",)

    @pytest.mark.parametrize(("key", "code"), [("quit", 1), ("^D", 1), ("^C", 130)])
    def test_leaving_saves_and_says_how_to_go_on(self, tmp_path: Path, key: str, code: int) -> None:
        file = tmp_path / "game.json"
        script = f"Player 1, play a card: «charge 3»\nPlayer 2, play a card: «{key}»\n"
        screen, exit_code = session(f"play charge --record {file}", script)
        assert f"The game is saved. Go on with: duelbook play --resume {file}\n" in screen
        assert exit_code == code
        assert load(file).moves == ("charge 3",)

    def test_a_game_goes_on_where_it_was_left(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        piped(["play", "crystal-capture", "--first", "2", "--record", str(file), "--name2", "Blue"], lines("8", "7"))
        done = piped(["play", "--resume", str(file)], lines("7", "6", "4", "1"))
        assert "Resumed after 2 moves." in done.stdout
        assert "Congratulations, Blue! You have exactly 15 points and win the game!" in done.stdout
        assert done.returncode == 0
        assert load(file).moves == ("8", "7", "6", "4", "1")

    def test_a_resumed_game_keeps_its_agents_and_its_time_limit(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        piped(["play", "charge", "--p2", "greedy", "--time-limit", "60", "--record", str(file)], lines("charge 1"))
        piped(["play", "--resume", str(file)], lines("charge 1"))
        record = load(file)
        assert len(record.moves) == 4
        assert (record.people[1].agent, record.time_limit) == ("greedy", 60)

    def test_another_file_is_never_written_over(self, tmp_path: Path) -> None:
        file = tmp_path / "thesis.txt"
        file.write_text("years of work")
        done = piped(["play", "charge", "--record", str(file)])
        assert done.returncode == 2
        assert done.stderr == f"duelbook: '{file}' exists already; give another name, or go on with it by --resume\n"
        assert "exists already" in piped(["play", "charge"], lines(f"save {file}")).stdout
        assert file.read_text() == "years of work"

    def test_the_same_game_may_be_saved_again(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        done = piped(["play", "charge"], lines(f"save {file}", "charge 1", f"save {file}"))
        assert done.stdout.count("Saved.") == 2
        assert load(file).moves == ("charge 1",)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["flag-chase"], "holds a game of charge, not of flag-chase"),
            (["--option", "goal=3"], "--option, --first and --seed are those of the record"),
            (["--first", "2"], "--option, --first and --seed are those of the record"),
        ],
    )
    def test_a_resumed_game_stays_what_it_was(self, tmp_path: Path, arguments: list[str], message: str) -> None:
        file = tmp_path / "game.json"
        piped(["play", "charge", "--record", str(file)], lines("charge 1"))
        done = piped(["play", *arguments, "--resume", str(file)])
        assert message in done.stderr
        assert done.returncode == 2

    def test_a_finished_game_is_not_resumed(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        piped(["play", "flag-chase", "--record", str(file)], lines("2"))
        done = piped(["play", "--resume", str(file)])
        assert "is over; look at it with: duelbook replay" in done.stderr
        assert done.returncode == 2

    @pytest.mark.parametrize("name", ["~nobody-here/x", "x" * 300, "a\0b", "/no/where/x", "/dev/full/x", "."])
    def test_a_file_that_cannot_be_does_not_end_the_game(self, name: str) -> None:
        done = piped(["play", "charge"], lines(f"save {name}", "charge 3", "quit"))
        assert "Saved." not in done.stdout
        assert "Total charge: 3." in done.stdout
        assert (done.returncode, done.stderr) == (1, "")

    def test_what_could_not_be_saved_is_not_called_saved(self, tmp_path: Path) -> None:
        folder = tmp_path / "gone"
        folder.mkdir()
        prompt = "Player 1, play a card: "
        child = pexpect.spawn(
            DUELBOOK[0], [*DUELBOOK[1:], "play", "charge", "--record", str(folder / "x")], env=environment(), timeout=20
        )
        child.expect_exact(prompt)
        shutil.rmtree(folder)
        child.sendline("charge 3")
        child.expect_exact("cannot save to")
        child.expect_exact("Player 2, play a card: ")
        child.sendline("quit")
        child.expect(pexpect.EOF)
        assert b"The game is saved" not in (child.before or b"")
        assert b"The game is left unfinished" in (child.before or b"")

    def test_resuming_into_the_same_file_by_another_name_is_fine(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        piped(["play", "charge", "--record", str(file)], lines("charge 1"))
        other = f"{tmp_path}/../{tmp_path.name}/game.json"
        piped(["play", "--resume", str(file), "--record", other], lines("charge 2"))
        assert load(file).moves == ("charge 1", "charge 2")


class TestTimeLimit:
    """ALL-3."""

    def test_running_out_loses_the_game(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        screen, code = session(f"play charge --time-limit 0.5 --record {file}", "Player 1, play a card: «help»\n")
        assert "Player 1 has run out of time.\n\nPlayer 2 wins!\n" in screen
        assert code == 0
        record = load(file)
        assert (record.reason, record.moves) == ("time", ())

    def test_it_does_not_run_while_the_other_is_asked_to_agree(self) -> None:
        """ALL-6."""
        child = pexpect.spawn(
            DUELBOOK[0], [*DUELBOOK[1:], "play", "charge", "--time-limit", "1.5"], env=environment(), timeout=20
        )
        for prompt, answer in (("Player 1, play", "charge 1"), ("Player 2, play", "undo")):
            child.expect_exact(prompt)
            child.sendline(answer)
        child.expect_exact("do you agree")
        time.sleep(2)
        child.sendline("no")
        child.expect_exact("Not taken back.")
        child.sendline("charge 2")
        child.expect_exact("Total charge: 2.")
        child.close()

    def test_it_does_not_run_while_a_turn_is_closed_with_enter(self) -> None:
        """ALL-6."""
        child = pexpect.spawn(
            DUELBOOK[0], [*DUELBOOK[1:], "play", "word-clash", "--time-limit", "1"], env=environment(), timeout=20
        )
        child.expect_exact("A-Z: ")
        child.sendline("E self 3")
        child.expect_exact("Press Enter")
        time.sleep(1.3)
        child.sendline("")
        child.expect_exact("A-Z: ")
        child.sendline("E self 3")
        child.expect_exact("You placed 'E'")
        child.close()

    def test_it_is_off_by_default(self, tmp_path: Path) -> None:
        file = tmp_path / "game.json"
        piped(["play", "charge", "--record", str(file)])
        assert load(file).time_limit is None

    @pytest.mark.parametrize("limit", ["0", "-1", "nan", "inf", "1e18", "soon"])
    def test_it_is_a_positive_number(self, limit: str) -> None:
        done = piped(["play", "charge", f"--time-limit={limit}"])
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1


class TestNames:
    def test_names_stand_wherever_a_player_is_named(self) -> None:
        done = piped(["play", "charge", "--name1", "Red", "--name2", "Blue"], lines("charge 3", "steal"))
        assert "Red's Hand: " in done.stdout
        assert "Blue plays a Steal Card, stealing 3 points from Red.\nCharge Updates:\nBlue: 0 + 3" in done.stdout
        assert "Player" not in done.stdout

    @pytest.mark.parametrize("name", ["\x1b[31mred", "a\x9b31m", "\u202eevil", "a\x07b", "a\u200bb", "\ue000"])
    def test_control_characters_are_neutralised(self, name: str) -> None:
        done = piped(["play", "charge", "--name1", name])
        assert done.returncode == 1
        assert not [character for character in done.stdout if not character.isprintable() and character != "\n"]
        assert "\ufffd" in done.stdout

    @pytest.mark.parametrize("name", ["", "   ", "x" * 33])
    def test_a_name_has_1_to_32_characters(self, name: str) -> None:
        done = piped(["play", "charge", "--name1", name])
        assert "a name has 1 to 32 characters" in done.stderr
        assert done.returncode == 2

    def test_two_players_have_two_names(self) -> None:
        for names in (["--name1", "Red", "--name2", "red"], ["--name1", "Player 2"]):
            done = piped(["play", "charge", *names])
            assert "both players would be called" in done.stderr
            assert done.returncode == 2

    def test_square_brackets_and_markup_are_just_text(self) -> None:
        screen, _ = session(
            "play charge --name1 [red]x[/] --name2 [/]", "[red]x[/], play a card: «quit»\n", TERM="xterm"
        )
        assert "[red]x[/]'s charge: 0" in without_colour(screen)
