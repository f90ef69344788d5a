"""The command line. Heavy parts are imported by the commands that need them."""

import os
import sys

from typer.exceptions import TyperException

from duelbook.cli import (  # noqa: F401 - register their commands
    benching,
    evaluating,
    measuring,
    playing,
    serving,
    storing,
    studying,
)
from duelbook.cli.app import app
from duelbook.errors import RefusedError
from duelbook.terminal import FAULT, LEFT, WRONG_USAGE
from duelbook.text import sanitize


def main() -> int:
    """Run the command line and answer the exit code; whatever goes wrong is one line on standard error."""
    try:
        return app(prog_name="duelbook", standalone_mode=False) or 0
    except TyperException as error:
        return _fail(error.format_message(), error.exit_code)
    except RefusedError as error:
        return _fail(str(error), WRONG_USAGE)
    except OSError as error:  # the reader has gone, or the disk is full
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return LEFT if isinstance(error, BrokenPipeError) else _fail(f"cannot go on: {_why(error)}", LEFT)
    except Exception as error:
        if os.environ.get("DUELBOOK_DEBUG"):
            raise
        return _fail(f"a fault in Duelbook, please report it ({type(error).__name__}: {error})", FAULT)


def _fail(message: str, code: int) -> int:
    print(f"duelbook: {sanitize(' '.join(message.split()))}", file=sys.stderr)
    return code


def _why(error: OSError) -> str:
    """Answer what the system refused, with the file if it is about one."""
    return f"{error.strerror}: '{error.filename}'" if error.filename else str(error.strerror)
