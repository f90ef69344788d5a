"""Matches of a real service at pseudo-terminals: made, joined, watched, left, finished."""

import re
from datetime import datetime
from pathlib import Path

import pexpect
import pytest

from duelbook.online.seats import Seat, SeatStore
from tests.support.keyboard import lines, run_process
from tests.support.remote import joined
from tests.support.service.harness import RunningServer
from tests.terminal.online.conftest import Sit

LINK = re.compile(r"http://127\.0\.0\.1:\d+/match/([0-9a-f]{24})")
CODE = "0123456789abcdef01234567"  # of no match
EDITED = {"TERM": "xterm", "NO_COLOR": "1"}


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


def test_a_person_comes_back_to_a_match_by_its_code_alone(server: RunningServer, sit: Sit) -> None:
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
    seen(ann, "1   Continue: Charge against Bob, your turn, 2 moves so far", "What would you like to do (1-4)? ")
    ann.sendline("1")
    seen(ann, "Resumed after 2 moves.", "Ann, play a card: ")
    ann.sendline("charge 2")
    seen(ann, "Ann wins the game!")
    assert left(ann) == 0


def test_the_menu_of_a_service_always_leads_back_and_offers_no_agent_that_no_service_has(
    server: RunningServer, sit: Sit
) -> None:
    ann = sit("ann", f"--server {server.url}")
    for choice, flag in (("join", "--join"), ("watch", "--watch")):
        seen(ann, "What would you like to do (1-3)? ")
        ann.sendline(choice)
        link = f"https://else.example/match/{CODE}"
        for typed, answer in (
            ("", "Type the link or the code of a match, back for the question before, or quit."),
            (CODE, f"There is no match with the code {CODE}"),
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


def test_matches_that_are_alike_are_told_apart_in_the_menu(
    server: RunningServer, sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "ann"))
    times = ["13:14", "13:24"]
    for time in times:
        ann = server.new_match("charge", name="Ann")
        taken = int(datetime.fromisoformat(f"2026-01-02 {time}:15").timestamp())
        SeatStore().add(Seat(server.url, ann.match, "first", ann.token, "charge", taken))
        bob = joined(server, ann.match, name="Bob")
        bob.act("resign")
        bob.post("rematch")
    menu = sit("ann", f"--server {server.url}")
    for number, time in enumerate(reversed(times), 1):
        seen(menu, f"{number}   Rematch: Charge, Bob wants to play again (since 02 Jan, {time})")


def test_a_spectator_sees_the_moves_as_they_are_made(server: RunningServer, sit: Sit) -> None:
    one, _ = server.new_pair("charge", options={"goal": 5}, name="Ann")
    eve = sit("eve", f"--watch {server.url}/match/{one.match}", **EDITED)
    seen(eve, "You are watching Ann against Player 2. Ann moves first.", "(or type help): ")
    one.play(0, "charge 2")
    seen(eve, "Ann plays a Charge Card adding 2 points.", "Watching Player 2 (or type help): ")
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
    seen(ann, "Ann declines: the move is not taken back.", "Ann, play a card: charge")
    ann.sendline(" 1")
    seen(ann, "Total charge: 3 + 1 = 4.")


def test_no_token_is_shown_and_the_file_is_private(server: RunningServer, sit: Sit, tmp_path: Path) -> None:
    ann = sit("ann", f"charge --server {server.url} --no-history --p2 random --time-limit 600 --once")
    ann.expect(r"\[(10:00|9:\d\d)\] Player 1, play a card: ")
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
