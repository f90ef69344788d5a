"""The service with other time limits, so that tests of them are short: `python -m … logs.WRITE_SECONDS=1 serve`."""

import sys

import pytest

from duelbook.__main__ import run


def impatient(*limits: str) -> tuple[str, ...]:
    """Return the program that serves with these limits, each as `module.NAME=seconds`."""
    return (__name__, *limits, "serve")


if __name__ == "__main__":
    while "=" in sys.argv[1]:
        name, _, seconds = sys.argv.pop(1).partition("=")
        pytest.MonkeyPatch().setattr(f"duelbook.web.{name}", float(seconds))
    run()
