"""Matches of a real service at pseudo-terminals: made, joined, watched, left, finished."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pexpect
import pytest

from duelbook.online.seats import Seat, SeatStore
from tests.support.keyboard import lines, run_process
from tests.support.remote import joined
from tests.support.service.harness import Player, RunningServer
from tests.terminal.online.conftest import Sit

LINK = re.compile(r"http://127\.0\.0\.1:\d+/match/([0-9a-f]{24})")
EDITED = {"TERM": "xterm", "NO_COLOR": "1"}
WORD = "--option length=3"


def made(child: "pexpect.spawn[str]") -> "re.Match[str]":
    """Return the link to the match that was made."""
    child.expect(LINK)
    assert isinstance(child.match, re.Match)
    return child.match


def left(child: "pexpect.spawn[str]") -> int | None:
    """Return the exit code of a terminal that ends."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


def seen(child: "pexpect.spawn[str]", *texts: str) -> None:
    """Wait for the texts. A space at their end may be a move of the cursor."""
    for text in texts:
        child.expect_exact(text.rstrip(" "))


def test_two_terminals_play_charge_join_by_link_and_play_again(server: RunningServer, sit: Sit, tmp_path: Path) -> None:
    ann = sit("ann", f"charge --server {server.url} --name1 Ann --option goal=6", **EDITED)
    link = made(ann)[0]
    seen(ann, "Waiting for the other player")
    bob = sit("bob", f"--join {link} --name1 Bob", **EDITED)
    seen(
        bob,
        "Ann invites you to play Charge (goal=6).",
        "You are Bob, against Ann. Ann moves first.",
        "(or type help): ",
    )
    bob.sendline("moves")
    seen(bob, "It is the turn of Ann.\r\nLegal moves: charge 1", "(or type help): ")
    bob.send("charge")  # before it is his turn
    seen(ann, "Bob has joined.", "Ann, play a card: ")
    ann.sendline("charge 9")
    seen(ann, "A Charge Card adds 1 to 5 points, not '9'.", "Ann, play a card: ")
    ann.sendline("charge 3")
    seen(ann, "Ann plays a Charge Card adding 3 points.")
    seen(bob, "Ann plays a Charge Card adding 3 points.", "Bob, play a card: charge")
    bob.sendline(" 1")
    seen(bob, "Bob plays a Charge Card adding 1 point.")
    seen(ann, "Bob plays a Charge Card adding 1 point.", "Ann, play a card: ")
    ann.sendline("charge 3")
    for child in (ann, bob):
        seen(child, "Ann wins the game!", "You won. " if child is ann else "You lost. ")
        seen(child, "Rematch, review, or Enter to leave: ")
    bob.sendline("rematch")
    seen(bob, "Waiting for Ann to play again")
    seen(ann, "Bob wants a rematch.", "Rematch, review, or Enter to leave: ")
    ann.sendline("rem")
    seen(ann, "You are Ann, against Bob. Bob moves first.", "(or type help): ")
    seen(bob, "Bob, play a card: ")
    bob.sendline("resign")
    seen(bob, "Bob, do you want to resign (y/n)? ")
    bob.sendline("y")
    for child in (ann, bob):
        seen(child, "Bob resigns.", "Ann wins!", "Points: Ann: 2, Bob: 0", "Rematch, review, or Enter to leave: ")
        child.sendline("")
        assert left(child) == 0
    listed = run_process(["history"], XDG_DATA_HOME=str(tmp_path / "bob")).stdout
    assert listed.count("online:Ann") == listed.count("lost") == 2, listed


def test_two_terminals_play_word_clash_and_join_by_code(server: RunningServer, sit: Sit) -> None:
    ann = sit("ann", f"word-clash --server {server.url} --name1 Ann --first 1 --once {WORD}")
    code = made(ann)[1]
    bob = sit("bob", f"--server {server.url} --join {code.upper()} --name2 Bob --once")
    moves = ("C self 1", "Q opponent 2", "A opponent 1")
    for number, move in enumerate(moves):
        mover, other, name = (ann, bob, "Ann") if number % 2 == 0 else (bob, ann, "Bob")
        seen(mover, "Select a letter from A-Z: ")
        if number == 0:  # each question of the dialogue, and an answer that is taken back
            ann.sendline("C")
            seen(ann, "('self' or 'opponent'): ")
            ann.sendline("opponent")
            seen(ann, "Choose position (1-3): ")
            ann.sendline("undo")
            seen(ann, "Taken back.", "('self' or 'opponent'): ")
            ann.sendline("self")
            seen(ann, "Choose position (1-3): ")
            ann.sendline("1")
        else:
            mover.sendline(move)
        seen(mover, f"You placed '{move[0]}'")
        seen(other, f"{name} placed '{move[0]}'")
    seen(bob, "Select a letter from A-Z: ")
    bob.sendline("t OPPONENT 3")
    for child in (ann, bob):
        seen(child, "Ann's board is complete: C Q T", "Bob wins the game.")
        assert left(child) == 0


def test_choices_are_asked_and_the_computer_of_the_service_plays(server: RunningServer, tmp_path: Path) -> None:
    """Through a pipe: nothing waits for the turn of the computer but the program."""
    answers = lines("moves", "1", "hint", "quit")
    command = ["play", "alpha-chase", "--server", server.url, "--p2", "random", "--first", "1", "--name1", "Ann"]
    done = run_process(command, answers, XDG_DATA_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "Choose your word (number or word): " in done.stdout
    assert "You are Ann, against random. You move first." in done.stdout
    assert "(Type hint again for the move.)" in done.stdout
    assert f"Come back to it with: duelbook play --join {server.url}/match/" in done.stdout


def test_the_first_move_of_the_computer_is_shown_as_a_move(server: RunningServer, sit: Sit, tmp_path: Path) -> None:
    for _ in range(2):  # the move may come before or after the match is loaded
        ann = sit("ann", f"charge --server {server.url} --p1 random")
        seen(ann, "Player 2, play a card: ")
        before = str(ann.before)
        assert "You are Player 2, against random. random moves first." in before
        assert "random plays a" in before
        assert "Resumed" not in before
        assert "Taken back" not in before
    ann.sendline(f"save {tmp_path / 'game.json'}")
    seen(ann, "The match stays on the server.", "Player 2, play a card: ")


def test_a_person_comes_back_to_a_match_by_its_code_alone(server: RunningServer, sit: Sit, tmp_path: Path) -> None:
    ann = sit("ann", f"charge --server {server.url} --name1 Ann --option goal=4")
    link, code = made(ann).group(0, 1)
    seen(ann, "The code of the match is")
    ann.sendintr()
    seen(ann, "The match stays open. Come back to it with:", f"duelbook play --join {link}")
    assert left(ann) == 130
    bob = joined(server, code, name="Bob")
    ann = sit("ann", f"--join {code}")
    seen(ann, "You are Ann, against Bob.", "Ann, play a card: ")
    ann.sendline("charge 2")
    seen(ann, "(or type help): ")
    ann.sendline("quit")
    seen(ann, "You have left the match. Come back to it with:", f"duelbook play --join {link}")
    assert left(ann) == 0
    assert bob.play(1, "charge 1").status_code == 200
    ann = sit("ann", f"--server {server.url} --once")
    seen(ann, "1   Continue: Charge against Bob, your turn", "What would you like to do (1-4)? ")
    ann.sendline("1")
    seen(ann, "Resumed after 2 moves.", "Ann, play a card: ")
    ann.sendline("charge 2")
    seen(ann, "Ann wins the game!")
    assert left(ann) == 0
    ann = sit("ann", f"--join {link} --once")
    seen(ann, "Ann wins the game!")
    assert left(ann) == 0
    listed = run_process(["history"], XDG_DATA_HOME=str(tmp_path / "ann")).stdout
    assert listed.count("online:Bob") == listed.count("won") == 1, listed


def test_the_menu_of_a_service_always_leads_back_and_offers_no_agent_that_no_service_has(
    server: RunningServer, sit: Sit
) -> None:
    ann = sit("ann", f"--server {server.url}")
    for choice, flag in (("join", "--join"), ("watch", "--watch")):
        seen(ann, "What would you like to do (1-3)? ")
        ann.sendline(choice)
        link = "https://else.example/match/0123456789abcdef01234567"
        for typed, answer in (
            ("", "Type the link or the code of a match, back for the question before, or quit."),
            (link, "This link leads to another server. Use it with:"),
        ):
            seen(ann, "The link or the code of the match: ")
            ann.sendline(typed)
            seen(ann, answer)
        seen(ann, f"duelbook play {flag} {link}")
        ann.sendline("back")
    for question, answer in (
        ("What would you like to do (1-3)? ", "new"),
        ("Choose a game (1-5)? ", "charge"),
        ("Which rules", "back"),
        ("Choose a game (1-5)? ", "back"),
        ("What would you like to do (1-3)? ", "new"),
        ("Choose a game (1-5)? ", "charge"),
        ("Which rules", "book"),
        ("8   advanced: search engines\r\nYour opponent (1-8)? ", "process:/bin/true"),
        ("Your opponent (1-8)? ", "advanced"),
        ("4   mcts: \r\n(Enter: search)\r\nWhich one (1-4)? ", "quit"),
    ):
        seen(ann, *question.splitlines())
        ann.sendline(answer)
    assert left(ann) == 0


def test_a_rematch_waits_for_a_player_who_has_left(server: RunningServer, sit: Sit) -> None:
    ann = sit("ann", f"charge --server {server.url} --name1 Ann --once")
    bob = joined(server, made(ann)[1], name="Bob")
    bob.act("resign")
    seen(ann, "Bob resigns.")
    assert left(ann) == 0
    following = bob.post("rematch").json()["id"]
    eve = sit("eve", f"--join {server.url}/match/{following}")
    seen(eve, "duelbook: The free seat of this match is kept for Ann, who played")
    assert left(eve) == 1
    ann = sit("ann", f"--server {server.url}")
    seen(ann, "1   Rematch: Charge, Bob wants to play again", "What would you like to do (1-4)? ")
    ann.sendline("1")
    seen(ann, "You are Ann, against Bob. Bob moves first.", "Waiting for Bob (or type help): ")


@contextmanager
def waiting_for_rematch(server: RunningServer, sit: Sit) -> Iterator[tuple["pexpect.spawn[str]", Player]]:
    """Let Ann wait for a rematch with Bob, who is present until the end."""
    ann = sit("ann", f"charge --server {server.url} --name1 Ann")
    bob = joined(server, made(ann)[1], name="Bob")
    with bob.live():
        seen(ann, "Ann, play a card: ")
        bob.act("resign")
        seen(ann, "Enter to leave: ")
        ann.sendline("rematch")
        seen(ann, "Waiting for Bob to play again")
        yield ann, bob


def test_who_waits_for_a_rematch_is_told_whether_the_other_player_is_there(server: RunningServer, sit: Sit) -> None:
    """Also after coming back to it."""
    away = ("Bob is away.", "The rematch stays open for them. You can wait or leave.")
    with waiting_for_rematch(server, sit) as (ann, bob):
        pass
    seen(ann, *away)
    ann.sendintr()
    seen(ann, "The match stays open. Come back to it with:")
    link = made(ann)[0]
    assert left(ann) == 130
    ann = sit("ann", f"--join {link}")
    seen(ann, "Waiting for Bob to play again", *away)
    with bob.live():
        seen(ann, "Bob is back.")
    bob.post("rematch")
    seen(ann, "Bob has joined.", "You are Ann, against Bob. Bob moves first.", "(or type help): ")


def test_matches_that_are_alike_are_told_apart_in_the_menu(
    server: RunningServer, sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "ann"))
    times = ["2026-01-02 13:14:15", "2026-01-02 13:24:25"]
    for time in times:
        ann = server.new_match("charge", name="Ann")
        taken = int(datetime.fromisoformat(time).timestamp())
        SeatStore().add(Seat(server.url, ann.match, "first", ann.token, "charge", taken))
        bob = joined(server, ann.match, name="Bob")
        bob.act("resign")
        bob.post("rematch")
    menu = sit("ann", f"--server {server.url}")
    for number, time in enumerate(reversed(times), 1):
        seen(menu, f"{number}   Rematch: Charge, Bob wants to play again ({time})")


def test_a_spectator_sees_the_moves_as_they_are_made(server: RunningServer, sit: Sit) -> None:
    one, two = server.new_pair("charge", options={"goal": 5}, name="Ann")
    eve = sit("eve", f"--watch {server.url}/match/{one.match}", **EDITED)
    seen(eve, "You are watching Ann against Player 2. Ann moves first.", "(or type help): ")
    eve.send("resi")
    seen(eve, "resi")
    one.play(0, "charge 2")
    seen(eve, "Ann plays a Charge Card adding 2 points.", "Watching Player 2 (or type help): resi")
    eve.sendline("gn")
    seen(eve, "It is the turn of Player 2. You are watching; only the players can do that.", "(or type help): ")
    eve.sendline("board")
    seen(eve, "Ann's charge: 2\r\nPlayer 2's charge: 0\r\n", "(or type help): ")
    one.act("resign")
    seen(eve, "Ann resigns.", "Player 2 wins!", "Review, or Enter to leave: ")
    for player in (one, two):
        player.post("rematch")
    seen(eve, "There is a rematch, which you can watch.", "Rematch, review, or Enter to leave: ")
    eve.sendline("rematch")
    seen(eve, "You are watching Player 2 against Ann. Player 2 moves first.", "(or type help): ")
    eve.sendline("quit")
    assert left(eve) == 0


def test_what_was_typed_is_there_again_after_a_question_of_the_other_player(server: RunningServer, sit: Sit) -> None:
    ann = sit("ann", f"charge --server {server.url} --name1 Ann", **EDITED)
    bob = joined(server, made(ann)[1], name="Bob")
    seen(ann, "Ann, play a card: ")
    ann.sendline("charge 3")
    seen(ann, "(or type help): ")
    bob.play(1, "charge 1")
    seen(ann, "Bob plays a Charge Card adding 1 point.", "Ann, play a card: ")
    ann.send("charge")
    bob.act("undo", ply=2)
    seen(ann, "Ann, may Bob take back 'charge 1' (y/n)? ")
    ann.sendline("n")
    seen(ann, "Not taken back.", "Ann, play a card: charge")
    ann.sendline(" 1")
    seen(ann, "Total charge: 3 + 1 = 4.")


def test_the_clock_is_that_of_the_service(server: RunningServer, sit: Sit) -> None:
    ann = sit("ann", f"charge --server {server.url} --name1 Ann --time-limit 3 --once", **EDITED)
    bob = joined(server, made(ann)[1], name="Bob")
    ann.expect(r"\[0:0\d\] Ann, play a card:")
    seen(ann, "Ann has run out of time.", "Bob wins!")
    assert left(ann) == 0
    assert bob.view()["reason"] == "time"


def test_no_token_is_shown_and_the_file_is_private(server: RunningServer, sit: Sit, tmp_path: Path) -> None:
    ann = sit("ann", f"charge --server {server.url} --no-history --p2 random --once")
    seen(ann, "play a card: ")
    ann.sendline("resign")
    seen(ann, "(y/n)? ")
    ann.sendline("y")
    seen(ann, "resigns.")
    assert left(ann) == 0
    [file] = (tmp_path / "ann").rglob("seats.json")
    [token] = re.findall(r'"token": "(.+)"', file.read_text())
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert not list((tmp_path / "ann").rglob("history.sqlite"))
    assert token not in server.log.read_text()
