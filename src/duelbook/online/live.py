"""The live socket of a match, in a thread of its own. It connects again whenever the connection is lost."""

import logging
import threading
import time
from typing import TYPE_CHECKING

from duelbook import documents
from duelbook.errors import RefusedError
from duelbook.game import Player
from duelbook.online.client import ServiceClient, pauses, retry_after
from duelbook.online.errors import OnlineError, ProblemError, UnreachableError
from duelbook.online.views import Message, RemoteMatch, SeatPair

if TYPE_CHECKING:
    from websockets.exceptions import InvalidStatus
    from websockets.sync.client import ClientConnection

OPEN_SECONDS = 10.0
PING_SECONDS = 15.0
PONG_SECONDS = 10.0
CLOSE_SECONDS = 1.0
POLL_SECONDS = 2.0  # between two questions where no socket can be opened
TOKEN_PROBLEMS = ("no-token", "wrong-token")
MAX_MESSAGE_BYTES = 2_000_000
SILENT = logging.getLogger("duelbook.online")  # the terminal is for the game
SILENT.addHandler(logging.NullHandler())
SILENT.propagate = False


class LiveMatch:
    """A match as this client knows it: the newest view, who is present, and whether the connection stands.

    `news` rises with every change, so that a dialogue knows whether it has told everything.
    """

    def __init__(self, client: ServiceClient, view: RemoteMatch, token: str = "") -> None:
        self.view = view
        self.news = 0
        self.connected = False
        self.was_lost = False  # the connection has failed at least once since it last stood
        self.error: OnlineError | None = None  # why the connection cannot come back
        self._present: SeatPair[bool] | None = None
        self._present_since = 0.0
        self._received_at = time.monotonic()
        self._client, self._token = client, token
        self._changed = threading.Condition()
        self._hurry = threading.Event()  # ends a pause before the next try
        self._socket: ClientConnection | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, daemon=True, name="duelbook-live")
        self._thread.start()

    # For the dialogue

    def receive(self, view: RemoteMatch) -> None:
        """Take a view, unless a newer one is here already."""
        with self._changed:
            if view.version >= self.view.version:
                is_news = view != self.view
                self.view, self._received_at = view, time.monotonic()
                if is_news:
                    self._notify()

    def deadline(self) -> float | None:
        """Return the end of the mover's time by the monotonic clock; None if no time runs, or nobody knows."""
        with self._changed:
            clocks = self.view.clocks
            if clocks is None or clocks.left is None or not self.connected:
                return None
            return self._received_at + clocks.stopped + clocks.left

    def claim_left(self) -> float | None:
        """Return the seconds until the win can be claimed, or None if nobody waits for that."""
        with self._changed:
            claim = self.view.claim
            return max(0.0, self._received_at + claim.left - time.monotonic()) if claim else None

    def away_seconds(self, seat: Player) -> float:
        """Return for how long the player has been away, as far as this connection knows; 0 if they are present."""
        with self._changed:
            if not self.connected or self._present is None or self._present.of(seat):
                return 0.0
            return time.monotonic() - self._present_since

    def wait(self, known: int, seconds: float | None = None) -> None:
        """Wait until there is more news than is known, or the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self.news != known, seconds)

    def wait_connected(self, seconds: float) -> None:
        """Wait until the connection stands, or the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self.connected, seconds)

    def reconnect(self) -> None:
        """Try at once if the connection is lost: the service has just answered."""
        self._hurry.set()

    def close(self) -> None:
        self._closed = True
        self._hurry.set()
        if self._socket:
            self._socket.close()

    # In the thread

    def _notify(self) -> None:
        self.news += 1
        self._changed.notify_all()

    def _run(self) -> None:
        poller = ServiceClient(self._client.server)  # one for this thread
        try:
            self._stay_connected(poller)
        finally:
            poller.close()

    def _stay_connected(self, poller: ServiceClient) -> None:
        tries = pauses()
        while not self._closed:
            wait = 0.0
            try:
                if self._listen():
                    tries = pauses()
            except UnreachableError:
                pass
            except OnlineError as refused:
                if isinstance(refused, ProblemError) and refused.is_temporary:
                    wait = refused.retry_after
                elif self._poll(poller, refused):
                    self._hurry.wait(POLL_SECONDS)
                    continue
            except (ValueError, ImportError) as error:  # of the library, such as a proxy that it cannot use
                self._fail(OnlineError(f"The live connection to {self._client.server.origin} failed: {error}"))
            if self._closed:
                return
            self._lose()
            self._hurry.wait(max(wait, next(tries)))
            self._hurry.clear()

    def _poll(self, poller: ServiceClient, refused: OnlineError) -> bool:
        """Ask for the view over HTTP: a proxy may let no socket through. Return True if it came."""
        if isinstance(refused, ProblemError) and refused.code in TOKEN_PROBLEMS:
            self._fail(refused)
            return False
        try:
            view = poller.view(self.view.id)
        except UnreachableError:
            return False
        except ProblemError as problem:
            if not problem.is_temporary:
                gone = problem.code == "not-found"
                self._fail(OnlineError("This match no longer exists on the server.") if gone else problem)
            return False
        except OnlineError as error:
            self._fail(error)
            return False
        self._stand()
        self.receive(view)
        return True

    def _listen(self) -> bool:
        """Take the messages of one connection, until it ends. Return True if there was one."""
        from websockets.exceptions import InvalidStatus, WebSocketException
        from websockets.sync.client import connect

        server = self._client.server
        try:
            with connect(  # to another host, it would send no token
                f"{server.origin.replace('http', 'ws', 1)}/api/matches/{self.view.id}/live",
                additional_headers={"Authorization": f"Bearer {self._token}"} if self._token else {},
                ssl=self._client.ssl_context if server.is_encrypted else None,
                open_timeout=OPEN_SECONDS,
                ping_interval=PING_SECONDS,
                ping_timeout=PONG_SECONDS,
                close_timeout=CLOSE_SECONDS,
                max_size=MAX_MESSAGE_BYTES,
                logger=SILENT,
            ) as socket:
                self._socket = socket
                for message in socket:
                    self._take(message)
        except InvalidStatus as error:
            raise self._refusal(error) from error
        except (OSError, WebSocketException, EOFError) as error:
            if isinstance(failed := self._client.unreachable(error), UnreachableError):
                return self.connected
            raise failed from error
        finally:
            self._socket = None
        return self.connected

    def _refusal(self, error: "InvalidStatus") -> OnlineError:
        response = error.response
        try:
            return self._client.problem(documents.parse(bytes(response.body or b"")), retry_after(response.headers))
        except RefusedError:
            return self._client.strange_answer(response.status_code, response.headers.get("Location", ""))

    def _take(self, raw: str | bytes) -> None:
        text = raw if isinstance(raw, bytes) else raw.encode(errors="replace")
        try:
            value = documents.parse(text)
        except RefusedError as error:
            raise self._client.not_a_service() from error
        message = self._client.read_answer(value, Message)
        self._stand()
        with self._changed:
            if message.present and message.present != self._present:
                self._present, self._present_since = message.present, time.monotonic()
                self._notify()
        if message.match:
            self.receive(message.match)

    def _stand(self) -> None:
        """Note that the connection stands."""
        with self._changed:
            if not self.connected:
                self.connected, self.was_lost = True, False
                self._notify()

    def _lose(self) -> None:
        with self._changed:
            if self.connected or not self.was_lost:
                self.connected, self.was_lost, self._present = False, True, None
                self._notify()

    def _fail(self, error: OnlineError) -> None:
        with self._changed:
            self.error, self._closed = error, True
            self._notify()
