"""`duelbook play --server`: make, join or watch a match of a service, and play it line by line."""

import random
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial

from duelbook.errors import RefusedError
from duelbook.extras import require_extra
from duelbook.online.address import read_match
from duelbook.online.client import ServiceClient
from duelbook.online.errors import OnlineError
from duelbook.play.arguments import PlayArguments
from duelbook.play.choosing import Chooser, Choosing
from duelbook.play.conversation import Conversation
from duelbook.play.events import Ended
from duelbook.play.exit_codes import EXIT_INTERRUPTED, EXIT_LEFT, StoppedGameError
from duelbook.play.joining import Place, find_place, open_match_texts
from duelbook.play.network_arguments import check_arguments, encryption_warning, read_addresses
from duelbook.play.next_match import NextStep
from duelbook.play.session import Session
from duelbook.play.waiting_room import WaitingRoom, rematch_of
from duelbook.terminal import QuitError
from duelbook.terminal.dialogue import Dialogue, exit_code
from duelbook.terminal.menu import BackError, ask_match, ask_value, pick
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.terminal.start import chosen_in

NEW, JOIN, WATCH = "new", "join", "watch"
LINK_ADVICE = "Type the link or the code of a match, back for the question before, or quit."


def play_online(arguments: PlayArguments, screen: Screen) -> int:
    """Play or watch a match of a service and return the exit code."""
    server, match = read_addresses(arguments)
    check_arguments(arguments)
    require_extra("online")
    client = ServiceClient(server)
    if warning := encryption_warning(server):
        screen.say(f"{warning}\n", WARNING)
    try:
        if not match and arguments.game is None:
            arguments = _ask_what(arguments, client, screen)
            _, match = read_addresses(arguments)
        arguments = replace(arguments, once=arguments.once or not screen.is_terminal)
        doing, find = _place(arguments, client, match, screen)
        return _play_matches(WaitingRoom(arguments, client, doing, find), screen)
    except (QuitError, EOFError):
        return EXIT_LEFT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OnlineError as error:
        raise StoppedGameError(str(error)) from error
    finally:
        client.close()


def _ask_what(arguments: PlayArguments, client: ServiceClient, screen: Screen) -> PlayArguments:
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

    def read(text: str) -> PlayArguments:
        if not text:
            raise RefusedError(LINK_ADVICE)
        place, match = read_match(text)
        if place not in (None, client.server):
            raise RefusedError(f"This link leads to another server. Use it with: duelbook play --{how} {text}")
        named = replace(arguments, join=match) if how == JOIN else replace(arguments, watch=match)
        with screen.busy("Looking for the match"):
            find_place(named, client, match)
        return named

    found = ask_value("The link or the code of the match: ", read, LINK_ADVICE, screen)
    screen.say()
    return found


def _place(
    arguments: PlayArguments, client: ServiceClient, match: str, screen: Screen
) -> tuple[str, Callable[[], Place]]:
    """Return the work of getting a place, and what is done then, after what the person chooses before the start."""
    with screen.busy("Looking for the match"):
        request = find_place(arguments, client, match)
    if request.note:
        screen.say(f"{request.note}\n", NOTE)
    choice = ""
    if request.choices:
        choice = chosen_in(Choosing(request.choices, [Chooser(0, "")], random.Random()), screen)[0]
    return request.doing, partial(request.send, choice)


def _play_matches(room: WaitingRoom, screen: Screen) -> int:
    """Play the match, and the matches that follow it; return the exit code."""
    with ExitStack() as stack:
        while True:
            stack.callback(room.close)
            ended = _held(room, screen)
            if room.table is None:
                return exit_code(ended, is_finished=False)
            stack.callback(room.table.close)
            ended = _held(Session(room.table, introduces=True, confirms=screen.interactive), screen)
            if ended.step is not NextStep.REMATCH:
                return exit_code(ended, is_finished=room.table.match.over)
            room = rematch_of(room.table)


def _held(conversation: Conversation, screen: Screen) -> Ended:
    """Hold the conversation to its end, or raise the error why it cannot go on."""
    ended = Dialogue(conversation, screen).run()
    if isinstance(ended.problem, RefusedError):
        raise ended.problem
    return ended
