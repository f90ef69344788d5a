"""`duelbook audit`: compare what a rule book claims with what is true."""

import json
from typing import Annotated

from duelbook import GAMES
from duelbook.cli.app import GAME, JSON, app, show_progress
from duelbook.games import find_rules


@app.command("audit")
def audit(game: Annotated[str | None, GAME] = None, as_json: Annotated[bool, JSON] = False) -> None:
    """Check what a rule book claims against exact values.

    The audit shows whether every game ends, who wins, and how far skill beats luck. Without GAME it covers all games.
    """
    from duelbook.study.audit import audit_game
    from duelbook.terminal.audit import audit_json, audit_page

    names = [game] if game else list(GAMES)
    for name in names:
        find_rules(name)
    with show_progress("The audit"):
        audits = [audit_game(name) for name in names]
    if as_json:
        print(json.dumps(audit_json(audits), indent=2))
    else:
        print(audit_page(audits), end="")
