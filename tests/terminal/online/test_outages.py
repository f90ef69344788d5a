"""The connection is lost in the middle of a match at terminals: what is shown, and what was typed."""

import pexpect

from tests.support.remote import joined
from tests.support.service.harness import RunningServer
from tests.terminal.online.conftest import Sit
from tests.terminal.online.test_play import EDITED, left, made, seen

LOST, BACK = "The connection is lost. Trying to connect again …", "The connection is back."


def test_the_server_is_killed_and_a_move_is_sent_meanwhile(own_server: RunningServer, sit: Sit) -> None:
    server = own_server
    ann = sit("ann", f"charge --server {server.url} --name1 Ann --option goal=6 --once", **EDITED)
    link = made(ann)[0]
    bob = sit("bob", f"--join {link} --name1 Bob --once", **EDITED)
    seen(bob, "(or type help): ")
    seen(ann, "Ann, play a card: ")
    ann.sendline("charge 3")
    seen(ann, "Ann plays a Charge Card adding 3 points.", "(or type help): ")
    seen(bob, "Bob, play a card: ")
    bob.send("charge")
    server.kill()
    seen(ann, LOST)
    seen(bob, LOST, "Bob, play a card: charge")
    bob.sendline(" 1")
    seen(bob, "Sending your move")
    server.start()
    seen(bob, BACK, "Bob plays a Charge Card adding 1 point.", "(or type help): ")
    seen(ann, BACK, "Bob plays a Charge Card adding 1 point.", "Ann, play a card: ")
    assert server.http.get(f"/api/matches/{link[-24:]}").json()["moves"] == ["charge 3", "charge 1"]
    ann.sendline("charge 3")
    for child in (ann, bob):
        seen(child, "Ann wins the game!")
        assert left(child) == 0


def test_a_match_that_is_removed_ends_the_dialogue_in_a_sentence(own_server: RunningServer, sit: Sit) -> None:
    server = own_server
    ann = sit("ann", f"charge --server {server.url} --name1 Ann")
    match = made(ann)[1]
    joined(server, match)
    seen(ann, "Ann, play a card: ")
    server.kill()
    seen(ann, LOST)
    (server.folder / "matches.sqlite").rename(server.folder / "old.sqlite")
    server.start()
    seen(ann, "duelbook: This match no longer exists on the server.")
    assert left(ann) == 1


def test_a_line_at_a_plain_terminal_is_not_lost_when_the_other_player_moves(server: RunningServer, sit: Sit) -> None:
    """Without an editor, the system keeps what is typed until Enter."""
    ann = sit("ann", f"charge --server {server.url} --name1 Ann --first 2")
    bob = joined(server, made(ann)[1], name="Bob")
    seen(ann, "Waiting for Bob (or type help): ")
    ann.send("charge")
    bob.play(0, "charge 2")
    seen(ann, "Bob plays a Charge Card adding 2 points.", "Ann, play a card: ")
    ann.sendline(" 4")
    seen(ann, "Ann plays a Charge Card adding 4 points.")
    ann.sendeof()
    seen(ann, "You have left the match.")
    ann.expect(pexpect.EOF)
