"""The OpenAPI document, generated from the routes and the JSON shapes that they declare."""

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from duelbook import __version__
from duelbook.web.http.requests import JSON, PATH_PARAMETERS, is_optional, query_schemas
from duelbook.web.http.router import Route
from duelbook.web.problems import STATUS
from duelbook.web.schemas.matches import NewMatch, ProblemDocument

REFERENCE = "#/components/schemas/{name}"
COMMON_PROBLEMS = (
    "bad-request",
    "too-slow",
    "too-large",
    "unknown-host",
    "too-many",
    "headers-too-large",
    "unknown-coding",
    "unavailable",
)
DESCRIPTION = """Two-player games over HTTP and WebSocket. A *game* is a rule book, a *match* is one play of it.

The response to a move is sent once the move is durable. Send a random `key` with each new move, and the same key again
if you are not sure that the move arrived: it is played once, and every retry gets the first response."""


def openapi_document(routes: Iterable[Route]) -> dict[str, Any]:
    """Return the OpenAPI document of the routes that have a tag."""
    documented = [route for route in routes if route.tag is not None]
    shapes = [
        shape for route in documented for shape in (route.body, route.response, route.progress) if shape is not None
    ]
    shapes = list(dict.fromkeys([*shapes, ProblemDocument]))
    references, schemas = msgspec.json.schema_components(shapes, ref_template=REFERENCE)
    schemas[NewMatch.__name__]["properties"]["game"] = PATH_PARAMETERS["game"].schema()
    by_shape = dict(zip(shapes, references, strict=True))
    paths: dict[str, Any] = {}
    for route in documented:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, by_shape)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Duelbook", "description": DESCRIPTION, "version": __version__},
        "paths": paths,
        "components": {
            "schemas": _portable(schemas),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _operation(route: Route, references: dict[Any, Any]) -> dict[str, Any]:
    content = {route.media_type: {"schema": references[route.response]} if route.response is not None else {}}
    operation: dict[str, Any] = {
        "tags": [route.tag],
        "summary": route.handler.__name__.replace("_", " ").capitalize(),
        "description": route.handler.__doc__ or "",
        "operationId": f"{route.tag}_{route.handler.__name__}",
        "responses": {
            str(route.status): {"description": "Success", "content": content},
            **_problems(route, references),
        },
    }
    if route.progress is not None:
        operation["responses"]["202"] = {
            "description": "Not ready yet: ask again at its `url` after `Retry-After` seconds",
            "content": {JSON: {"schema": references[route.progress]}},
        }
    if parameters := _parameters(route):
        operation["parameters"] = parameters
    if route.body is not None:
        optional, schema = is_optional(route.body), references[route.body]
        schema = {"anyOf": [schema, {"type": "null"}]} if optional else schema
        operation["requestBody"] = {"content": {JSON: {"schema": schema}}, "required": not optional}
    if route.seat:
        operation["security"] = [{"token": []}]
    return operation


def _parameters(route: Route) -> list[dict[str, Any]]:
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": PATH_PARAMETERS[name].schema()}
        for name in re.findall(r"{(\w+)}", route.path)
    ]
    for name, schema in query_schemas(route.query).items() if route.query is not None else ():
        described = {key: value for key, value in schema.items() if key == "description"}
        parameters.append({"name": name, "in": "query", "required": False, "schema": _portable(schema), **described})
    return parameters


def _problems(route: Route, references: dict[Any, Any]) -> dict[str, Any]:
    """Return the responses that report a problem, by status."""
    by_status: dict[int, list[str]] = {}
    for code in (*route.problems, *COMMON_PROBLEMS):
        by_status.setdefault(STATUS[code], []).append(code)
    content = {"application/problem+json": {"schema": references[ProblemDocument]}}
    return {str(status): {"description": ", ".join(codes), "content": content} for status, codes in by_status.items()}


def _portable(schema: Any) -> Any:
    """Return the schema with patterns as JavaScript writes them: `$` is the end, which in Python is `\\Z`."""
    if isinstance(schema, dict):
        return {
            key: value.replace(r"\Z", "$") if key == "pattern" and isinstance(value, str) else _portable(value)
            for key, value in schema.items()
        }
    return [_portable(one) for one in schema] if isinstance(schema, list) else schema
