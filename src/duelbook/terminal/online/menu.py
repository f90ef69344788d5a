"""The menu of `duelbook play --server` without a game: a match that goes on, a new one, one to join or to watch."""

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from duelbook.errors import RefusedError
from duelbook.games import title
from duelbook.online.address import Server, read_match
from duelbook.online.client import ServiceClient
from duelbook.online.seats import Seat
from duelbook.online.views import RemoteMatch
from duelbook.play.arguments import PlayArguments
from duelbook.play.commands import command_word
from duelbook.play.joining import open_matches
from duelbook.terminal import QuitError
from duelbook.terminal.menu import BACK, BackError, ask_match, pick
from duelbook.terminal.screen import WARNING, Screen

NEW, JOIN, WATCH = "new", "join", "watch"


def ask_online(arguments: PlayArguments, client: ServiceClient, screen: Screen) -> PlayArguments:
    """Ask what the person wants to do on the server, and return the arguments with the answer."""
    with screen.busy("Looking for your matches"):
        entries = _own_matches(client)
    entries |= {
        NEW: "New: make a match, against a friend or the computer",
        JOIN: "Join: take a seat in a match by its link or code",
        WATCH: "Watch: see a match by its link or code",
    }
    while True:
        chosen = pick("What would you like to do", entries, screen)
        with suppress(BackError):
            if chosen == NEW:
                return ask_match(arguments, screen)
            if chosen == WATCH:
                return replace(arguments, watch=_ask_link(client.server, screen, "--watch"))
            return replace(arguments, join=_ask_link(client.server, screen, "--join") if chosen == JOIN else chosen)


def _own_matches(client: ServiceClient) -> dict[str, str]:
    """Return the matches that wait for the person, or go on, by their codes, in words."""
    found: dict[str, str] = {}
    for seat, view, match in open_matches(client):
        other = view.names.second if seat.seat == "first" else view.names.first
        if match == seat.match:
            found[match] = f"Continue: {title(view.game)}{_standing(seat, view, other)}{_taken(seat)}"
        else:
            found[match] = f"Rematch: {title(view.game)}, {other} wants to play again{_taken(seat)}"
    return found


def _standing(seat: Seat, view: RemoteMatch, other: str) -> str:
    if view.is_waiting:
        return ", waiting for the other player"
    turn = "your turn" if view.mover == seat.seat else f"{other}'s turn"
    return f" against {other}, {turn}"


def _taken(seat: Seat) -> str:
    """Return when the person took the seat, by which matches that are alike differ."""
    return "" if seat.taken is None else f" ({datetime.fromtimestamp(seat.taken)})"


def _ask_link(server: Server, screen: Screen, flag: str) -> str:
    """Return the link or the code of a match on the server. Raise BackError or QuitError if the person goes."""
    while True:
        text = screen.ask("The link or the code of the match: ", remember=False)
        word = command_word(text)
        if word == "quit":
            raise QuitError
        if word == BACK:
            screen.say()
            raise BackError
        if word in ("", "help"):
            screen.say("Type the link or the code of a match, back for the question before, or quit.", WARNING)
            continue
        try:
            place, match = read_match(text)
            if place not in (None, server):
                raise RefusedError(f"This link leads to another server. Use it with: duelbook play {flag} {text}")
        except RefusedError as error:
            screen.say(str(error), WARNING)
        else:
            screen.say()
            return match
