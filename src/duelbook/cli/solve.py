"""`duelbook solve`: the exact value of a position and of its moves."""

import json
import random
from typing import Annotated

import msgspec
import typer

from duelbook.cli.app import GAME, JSON, MEMORY, OPTION, PRESET_OPTION, app, rule_options, show_progress
from duelbook.errors import RefusedError
from duelbook.games import find_rules, make
from duelbook.options import draw, drawn_options
from duelbook.presets import expand_preset
from duelbook.records.record import state_after

EXAMPLES = """\b
Examples:
  duelbook solve crystal-capture
  duelbook solve charge --option goal=9 --after "charge 5,block"
  duelbook solve word-clash --after "E self 3" --json
  duelbook solve alpha-chase --seed 3
"""


@app.command("solve", epilog=EXAMPLES)
def solve(
    game: Annotated[str, GAME],
    option: Annotated[list[str] | None, OPTION] = None,
    preset: Annotated[str | None, PRESET_OPTION] = None,
    after: Annotated[
        str, typer.Option(metavar="MOVE,MOVE…", help="Solve the position after these moves, not the first one.")
    ] = "",
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Draw the start, if the game has one that is drawn, with this seed."),
    ] = None,
    as_json: Annotated[bool, JSON] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> None:
    """Show who wins, how soon, and what every move is worth."""
    from duelbook.study import position_report
    from duelbook.terminal.values import solve_page

    options = expand_preset(find_rules(game), rule_options(option, preset))
    rules = make(game, **options)
    if seed is not None:
        drawn = drawn_options(type(rules), options)
        if not drawn:
            raise RefusedError(f"There is nothing to draw in {game} with these options. Leave out --seed.")
        rules = draw(rules, random.Random(seed), drawn)
    moves = tuple(name.strip() for name in after.split(",") if name.strip())
    state = state_after(rules, moves)
    with show_progress(f"Solving {game}") as screen:
        report = position_report(rules, moves)
    if as_json:
        print(json.dumps(msgspec.to_builtins(report), indent=2))
    else:
        screen.say(solve_page(rules, report, state))
