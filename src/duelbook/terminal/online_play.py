"""`duelbook play --server`: make, join or watch a match of the service, and what follows it."""

from dataclasses import dataclass, replace
from typing import Any

from duelbook.errors import RefusedError, require_extra
from duelbook.game import SEAT_NAMES, AnyGame, Player, SeatName, has_choices
from duelbook.games import GAMES, find_rules, make
from duelbook.narration import narration_class
from duelbook.online.address import Server, read_match, read_server
from duelbook.online.client import ServiceClient
from duelbook.online.errors import OnlineError, ProblemError
from duelbook.online.live import LiveMatch
from duelbook.online.seats import Seat, SeatStore
from duelbook.online.views import MatchView, Seated
from duelbook.presets import expand_preset
from duelbook.records.file import check_new
from duelbook.records.record import HUMAN, Record
from duelbook.terminal import EXIT_INTERRUPTED, EXIT_LEFT, StoppedGameError
from duelbook.terminal.after_game import NextStep, read_step, show_decision, show_game_review
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.choices import ask_choice, offer
from duelbook.terminal.commands import QuitError
from duelbook.terminal.keeping import GameKeeper
from duelbook.terminal.line_editor import LineInterruptedError, starting_with
from duelbook.terminal.next_match import next_record
from duelbook.terminal.online_notices import Notices
from duelbook.terminal.online_session import OnlineSession
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.text import clean_name, sentence, shorten

NO_PERSON = "friend"  # the opponent of a match that is made for two people


@dataclass(frozen=True)
class Place:
    """The match that a person plays or watches; without a seat they watch."""

    view: MatchView
    seat: Player | None = None
    token: str = ""


def play_online(arguments: PlayArguments, screen: Screen) -> int:
    """Play or watch a match of the service and return the exit code."""
    server, match = _read_addresses(arguments)
    _check_arguments(arguments)
    require_extra("online")
    client = ServiceClient(server)
    if not server.is_encrypted and not server.is_local:
        screen.say(
            f"The connection to {server.origin} is not encrypted: others on the way can read your moves, and could play "
            "on your seat. Use https:// if the server offers it.\n",
            WARNING,
        )
    try:
        place = _watch(client, match) if arguments.watch else _take_seat(arguments, client, match, screen)
        return _play(arguments, client, place, screen)
    except (QuitError, EOFError):
        return EXIT_LEFT
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except OnlineError as error:
        raise StoppedGameError(str(error)) from error
    finally:
        client.close()


# The command line


def _read_addresses(arguments: PlayArguments) -> tuple[Server, str]:
    """Return the server, and the code of the match if one is named. A code alone is looked for among the seats."""
    given = read_server(arguments.server) if arguments.server else None
    if arguments.join and arguments.watch:
        raise RefusedError("--join cannot be combined with --watch.")
    named = arguments.join or arguments.watch
    if not named:
        assert given
        return given, ""
    server, match = read_match(named)
    if server and given and server != given:
        raise RefusedError(f"The link leads to {server.origin}, not to {given.origin}. Leave out --server.")
    server = server or given
    if server is None:
        known = SeatStore().find(None, match)
        if known is None:
            raise RefusedError("A code alone does not say where the match is. Add --server URL, or use the whole link.")
        server = read_server(known.server)
    return server, match


def _check_arguments(arguments: PlayArguments) -> None:
    """Raise RefusedError for what a match of the service does not have, or what is decided when it is made."""
    given: dict[str, Any] = {
        "--resume": arguments.resume,
        "--matches": arguments.matches > 1,
        "--seed": arguments.seed is not None,
        "--show-values": arguments.show_values,
    }
    flag = "--server"
    if arguments.join or arguments.watch:
        flag = "--join" if arguments.join else "--watch"
        given |= {
            "GAME": arguments.game,
            "--option and --preset": arguments.options,
            "--p1 and --p2": any(arguments.agents),
            "--first": arguments.first,
            "--time-limit": arguments.time_limit,
        }
    for name, value in given.items():
        if value:
            raise RefusedError(f"{flag} cannot be combined with {name}.")
    if all(agent not in (None, HUMAN) for agent in arguments.agents):
        raise RefusedError("One of the two players must be you: leave out --p1 or --p2.")
    if arguments.record:
        check_new(arguments.record)


def _own_name(arguments: PlayArguments, number: int | None = None) -> dict[str, str]:
    """Return the person's name as a request has it. The other player brings their own."""
    one, two = arguments.names
    name = (one or two) if number is None else arguments.names[number]
    if number is not None and arguments.names[1 - number] is not None:
        raise RefusedError(f"Give only your own name, with --name{number + 1}: the other player brings theirs.")
    return {} if name is None else {"name": clean_name(name)}


# Seats


def _watch(client: ServiceClient, match: str) -> Place:
    return Place(_find(client, match))


def _find(client: ServiceClient, match: str) -> MatchView:
    """Return the view of a match, or raise OnlineError if it is not there or its game is not installed here."""
    try:
        view = client.view(match)
    except ProblemError as problem:
        if problem.code != "not-found":
            raise
        raise OnlineError(f"There is no match with the code {match} on {client.server.origin}.") from problem
    if view.game not in GAMES:
        raise OnlineError(f"This match is one of '{shorten(view.game)}', a game that is not installed here.")
    return view


def _take_seat(arguments: PlayArguments, client: ServiceClient, match: str, screen: Screen) -> Place:
    """Return the seat that the person has in the match, or takes, or gets by making a match."""
    if not match:
        return _make(arguments, client, screen)
    view, known = _find(client, match), SeatStore().find(client.server.origin, match)
    if known:
        return Place(view, SEAT_NAMES.index(known.seat), known.token)
    if view.is_over:
        raise OnlineError(f"This match is over. See it with: duelbook play --watch {client.server.link(match)}")
    if view.free_seat is None:
        raise OnlineError(
            f"Both seats of this match are taken. Watch it with: duelbook play --watch {client.server.link(match)}"
        )
    request = _own_name(arguments)
    host = view.names.of(1 - view.free_seat)
    screen.say(f"{host} invites you to play {view.game}.\n", NOTE)
    if view.choices:
        request |= _choice(make(view.game, **view.options), screen)
    with screen.busy("Joining"):
        seated = client.join(match, request)
    return _keep_seat(client, seated, screen)


def _make(arguments: PlayArguments, client: ServiceClient, screen: Screen) -> Place:
    """Make a match, and show what to send to the other player."""
    if arguments.game is None:
        raise RefusedError(f"Name the game to play, one of {', '.join(GAMES)}, or a match with --join or --watch.")
    game = make(arguments.game, **expand_preset(find_rules(arguments.game), arguments.options))
    own = 1 if arguments.agents[0] not in (None, HUMAN) else 0
    opponent = arguments.agents[1 - own]
    request: dict[str, Any] = {
        "game": arguments.game,
        "options": arguments.options,
        "opponent": NO_PERSON if opponent in (None, HUMAN) else opponent,
        "seat": _seat_wish(arguments.first or narration_class(game).starter, own),
        **_own_name(arguments, own),
    }
    if arguments.time_limit is not None:
        request["time_limit"] = arguments.time_limit
    if has_choices(game) and game.chosen not in arguments.options:
        request |= _choice(game, screen)
    with screen.busy("Making the match"):
        seated = client.create(request)
    place = _keep_seat(client, seated, screen)
    if place.view.is_waiting:
        link = client.server.link(seated.id)
        screen.say(f"The match is made. Send this link to the other player, to open it in a browser:\n\n    {link}\n")
        screen.say(f"or to play in a terminal, too: duelbook play --join {link}\n")
        screen.say(f"The code of the match is {seated.id}\n")
    return place


def _seat_wish(starter: str, own: int) -> SeatName | str:
    return starter if starter == "random" else SEAT_NAMES[int(starter) - 1 != own]


def _choice(game: AnyGame, screen: Screen) -> dict[str, str]:
    """Ask what the person chooses before the start, such as a word."""
    assert has_choices(game)
    screen.say(offer(game))
    chosen = ask_choice(game, "You", screen)
    screen.say()
    return {"choice": chosen}


def _keep_seat(client: ServiceClient, seated: Seated, screen: Screen) -> Place:
    """Return the seat, which is kept for when the person comes back. If that fails, the match is played anyway."""
    seat = Seat(client.server.origin, seated.id, seated.seat, seated.token, seated.match.game)
    try:
        SeatStore().add(seat)
    except OnlineError as error:
        screen.say(f"{error} You cannot come back to this match once you leave it.\n", WARNING)
    return Place(seated.match, SEAT_NAMES.index(seated.seat), seated.token)


# The match, and what follows it


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
            following = _after(arguments, session, place, screen)
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
    with screen.busy("Loading the match"):
        begun = client.record(view.id)
    first, second = view.names.first, view.names.second
    if seat is None:
        screen.say(f"You are watching {first} against {second}. {first} moves first.\n", NOTE)
    else:
        own, other = view.names.of(seat), view.names.of(1 - seat)
        screen.say(f"You are {own}, against {other}. {'You move' if seat == 0 else f'{first} moves'} first.\n", NOTE)
    return OnlineSession(client, live, notices, begun, screen, seat, place.token, arguments.record)


def _after(arguments: PlayArguments, session: OnlineSession, place: Place, screen: Screen) -> Place | None:
    """Keep the game that is over, and return the next match if the person wants one and the service makes it."""
    try:
        record = session.client.record(place.view.id)
    except OnlineError:  # the connection is lost just now
        record = session.record()
    if place.seat is not None and arguments.keep and (problem := _keep(record, session.helped)):
        screen.say(f"{problem}\n", WARNING)
    if arguments.once or not screen.is_terminal:
        return None
    show_decision(record, screen)
    if not _wants_rematch(session, record, place, screen):
        return None
    with screen.busy("Asking for a rematch"):
        seated = session.client.rematch(place.view.id, place.token)
    return _keep_seat(session.client, seated, screen)


def _keep(record: Record, helped: bool) -> str:
    """Keep a finished game in the history, once. Return a sentence if that fails."""
    from duelbook.history.store import History

    try:
        if any(known == record for _, known in History().find(record)):
            return ""
    except RefusedError:  # the next line says why
        pass
    return GameKeeper(helped=helped).keep(record)


def _wants_rematch(session: OnlineSession, record: Record, place: Place, screen: Screen) -> bool:
    """Ask what to do next, and tell if the opponent wants a rematch. A review is shown here."""
    steps = [NextStep.REVIEW] if place.seat is None else [NextStep.REMATCH, NextStep.REVIEW]
    question = f"{', '.join(steps).capitalize()}, or Enter to leave: "
    typed, told = "", session.live.view.rematch is not None
    if told and place.seat is not None:
        screen.say(f"{session.opponent_name} wants a rematch.", NOTE)
    while True:
        try:
            text = screen.ask(
                question,
                candidates=lambda begun: starting_with(begun, steps),
                remember=False,
                interrupts=lambda: not told and session.live.view.rematch is not None,
                typed=typed,
            )
        except LineInterruptedError as interrupted:
            typed, told = interrupted.typed, True
            if place.seat is not None:
                screen.say(f"{session.opponent_name} wants a rematch.", NOTE)
            continue
        except EOFError:
            return False
        typed = ""
        step = read_step(text, steps)
        if step is NextStep.REVIEW:
            show_game_review(record, screen)
        elif step:
            screen.say()
            return step is NextStep.REMATCH
        else:
            screen.say(sentence(f"type one of {', '.join(steps)}, or press Enter to leave"), WARNING)
