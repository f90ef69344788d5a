"""The menu of `duelbook play --server` without a game: a match that goes on, a new one, one to join or to watch."""

from dataclasses import replace

from duelbook.errors import RefusedError
from duelbook.games import GAMES, title
from duelbook.online.address import Server, read_match
from duelbook.online.client import ServiceClient
from duelbook.online.errors import ProblemError
from duelbook.online.seats import Seat, SeatStore
from duelbook.online.views import MatchView
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.commands import QuitError, command_word
from duelbook.terminal.menu import ask_match, pick
from duelbook.terminal.screen import WARNING, Screen

NEW, JOIN, WATCH = "new", "join", "watch"
MAX_LISTED_SEATS = 5  # the newest ones, each asked for


def ask_online(arguments: PlayArguments, client: ServiceClient, screen: Screen) -> PlayArguments:
    """Ask what the person wants to do on the server, and return the arguments with the answer."""
    with screen.busy("Looking for your matches"):
        entries = _own_matches(client)
    entries |= {
        NEW: "New: make a match, against a friend or the computer",
        JOIN: "Join: take a seat in a match by its link or code",
        WATCH: "Watch: see a match by its link or code",
    }
    chosen = pick("What would you like to do", entries, screen)
    if chosen == NEW:
        return ask_match(arguments, screen)
    if chosen == WATCH:
        return replace(arguments, watch=_ask_link(client.server, screen))
    return replace(arguments, join=_ask_link(client.server, screen) if chosen == JOIN else chosen)


def _own_matches(client: ServiceClient) -> dict[str, str]:
    """Return the unfinished matches in which the person has a seat, by their codes, in words."""
    found: dict[str, str] = {}
    for seat in SeatStore().at(client.server.origin)[:MAX_LISTED_SEATS]:
        try:
            view = client.view(seat.match)
        except ProblemError:  # it is gone
            continue
        if not view.is_over and view.game in GAMES:
            found[seat.match] = _summary(seat, view)
    return found


def _summary(seat: Seat, view: MatchView) -> str:
    other = view.names.second if seat.seat == "first" else view.names.first
    if view.is_waiting:
        return f"Continue: {title(view.game)}, waiting for the other player"
    turn = "your turn" if view.mover == seat.seat else f"{other}'s turn"
    return f"Continue: {title(view.game)} against {other}, {turn}"


def _ask_link(server: Server, screen: Screen) -> str:
    """Return the link or the code of a match on the server."""
    while True:
        text = screen.ask("The link or the code of the match: ", remember=False)
        if command_word(text) == "quit":
            raise QuitError
        try:
            place, match = read_match(text)
            if place not in (None, server):
                raise RefusedError(f"This link leads to another server. Use it with: duelbook play --join {text}")
        except RefusedError as error:
            screen.say(str(error), WARNING)
        else:
            screen.say()
            return match
