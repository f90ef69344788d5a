"""Errors whose message is meant for a person, and two checks that all modules share."""

from importlib.util import find_spec

EXTRAS: dict[str, tuple[str, ...]] = {  # the packages that each extra of pyproject.toml needs to work
    "fast": ("numba",),
    "arena": ("choix", "numpy"),
    "llm": ("httpx",),
    "ray": ("ray",),
    "web": ("sqlalchemy", "alembic", "starlette", "uvicorn", "limits", "prometheus_client"),
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
                f"Install it with: pip install 'duelbook[{extra}]'"
            )


def check_range(name: str, value: float, low: float, high: float) -> None:
    """Raise RefusedError unless low <= value <= high."""
    if not low <= value <= high:
        raise RefusedError(f"{name} must be from {low} to {high}, not {value}.")
