"""`duelbook audit`: compare what a rule book claims with what is true."""

import json
from typing import Annotated

import typer

from duelbook import GAMES
from duelbook.cli.app import GAME, JSON, MEMORY, BrokenGames, app, show_progress
from duelbook.games import find_rules


@app.command("audit")
def audit(
    game: Annotated[str | None, GAME] = None,
    drawn_starts: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=1000, help="How many starts to draw of a game whose start is drawn."),
    ] = None,
    as_json: Annotated[bool, JSON] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> int:
    """Check what a rule book claims against exact values.

    The audit shows whether every game ends, who wins, and how far skill beats luck. Without GAME it covers all games.
    A game that is too large to be solved is measured by play. A game whose rules fail is passed over; the exit code is
    then 1.
    """
    from duelbook.study.audit import DRAWN_STARTS
    from duelbook.study.audit_by_play import audit_any_game
    from duelbook.terminal.audit import audit_json, audit_page

    names = [game] if game else list(GAMES)
    for name in names:
        find_rules(name)
    audits, broken = [], BrokenGames(is_one_of_many=not game)
    with show_progress("The audit"):
        for name in names:
            with broken.passed_over():
                audits.append(audit_any_game(name, drawn_starts or DRAWN_STARTS))
    if as_json:
        print(json.dumps(audit_json(audits), indent=2))
    else:
        print(audit_page(audits), end="")
    return broken.report()
