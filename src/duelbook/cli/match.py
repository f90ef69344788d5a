"""`duelbook match`: let two agents play each other."""

import json
from typing import Annotated

import typer

from duelbook import GAMES
from duelbook.agents import check_reachable, make_agent
from duelbook.cli.app import (
    AGENT,
    JSON,
    MEMORY,
    OPTION,
    PLY_LIMIT,
    PRESET_OPTION,
    SEED,
    app,
    complete_game,
    complete_player,
    rule_options,
    treat_sigterm_as_ctrl_c,
)
from duelbook.errors import RefusedError
from duelbook.terminal import EXIT_FINISHED
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook match --p1 greedy --p2 random --games 100
  duelbook match --game charge --option goal=21 --p1 mcts:200 --p2 club --json
"""


@app.command("match", epilog=EXAMPLES)
def match(
    p1: Annotated[str, typer.Option(metavar="AGENT", autocompletion=complete_player, help=AGENT)],
    p2: Annotated[str, typer.Option(metavar="AGENT", autocompletion=complete_player, help="Its opponent.")],
    games: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000_000, help="How many matches to play of each game.")
    ] = 20,
    game: Annotated[
        str | None,
        typer.Option(metavar="GAME", autocompletion=complete_game, help="Play only this game. By default all games."),
    ] = None,
    option: Annotated[list[str] | None, OPTION] = None,
    preset: Annotated[str | None, PRESET_OPTION] = None,
    seed: Annotated[int, SEED] = 0,
    ply_limit: Annotated[int | None, PLY_LIMIT] = None,
    as_json: Annotated[bool, JSON] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Let two agents play each other, and show how the first did.

    They take turns at moving first.
    """
    from duelbook.arena import play_series
    from duelbook.arena.plan import make_entry
    from duelbook.arena.report.text import series_text

    treat_sigterm_as_ctrl_c()
    for agent in (p1, p2):
        make_agent(agent).close()
    check_reachable((p1, p2))
    options = rule_options(option, preset)
    if options and game is None:
        raise RefusedError("--option and --preset need --game, because rule options belong to one game.")
    entries = [make_entry(name, options) for name in ([game] if game else GAMES)]
    screen, documents = Screen(), []
    for entry in entries:
        documents.append(play_series(entry, (p1, p2), games, seed=seed, ply_limit=ply_limit, display=screen))
        if not as_json:
            screen.say(series_text(documents[-1]))
    if as_json:
        print(json.dumps(documents, indent=2))
    return EXIT_FINISHED
