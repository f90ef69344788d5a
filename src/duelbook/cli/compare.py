"""`duelbook compare`: several tournaments and evaluations side by side."""

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from duelbook.cli.app import JSON, app
from duelbook.errors import RefusedError
from duelbook.files import check_new_file, full_path, write_atomic
from duelbook.terminal.screen import Screen

EXAMPLES = """\b
Examples:
  duelbook compare eval-mcts-50 eval-mcts-200 eval-hard
  duelbook compare before after --out changes.html
  duelbook compare positions-small-model positions-large-model
"""


@app.command("compare", epilog=EXAMPLES)
def compare(
    runs: Annotated[list[Path], typer.Argument(metavar="DIR...", help="Folders of tournaments and evaluations.")],
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="A new file for the page, with plots.")] = None,
    as_json: Annotated[bool, JSON] = False,
) -> None:
    """Compare the results of several runs.

    They are tournaments and evaluations, or position evaluations. Every agent that they measured gets a row: its score,
    how far that is from the same agent's in an earlier run (or else from the first row's), accuracy and regret. Of
    position evaluations, the accuracy is compared.
    """
    from duelbook.arena.comparison import compare_runs
    from duelbook.arena.report.comparison_page import comparison_page
    from duelbook.arena.report.text import comparison_text
    from duelbook.positions.comparison import compare_positions, holds_positions, position_comparison_text
    from duelbook.positions.comparison_page import position_comparison_page

    folders = [full_path(str(run)) for run in runs]
    compare_all, page_of, text_of = (
        (compare_positions, position_comparison_page, position_comparison_text)
        if any(map(holds_positions, folders))
        else (compare_runs, comparison_page, comparison_text)
    )
    file = full_path(str(out)) if out else None
    if file:
        check_new_file(file, "remove that one first")
    screen = Screen()
    with screen.busy("Reading the runs"):
        document = compare_all(folders)
    if file:
        try:
            write_atomic(file, page_of(document).encode())
        except OSError as error:
            raise RefusedError(f"Cannot write to '{file}': {error.strerror}.") from error
    if as_json:
        print(json.dumps(document, indent=2))
        return
    screen.say(text_of(document))
    if file:
        screen.say(f"\nThe page is {shlex.quote(str(file))}")
