"""Matches of a real service on the full screen: made, joined, watched, left, and what is asked in them."""

import re
from collections.abc import Iterator

import pytest

from duelbook.history.store import History
from duelbook.play.exit_codes import EXIT_INTERRUPTED
from duelbook.play.network_arguments import last_choice
from duelbook.tui.network import NetworkScreen
from duelbook.tui.play_screen import PlayScreen
from tests.support.full_screen import Person, at_screen
from tests.support.remote import joined
from tests.support.service.harness import Player, RunningServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A service for all tests of this file."""
    folder = tmp_path_factory.mktemp("server")
    serving = RunningServer(folder, {"database_url": f"sqlite:///{folder / 'matches.sqlite'}"})
    yield serving.start()
    serving.kill()


async def look(person: Person, address: str, name: str = "Ann") -> None:
    """Go to an address from the first screen."""
    await person.press("down", "enter") if person.text("logo") else None
    await person.until(lambda: bool(person.screen.query("#name")))
    person.screen.query_one("#address").value = address
    person.screen.query_one("#name").value = name
    person.screen.query_one("#address").focus()
    await person.press("enter")


async def choose_entry(person: Person, text: str) -> None:
    """Choose what can be done at the address."""
    menu = person.screen.query_one("#menu")
    await person.until(lambda: any(text in str(option.prompt) for option in menu.options))
    menu.highlighted = next(at for at, option in enumerate(menu.options) if text in str(option.prompt))
    menu.focus()
    await person.pilot.press("enter")


async def made(person: Person, server: RunningServer) -> Player:
    """Make a match of Charge by the form, and let Bob join it."""
    await look(person, server.url)
    await choose_entry(person, "New match")
    await person.until(lambda: bool(person.screen.query("#start")))
    person.screen.choices.set("game", "charge")
    person.screen.choices.set("two", "human")
    person.screen.choices.set("first", "1")
    await person.pilot.press("enter")
    await person.until(lambda: "Send this link to the other player" in person.text("message"))
    await person.until(lambda: "F8 Leave" in person.shown() and "Moves" not in person.shown())
    await person.pilot.press("f1")
    await person.until(lambda: "stop waiting and leave" in person.shown())
    assert "list the legal moves" not in person.shown()
    await person.pilot.press("escape")
    [match] = set(re.findall("[0-9a-f]{24}", person.text("message")))
    bob = joined(server, match, name="Bob")
    await person.until(lambda: isinstance(person.screen, PlayScreen) and "Charge" in person.text("title"))
    return bob


def test_a_match_is_made_by_the_form_and_played_to_the_rematch(server: RunningServer) -> None:
    async def play(person: Person) -> None:
        bob = await made(person, server)
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        await person.type("charge 3")
        await person.until(lambda: "Waiting for Bob" in person.text("question"))
        await person.type("charge 1")
        assert "It is the turn of Bob." in person.text("message")
        bob.play(1, "charge 2")
        await person.says("message", "Bob plays a Charge Card adding 2 points.")
        assert "Hint" not in person.shown()
        assert "Value" not in person.shown()
        await person.press("f1")
        assert "get a hint" not in person.shown()
        assert "what each legal move is worth" not in person.shown()
        await person.press("escape")
        await person.type("hint")
        assert "There are no hints in a match against a person." in person.text("message")
        bob.act("resign")
        await person.says("result", "You won. Bob resigns")
        await person.until(lambda: person.buttons() == ["Rematch", "Review"])
        await person.says("decision", "No move gave anything away")
        assert History().opponents() == ["online:Bob"]
        bob.post("rematch")
        await person.notified("Bob wants a rematch.")
        await person.settle()  # the notice moves the buttons
        await person.choose("Rematch")
        await person.until(lambda: "Waiting for Bob (or type help)" in person.text("question"))
        assert person.table.match.moves == []

    at_screen(play)


def test_ctrl_c_while_one_waits_or_plays_tells_the_way_back(server: RunningServer) -> None:
    back = f"Come back to it with: duelbook play --join {server.url}/match/"

    async def wait(person: Person) -> None:
        await look(person, server.url)
        await choose_entry(person, "New match")
        await person.until(lambda: bool(person.screen.query("#start")))
        person.screen.choices.set("game", "charge")
        person.screen.choices.set("two", "human")
        await person.pilot.press("enter")
        await person.until(lambda: "Send this link to the other player" in person.text("message"))
        await person.pilot.press("ctrl+c")
        assert [text.partition(back)[0] for text in person.app.last_said] == ["The match stays open. "]
        assert person.app.return_code == EXIT_INTERRUPTED

    async def play(person: Person) -> None:
        await made(person, server)
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        await person.pilot.press("ctrl+c")
        assert [text.partition(back)[0] for text in person.app.last_said] == ["You have left the match. "]
        assert person.app.return_code == EXIT_INTERRUPTED

    at_screen(wait)
    at_screen(play)


def test_what_the_other_player_asks_is_a_dialog_as_long_as_it_is_open(server: RunningServer) -> None:
    async def play(person: Person) -> None:
        bob = await made(person, server)
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        await person.type("charge 3")
        bob.play(1, "charge 1")
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        bob.act("undo", ply=2)
        await person.says("confirmation", "Ann, may Bob take back 'charge 1'?")
        bob.act("decline", ply=2)
        await person.until(lambda: isinstance(person.screen, PlayScreen))
        bob.act("undo", ply=2)
        await person.says("confirmation", "Ann, may Bob take back 'charge 1'?")
        await person.press("y")
        await person.until(lambda: person.played == ["charge 3"])
        assert bob.view()["moves"] == ["charge 3"]

    at_screen(play)


def test_a_lost_connection_is_told_and_comes_back(server: RunningServer) -> None:
    async def play(person: Person) -> None:
        bob = await made(person, server)
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        server.kill()
        await person.notified("The connection is lost. Trying to connect again …")
        server.start()
        await person.notified("The connection is back.")
        assert "lost" not in person.text("notice")
        await person.type("charge 3")
        assert bob.view()["moves"] == ["charge 3"]

    at_screen(play)


def test_what_is_typed_while_one_waits_goes_to_the_line_and_stays_there(server: RunningServer) -> None:
    async def play(person: Person) -> None:
        bob = await made(person, server)
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        await person.type("charge 3")
        await person.until(lambda: "Waiting for Bob" in person.text("question"))
        await person.press(*"undo")
        assert person.typed() == "undo"
        await person.press("enter")
        await person.says("message", "Bob is asked. You can go on meanwhile.")
        bob.play(1, "charge 1")
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        await person.press("tab", *"char")
        for answer in ("n", "y"):
            bob.act("undo", ply=2)
            await person.says("confirmation", "Ann, may Bob take back 'charge 1'?")
            await person.press(answer)
            await person.until(lambda: isinstance(person.screen, PlayScreen))
            await person.until(lambda: person.screen.line.display and person.typed() == "char")
            await person.press("g")
            assert person.typed() == "charg"
            await person.press("backspace")

    at_screen(play)


def test_leaving_tells_that_a_move_may_not_have_arrived(server: RunningServer) -> None:
    async def play(person: Person) -> None:
        await made(person, server)
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        server.kill()
        try:
            person.screen.line.type("charge 4")
            await person.pilot.press("enter")
            await person.until(lambda: "Sending your move" in person.text("message"))
            await person.pilot.press("escape")
            await person.notified("It is not known whether your move 'charge 4' was played. You have left the match.")
        finally:
            server.start()

    at_screen(play)


def test_a_match_is_joined_by_its_link_and_gone_on_with_later(server: RunningServer) -> None:
    bob = server.new_match("charge", name="Bob", options={"goal": 6})

    async def play(person: Person) -> None:
        await look(person, f"{server.url}/match/{bob.match}")
        await choose_entry(person, "Take a seat")
        await person.says("confirmation", "Bob invites you to play Charge (goal=6).")
        await person.pilot.press("y")
        await person.until(lambda: "Waiting for Bob" in person.text("question"))
        bob.play(0, "charge 1")
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        await person.press("escape")
        await person.notified("You have left the match. Come back to it with: duelbook play --join")
        await person.press("escape")
        person.app.push_screen(NetworkScreen())  # which knows the address and the name
        await person.until(lambda: bool(person.screen.query("#name")))
        assert person.screen.query_one("#name").value == "Ann"
        await choose_entry(person, "Continue: Charge against Bob, your turn")
        await person.until(lambda: "Ann, play a card" in person.text("question"))
        assert person.played == ["charge 1"]

    at_screen(play)


def test_the_service_finds_values_where_its_clock_runs(server: RunningServer) -> None:
    async def play(person: Person) -> None:
        await look(person, server.url)
        await choose_entry(person, "New match")
        await person.until(lambda: bool(person.screen.query("#start")))
        for field, value in {"game": "flag-chase", "two": "random", "first": "1", "time": "600"}.items():
            person.screen.choices.set(field, value)
        await person.screen._show_fields()
        await person.pilot.press("enter")
        await person.until(lambda: "your move" in person.text("question").lower() or "(Tab" in person.shown())
        assert "random (random)" not in person.shown()
        assert "Undo" not in person.shown()
        assert "[9:5" in person.text("title") or "[10:0" in person.text("title")
        await person.press("f3")
        assert "▲W" in person.shown(), "as marks beside the moves"
        assert person.text("value-line").startswith("Value ▀")

    at_screen(play)


def test_a_match_is_watched_and_a_wrong_address_is_told(server: RunningServer) -> None:
    one, _ = server.new_pair("charge", name="Ann")

    async def watch(person: Person) -> None:
        await look(person, "ftp://else.example", "A" * 33)
        person.screen.query_one("#name").value = "A" * 34
        await person.says("message", "A name must have 1 to 32 characters, not 34.")
        person.screen.query_one("#name").value = "Ann"
        await person.says("message", "")
        await look(person, "ftp://else.example")
        assert "must begin with https:// or http://" in person.text("message")
        await look(person, f"http://127.0.0.1:1/match/{one.match}")
        await choose_entry(person, "Take a seat")
        await person.says("message", "Cannot reach http://127.0.0.1:1")
        assert last_choice().address == ""
        await person.press("up")
        assert person.screen.focused.id == "name"
        await person.press("enter")
        assert person.screen.focused.id == "menu"
        await person.press("up", "up", "backspace")
        assert person.text("message") == ""
        await look(person, f"{server.url}/match/{one.match}")
        await choose_entry(person, "Watch the match")
        await person.until(lambda: "Watching Ann" in person.text("question"))
        one.play(0, "charge 2")
        await person.says("message", "Ann plays a Charge Card adding 2 points.")
        await person.press("f1")
        assert "which takes the words below" in person.shown()
        assert "play the move" not in person.shown()
        await person.press("escape")
        await person.type("resign")
        assert "only the players can do that" in person.text("message")

    at_screen(watch, (120, 40))


def test_who_chooses_before_a_match_chooses_before_taking_a_seat(server: RunningServer) -> None:
    bob = server.new_match("alpha-chase", name="Bob", choice="BRAVE")

    async def play(person: Person) -> None:
        await look(person, f"{server.url}/match/{bob.match}")
        await choose_entry(person, "Take a seat")
        await person.says("confirmation", "Bob invites you to play Alpha Chase.")
        await person.pilot.press("y")
        await person.until(lambda: "Choose your word" in person.text("choice-question"))
        await person.pilot.press("enter")
        await person.until(lambda: isinstance(person.screen, PlayScreen) and "Alpha Chase" in person.text("title"))

    at_screen(play)
