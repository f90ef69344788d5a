"""`duelbook solve`: the exact value of a position and of its moves."""

import json
from typing import Annotated

import msgspec

from duelbook.cli.app import (
    AFTER,
    DRAW_SEED,
    GAME,
    JSON,
    MEMORY,
    OPTION,
    PRESET_OPTION,
    app,
    chosen_game,
    move_list,
    show_progress,
)
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
    after: Annotated[str, AFTER] = "",
    seed: Annotated[int | None, DRAW_SEED] = None,
    as_json: Annotated[bool, JSON] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> None:
    """Show who wins, how soon, and what every move is worth."""
    from duelbook.play.values import solve_page
    from duelbook.study import position_report

    rules, moves = chosen_game(game, option, preset, seed), move_list(after)
    state = state_after(rules, moves)
    with show_progress(f"Solving {game}") as screen:
        report = position_report(rules, moves)
    if as_json:
        print(json.dumps(msgspec.to_builtins(report), indent=2))
    else:
        screen.say(solve_page(rules, report, state))
