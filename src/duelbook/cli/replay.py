"""`duelbook replay`: step through a recorded game."""

import json
from typing import Annotated

import typer

from duelbook.cli.app import RECORD, app
from duelbook.history.store import find_record
from duelbook.records.document import to_json
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook replay
  duelbook replay 12
  duelbook replay game.json
  duelbook replay game.json --at 5
  duelbook replay game.json | less
"""


@app.command("replay", epilog=EXAMPLES)
def replay(
    game: Annotated[str | None, RECORD] = None,
    at: Annotated[int | None, typer.Option(metavar="N", help="Show only the position after N moves.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the record as JSON.")] = False,
) -> None:
    """Step through a game, forwards and back. Through a pipe, print the whole game."""
    from duelbook.terminal.replay import Replay

    record = find_record(game)
    if as_json:
        print(json.dumps(to_json(record), indent=2))
    elif at is not None:
        Replay(record, Screen()).show(at)
    else:
        Replay(record, Screen()).step()
