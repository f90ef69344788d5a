"""The reference: the OpenAPI document, and a page without scripts that shows it."""

from collections.abc import Sequence
from functools import cached_property
from html import escape
from typing import Any

import msgspec
from starlette.responses import HTMLResponse, Response

from duelbook.web.http.openapi import openapi_document
from duelbook.web.http.requests import ApiRequest
from duelbook.web.http.router import Route, RouteTable
from duelbook.web.problems import STATUS

OPENAPI_PATH, PAGE_PATH = "/api/openapi.json", "/api/docs"
TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "an object",
    "array": "a list",
}
LIMITS = {
    "exclusiveMinimum": "above {:g}",
    "minimum": "from {:g}",
    "maximum": "to {:.0f}",
    "maxLength": "of at most {} characters",
    "pattern": "of the form {}",
}

SOCKET = """<h2>The live socket</h2>
<p><code>WS /api/matches/{match}/live</code>, with the token of a seat (as a bearer token or cookie) to play, or without
one to watch. The service sends the view at once and after every change:
<code>{"type": "view", "version": 7, "ply": 5, "match": {…}}</code>. The first message also has the <code>seat</code> of
the token, or null, and the players who are <code>present</code>, that is, have a socket open. When that changes, the
service sends <code>{"type": "presence", "present": {"first": true, "second": false}}</code>. Every message you send
gets exactly one answer, <code>{"type": "accepted", …}</code> or <code>{"type": "error", "code": …}</code>, with the
<code>id</code> of your message and the current ply. You can send:</p>
<ul>
<li><code>{"type": "action", "action": "play", "ply": 5, "move": "charge 3", "key": "…", "id": "…"}</code>, and every
other action as over HTTP</li>
<li><code>{"type": "view"}</code>, <code>{"type": "ping"}</code></li>
</ul>
<p>When the service restarts, it closes the socket with code 1012: connect again.</p>
"""


class Reference:
    """The documents about the given routes, made when they are first asked for."""

    def __init__(self, routes: Sequence[Route]) -> None:
        self._routes = routes

    @cached_property
    def openapi(self) -> bytes:
        return msgspec.json.encode(openapi_document(self._routes))

    @cached_property
    def page(self) -> bytes:
        return _page(openapi_document(self._routes)).encode()


def reference_routes(reference: Reference) -> RouteTable:
    """Return the routes of the documents."""
    table = RouteTable()

    @table.get(OPENAPI_PATH)
    async def openapi(_: ApiRequest) -> bytes:
        """The OpenAPI document."""
        return reference.openapi

    @table.get(PAGE_PATH)
    async def docs(_: ApiRequest) -> Response:
        """The OpenAPI document as a page."""
        return HTMLResponse(reference.page)

    return table


def _page(document: dict[str, Any]) -> str:
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Duelbook: the service</title>",
        "<h1>Duelbook: the service</h1>",
        *(f"<p>{escape(paragraph)}</p>" for paragraph in document["info"]["description"].split("\n\n")),
        "<p><a href='/api/openapi.json'>OpenAPI document</a></p>",
        *(
            _operation(method, path, operation, document["components"]["schemas"])
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
        ),
        SOCKET,
        "<h2>Problems</h2><ul>",
        *(f"<li>{status} <code>{code}</code></li>" for code, status in STATUS.items()),
        "</ul></html>",
    ]
    return "\n".join(parts)


def _operation(method: str, path: str, operation: dict[str, Any], schemas: dict[str, Any]) -> str:
    lines = [f"<h2>{method.upper()} <code>{escape(path)}</code></h2>", f"<p>{escape(operation['description'])}</p>"]
    parameters = [
        f"<li><code>{escape(one['name'])}</code> ({one['in']}) {escape(one.get('description', ''))}</li>"
        for one in operation.get("parameters", [])
    ]
    if parameters:
        lines.append(f"<ul>{''.join(parameters)}</ul>")
    if fields := _fields(operation, schemas):
        lines.append(f"<p>Send JSON with</p><ul>{''.join(fields)}</ul>")
    answers = (f"<li>{status}: {escape(one['description'])}</li>" for status, one in operation["responses"].items())
    lines.append(f"<p>Responses:</p><ul>{''.join(answers)}</ul>")
    return "\n".join(lines)


def _fields(operation: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    """Return the fields of the request body as list items."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    names = (one.get("$ref", "").rpartition("/")[2] for one in (content, *content.get("anyOf", [])))
    body = next((schemas[name] for name in names if name in schemas), content)
    return [
        f"<li><code>{escape(name)}</code>{'' if name in body.get('required', []) else ' (optional)'}: "
        f"{'; '.join(filter(None, [_type(field), escape(_description(field))]))}</li>"
        for name, field in body.get("properties", {}).items()
    ]


def _description(field: dict[str, Any]) -> str:
    parts = (field, *field.get("anyOf", ()))
    return next((part["description"] for part in parts if "description" in part), "")


def _type(field: dict[str, Any]) -> str:
    """Return in words what a field may hold."""
    if "enum" in field or "const" in field:
        return ", ".join(f"<code>{escape(str(value))}</code>" for value in field.get("enum", [field.get("const")]))
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"] if one.get("type") != "null")
    limits = [words.format(field[key]) for key, words in LIMITS.items() if key in field]
    return escape(" ".join([TYPES.get(field.get("type", ""), "anything"), *limits]))
