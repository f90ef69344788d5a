"""Commands for studying: solve, review, puzzle, audit, cache."""

import json
from pathlib import Path
from typing import Annotated

import typer

from duelbook import GAMES
from duelbook.cli.app import GAME, OPTION, app, working
from duelbook.games import find_rules, make
from duelbook.options import option_pairs
from duelbook.records.file import file_named, load
from duelbook.records.record import state_after
from duelbook.terminal.screen import Screen
from duelbook.text import plural

SOLVE_EXAMPLES = """\b
Examples:
  duelbook solve crystal-capture
  duelbook solve charge --option goal=9 --after "charge 5,block"
  duelbook solve word-clash --after "E self 3" --json
"""


@app.command(epilog=SOLVE_EXAMPLES)
def solve(
    game: Annotated[str, GAME],
    option: Annotated[list[str] | None, OPTION] = None,
    after: Annotated[
        str, typer.Option(metavar="MOVE,MOVE…", help="The position after these moves instead of the first one.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Tell who wins, how soon, and what every move is worth."""
    from duelbook.study.position import solve_report
    from duelbook.terminal.values import solve_page

    rules = make(game, **option_pairs(option or []))
    moves = tuple(name.strip() for name in after.split(",") if name.strip())
    state = state_after(rules, moves)
    with working(f"Solving {game}") as screen:
        report = solve_report(rules, moves)
    if as_json:
        print(json.dumps(report, indent=2))
    else:
        screen.say(solve_page(rules, report, state))


@app.command()
def audit(
    game: Annotated[str | None, GAME] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compute what is true of a game, whatever its book says."""
    from duelbook.study.audit import audit as audited
    from duelbook.terminal.auditing import audit_json, audit_page

    names = [game] if game else list(GAMES)
    for name in names:
        find_rules(name)
    with working("The audit"):
        audits = [audited(name) for name in names]
    if as_json:
        print(json.dumps(audit_json(audits), indent=2))
    else:
        print(audit_page(audits), end="")


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove them.")] = False,
) -> None:
    """Show the solutions that are kept in your cache folder."""
    from duelbook.solve.cache import cache_folder, clear_cache, kept_files

    screen = Screen()
    if clear:
        screen.say(f"Removed {plural(clear_cache(), 'solution')} from {cache_folder()}.")
        return
    for file in kept_files():
        screen.say(f"{file.stat().st_size // 1024 + 1:6} kB  {file.name}")
    screen.say(f"{plural(len(kept_files()), 'solution')} in {cache_folder()}")


@app.command()
def puzzle(
    game: Annotated[str | None, GAME] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", min=0, help="For the same puzzle again.")] = None,
    level: Annotated[int | None, typer.Option(metavar="1-5", min=1, max=5, help="How hard it is.")] = None,
    daily: Annotated[bool, typer.Option("--daily", help="The puzzle of the day, the same for everybody.")] = False,
) -> int:
    """Find the one move that wins."""
    from duelbook.terminal.puzzling import pose

    return pose(game, seed, level, daily, Screen())


@app.command()
def review(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A record.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Judge every move of a recorded game against exact values."""
    from duelbook.study.review import review as judged
    from duelbook.study.review import review_json
    from duelbook.terminal.reviewing import review_page

    record = load(file_named(str(file)))
    with working("The review") as screen:
        result = judged(record.game, record.moves)
    if as_json:
        print(json.dumps(review_json(record, result), indent=2))
    else:
        screen.say(review_page(record, result))
