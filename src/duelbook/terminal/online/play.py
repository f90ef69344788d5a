"""`duelbook play --server`: make, join or watch a match of the service, and play it."""

from contextlib import ExitStack, closing
from dataclasses import replace

from duelbook.extras import require_extra
from duelbook.game import Player
from duelbook.online.client import ServiceClient
from duelbook.online.errors import OnlineError
from duelbook.online.live import LiveMatch
from duelbook.online.views import MatchView
from duelbook.play.arguments import PlayArguments
from duelbook.play.exit_codes import EXIT_INTERRUPTED, EXIT_LEFT, StoppedGameError
from duelbook.play.next_match import next_record
from duelbook.records.record import HUMAN
from duelbook.terminal.commands import QuitError
from duelbook.terminal.online.after_match import next_place
from duelbook.terminal.online.arguments import check_arguments, read_addresses
from duelbook.terminal.online.menu import ask_online
from duelbook.terminal.online.notices import Notices
from duelbook.terminal.online.seats import Place, place_before, take_seat, watch
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
    with ExitStack() as stack:
        before: LiveMatch | None = None
        while True:
            live = stack.enter_context(closing(LiveMatch(client, place.view, place.token)))
            session = _session(arguments, client, place, live, before, screen)
            code = session.run()
            following = next_place(arguments, session, place, screen) if session.match.over else None
            if following is None:
                return code
            place, before = following, live
            arguments = replace(arguments, record=next_record(arguments.record))


def _session(
    arguments: PlayArguments,
    client: ServiceClient,
    place: Place,
    live: LiveMatch,
    before: LiveMatch | None,
    screen: Screen,
) -> OnlineSession:
    """Wait until both seats are taken, and return the match. A player who leaves before is shown how to come back.

    `before` is the match that this one is the rematch of, if the person comes from there. It is closed in the end.
    """
    notices = Notices(live, screen)
    with ExitStack() as stack:
        if before:
            stack.enter_context(closing(before))
        try:
            if place.seat is not None and place.view.free_seat is not None:
                _show_invitation(client.server.link(place.view.id), place.view.id, screen)
            if place.seat is not None and place.view.reserved_seat is not None:
                if before is None and (before := _match_before(client, place, notices)):
                    stack.enter_context(closing(before))
                if before:
                    notices.watch_opponent(place.seat, before)  # in a rematch the seats are swapped
            _wait_for_start(live, notices, screen)
            begun = notices.until_answered("Loading the match", lambda: client.record(place.view.id))
        except KeyboardInterrupt:
            if place.seat is not None:
                link = client.server.link(place.view.id)
                screen.say(f"The match stays open. Come back to it with: duelbook play --join {link}", NOTE)
            raise
    _introduce(live.view, place.seat, screen)
    return OnlineSession(client, live, notices, begun, screen, place, arguments.record)


def _match_before(client: ServiceClient, place: Place, notices: Notices) -> LiveMatch | None:
    """Return the match that this one is the rematch of: the other player is there until they take their seat."""
    before = notices.until_answered("Loading the match", lambda: place_before(client, place.view))
    return None if before is None else LiveMatch(client, before.view, before.token)


def _show_invitation(link: str, code: str, screen: Screen) -> None:
    """Show what to send to the other player."""
    screen.say(f"Send this link to the other player, to open it in a browser:\n\n    {link}\n")
    screen.say(f"or to play in a terminal, too: duelbook play --join {link}\n")
    screen.say(f"The code of the match is {code}\n")


def _wait_for_start(live: LiveMatch, notices: Notices, screen: Screen) -> None:
    view = live.view
    if not view.is_waiting:
        return
    missing = next((seat for seat in (0, 1) if view.seats.of(seat) != HUMAN), 0)
    who = "the other player" if view.free_seat is not None else f"{view.names.of(missing)} to play again"
    is_told = False
    while live.view.is_waiting:
        notices.tell()
        if notices.is_opponent_away and not is_told:
            is_told = True
            screen.say("The rematch stays open for them. Wait, or press Ctrl-C to leave.", NOTE)
        notices.wait(f"Waiting for {who}; Ctrl-C leaves")
    screen.say(f"{live.view.names.of(missing)} has joined.\n", NOTE)


def _introduce(view: MatchView, seat: Player | None, screen: Screen) -> None:
    """Say who plays, and who moves first."""
    first, second = view.names.first, view.names.second
    if seat is None:
        screen.say(f"You are watching {first} against {second}. {first} moves first.\n", NOTE)
    else:
        own, other = view.names.of(seat), view.names.of(1 - seat)
        screen.say(f"You are {own}, against {other}. {'You move' if seat == 0 else f'{first} moves'} first.\n", NOTE)
