"""`duelbook replay`: step through a recorded game."""

import json
from pathlib import Path
from typing import Annotated

import typer

from duelbook.cli.app import app
from duelbook.files import full_path
from duelbook.records import load_record
from duelbook.records.document import to_json
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook replay game.json
  duelbook replay game.json --at 5
  duelbook replay game.json | less
"""


@app.command("replay", epilog=EXAMPLES)
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A game saved with --record or save.")],
    at: Annotated[int | None, typer.Option(metavar="N", help="Show only the position after N moves.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
) -> None:
    """Step through a recorded game, forwards and back. Through a pipe, print the whole game."""
    from duelbook.terminal.replay import Replay

    record = load_record(full_path(str(file)))
    if as_json:
        print(json.dumps(to_json(record), indent=2))
    elif at is not None:
        Replay(record, Screen()).show(at)
    else:
        Replay(record, Screen()).step()
