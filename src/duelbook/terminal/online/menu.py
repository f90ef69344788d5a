"""The menu of `duelbook play --server` without a game: a match that goes on, a new one, one to join or to watch."""

from contextlib import suppress
from dataclasses import replace

from duelbook.errors import RefusedError
from duelbook.online.address import read_match
from duelbook.online.client import ServiceClient
from duelbook.online.errors import OnlineError
from duelbook.play.arguments import PlayArguments
from duelbook.play.commands import command_word
from duelbook.play.joining import find_place, open_match_texts
from duelbook.terminal import QuitError
from duelbook.terminal.menu import BACK, BackError, ask_match, pick
from duelbook.terminal.screen import WARNING, Screen

NEW, JOIN, WATCH = "new", "join", "watch"


def ask_online(arguments: PlayArguments, client: ServiceClient, screen: Screen) -> PlayArguments:
    """Ask what the person wants to do on the server, and return the arguments with the answer."""
    with screen.busy("Looking for your matches"):
        entries = open_match_texts(client)
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
            if chosen in (JOIN, WATCH):
                return _ask_link(arguments, chosen, client, screen)
            return replace(arguments, join=chosen)


def _ask_link(arguments: PlayArguments, how: str, client: ServiceClient, screen: Screen) -> PlayArguments:
    """Return the arguments with a match on the server that the person can join or watch.

    Raise BackError or QuitError if the person goes.
    """
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
            if place not in (None, client.server):
                raise OnlineError(f"This link leads to another server. Use it with: duelbook play --{how} {text}")
            named = replace(arguments, join=match) if how == JOIN else replace(arguments, watch=match)
            with screen.busy("Looking for the match"):
                find_place(named, client, match)
        except RefusedError as error:
            screen.say(str(error), WARNING)
        else:
            screen.say()
            return named
