"""The command line. Each command imports the heavy modules that it needs when it runs."""

import os
import sys

from typer.exceptions import TyperException

# isort: off
from duelbook.cli import play, replay, games, rules, puzzle  # noqa: F401 - in the order of `duelbook --help`
from duelbook.cli import solve, review, audit, cache  # noqa: F401
from duelbook.cli import match, tournament, eval, bench  # noqa: F401, A004
from duelbook.cli import serve, db  # noqa: F401

# isort: on
from duelbook.cli.app import app
from duelbook.errors import RefusedError
from duelbook.terminal import FAULT, LEFT, WRONG_USAGE
from duelbook.text import sanitize


def main() -> int:
    """Run the command line and return the exit code. Every error is one line on standard error."""
    try:
        return app(prog_name="duelbook", standalone_mode=False) or 0
    except TyperException as error:
        context = getattr(error, "ctx", None)  # of the command that was used wrongly
        advice = f" See: {context.command_path} --help" if context else ""
        message = error.format_message().replace("Value error, ", "").rstrip(".")
        return _fail(f"{message}.{advice}", error.exit_code)
    except RefusedError as error:
        return _fail(str(error), WRONG_USAGE)
    except OSError as error:  # the reader has gone, or the disk is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return LEFT if isinstance(error, BrokenPipeError) else _fail(f"Cannot continue: {_why(error)}.", LEFT)
    except Exception as error:
        if os.environ.get("DUELBOOK_DEBUG"):
            raise
        return _fail(f"This is a bug in Duelbook, please report it ({type(error).__name__}: {error}).", FAULT)


def _fail(message: str, code: int) -> int:
    print(f"duelbook: {sanitize(' '.join(message.split()))}", file=sys.stderr)
    return code


def _why(error: OSError) -> str:
    """Return the reason that the system gives, with the file if there is one."""
    return f"{error.strerror}: '{error.filename}'" if error.filename else str(error.strerror)
