"""What a person is told from their request for a place in a match of a service until its first turn."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from duelbook.errors import RefusedError
from duelbook.online.client import ServiceClient
from duelbook.online.views import RemoteMatch
from duelbook.play.arguments import PlayArguments
from duelbook.play.conversation import Conversation, nothing
from duelbook.play.events import Ended, Kind, Output, Say
from duelbook.play.joining import Place, keep_seat, place_before, watch
from duelbook.play.match_connection import MatchConnection
from duelbook.play.next_match import next_record
from duelbook.play.remote_table import RemoteTable
from duelbook.records.record import HUMAN, Record


class WaitingRoom(Conversation):
    """Takes a place and waits until both seats are taken. Then `table` has the match."""

    def __init__(
        self,
        arguments: PlayArguments,
        client: ServiceClient,
        doing: str,
        find: Callable[[], Place],
        before: MatchConnection | None = None,
    ) -> None:
        """`before` is the match that this one is the rematch of, if the person comes from there."""
        super().__init__()
        self.table: RemoteTable | None = None
        self._arguments, self._client = arguments, client
        self._doing, self._find = doing, find
        self._before = before
        self._place: Place | None = None
        self._connection: MatchConnection | None = None
        self._is_away_told = False

    @property
    def _entered(self) -> tuple[Place, MatchConnection]:
        """The place that the person has, and the connection to its match."""
        assert self._place
        assert self._connection
        return self._place, self._connection

    @property
    def view(self) -> RemoteMatch | None:
        """The newest view of the match, or None before the person has a place in it."""
        return self._connection.view if self._connection else None

    def start(self) -> Output:
        """Ask for the place."""
        yield self._do(self._doing, self._find, self._enter, refused=self._fail)

    def leave(self, *, is_interrupted: bool = False, problem: RefusedError | None = None) -> Output:
        """Leave. A player is told how to come back."""
        if self._place and self._place.seat is not None:
            link = self._client.server.link(self._place.view.id)
            yield Say(f"The match stays open. Come back to it with: duelbook play --join {link}", Kind.NOTE)
        yield from super().leave(is_interrupted=is_interrupted, problem=problem)

    def close(self) -> None:
        """End the connections, but for that of the table."""
        if self._before:
            self._before.close()
        if self._connection and not self.table:
            self._connection.close()

    # Taking the place

    def _enter(self, place: Place) -> Output:
        self._place, view = place, place.view
        self._connection = MatchConnection(self._client, view, place.token)
        if place.warning:
            yield Say(f"{place.warning}\n", Kind.WARNING)
        if place.seat is None:
            return
        if view.free_seat is not None:
            yield from self._invitation(view.id)
        elif view.reserved_seat is None:
            return
        elif self._before:
            self._connection.watch_opponent(place.seat, self._before)  # in a rematch the seats are swapped
        else:
            find = self._connection.until_answered(partial(place_before, self._client, view))
            yield self._do("Loading the match", find, self._found_before, refused=self._fail)

    def _found_before(self, before: Place | None) -> Output:
        """Look for the other player in the match before: they are there until they take their seat in this one."""
        place, connection = self._entered
        if before and place.seat is not None:
            self._before = MatchConnection(self._client, before.view, before.token)
            connection.watch_opponent(place.seat, self._before)
        yield from ()

    def _invitation(self, match: str) -> Output:
        """Show what to send to the other player."""
        link = self._client.server.link(match)
        yield Say(f"Send this link to the other player, to open it in a browser:\n\n    {link}\n")
        yield Say(f"or to play in a terminal, too: duelbook play --join {link}\n")
        yield Say(f"The code of the match is {match}\n")

    # Waiting

    def _next(self) -> Output:
        if self.work or self.ended:
            return
        place, connection = self._entered
        try:
            yield from connection.news()
        except RefusedError as error:
            yield from self._fail(error)
            return
        if connection.view.is_waiting:
            yield from self._wait(connection)
            return
        if place.view.is_waiting:
            yield Say(f"{connection.view.names.of(_missing(place.view))} has joined.\n", Kind.NOTE)
        load = connection.until_answered(partial(self._client.record, place.view.id))
        yield self._do("Loading the match", load, self._begin, refused=self._fail)

    def _wait(self, connection: MatchConnection) -> Output:
        view = connection.view
        who = "the other player"
        if view.free_seat is None:
            who = f"{view.names.of(_missing(view))} to play again"
        if connection.is_opponent_away and not self._is_away_told:
            self._is_away_told = True
            yield Say("The rematch stays open for them. You can wait or leave.", Kind.NOTE)
        yield self._do(f"Waiting for {who}", connection.wait, nothing, stopping="to leave")

    def _begin(self, begun: Record) -> Output:
        place, connection = self._entered
        self.table = RemoteTable(connection, place, begun, self._arguments)
        if self._before:
            self._before.close()
        yield self._end(Ended())


def _missing(view: RemoteMatch) -> int:
    """Return the seat whose player has not come yet."""
    return next((seat for seat in (0, 1) if view.seats.of(seat) != HUMAN), 0)


def rematch_of(table: RemoteTable) -> WaitingRoom:
    """Return the way to the rematch of a match that is over: to play in it, or to watch it."""
    client, connection, place = table.connection.client, table.connection, table.place
    arguments = replace(table.arguments, record=next_record(table.arguments.record))

    def find() -> Place:
        if place.seat is None:
            return watch(client, connection.view.rematch or "")
        return keep_seat(client, client.rematch(place.view.id, place.token))

    return WaitingRoom(arguments, client, "Asking for a rematch", connection.until_answered(find), connection)
