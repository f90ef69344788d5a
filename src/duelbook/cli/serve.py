"""`duelbook serve`: run the web service."""

import inspect
from dataclasses import Field, fields
from typing import Annotated, Any

import typer

from duelbook.cli.app import app
from duelbook.extras import require_extra

EXAMPLES = """\b
Examples:
  duelbook serve
  duelbook serve --port 9000 --database-url sqlite:///matches.sqlite
"""


def _flags() -> list[inspect.Parameter]:
    """Return one flag for every setting of the service, so that each setting is declared once."""
    from duelbook.web.settings import Settings, variable

    return [
        inspect.Parameter(
            setting.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                type(setting.default) | None,
                typer.Option(metavar="VALUE", help=_help(setting, variable(setting.name))),
            ],
        )
        for setting in fields(Settings)
    ]


def _help(setting: "Field[Any]", variable: str) -> str:
    """Return the help of a flag: what it sets, its default, and the environment variable that does the same."""
    about = setting.metadata["about"].rstrip(".")
    default = "" if setting.default == "" else f"default {setting.default}; "
    return f"{about[:1].upper()}{about[1:]}. [{default}{variable}]"


def serve(**flags: Any) -> None:
    """Run the web service: a page, an HTTP API and WebSockets."""
    require_extra("web")
    from duelbook.web.server import serve as start
    from duelbook.web.settings import read

    start(read(**flags), lambda address: print(f"Duelbook is running at {address} (press Ctrl-C to stop)", flush=True))


serve.__dict__["__signature__"] = inspect.Signature(_flags())
app.command("serve", epilog=EXAMPLES)(serve)
