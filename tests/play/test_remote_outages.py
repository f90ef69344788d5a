"""The connection is lost in the middle of a match: nothing is lost with it, and nothing is played twice."""

import threading
from collections.abc import Sequence

from duelbook.play.events import Moved, Shown, Typed
from tests.play.conftest import Sit
from tests.support.conversing import texts
from tests.support.remote import work_once
from tests.support.service.harness import RunningServer
from tests.support.service.network import Link

LOST, BACK = "The connection is lost. Trying to connect again …", "The connection is back."


def moves(shown: Sequence[Shown]) -> int:
    return sum(isinstance(one, Moved) for one in shown)


def hide_sockets(data: bytes, _: bool) -> bytes:
    """Hide that a client asks for a socket, as a proxy may do."""
    return data.replace(b"Upgrade: websocket", b"X-Other: websocket")


def test_a_move_is_sent_again_until_the_service_is_back(server: RunningServer, sit: Sit) -> None:
    ann, bob = sit()
    server.kill()
    shown = list(ann.session.handle(Typed("charge 3")))
    while LOST not in texts(shown):
        shown += work_once(ann.session)
    assert moves(shown) == 0
    server.start()
    while ann.session.work:
        shown += work_once(ann.session)
    assert texts(shown).count(LOST) == 1
    assert texts(shown).count("Your move 'charge 3' is sent when the connection is back.") == 1
    shown += ann.until("Waiting for Bob")
    assert moves(shown) == 1
    if BACK not in texts(shown):
        ann.until(BACK)
    assert bob.view()["moves"] == ["charge 3"]


def test_what_was_being_sent_is_named_to_who_leaves(server: RunningServer, sit: Sit) -> None:
    ann, _ = sit()
    server.kill()
    list(ann.session.handle(Typed("charge 3")))
    list(work_once(ann.session))
    told = texts(list(ann.session.leave(is_interrupted=True)))
    server.start()
    assert told[0] == "It is not known whether your move 'charge 3' was played."
    assert told[1].startswith("You have left the match.")


def test_a_move_whose_answer_gets_lost_is_not_played_twice(server: RunningServer, sit: Sit) -> None:
    with Link(server.port) as link:
        ann, bob = sit(link.url)
        link.lose_answer_to(b"/actions")
        assert moves(ann.types("charge 2")) == 1
        assert link.lost == 1
        assert bob.view()["moves"] == ["charge 2"]


def test_a_request_to_take_back_that_comes_too_late_is_told(server: RunningServer, sit: Sit) -> None:
    with Link(server.port) as link:
        ann, bob = sit(link.url)
        ann.types("charge 2")
        link.silence()

        def move_meanwhile() -> None:
            assert link.asked.wait(60)
            bob.play(1, "charge 1")
            link.resume()

        meanwhile = threading.Thread(target=move_meanwhile)
        meanwhile.start()
        shown = ann.types("undo")
        meanwhile.join()
        assert "Your request to take back came too late: the match has gone on." in texts(shown)
        assert moves(shown) == 1


def test_a_line_that_is_cut_is_connected_again(server: RunningServer, sit: Sit) -> None:
    with Link(server.port) as link:
        ann, bob = sit(link.url, first="2")
        ann.until_connected()
        shown: list[Shown] = []
        while LOST not in texts(shown):
            link.cut()  # it may be connected again before anybody looks
            shown += ann.look()
        if BACK not in texts(shown):
            ann.until(BACK)
        bob.play(0, "charge 2")
        assert moves(ann.until("Ann, play a card")) == 1


def test_a_match_goes_on_behind_a_proxy_that_lets_no_socket_through(server: RunningServer, sit: Sit) -> None:
    with Link(server.port, hide_sockets) as link:
        ann, bob = sit(link.url, first="2")
        bob.play(0, "charge 2")
        assert moves(ann.until("Ann, play a card")) == 1
        ann.close()
        link.wait_unused()  # neither a request nor the questions that took the place of the socket keep a connection


def test_a_match_that_is_removed_ends_the_session_in_a_sentence(server: RunningServer, sit: Sit) -> None:
    ann, _ = sit()
    server.kill()
    (server.folder / "matches.sqlite").rename(server.folder / "old.sqlite")
    server.start()
    while ann.session.ended is None:
        ann.look()
    assert str(ann.session.ended.problem) == "This match no longer exists on the server."
