"""Commands for the service: serve, and what keeps its database in order."""

import inspect
from typing import Annotated, Any

import typer

from duelbook.cli.app import app
from duelbook.game import RefusedError


def _installed() -> None:
    """Refuse in a sentence where the parts that only the service needs are missing."""
    try:
        import fastapi  # noqa: F401
        import sqlalchemy  # noqa: F401
        import uvicorn  # noqa: F401
    except ModuleNotFoundError as error:
        raise RefusedError(f"this needs the extra `web`, which is not installed ({error.name} is missing)") from error


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
    _installed()
    from duelbook.web.serving import serve as start
    from duelbook.web.settings import read

    start(read(**flags), lambda address: print(f"Duelbook serves {address} (Ctrl-C stops it)", flush=True))


serve.__dict__["__signature__"] = inspect.Signature(_flags())
app.command()(serve)
