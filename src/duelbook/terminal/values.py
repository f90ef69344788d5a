"""Exact values at the terminal: marks for moves, and the page of `duelbook solve`."""

from collections.abc import Sequence
from typing import Any

from duelbook.game import AnyGame
from duelbook.games import title
from duelbook.solve import Value, solved
from duelbook.study.hints import plies, plies_text

NAMED = 12  # moves of one value that are named; more are counted


def value_text(value: Value, plies: int | None) -> str:
    """Answer `win in 5`, `loss in 4`, `draw in 3`, or `draw without end`."""
    return f"{value.name.lower()} without end" if plies is None else f"{value.name.lower()} in {plies}"


def move_values(game: AnyGame, state: Any) -> str:
    """Answer every legal move with its value, counting the move itself; moves of one value stand together."""
    groups: dict[str, list[str]] = {}
    for scored in solved(game).moves(state):
        groups.setdefault(value_text(scored.value, plies(scored)), []).append(game.move_name(state, scored.move))
    return "\n".join(f"{value}: {_names(names)}" for value, names in groups.items())


def _names(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")


def solve_page(game: AnyGame, report: dict[str, Any], state: Any) -> str:
    """Answer the report as text."""
    winner = {"first": "the first player wins", "second": "the second player wins", "none": "nobody wins"}
    end = "without end" if report["remoteness"] is None else f"in {plies_text(report['remoteness'])}"
    position = f"after {', '.join(report['after'])}" if report["after"] else "from the start"
    return (
        f"{title(report['game'])}, {position}: {winner[report['winner']]} {end}.\n\n"
        f"{move_values(game, state) or 'The game is over.'}\n\n"
        f"{report['states']:,} undecided {report['counted']}, {report['seconds']} s, "
        f"{report['megabytes']} MB at the most"
    )
