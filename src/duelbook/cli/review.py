"""`duelbook review`: judge the moves of a recorded game."""

import json
from typing import Annotated

import msgspec

from duelbook.cli.app import JSON, MEMORY, RECORD, app, show_progress
from duelbook.history.store import find_record


@app.command("review")
def review(
    game: Annotated[str | None, RECORD] = None,
    as_json: Annotated[bool, JSON] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> None:
    """Show what decided a game, and judge every move.

    Moves are judged by exact values, or by a search if the game is too large to be solved.
    """
    from duelbook.play.game_review import game_review
    from duelbook.study.documents import review_view
    from duelbook.study.estimated_review import best_review
    from duelbook.terminal.review import show_review

    record = find_record(game)
    with show_progress("The review") as screen:
        result = best_review(record)
    if as_json:
        print(json.dumps(msgspec.to_builtins(review_view(record, result)), indent=2))
    else:
        show_review(record, game_review(record, result), screen)
