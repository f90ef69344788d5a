"""The place of a person in a match of a service: the seat they have, take, or get by making a match; or they watch."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, HasChoices, Player, has_choices
from duelbook.games import GAMES, find_rules, make, title
from duelbook.narration import narration_class
from duelbook.online.client import ServiceClient
from duelbook.online.errors import OnlineError, ProblemError
from duelbook.online.seats import Seat, SeatStore
from duelbook.online.views import RemoteMatch, Seated
from duelbook.options import drawn_options, write_options
from duelbook.play.arguments import PlayArguments
from duelbook.play.network_arguments import own_name
from duelbook.play.setup import PEOPLE
from duelbook.presets import expand_preset
from duelbook.records.record import HUMAN
from duelbook.text import plural, shorten

MAX_LISTED_SEATS = 5  # the newest ones, whose matches are asked for
FRIEND = "friend"  # the opponent in a match that is made for two people


@dataclass(frozen=True)
class Place:
    """The match that a person plays or watches; without a seat they watch."""

    view: RemoteMatch
    seat: Player | None = None
    token: str = ""
    is_new: bool = False  # the seat was just taken, so that no move of the match was seen
    warning: str = ""  # what is wrong with how the seat is kept

    @property
    def moves_seen(self) -> int:
        """How many moves were made before the person came."""
        return 0 if self.is_new else len(self.view.moves)


class PlaceRequest(NamedTuple):
    """How to get a place."""

    doing: str  # as in `Joining`
    send: Callable[[str], Place]  # with what the player chooses before the start; empty if there is no such choice
    note: str = ""  # what the person should know before
    choices: HasChoices | None = None  # the game, if the player chooses something before the start


def find_place(arguments: PlayArguments, client: ServiceClient, match: str) -> PlaceRequest:
    """Return how the person gets their place in the match, or, without one, in a match that they make."""
    if arguments.watch:
        return _known(watch(client, match))
    if not match:
        return _request_match(arguments, client)
    view, known = find_match(client, match), SeatStore().find(client.server.origin, match)
    if known:
        return _known(_place_of(view, known))
    if view.is_over:
        raise OnlineError(f"This match is over. See it with: duelbook play --watch {client.server.link(match)}")
    if (kept := view.reserved_seat) is not None:
        return _request_reserved(client, view, kept)
    if view.free_seat is None:
        raise OnlineError(
            f"Both seats of this match are taken. Watch it with: duelbook play --watch {client.server.link(match)}"
        )
    return _request_free(arguments, client, view, view.free_seat)


def watch(client: ServiceClient, match: str) -> Place:
    """Return the place of somebody who watches the match."""
    return Place(find_match(client, match))


def find_match(client: ServiceClient, match: str) -> RemoteMatch:
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


def open_match_texts(client: ServiceClient) -> dict[str, str]:
    """Return the person's newest matches that wait for them or go on, by their codes, in words."""
    found: dict[str, str] = {}
    seats = SeatStore().at(client.server.origin)
    for seat, view in _newest_seats(client):
        if view.game not in GAMES:
            continue
        other = view.names.second if seat.seat == "first" else view.names.first
        if not view.is_over:
            found[seat.match] = f"Continue: {title(view.game)}{_standing(seat, view, other)}{_taken(seat)}"
        elif view.rematch and all(one.match != view.rematch for one in seats) and client.view(view.rematch).is_waiting:
            found[view.rematch] = f"Rematch: {title(view.game)}, {other} wants to play again{_taken(seat)}"
    return found


def _standing(seat: Seat, view: RemoteMatch, other: str) -> str:
    if view.is_waiting:
        return ", waiting for the other player"
    turn = "your turn" if view.mover == seat.seat else f"{other}'s turn"
    limit = f", {view.clocks.limit:g} seconds a turn" if view.clocks else ""
    return f" against {other}, {turn}, {plural(len(view.moves), 'move')} so far{limit}"


def _taken(seat: Seat) -> str:
    """Return when the person took the seat, by which matches that are alike differ."""
    return "" if seat.taken is None else f" (since {datetime.fromtimestamp(seat.taken):%d %b, %H:%M})"


def place_before(client: ServiceClient, view: RemoteMatch) -> Place | None:
    """Return the person's seat in the match that this one is the rematch of, if it is one of their newest ones."""
    for seat, before in _newest_seats(client):
        if before.rematch == view.id:
            return _place_of(before, seat)
    return None


def keep_seat(client: ServiceClient, seated: Seated) -> Place:
    """Return the seat, which is kept for when the person comes back. If that fails, the match is played anyway."""
    seat = Seat(client.server.origin, seated.id, seated.seat, seated.token, seated.match.game, int(time.time()))
    warning = ""
    try:
        SeatStore().add(seat)
    except OnlineError as error:
        warning = f"{error} You cannot come back to this match once you leave it."
    return Place(seated.match, SEAT_NAMES.index(seated.seat), seated.token, is_new=True, warning=warning)


def _newest_seats(client: ServiceClient) -> Iterator[tuple[Seat, RemoteMatch]]:
    """Yield the person's newest seats with the views of their matches, without matches that are gone."""
    for seat in SeatStore().at(client.server.origin)[:MAX_LISTED_SEATS]:
        try:
            view = client.view(seat.match)
        except ProblemError:  # it is gone
            continue
        yield seat, view


def _place_of(view: RemoteMatch, seat: Seat) -> Place:
    return Place(view, SEAT_NAMES.index(seat.seat), seat.token)


def _known(place: Place) -> PlaceRequest:
    return PlaceRequest("Loading the match", lambda _: place)


def _request_reserved(client: ServiceClient, view: RemoteMatch, seat: Player) -> PlaceRequest:
    """Return how to take the seat of a rematch that is kept for the player of the game before: with its token."""
    before = place_before(client, view)
    if before is None:
        raise OnlineError(
            f"The free seat of this match is kept for {view.names.of(seat)}, who played the game before. "
            f"Watch it with: duelbook play --watch {client.server.link(view.id)}"
        )
    return PlaceRequest("Joining", lambda _: keep_seat(client, client.rematch(before.view.id, before.token)))


def _request_free(arguments: PlayArguments, client: ServiceClient, view: RemoteMatch, seat: Player) -> PlaceRequest:
    """Return how to take the free seat of a match."""
    request = own_name(arguments)
    try:
        game = make(view.game, **view.options)
    except RefusedError as error:
        raise OnlineError(f"This match cannot be played here: {error}") from error
    return PlaceRequest(
        "Joining",
        lambda choice: _sent(client, lambda: client.join(view.id, {**request, **_chosen(choice)})),
        f"{view.names.of(1 - seat)} invites you to play {_terms(view, game)}.",
        game if view.choices and has_choices(game) else None,
    )


def _terms(view: RemoteMatch, game: AnyGame) -> str:
    """Return the game of a match, what differs from its rule book, and the time limit."""
    book = write_options(make(view.game))
    own = [f"{name}={value}" for name, value in view.options.items() if value != book[name]]
    drawn = drawn_options(type(game))
    rules = ", ".join(pair for pair in own if pair.partition("=")[0] not in drawn)
    limit = f", with {plural(round(view.clocks.limit), 'second')} for each turn" if view.clocks else ""
    return f"{title(view.game)}{f' ({rules})' if rules else ''}{limit}"


def _request_match(arguments: PlayArguments, client: ServiceClient) -> PlaceRequest:
    """Return how to make a match."""
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
    return PlaceRequest(
        "Making the match",
        lambda choice: _sent(client, lambda: client.create({**request, **_chosen(choice)})),
        choices=game if has_choices(game) and game.chosen not in options else None,
    )


def _seat_wish(starter: str, own: int) -> str:
    return starter if starter == "random" else SEAT_NAMES[int(starter) - 1 != own]


def _chosen(choice: str) -> Mapping[str, str]:
    return {"choice": choice} if choice else {}


def _sent(client: ServiceClient, send: Callable[[], Seated]) -> Place:
    """Return the seat. What the service finds wrong with the wishes of the person is wrong with the command line."""
    try:
        return keep_seat(client, send())
    except ProblemError as problem:
        if problem.code in ("invalid", "invalid-choice"):
            raise RefusedError(str(problem)) from problem
        raise
