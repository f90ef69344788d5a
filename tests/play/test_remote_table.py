"""A match of a service as a table of the same session: what is sent there, what is told, and what is kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from duelbook.history.store import History
from duelbook.play.events import Act, Asked, Decided, Kind, Moved, Shown, TakenBack
from duelbook.records import load_record
from duelbook.records.record import Gift
from tests.play.conftest import Sit
from tests.support.conversing import texts, told
from tests.support.remote import Person
from tests.support.service.harness import RunningServer
from tests.support.service.network import Link

WATCHING = "You are watching; only the players can do that."


def moves(shown: Sequence[Shown]) -> int:
    """Return how many moves are shown."""
    return sum(isinstance(one, Moved) for one in shown)


def test_a_match_from_its_invitation_to_the_rematch(server: RunningServer, sit: Sit) -> None:
    ann, bob = sit(options={"goal": "6"})
    said = texts(ann.shown)
    assert f"{server.url}/match/{ann.match}" in said[0]
    assert said.index("Bob has joined.") < said.index("You are Ann, against Bob. You move first.")
    assert "Not as in the book: goal=6" in said
    assert moves(ann.types("charge 3")) == 1
    assert ann.question == "Waiting for Bob (or type help): "
    bob.play(1, "charge 1")
    assert moves(ann.until("Ann, play a card")) == 1
    shown = ann.types("charge 3")
    assert "Ann wins the game!" in texts(shown, Kind.RESULT)[0]
    assert [one.own for one in shown if isinstance(one, Decided)] == ["You won. "]
    assert ann.question == "Rematch, review, or Enter to leave: "
    assert (History().count(), History().opponents()) == (1, ["online:Bob"])
    bob.post("rematch")
    assert texts(ann.until("wants a rematch")) == ["Bob wants a rematch."]
    ann.wants_rematch()
    assert ann.session
    assert "You are Ann, against Bob. Bob moves first." in texts(ann.shown)
    ann.types("resign", "y")
    assert "Points: Ann: 1, Bob: 1" in texts(ann.shown)


def test_a_person_comes_back_to_a_match_and_it_is_kept_once(server: RunningServer, sit: Sit) -> None:
    ann, bob = sit(options={"goal": "4"})
    ann.types("charge 2")
    [left] = texts(ann.types("quit"))
    assert left == f"You have left the match. Come back to it with: duelbook play --join {server.url}/match/{ann.match}"
    bob.play(1, "charge 1")
    for _ in range(2):
        again = Person(server.url, match=ann.match)
        assert again.session
        if again.question == "Ann, play a card: ":
            assert "Resumed after 2 moves." in texts(again.shown)
            again.types("charge 2")
        assert "Ann wins the game!" in " ".join(texts(again.shown, Kind.RESULT))
        again.close()
    assert History().count() == 1


def test_who_leaves_the_waiting_room_is_told_how_to_come_back(server: RunningServer) -> None:
    ann = Person(server.url, game="charge")
    left = texts(list(ann.room.leave(is_interrupted=True)))
    assert left == [f"The match stays open. Come back to it with: duelbook play --join {server.url}/match/{ann.match}"]
    assert ann.room.ended
    assert ann.room.ended.is_interrupted
    ann.close()


def test_choices_are_made_before_a_place_is_taken(
    server: RunningServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Person(server.url, game="alpha-chase", choice="1", names=("Ann", None))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "bob"))
    bob = Person(server.url, match=ann.match, choice="2", names=("Bob", None))
    assert bob.note == "Ann invites you to play Alpha Chase."
    for one, name in ((ann, "Ann"), (bob, "Bob")):
        game: Any = one.session.match.game
        assert game.words[name == "Bob"] == one.chosen
        one.close()


def test_taking_back_is_asked_for_and_answered(sit: Sit) -> None:
    ann, bob = sit()
    assert texts(ann.types("undo"))[0] == "You have no move to take back."
    ann.types("charge 2")
    assert texts(ann.types("undo")) == ["Bob is asked. You can go on meanwhile."]
    bob.act("decline", ply=1)
    assert texts(ann.until("declines")) == ["Bob declines: the move is not taken back."]
    ann.types("undo")
    bob.act("agree", ply=1)
    assert any(isinstance(one, TakenBack) for one in ann.until("Ann, play a card"))
    ann.types("charge 3", "undo")
    bob.play(1, "charge 1")
    said = texts(ann.until("Ann, play a card"))
    assert "Bob has moved, so your request to take back is void." in said
    bob.act("undo", ply=2)
    ann.until("Ann, may Bob take back 'charge 1'?")
    assert texts(ann.types("perhaps"))[0] == "Answer y or n."
    assert texts(ann.types("n")) == ["Ann declines: the move is not taken back."]
    assert ann.question == "Ann, play a card: "
    assert bob.view()["undo"] is None
    bob.act("undo", ply=2)
    ann.until("may Bob take back")
    assert any(isinstance(one, TakenBack) for one in ann.types("y"))
    assert bob.view()["moves"] == ["charge 3"]


def test_the_question_about_taking_back_says_that_later_moves_go_too(server: RunningServer, sit: Sit) -> None:
    ann, bob = sit(first="2")
    bob.play(0, "charge 1")
    ann.until("Ann, play a card")
    ann.types("charge 2")
    bob.act("undo", ply=2)
    ann.until("Ann, may Bob take back 'charge 1' and what followed?")
    again = Person(server.url, match=ann.match)
    assert again.question == "Ann, may Bob take back 'charge 1' and what followed?"
    heading = again.session.narration.heading(again.session.state, again.session.match.moves)
    assert texts(again.shown, Kind.HEADING)[-1] == heading.strip(), (
        "who comes back sees the position before the question"
    )
    again.types("y")
    assert bob.view()["moves"] == []
    again.close()


def test_a_script_is_not_asked_what_the_other_player_wants(server: RunningServer, sit: Sit) -> None:
    ann, bob = sit()
    ann.types("charge 2")
    bob.play(1, "charge 1")
    ann.until("Ann, play a card")
    ann.session._confirms = False
    bob.act("undo", ply=2)
    ann.until_version(bob.view()["version"])
    assert ann.session.asked
    assert ann.session.asked.kind is Asked.MOVE


def test_the_win_can_be_claimed_after_a_warning(sit: Sit) -> None:
    ann, bob = sit()
    with bob.live():
        ann.types("charge 2")
        assert "Your opponent seems to be here" in texts(ann.types("claim"))[0]
    said = ""
    while not ann.session.match.over:
        said += " ".join(texts(ann.types("claim")))
    assert "second to come back. If they do not, type claim again and you win." in said
    assert "Bob has stayed away" in said


def test_time_is_given_once_and_told_to_both(server: RunningServer, sit: Sit) -> None:
    with Link(server.port) as link:
        ann, bob = sit(link.url, time_limit=300.0)
        ann.types("charge 2")
        link.lose_answer_to(b"/actions")
        assert texts(ann.types("give"))[-1] == "Ann gives Bob 15 seconds more."
        assert link.lost == 1
        assert 300 < bob.view()["clocks"]["left"] <= 315
        bob.play(1, "charge 1")
        ann.until("Ann, play a card")
        bob.act("give")
        ann.until("Bob gives Ann 15 seconds more.")


def test_help_is_for_matches_against_a_computer(server: RunningServer, sit: Sit) -> None:
    ann, _ = sit()
    for word, what in (("hint", "hints"), ("values", "values")):
        refused = f"There are no {what} in a match against a person. Review the game when it is over."
        assert texts(ann.types(word))[0] == refused
        assert word not in ann.session.words()
    helped = Person(server.url, game="charge", agents=(None, "random"), first="1")
    assert {"hint", "values"} <= helped.session.words().keys()
    assert not texts(helped.types("hint"), Kind.REFUSAL)
    helped.types("resign", "y")
    [game] = History().games()
    assert game.helped
    helped.close()


def test_a_move_from_another_window_appears(sit: Sit) -> None:
    ann, _ = sit()
    seat = ann.table.place
    ann.client.act(ann.match, seat.token, "play", ply=0, move="charge 2")
    refused = texts(ann.types("charge 4"), Kind.REFUSAL)
    assert refused == ["Your move 'charge 4' was not played: the match has changed, perhaps from another window."]
    assert ann.question == "Waiting for Bob (or type help): "


def test_somebody_who_watches_sees_the_moves_and_can_follow_to_the_rematch(server: RunningServer) -> None:
    one, two = server.new_pair("charge", name="Ann")
    eve = Person(server.url, watch=one.match)
    assert "You are watching Ann against Player 2. Ann moves first." in texts([*eve.shown, *_opening(eve)])
    one.play(0, "charge 2")
    assert moves(eve.until("Watching Player 2")) == 1
    assert texts(eve.types("resign"))[0] == WATCHING
    assert texts(eve.types("muves"))[0].endswith("You can type help, or wait. Did you mean 'moves'?")
    assert "undo" not in eve.session.words()
    assert "cards" not in eve.session.words()
    one.act("resign")
    eve.until("Review, or Enter to leave: ")
    assert History().count() == 0
    for player in (one, two):
        player.post("rematch")
    assert texts(eve.until("There is a rematch")) == ["There is a rematch, which you can watch."]
    assert eve.question == "Rematch, review, or Enter to leave: "
    eve.wants_rematch()
    assert "You are watching Player 2 against Ann. Player 2 moves first." in texts([*eve.shown, *_opening(eve)])
    assert texts(eve.types("quit")) == ["You have stopped watching."]
    eve.close()


def test_somebody_who_watches_is_told_what_went_before_and_who_asks(server: RunningServer) -> None:
    one, two = server.new_pair("charge", name="Ann")
    one.play(0, "charge 2")
    eve = Person(server.url, watch=one.match)
    assert "1 move was made before you came." in texts([*eve.shown, *_opening(eve)])
    asking = "Ann asks Player 2 to take a move back."
    one.act("undo", ply=1)
    assert texts(eve.until(asking)).count(asking) == 1
    two.act("decline", ply=1)
    assert texts(eve.until("declines")) == ["Player 2 declines: the move is not taken back."]
    one.act("undo", ply=1)
    eve.until(asking)
    late = Person(server.url, watch=one.match)
    assert asking in texts([*late.shown, *_opening(late)])
    for person in (eve, late):
        person.close()


def _opening(person: Person) -> list[Shown]:
    assert person.session
    return person.shown


def test_a_record_is_saved_while_the_match_stays_on_the_server(sit: Sit, tmp_path: Path) -> None:
    ann, _ = sit()
    ann.types("charge 2")
    file = tmp_path / "game.json"
    [said] = texts(told(ann.session, Act("save", str(file))))
    assert said.startswith("Saved as a record. The match stays on the server.")
    assert (load_record(file).moves, load_record(file).seconds) == (("charge 2",), ())  # the service measures the time


def test_a_record_that_is_saved_meanwhile_has_the_time_that_was_given(sit: Sit, tmp_path: Path) -> None:
    ann, bob = sit(time_limit=60.0)
    bob.act("give")
    ann.until("Bob gives Ann 15 seconds more.")
    told(ann.session, Act("save", str(tmp_path / "first.json")))
    ann.types("charge 2")
    assert texts(ann.types("give")) == ["Ann gives Bob 15 seconds more."]
    told(ann.session, Act("save", str(tmp_path / "second.json")))
    assert load_record(tmp_path / "first.json").given == (Gift(1, 15),)
    assert load_record(tmp_path / "second.json").given == (Gift(1, 15), Gift(2, 15))


def test_an_action_that_only_the_service_knows_is_sent_and_told_by_its_name(server: RunningServer, sit: Sit) -> None:
    """A service of a later version: `resign` is called `salute` there, and `undo` is another action."""

    def renamed(data: bytes, forth: bool) -> bytes:
        if forth:
            return data.replace(b'"salute"', b'"resign"').replace(b"Upgrade: websocket", b"X-Other: websocket")
        return data.replace(b'"resign"', b'"salute"').replace(b'"action":"undo"', b'"action":"wave"')

    with Link(server.port, renamed) as link:
        ann, bob = sit(link.url)
        ann.types("charge 2")
        bob.play(1, "charge 1")
        ann.until("Ann, play a card")
        bob.act("undo")
        assert "Bob: wave" in texts(ann.until("wave"))
        ann.types("n")
        assert "salute" in ann.session.words()
        ann.types("salute")
        assert bob.view()["reason"] == "resignation"
