"""The command line: one module per command, which is imported only if that command is run."""

import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

from typer.exceptions import TyperException

from duelbook.cli.app import COMMANDS, app
from duelbook.cli.completion import VARIABLE as COMPLETION
from duelbook.cli.completion import complete_for_bash, completed_command
from duelbook.errors import RefusedError
from duelbook.games import GAMES, broken_game
from duelbook.play.exit_codes import EXIT_BUG, EXIT_UNFINISHED, EXIT_USAGE, StoppedGameError
from duelbook.registry import UnknownNameError
from duelbook.terminal.layout import as_encoded, columns_of, wrapped
from duelbook.text import closest, sanitize, sentence, shorten

PLAIN = {  # what the library says about a value, in our words
    "Value error, ": "",
    "Input should be": "it must be",
    "a valid number, unable to parse string as a number": "a number",
    "a valid integer, unable to parse string as an integer": "a whole number",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
}


def load_commands(arguments: list[str]) -> None:
    """Import the module of the command that is run; if none is named, those of all commands."""
    for name in COMMANDS if arguments[:1] == [] or arguments[0] not in COMMANDS else arguments[:1]:
        import_module(f"duelbook.cli.{name.replace('-', '_')}")


def main() -> int:
    """Run the command line and return the exit code. Every error is one line on standard error."""
    try:
        return _run(sys.argv[1:])
    except TyperException as error:
        context = getattr(error, "ctx", None)  # of the command that was used wrongly
        advice = f" See: {context.command_path} --help" if context else ""
        return _fail(f"{sentence(_plain(error.format_message()))}{advice}", error.exit_code)
    except UnknownNameError as error:
        return _fail(f"{error}{_own_package(error)}", EXIT_USAGE)
    except RefusedError as error:
        return _fail(str(error), EXIT_UNFINISHED if isinstance(error, StoppedGameError) else EXIT_USAGE)
    except OSError as error:  # the output has no reader any more, or the disk is full
        if broken := broken_game(error):
            return _fail(str(broken), EXIT_USAGE)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return EXIT_UNFINISHED
        return _fail(f"Cannot continue: {_why(error)}.", EXIT_UNFINISHED)
    except Exception as error:
        if os.environ.get("DUELBOOK_DEBUG"):
            raise
        if broken := broken_game(error):
            return _fail(str(broken), EXIT_USAGE)
        return _fail(f"This is a bug in Duelbook. Please report it ({type(error).__name__}: {error}).", EXIT_BUG)


def _plain(message: str) -> str:
    """Return what is wrong with an argument in plain words."""
    for theirs, ours in PLAIN.items():
        message = message.replace(theirs, ours)
    return message


def _run(arguments: list[str]) -> int:
    if is_completing():
        return _complete()
    if arguments[:1] == ["help"]:  # as `duelbook help play`
        arguments = [*arguments[1:], "--help"]
    if arguments and not arguments[0].startswith("-") and arguments[0] not in COMMANDS:
        _check_command(arguments[0])
    if arguments[:1] == ["history"] and arguments[1:] and arguments[1].isdecimal():
        raise RefusedError(f"See a game with: duelbook review {arguments[1]}, or duelbook replay {arguments[1]}")
    load_commands(arguments)
    return app(arguments, prog_name="duelbook", standalone_mode=False) or 0


def _check_command(name: str) -> None:
    """Raise RefusedError if an unknown command is a game, or help with a slip. Typer knows the other commands."""
    if name in GAMES:
        raise RefusedError(f"{name} is a game. Play it with: duelbook play {name}; its rules: duelbook rules {name}")
    if closest(name, ("help", *COMMANDS)) == "help":
        raise RefusedError(f"No such command '{shorten(name)}'. Did you mean 'help'? See: duelbook --help")


def is_completing() -> bool:
    """Return True if the shell asks what it may complete the command line to."""
    return bool(os.environ.get(COMPLETION))


def _complete() -> int:
    """Print what the shell may complete the command line to."""
    command = completed_command()
    load_commands([command] if command else [])
    if os.environ[COMPLETION] == "complete_bash":
        complete_for_bash(lambda: app(prog_name="duelbook"))
    else:
        try:
            app(prog_name="duelbook")
        except SystemExit as end:  # fish completes files if the exit code says that there is nothing else
            return int(end.code or 0)
    return 0


def _fail(message: str, code: int) -> int:
    line = as_encoded(f"duelbook: {sanitize(' '.join(message.split()))}", sys.stderr)
    print(wrapped(line, columns_of(sys.stderr)), file=sys.stderr)
    return code


def _own_package(unknown: UnknownNameError) -> str:
    """Return what to do if the package in the current folder has what is unknown: it is not installed then."""
    import tomllib  # not needed otherwise

    with suppress(OSError, ValueError, AttributeError, KeyError, TypeError):  # no such file, or with other content
        project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
        target = project["entry-points"][unknown.entry_points][unknown.name]
        return (
            " The package in this folder has it: install that with `pip install --editable .`, "
            f"or set {unknown.variable}={unknown.name}={target}"
        )
    return ""


def _why(error: OSError) -> str:
    """Return the reason that the system gives, with the file if there is one."""
    return f"{error.strerror}: '{error.filename}'" if error.filename else str(error.strerror)
