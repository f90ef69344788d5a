"""A match of a service on the full screen, from the request for a place to the waiting for the other player."""

from dataclasses import replace
from functools import partial

from duelbook.games import title
from duelbook.online.client import ServiceClient
from duelbook.play.arguments import PlayArguments
from duelbook.play.events import Ended, Kind, Say, Shown
from duelbook.play.joining import Place, PlaceRequest, find_place
from duelbook.play.network_arguments import NetworkChoice, check_arguments, read_addresses, remember_choice
from duelbook.play.waiting_room import WaitingRoom
from duelbook.records.record import HUMAN
from duelbook.tui.dialogs import Confirmation
from duelbook.tui.match import MatchSubject
from duelbook.tui.play_screen import PlayScreen
from duelbook.tui.screens import DuelScreen
from duelbook.tui.starting import Choice
from duelbook.tui.subject import OnBoard, Subject


class WaitingSubject(Subject):
    """The way to the first turn: an invitation, and who is waited for."""

    leaves_by_stopping = True

    def __init__(self, room: WaitingRoom) -> None:
        self.conversation: WaitingRoom = room
        self._invitation: list[str] = []

    @property
    def title(self) -> str:
        """The title of the screen."""
        view = self.conversation.view
        return f"{title(view.game)}  ·  over the network" if view else "Over the network"

    def on_board(self) -> OnBoard | None:
        """Return None: nothing is played yet."""
        return None

    def is_notice(self, said: Say) -> bool:
        """Return True for notes and warnings: the invitation stays in view."""
        return said.kind in (Kind.NOTE, Kind.WARNING)

    def tells_leaving(self) -> bool:
        """Return True: a match that was made stays open."""
        return True

    def take(self, shown: Shown) -> str:
        """Keep the invitation, which stays in view."""
        if isinstance(shown, Say) and shown.kind is Kind.TEXT:
            self._invitation.append(shown.text.strip())
        return ""

    def task(self) -> str:
        """Return the invitation."""
        return "\n\n".join(self._invitation)

    def following(self, ended: Ended) -> Subject | None:
        """Return the match that begins."""
        table = self.conversation.table
        return MatchSubject(table) if table else None

    def close(self) -> None:
        """End the connection, unless the match goes on with it."""
        self.conversation.close()


def start_remote(screen: DuelScreen, arguments: PlayArguments, *, replaces: bool = False) -> None:
    """Find the place of the person in the background, and show the way to the match above this screen or in its place.

    Raise RefusedError if the arguments do not go together.
    """
    arguments = _with_own_name(arguments)
    server, match = read_addresses(arguments)
    check_arguments(arguments)
    client = ServiceClient(server)

    def take(request: PlaceRequest, choice: str) -> Place:
        """Return the place. An address that could be reached and the name are kept for the next time."""
        place, name = request.send(choice), next(filter(None, arguments.names), "")
        problem = remember_choice(NetworkChoice(server.origin, name))
        return replace(place, warning=f"{place.warning} {problem}".strip())

    def enter(request: PlaceRequest, choice: str) -> None:
        room = WaitingRoom(arguments, client, request.doing, partial(take, request, choice))
        shown = PlayScreen(WaitingSubject(room))
        if replaces:
            screen.app.switch_screen(shown)
        else:
            screen.app.push_screen(shown)

    def choose(request: PlaceRequest) -> None:
        if request.choices is None:
            enter(request, "")
        else:
            chosen = Choice(request.choices, "")
            screen.app.push_screen(chosen, lambda choice: enter(request, choice) if choice else None)

    def found(request: PlaceRequest) -> None:
        if request.note:
            question = f"{request.note} Do you want to play?"
            screen.app.push_screen(Confirmation(question), lambda yes: choose(request) if yes else None)
        else:
            choose(request)

    screen.start_work("Looking for the match", lambda: find_place(arguments, client, match), found)


def _with_own_name(arguments: PlayArguments) -> PlayArguments:
    """Return the arguments with the person's name where they are Player 1 or Player 2."""
    name = next(filter(None, arguments.names), None)
    is_second = arguments.agents[0] not in (None, HUMAN)
    return replace(arguments, names=(None, name) if is_second else (name, None))
