"""The command for the service: serve."""

import inspect
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from duelbook.cli.app import app
from duelbook.errors import RefusedError


def installed() -> None:
    """Refuse in a sentence where the parts that only the service needs are missing."""
    for name in ("alembic", "fastapi", "sqlalchemy", "uvicorn"):
        if find_spec(name) is None:
            raise RefusedError(f"this needs the extra `web`, which is not installed ({name} is missing)")


def _flags() -> list[inspect.Parameter]:
    """Answer a flag for every setting, so that both are written down once."""
    from duelbook.web.settings import known, variable

    return [
        inspect.Parameter(
            setting.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                type(setting.default) | None,
                typer.Option(
                    metavar="VALUE",
                    help=f"{setting.metadata['about']} (default {setting.default!r}; {variable(setting.name)})",
                ),
            ],
        )
        for setting in known()
    ]


def serve(**flags: Any) -> None:
    """Serve matches over HTTP and WebSocket."""
    installed()
    from duelbook.web.server import serve as start
    from duelbook.web.settings import read

    start(read(**flags), lambda address: print(f"Duelbook serves {address} (Ctrl-C stops it)", flush=True))


serve.__dict__["__signature__"] = inspect.Signature(_flags())
app.command()(serve)
