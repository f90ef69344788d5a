"""`duelbook review`: judge the moves of a recorded game."""

import json
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from duelbook.cli.app import JSON, MEMORY, app, show_progress
from duelbook.files import full_path
from duelbook.records import load_record


@app.command("review")
def review(
    file: Annotated[Path, typer.Argument(metavar="RECORD", help="A game saved with --record or save.")],
    as_json: Annotated[bool, JSON] = False,
    memory: Annotated[str | None, MEMORY] = None,
) -> None:
    """Show what decided a recorded game, and judge every move against exact values.

    In a game that is too large to be solved, a search estimates them.
    """
    from duelbook.study.documents import review_view
    from duelbook.study.estimated_review import best_review
    from duelbook.terminal.review import show_review

    record = load_record(full_path(str(file)))
    with show_progress("The review") as screen:
        result = best_review(record.game, record.moves)
    if as_json:
        print(json.dumps(msgspec.to_builtins(review_view(record, result)), indent=2))
    else:
        show_review(record, result, screen)
