"""`duelbook bench`: measure speed."""

import json
import os
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from duelbook import GAMES
from duelbook.cli.app import JSON, app, workers_option
from duelbook.cli.completion import complete_game
from duelbook.extras import install_command
from duelbook.games import find_rules
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook bench
  duelbook bench charge flag-chase --seconds 3
  duelbook bench --json > speed.json
"""
HEADING = f"{'':24} {'':18} {'cores':>5} {'moves a second':>15}   times the speed of"


@app.command("bench", epilog=EXAMPLES)
def bench(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME", autocompletion=complete_game, help="Games, such as charge. By default all games."
        ),
    ] = None,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0.01, max=600, help="How long to measure each speed.")
    ] = 1.0,
    workers: Annotated[int | None, workers_option("How many cores to use. By default all.", 256)] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Measure how many random moves a second each game plays.

    Other game libraries are measured beside it, if they are installed.
    """
    from duelbook.bench import bench_json, measure, missing_peers

    for name in games or []:
        find_rules(name)
    figures = []
    screen = Screen()
    if not as_json:
        screen.say(HEADING)
    for figure in measure(list(dict.fromkeys(games or GAMES)), seconds, workers or os.cpu_count() or 1):
        figures.append(figure)
        if not as_json:
            screen.say(speed_line(bench_json(figures)["figures"][-1]))
    if as_json:
        print(json.dumps(bench_json(figures), indent=2))
    else:
        screen.say(missing_peers_note(missing_peers()))


def speed_line(figure: dict[str, Any]) -> str:
    """Return one speed as a line: moves a second, the ratios to other libraries, and the goal if there is one."""
    ratios = [f"{peer.split()[0]} {ratio_text(ratio)}" for peer, ratio in figure["ratios"].items()]
    if figure["scaling"]:
        ratios.append(f"one core {figure['scaling']:.2f}")
    goal = f"   (goal {figure['goal']:,.0f})" if figure["goal"] else ""
    head = f"{figure['name']:24} {figure['way']:18} {figure['cores']:5} {figure['speed']:15,.0f}"
    return f"{head}   {', '.join(ratios)}{goal}".rstrip()


def ratio_text(ratio: float) -> str:
    """Return the ratio with one decimal place, or with two significant digits below 1."""
    return f"{ratio:,.1f}" if ratio >= 1 else f"{ratio:.2g}"


def missing_peers_note(missing: Sequence[str]) -> str:
    """Return a line about the libraries that were not measured because they are not installed."""
    if not missing:
        return ""
    return f"\nNot installed, so not measured: {', '.join(missing)}. Install them with: {install_command('bench')}"
