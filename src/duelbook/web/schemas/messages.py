"""Messages of the live socket of a match, both ways."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from duelbook.game import SeatName
from duelbook.web.schemas.matches import Action, BySeat, Document, MatchView

MAX_ID_CHARACTERS = 64

MessageId = Annotated[str, Meta(max_length=MAX_ID_CHARACTERS, description="comes back in the answer")]


# From players and spectators


class ActionMessage(Action, tag_field="type", tag="action", kw_only=True):
    """Do something in the match, as over HTTP."""

    id: MessageId | None = None


class ViewRequest(Document, tag_field="type", tag="view", kw_only=True):
    """Ask for the view of the match."""

    id: MessageId | None = None


class PingMessage(Document, tag_field="type", tag="ping", kw_only=True):
    """Ask for the current ply."""

    id: MessageId | None = None


ClientMessage = ActionMessage | ViewRequest | PingMessage


# From the service


class ViewMessage(Document, tag_field="type", tag="view", kw_only=True):
    """The view of the match: at once on connecting, and after every change."""

    version: int
    ply: int
    seat: Annotated[SeatName | None, Meta(description="yours, or null; only in the first message")] | UnsetType = UNSET
    present: Annotated[BySeat[bool], Meta(description="only in the first message")] | UnsetType = UNSET
    match: MatchView


class PresenceMessage(Document, tag_field="type", tag="presence", kw_only=True):
    """Which players have a socket open; an agent is always present."""

    present: BySeat[bool]


class AcceptedMessage(Document, tag_field="type", tag="accepted", kw_only=True):
    """The answer to a message that was carried out."""

    id: str | UnsetType = UNSET
    ply: int | UnsetType = UNSET
    version: int | UnsetType = UNSET
    match: Annotated[MatchView, Meta(description="if the view was asked for")] | UnsetType = UNSET


class ErrorMessage(Document, tag_field="type", tag="error", kw_only=True):
    """The answer to a message that failed: a problem, and the current ply of the match."""

    id: str | UnsetType = UNSET
    ply: int | UnsetType = UNSET
    version: int | UnsetType = UNSET
    status: int
    code: str
    detail: str
    legal: list[str] | UnsetType = UNSET
    what: str | UnsetType = UNSET
    valid: list[str] | UnsetType = UNSET


ServiceMessage = ViewMessage | PresenceMessage | AcceptedMessage | ErrorMessage
