"""`duelbook play --server`: make, join or watch a match of the service, and play it."""

from dataclasses import replace

from duelbook.errors import require_extra
from duelbook.online.client import ServiceClient
from duelbook.online.errors import OnlineError
from duelbook.online.live import LiveMatch
from duelbook.records.record import HUMAN
from duelbook.terminal import EXIT_INTERRUPTED, EXIT_LEFT, StoppedGameError
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.commands import QuitError
from duelbook.terminal.next_match import next_record
from duelbook.terminal.online.after_match import next_place
from duelbook.terminal.online.arguments import check_arguments, read_addresses
from duelbook.terminal.online.menu import ask_online
from duelbook.terminal.online.notices import Notices
from duelbook.terminal.online.seats import Place, take_seat, watch
from duelbook.terminal.online.session import OnlineSession
from duelbook.terminal.screen import NOTE, WARNING, Screen


def play_online(arguments: PlayArguments, screen: Screen) -> int:
    """Play or watch a match of the service and return the exit code."""
    server, match = read_addresses(arguments)
    check_arguments(arguments)
    require_extra("online")
    client = ServiceClient(server)
    if not server.is_encrypted and not server.is_local:
        screen.say(
            f"The connection to {server.origin} is not encrypted: others on the way could play on your seat. "
            "Use https:// if the server offers it.\n",
            WARNING,
        )
    try:
        if not match and arguments.game is None:
            arguments = ask_online(arguments, client, screen)
            server, match = read_addresses(arguments)
        place = watch(client, match) if arguments.watch else take_seat(arguments, client, match, screen)
        return _play(arguments, client, place, screen)
    except (QuitError, EOFError):
        return EXIT_LEFT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OnlineError as error:
        raise StoppedGameError(str(error)) from error
    finally:
        client.close()


def _play(arguments: PlayArguments, client: ServiceClient, place: Place, screen: Screen) -> int:
    """Play the match, and the matches that follow it; return the exit code."""
    while True:
        live = LiveMatch(client, place.view, place.token)
        try:
            notices = Notices(live, screen)
            _wait_for_start(client, live, notices, place, screen)
            session = _session(arguments, client, live, notices, place, screen)
            code = session.run()
            if not session.match.over:
                return code
            following = next_place(arguments, session, place, screen)
        finally:
            live.close()
        if following is None:
            return code
        place = following
        arguments = replace(arguments, record=next_record(arguments.record))


def _wait_for_start(client: ServiceClient, live: LiveMatch, notices: Notices, place: Place, screen: Screen) -> None:
    """Wait until both seats are taken. A player who leaves meanwhile is shown how to come back."""
    if not live.view.is_waiting:
        return
    free = next((seat for seat in (0, 1) if live.view.seats.of(seat) != HUMAN), 0)
    text = "Waiting for the other player; Ctrl-C leaves"
    if screen.interactive and live.view.free_seat is None:
        text = f"Waiting for {live.view.names.of(free)} to play again; Ctrl-C leaves"
    try:
        while live.view.is_waiting:
            notices.tell()
            notices.wait(text)
    except KeyboardInterrupt:
        if place.seat is not None:
            link = client.server.link(live.view.id)
            screen.say(f"The match stays open. Come back to it with: duelbook play --join {link}", NOTE)
        raise
    screen.say(f"{live.view.names.of(free)} has joined.\n", NOTE)


def _session(
    arguments: PlayArguments, client: ServiceClient, live: LiveMatch, notices: Notices, place: Place, screen: Screen
) -> OnlineSession:
    view, seat = live.view, place.seat
    begun = notices.until_answered("Loading the match", lambda: client.record(view.id))
    first, second = view.names.first, view.names.second
    if seat is None:
        screen.say(f"You are watching {first} against {second}. {first} moves first.\n", NOTE)
    else:
        own, other = view.names.of(seat), view.names.of(1 - seat)
        screen.say(f"You are {own}, against {other}. {'You move' if seat == 0 else f'{first} moves'} first.\n", NOTE)
    return OnlineSession(client, live, notices, begun, screen, seat, place.token, arguments.record)
