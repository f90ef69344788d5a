"""`duelbook match`: let two agents play each other."""

import json
from typing import Annotated

import typer

from duelbook.agents import check_agent, check_reachable
from duelbook.cli.agent_command import AgentCommand
from duelbook.cli.app import (
    GAME_LIST,
    JSON,
    MEMORY,
    OPENINGS,
    OPTION,
    PLY_LIMIT,
    PRESET_OPTION,
    SEED,
    BrokenGames,
    OpeningsName,
    app,
    rule_options,
    treat_sigterm_as_ctrl_c,
)
from duelbook.cli.completion import complete_agent
from duelbook.errors import RefusedError
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook match --p1 greedy --p2 random --matches 100
  duelbook match --games charge:goal=21 --p1 mcts:200 --p2 medium --json
"""


@app.command("match", cls=AgentCommand, epilog=EXAMPLES)
def match(
    p1: Annotated[str, typer.Option(metavar="AGENT", autocompletion=complete_agent, help="The first agent.")],
    p2: Annotated[str, typer.Option(metavar="AGENT", autocompletion=complete_agent, help="Its opponent.")],
    games: Annotated[list[str] | None, GAME_LIST] = None,
    matches: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=1_000_000, help="Matches of each game. By default 20."),
    ] = 20,
    option: Annotated[list[str] | None, OPTION] = None,
    preset: Annotated[str | None, PRESET_OPTION] = None,
    seed: Annotated[int, SEED] = 0,
    openings: Annotated[OpeningsName, OPENINGS] = "balanced",
    ply_limit: Annotated[int | None, PLY_LIMIT] = None,
    as_json: Annotated[bool, JSON] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Let two agents play each other, and show how the first did.

    They take turns at moving first. Of all games, one whose rules fail is passed over; the exit code is then 1.
    """
    from duelbook.arena import play_series
    from duelbook.arena.entries import make_entry, read_entries
    from duelbook.arena.report.text import series_text

    treat_sigterm_as_ctrl_c()
    agents = p1, p2
    for agent in agents:
        check_agent(agent)
    check_reachable(agents)
    names = games or []
    options = rule_options(option, preset)
    if options and (len(names) != 1 or "," in names[0] or ":" in names[0]):
        raise RefusedError("--option and --preset need --games with one game, because rule options belong to one game.")
    entries = [make_entry(names[0], options)] if options else read_entries(names or ["all"])
    screen, documents, broken = Screen(), [], BrokenGames(is_one_of_many=names in ([], ["all"]))
    for entry in entries:
        with broken.passed_over():
            documents.append(
                play_series(entry, agents, matches, seed=seed, openings=openings, ply_limit=ply_limit, display=screen)
            )
            if not as_json:
                screen.say(series_text(documents[-1]))
    if as_json:
        print(json.dumps(documents, indent=2))
    return broken.report()
