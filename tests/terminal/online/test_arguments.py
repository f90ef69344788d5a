"""What is wrong with a command line, an address or a match: one sentence and the exit code each."""

import shlex

import pytest

from tests.support.keyboard import lines, run
from tests.support.service.harness import RunningServer

CODE = "0123456789abcdef01234567"

EMPTY = "''"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (f"--server {EMPTY}", "'' is not an address. It looks like https://play.example"),
        (f"charge --server {EMPTY}", "'' is not an address."),
        (f"--server {EMPTY} --join {CODE}", "'' is not an address."),
        (f"--join {EMPTY}", "'' is neither the link to a match"),
        (f"--watch {EMPTY}", "'' is neither the link to a match"),
        (f"--server a.example --watch {EMPTY}", "'' is neither the link to a match"),
        (f"--join {EMPTY} --watch {EMPTY}", "--join cannot be combined with --watch."),
        ("charge --server ftp://play.example", "must begin with https:// or http://"),
        ("--join nonsense", "is neither the link to a match"),
        (f"--join {CODE}", "Add --server URL, or use the whole link."),
        (f"--server a.example --join https://b.example/match/{CODE}", "The link leads to https://b.example"),
        (f"--server a.example --join {CODE} --watch {CODE}", "--join cannot be combined with --watch."),
        (f"charge --server a.example --join {CODE}", "--join cannot be combined with GAME."),
        (f"{EMPTY} --server a.example --join {CODE}", "--join cannot be combined with GAME."),
        (f"--server a.example --join {CODE} --p1 {EMPTY}", "--join cannot be combined with --p1 and --p2."),
        (f"--server a.example --watch {CODE} --p2 {EMPTY}", "--watch cannot be combined with --p1 and --p2."),
        (f"--server a.example --watch {CODE} --first 1", "--watch cannot be combined with --first."),
        ("charge --server a.example --seed 1", "--server cannot be combined with --seed."),
        ("charge --server a.example --matches 2", "--server cannot be combined with --matches."),
        ("charge --server a.example --resume x.json", "--server cannot be combined with --resume."),
        ("charge --server a.example --p1 easy --p2 easy", "One of the two players must be you"),
        ("charg --server 127.0.0.1:1", "Unknown game 'charg'. Did you mean 'charge'?"),
        ("charge --server 127.0.0.1:1 --option gaol=3", "Did you mean 'goal'?"),
        ("charge --server 127.0.0.1:1 --name2 Bob", "Give only your own name, with --name1"),
        ("charge --srever a.example", "(Possible options: --resume, --seed, --server)"),
    ],
)
def test_a_wrong_command_line_is_refused(arguments: str, part: str) -> None:
    done = run(["play", *shlex.split(arguments)])
    assert done.returncode == 2, done.stderr
    assert part in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_server_that_cannot_be_reached_is_an_error() -> None:
    done = run(["play", "charge", "--server", "127.0.0.1:1"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("duelbook: Cannot reach http://127.0.0.1:1: Connection refused.")


def test_matches_that_cannot_be_joined(server: RunningServer) -> None:
    one, two = server.new_pair("charge")
    link = f"{server.url}/match/{one.match}"

    def refused(*arguments: str) -> str:
        done = run(["play", *arguments])
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        return done.stderr

    assert f"There is no match with the code {CODE}" in refused("--server", server.url, "--join", CODE)
    assert f"Both seats of this match are taken. Watch it with: duelbook play --watch {link}" in refused("--join", link)
    two.act("resign")
    assert f"This match is over. See it with: duelbook play --watch {link}" in refused("--join", link)


def test_what_the_service_refuses_is_told_in_its_words(server: RunningServer) -> None:
    done = run(["play", "charge", "--server", server.url, "--p2", "meduim"])
    assert done.returncode == 2
    assert "Unknown agent 'meduim'. Did you mean 'medium'?" in done.stderr
    one = server.new_match("charge", name="Ann")
    done = run(["play", "--join", f"{server.url}/match/{one.match}", "--name1", "ann"])
    assert done.returncode == 2
    assert "The other player is already called 'ann'. Choose another name." in done.stderr
    done = run(["play", "--join", f"{server.url}/match/{one.match}", "--name1", ""])
    assert done.returncode == 2
    assert "A name must have 1 to" in done.stderr


def test_a_connection_that_is_not_encrypted_is_warned_of_unless_it_is_local(server: RunningServer) -> None:
    assert "is not encrypted" in run(["play", "charge", "--server", "http://duelbook.invalid"]).stdout
    assert "is not encrypted" not in run(["play", "--server", server.url, "--join", CODE]).stdout


def test_a_game_that_is_not_installed_is_named(server: RunningServer) -> None:
    match = server.new_match("last-stone").match
    done = run(["play", "--join", f"{server.url}/match/{match}"])
    assert done.returncode == 1
    assert "This match is one of 'last-stone', a game that is not installed here." in done.stderr


def test_the_menu_names_no_commands_that_the_match_may_not_have(server: RunningServer) -> None:
    done = run(["play", "--server", server.url], lines("new", "charge", "book", "easy", "1", "quit"))
    assert "Type help at any time to see what you can do." in done.stdout
    assert "You can always type" not in done.stdout
