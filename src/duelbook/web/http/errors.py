"""Refusals: whatever is raised on purpose, as a problem."""

from collections.abc import Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException

from duelbook.errors import RefusedError
from duelbook.web.db.writer import StoreUnavailableError
from duelbook.web.engine.pool import EngineUnavailableError
from duelbook.web.problems import STATUS, Problem, unavailable

WHEREABOUTS = ("body", "query", "path", "int", "constrained-str")  # parts of a place that only Pydantic knows
WORDS = {  # for what is wrong most often; the rest is said in Pydantic's
    "missing": "{place} is needed",
    "extra_forbidden": "{place} is unknown here",
    "model_type": "{place} has to be an object",
    "model_attributes_type": "{place} has to be an object",
    "dict_type": "{place} has to be an object",
    "string_type": "{place} has to be a text",
    "int_type": "{place} has to be a whole number",
    "bool_type": "{place} has to be true or false",
    "literal_error": "{place} cannot be that; valid: {expected}",
    "greater_than": "{place} has to be above {gt:g}",
    "greater_than_equal": "{place} has to be at least {ge:g}",
    "less_than_equal": "{place} has to be at most {le:g}",
    "string_too_long": "{place} has at most {max_length} characters",
    "too_long": "{place} has at most {max_length} entries",
    "string_pattern_mismatch": "{place} has to be of the form {pattern}",
    "int_parsing": "{place} has to be a whole number",
    "union_tag_not_found": "{discriminator} is needed",
    "union_tag_invalid": "{discriminator} cannot be '{tag}'; valid: {expected_tags}",
}
CODES = {STATUS[code]: code for code in ("bad-request", "not-found", "wrong-method", "too-large", "fault")}


def as_problem(error: Exception) -> Problem | None:
    """Answer the problem that the error is, or None for a fault of ours."""
    match error:
        case Problem():
            return error
        case RequestValidationError() | ValidationError():
            return Problem("invalid", _sentence(error.errors()))
        case RefusedError():
            return Problem("invalid", str(error))
        case StoreUnavailableError():
            full = any(words in str(error) for words in ("disk is full", "No space left"))
            return unavailable("the service has no room to keep anything more now") if full else unavailable()
        case EngineUnavailableError() | TimeoutError():
            return unavailable("the service is too busy for this now; try again in a moment")
        case HTTPException(__cause__=Problem() as problem):  # that came up while FastAPI read the body
            return problem
        case HTTPException():
            code = CODES.get(error.status_code, "bad-request")
            return Problem(code, _plain(error), headers=dict(error.headers or {}))
        case _:
            return None


def _plain(error: HTTPException) -> str:
    match error.status_code:
        case 404:
            return "there is nothing at this address"
        case 405:
            return "this address does not take that method"
        case _:
            return str(error.detail)


def _sentence(errors: Sequence[Any]) -> str:
    """Answer in words the first thing that is wrong."""
    if not errors:
        return "the request is not valid"
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in WHEREABOUTS)[:80]
    if first["type"] in WORDS:
        return WORDS[first["type"]].format(place=f"'{place}'" if place else "the body", **first.get("ctx", {}))
    message = str(first["msg"]).removeprefix("Value error, ")
    return f"{place}: {message}" if place else message
