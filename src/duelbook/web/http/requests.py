"""Requests: path and query parameters, the body and the token, each checked as it is read."""

import asyncio
import re
from collections.abc import Callable, Coroutine
from functools import cache
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
from starlette.requests import HTTPConnection, Request

from duelbook.documents import NotFiniteError, convert, parse
from duelbook.errors import RefusedError
from duelbook.games import GAMES
from duelbook.text import shorten
from duelbook.web.http.rate_limits import Limiter, client_address
from duelbook.web.match.tokens import token_hash
from duelbook.web.problems import Problem, no_token
from duelbook.web.schemas.matches import Action
from duelbook.web.service import Service

JSON = "application/json"
COOKIE = "duelbook-{}"
MATCH_ID = re.compile("[0-9a-f]{24}")

ACTION_DECODER = msgspec.json.Decoder(Action)

T = TypeVar("T")
AnyStruct = TypeVar("AnyStruct", bound=msgspec.Struct)
AnyAction = TypeVar("AnyAction", bound=Action)


class ApiRequest(Request):
    """A request with access to the service and its rate limits."""

    _raw = b""  # the body, as far as it has been read
    _unread = True

    @property
    def service(self) -> Service:
        service: Service = self.scope["service"]
        return service

    @property
    def limiter(self) -> Limiter:
        limiter: Limiter = self.scope["limiter"]
        return limiter

    @property
    def match(self) -> str:
        """The id of the match in the path."""
        match: str = self.scope["path_params"]["match"]
        return match

    @property
    def game(self) -> str:
        """The name of the game in the path."""
        game: str = self.scope["path_params"]["game"]
        return game

    def limit(self, kind: str) -> None:
        """Count one more request of this kind from the client's address; raise Problem if that is too many."""
        self.limiter.check(kind, client_address(self))

    def seat_token(self) -> str | None:
        """Return the token of a seat in this match, if one was sent, and count the request for the seat."""
        token = find_token(self, self.match)
        if token is not None:
            self.limiter.check("seat", token_hash(token))
        return token

    async def read_json(self) -> Any:
        """Return the body as a JSON value, read strictly; None if there is no body."""
        raw = await self.body()
        value = parse_json(raw) if raw else None
        if raw:
            self._check_content_type()
        return value

    async def read_action(self) -> Action:
        """Return the body as an action; nearly all are in plain JSON."""
        action = read_plain_action(await self.body(), ACTION_DECODER)
        if action is None:
            return convert(await self.read_json(), Action)
        self._check_content_type()
        return action

    async def body(self) -> bytes:
        """Return the body. Starlette reads it by way of an asynchronous generator, which takes longer."""
        while self._unread:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise Problem("bad-request", "The request ended before it was complete.")
            self._raw += message.get("body", b"")
            self._unread = message.get("more_body", False)
        return self._raw

    async def unless_client_leaves(self, work: "Coroutine[Any, Any, T]") -> T:
        """Return the result of the work, or cancel it when the client closes its connection: nobody waits for it."""
        working = asyncio.create_task(work)
        leaving = asyncio.create_task(self._until_client_leaves())
        leaving.add_done_callback(_ignore_result)
        try:
            await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
            if not working.done():
                raise Problem("bad-request", "The connection was closed before the answer was ready.")
            return await working
        finally:  # nothing is awaited here: when a process ends, its coroutines are closed and cannot wait
            working.cancel()
            leaving.cancel()

    async def _until_client_leaves(self) -> None:
        await self.body()
        await self.receive()  # once the body is complete, a client that leaves is all that can follow

    def _check_content_type(self) -> None:
        if not self.headers.get("content-type", "").lower().startswith(JSON):
            raise Problem("invalid", f"Send JSON, with the content type {JSON}.")

    async def read_body(self, kind: type[AnyStruct]) -> AnyStruct:
        """Return the body as a value of this type; it may be left out, or null, if no field is required."""
        if kind is Action:
            return cast(AnyStruct, await self.read_action())
        value = await self.read_json()
        return kind() if value is None and is_optional(kind) else convert(value, kind)

    def read_query(self, kind: type[AnyStruct]) -> AnyStruct:
        """Return the query parameters as a value of this type."""
        sent, schemas = self.query_params, query_schemas(kind)
        for name in sent:
            if name not in schemas:
                known = ", ".join(sorted(schemas))
                raise Problem("invalid", f"Unknown parameter '{shorten(name)}'. Parameters: {known}.")
        return convert(
            {name: _sent_value(sent.getlist(name), schemas[name].get("type", "string")) for name in sent}, kind
        )


def _ignore_result(task: "asyncio.Task[None]") -> None:
    if not task.cancelled():
        task.exception()


def parse_json(raw: bytes) -> Any:
    """Return the JSON value in the bytes. What is not JSON is a bad request; a number out of range is only invalid."""
    try:
        return parse(raw)
    except NotFiniteError:
        raise
    except RefusedError as error:
        raise Problem("bad-request", str(error)) from error


def read_plain_action(raw: bytes, decoder: "msgspec.json.Decoder[AnyAction]") -> AnyAction | None:
    """Return the action if it is in plain JSON, as nearly all are, or None if the strict reader has to look.

    msgspec is as strict as that reader about ASCII text without escapes, except that it allows names to be repeated.
    A repeated name has quotes that are not accounted for.
    """
    if not raw.isascii() or b"\\" in raw:
        return None
    try:
        action = decoder.decode(raw)
    except msgspec.MsgspecError:
        return None
    given = [value for value in msgspec.structs.astuple(action) if value is not None]
    names, texts = len(given), sum(isinstance(value, str) for value in given)
    tag = 2 if action.__struct_config__.tag else 0
    return action if raw.count(b'"') == 2 * (tag + names + texts) else None


@cache
def is_optional(kind: type[msgspec.Struct]) -> bool:
    """Return True if no field of a request's body is required."""
    return not any(field.required for field in msgspec.structs.fields(kind))


def _sent_value(texts: list[str], json_type: str) -> Any:
    if json_type == "array":
        return texts
    whole_number = json_type == "integer" and re.fullmatch(r"-?[0-9]{1,18}", texts[-1])
    return int(texts[-1]) if whole_number else texts[-1]


@cache
def query_schemas(kind: type[msgspec.Struct]) -> dict[str, dict[str, Any]]:
    """Return the JSON schema of each query parameter; a parameter that may be left out is never null."""
    properties = msgspec.json.schema(kind)["$defs"][kind.__name__]["properties"]
    return {
        name: next((one for one in schema.get("anyOf", ()) if one != {"type": "null"}), schema)
        for name, schema in properties.items()
    }


def find_token(connection: HTTPConnection, match: str) -> str | None:
    """Return the bearer token, or the token in the match's cookie; an empty one is none."""
    scheme, _, token = connection.headers.get("authorization", "").partition(" ")
    if not scheme:
        return connection.cookies.get(COOKIE.format(match)) or None
    if scheme.lower() != "bearer" or not token.strip():
        raise no_token("The authorization must be a bearer token.")
    return token.strip()


def check_match_id(match: str) -> None:
    """Raise Problem if the text cannot be the id of a match, without a query to the store."""
    if not MATCH_ID.fullmatch(match):
        raise Problem("not-found", "There is no such match.")


def check_game(game: str) -> None:
    """Raise Problem unless there is a game of this name."""
    if game not in GAMES:
        raise Problem("not-found", f"Unknown game '{shorten(game)}'. Games: {', '.join(GAMES)}.")


class PathParameter(NamedTuple):
    """A parameter in a path: its check, and its JSON schema, which may depend on the games that are installed."""

    check: Callable[[str], None]
    schema: Callable[[], dict[str, Any]]


PATH_PARAMETERS = {
    "match": PathParameter(check_match_id, lambda: {"type": "string", "pattern": f"^{MATCH_ID.pattern}$"}),
    "game": PathParameter(check_game, lambda: {"type": "string", "enum": list(GAMES)}),
}
