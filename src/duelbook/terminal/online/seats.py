"""The seat of a person in a match of the service: the one they have, take, or get by making a match."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, Player, has_choices
from duelbook.games import GAMES, find_rules, make, title
from duelbook.narration import narration_class
from duelbook.online.client import ServiceClient
from duelbook.online.errors import OnlineError, ProblemError
from duelbook.online.seats import Seat, SeatStore
from duelbook.online.views import MatchView, Seated
from duelbook.options import drawn_options, write_options
from duelbook.play.arguments import PlayArguments
from duelbook.play.setup import PEOPLE
from duelbook.presets import expand_preset
from duelbook.records.record import HUMAN
from duelbook.terminal.choices import ask_choice, offer
from duelbook.terminal.online.arguments import own_name
from duelbook.terminal.screen import NOTE, WARNING, Screen
from duelbook.text import plural, shorten

MAX_LISTED_SEATS = 5  # the newest ones, whose matches are asked for
FRIEND = "friend"  # the opponent in a match that is made for two people


@dataclass(frozen=True)
class Place:
    """The match that a person plays or watches; without a seat they watch."""

    view: MatchView
    seat: Player | None = None
    token: str = ""
    is_new: bool = False  # the seat was just taken, so that no move of the match was seen

    @property
    def moves_seen(self) -> int:
        """How many moves were made before the person came."""
        return 0 if self.is_new else len(self.view.moves)


def watch(client: ServiceClient, match: str) -> Place:
    return Place(find_match(client, match))


def find_match(client: ServiceClient, match: str) -> MatchView:
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


def take_seat(arguments: PlayArguments, client: ServiceClient, match: str, screen: Screen) -> Place:
    """Return the seat that the person has in the match, or takes, or gets by making a match."""
    if not match:
        return _make(arguments, client, screen)
    view, known = find_match(client, match), SeatStore().find(client.server.origin, match)
    if known:
        return Place(view, SEAT_NAMES.index(known.seat), known.token)
    if view.is_over:
        raise OnlineError(f"This match is over. See it with: duelbook play --watch {client.server.link(match)}")
    if (kept := view.reserved_seat) is not None:
        return _take_reserved(client, view, kept, screen)
    if view.free_seat is None:
        raise OnlineError(
            f"Both seats of this match are taken. Watch it with: duelbook play --watch {client.server.link(match)}"
        )
    request = own_name(arguments)
    try:
        game = make(view.game, **view.options)
    except RefusedError as error:
        raise OnlineError(f"This match cannot be played here: {error}") from error
    screen.say(f"{view.names.of(1 - view.free_seat)} invites you to play {_terms(view, game)}.\n", NOTE)
    if view.choices:
        request |= _choice(game, screen)
    seated = _sent("Joining", lambda: client.join(match, request), screen)
    return keep_seat(client, seated, screen)


def _take_reserved(client: ServiceClient, view: MatchView, seat: Player, screen: Screen) -> Place:
    """Take the seat of a rematch that is kept for the player of the game before: with the token of that game."""
    if before := place_before(client, view):
        return keep_seat(client, client.rematch(before.view.id, before.token), screen)
    raise OnlineError(
        f"The free seat of this match is kept for {view.names.of(seat)}, who played the game before. "
        f"Watch it with: duelbook play --watch {client.server.link(view.id)}"
    )


def place_before(client: ServiceClient, view: MatchView) -> Place | None:
    """Return the person's seat in the match that this one is the rematch of, if it is one of their newest ones."""
    for known in SeatStore().at(client.server.origin)[:MAX_LISTED_SEATS]:
        if known.game != view.game or known.match == view.id:
            continue
        try:
            before = client.view(known.match)
        except ProblemError:  # it is gone
            continue
        if before.rematch == view.id:
            return Place(before, SEAT_NAMES.index(known.seat), known.token)
    return None


def _terms(view: MatchView, game: AnyGame) -> str:
    """Return the game of a match, what differs from its rule book, and the time limit."""
    book = write_options(make(view.game))
    own = [f"{name}={value}" for name, value in view.options.items() if value != book[name]]
    drawn = drawn_options(type(game))
    rules = ", ".join(pair for pair in own if pair.partition("=")[0] not in drawn)
    limit = f", with {plural(round(view.clocks.limit), 'second')} for each turn" if view.clocks else ""
    return f"{title(view.game)}{f' ({rules})' if rules else ''}{limit}"


def _make(arguments: PlayArguments, client: ServiceClient, screen: Screen) -> Place:
    """Make a match, and return the seat in it."""
    assert arguments.game is not None
    options = expand_preset(find_rules(arguments.game), arguments.options)
    game = make(arguments.game, **options)
    own = 1 if arguments.agents[0] not in (None, HUMAN) else 0
    opponent = arguments.agents[1 - own]
    request: dict[str, Any] = {
        "game": arguments.game,
        "options": options,
        "opponent": FRIEND if opponent in (None, HUMAN) else opponent,
        "seat": _seat_wish(arguments.first or narration_class(game).starter, own),
        **({"name": PEOPLE[own].name} if own else {}),  # the service calls the person who makes a match Player 1
        **own_name(arguments, own),
    }
    if arguments.time_limit is not None:
        request["time_limit"] = arguments.time_limit
    if has_choices(game) and game.chosen not in options:
        request |= _choice(game, screen)
    seated = _sent("Making the match", lambda: client.create(request), screen)
    return keep_seat(client, seated, screen)


def _sent(doing: str, send: Callable[[], Seated], screen: Screen) -> Seated:
    """Return the seat. What the service finds wrong with the wishes of the person is wrong with the command line."""
    try:
        with screen.busy(doing):
            return send()
    except ProblemError as problem:
        if problem.code in ("invalid", "invalid-choice"):
            raise RefusedError(str(problem)) from problem
        raise


def _seat_wish(starter: str, own: int) -> str:
    return starter if starter == "random" else SEAT_NAMES[int(starter) - 1 != own]


def _choice(game: AnyGame, screen: Screen) -> dict[str, str]:
    """Ask what the person chooses before the start, such as a word."""
    assert has_choices(game)
    screen.say(offer(game))
    chosen = ask_choice(game, "", screen)
    screen.say()
    return {"choice": chosen}


def keep_seat(client: ServiceClient, seated: Seated, screen: Screen) -> Place:
    """Return the seat, which is kept for when the person comes back. If that fails, the match is played anyway."""
    seat = Seat(client.server.origin, seated.id, seated.seat, seated.token, seated.match.game, int(time.time()))
    try:
        SeatStore().add(seat)
    except OnlineError as error:
        screen.say(f"{error} You cannot come back to this match once you leave it.\n", WARNING)
    return Place(seated.match, SEAT_NAMES.index(seated.seat), seated.token, is_new=True)
