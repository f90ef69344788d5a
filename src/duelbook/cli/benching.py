"""The command that measures speed."""

import json
import os
from typing import Annotated

import typer

from duelbook import GAMES
from duelbook.cli.app import app
from duelbook.games import find_rules
from duelbook.terminal.screen import Screen

BENCH_EXAMPLES = """\b
Examples:
  duelbook bench
  duelbook bench charge flag-chase --seconds 3
  duelbook bench --json > speed.json
"""


@app.command(epilog=BENCH_EXAMPLES)
def bench(
    games: Annotated[list[str] | None, typer.Argument(metavar="[GAME]…", help=f"{', '.join(GAMES)}.")] = None,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.01, max=600, help="How long each figure is measured.")
    ] = 1.0,
    cores: Annotated[int | None, typer.Option(metavar="N", min=1, max=256, help="All there are by default.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure random moves a second, and the same of other libraries that are installed."""
    from duelbook.bench import bench_json, measured, missing
    from duelbook.terminal.speeds import HEADING, line, note

    for name in games or []:
        find_rules(name)
    figures = []
    screen = Screen()
    if not as_json:
        screen.say(HEADING)
    for figure in measured(list(dict.fromkeys(games or GAMES)), seconds, cores or os.cpu_count() or 1):
        figures.append(figure)
        if not as_json:
            screen.say(line(bench_json(figures)["figures"][-1]))
    if as_json:
        print(json.dumps(bench_json(figures), indent=2))
    else:
        screen.say(note(missing()))
