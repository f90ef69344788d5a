"""The reference: the OpenAPI document, and a page that shows it without scripts."""

from html import escape
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse
from pydantic import BaseModel

from duelbook.web.problems import STATUS

router = APIRouter()

TYPES = {
    "string": "a text",
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
<p><code>WS /api/matches/{match}/live</code>, with the token of a seat (as a bearer token or cookie), or without it to
watch. The view comes at once and after every change:
<code>{"type": "view", "version": 7, "ply": 5, "match": {…}}</code>, the first time also with the <code>seat</code> that
the token is for, or null, and with the players who are <code>present</code>: who have a socket open. When that changes,
<code>{"type": "presence", "present": {"first": true, "second": false}}</code> comes. Every message you send gets one
answer,
<code>{"type": "accepted", …}</code> or <code>{"type": "error", "code": …}</code>, with the <code>id</code> you gave it
and the current ply:</p>
<ul>
<li><code>{"type": "move", "ply": 5, "move": "charge 3", "key": "…", "id": "…"}</code></li>
<li><code>{"type": "resign"}</code>, <code>{"type": "undo", "agree": true, "ply": 5}</code></li>
<li><code>{"type": "view"}</code>, <code>{"type": "ping"}</code></li>
</ul>
<p>Code 1012 closes the socket when the service restarts: connect again.</p>
"""


def document(app: FastAPI, problem: type[BaseModel]) -> dict[str, Any]:
    """Answer the OpenAPI document; problems look the same everywhere."""
    schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    schemas = schema.setdefault("components", {}).setdefault("schemas", {})
    schemas[problem.__name__] = problem.model_json_schema()
    for foreign in ("HTTPValidationError", "ValidationError"):
        schemas.pop(foreign, None)
    schema["components"]["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    for operations in schema["paths"].values():
        for operation in operations.values():
            _complete(operation)
    return schema


def _complete(operation: dict[str, Any]) -> None:
    """Take out the refusals that FastAPI thinks up by itself, and say where a token is wanted."""
    answers = operation["responses"]
    if "application/json" in answers.get("422", {}).get("content", {}):
        del answers["422"]
    if str(STATUS["no-token"]) in answers:
        operation["security"] = [{"token": []}]


@router.get("/api/docs", include_in_schema=False)
async def page(request: Request) -> HTMLResponse:
    """What the OpenAPI document says, to be read."""
    schema = request.app.openapi()
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Duelbook: the service</title>",
        "<h1>Duelbook: the service</h1>",
        *(f"<p>{escape(paragraph)}</p>" for paragraph in schema["info"]["description"].split("\n\n")),
        "<p><a href='/api/openapi.json'>OpenAPI document</a></p>",
        *(
            _operation(method, path, operation, schema["components"]["schemas"])
            for path, operations in schema["paths"].items()
            for method, operation in operations.items()
        ),
        SOCKET,
        "<h2>Problems</h2><ul>",
        *(f"<li>{status} <code>{code}</code></li>" for code, status in STATUS.items()),
        "</ul></html>",
    ]
    return HTMLResponse("\n".join(parts))


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
    lines.append(f"<p>Answers:</p><ul>{''.join(answers)}</ul>")
    return "\n".join(lines)


def _fields(operation: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    """Answer the fields of what is sent."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    names = (one.get("$ref", "").rpartition("/")[2] for one in (content, *content.get("anyOf", [])))
    body = next((schemas[name] for name in names if name in schemas), content)
    return [
        f"<li><code>{escape(name)}</code>{'' if name in body.get('required', []) else ' (may be left out)'}: "
        f"{'; '.join(filter(None, [_type(field), escape(field.get('description', ''))]))}</li>"
        for name, field in body.get("properties", {}).items()
    ]


def _type(field: dict[str, Any]) -> str:
    """Answer in words what a field may hold."""
    if "enum" in field or "const" in field:
        return ", ".join(f"<code>{escape(str(value))}</code>" for value in field.get("enum", [field.get("const")]))
    if "anyOf" in field:
        return " or ".join(_type(one) for one in field["anyOf"] if one.get("type") != "null")
    limits = [words.format(field[key]) for key, words in LIMITS.items() if key in field]
    return escape(" ".join([TYPES.get(field.get("type", ""), "anything"), *limits]))
