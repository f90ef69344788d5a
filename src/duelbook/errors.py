"""Errors whose message is meant for a person, and two checks that all modules share."""

import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

EXTRAS: dict[str, tuple[str, ...]] = {  # the packages that each extra of pyproject.toml needs to work
    "fast": ("numba",),
    "arena": ("numpy",),
    "llm": ("httpx",),
    "lab": ("pyarrow",),
    "ray": ("ray",),
    "web": ("sqlalchemy", "alembic", "starlette", "uvicorn", "prometheus_client"),
    "envs": ("gymnasium", "pettingzoo", "numpy"),
}


class RefusedError(ValueError):
    """Something from outside is not acceptable; the message is a sentence or two for a person."""


class MissingExtraError(RefusedError):
    """A feature needs an extra of Duelbook that is not installed."""


def require_extra(extra: str, *packages: str) -> None:
    """Raise MissingExtraError unless the packages are installed (by default all that the extra needs)."""
    for package in packages or EXTRAS[extra]:
        if find_spec(package) is None:
            raise MissingExtraError(
                f"The extra '{extra}' is not installed ({package} is missing). "
                f"Install it with: {install_command(extra)}"
            )


def install_command(extra: str) -> str:
    """Return the command that installs an extra: in a clone its set-up script, elsewhere pip."""
    clone = Path(__file__).parents[2]
    if Path(sys.prefix).resolve() == (clone / ".venv").resolve():
        return f"{shlex.quote(str(clone / 'scripts/setup'))} {extra}"
    return f"pip install 'duelbook[{extra}]'"


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Raise RefusedError unless low <= value <= high."""
    if not low <= value <= high:
        raise RefusedError(f"{name} must be from {low} to {high}, not {value}.")
