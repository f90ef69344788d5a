"""The service with other constants, such as shorter time limits: `python -m … logs.WRITE_SECONDS=1 serve`."""

import ast
import sys

import pytest

from duelbook.__main__ import run


def impatient(*limits: str) -> tuple[str, ...]:
    """Return the program that serves with these constants, each as `module.NAME=value`."""
    return (__name__, *limits, "serve")


if __name__ == "__main__":
    while "=" in sys.argv[1]:
        name, _, value = sys.argv.pop(1).partition("=")
        pytest.MonkeyPatch().setattr(f"duelbook.web.{name}", ast.literal_eval(value))
    run()
