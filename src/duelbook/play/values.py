"""Exact values in the terminal: the values of moves, and the page of `duelbook solve`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from duelbook.game import AnyGame, move_names
from duelbook.games import title
from duelbook.narration import Seating, narration_for
from duelbook.options import drawn_options, pairs_text
from duelbook.play.move_groups import named_together
from duelbook.solve import Value, solved, try_solve
from duelbook.study.hints import estimated_moves, plies_text
from duelbook.study.wording import percent
from duelbook.text import plural

if TYPE_CHECKING:
    from duelbook.online.views import RemoteValue
    from duelbook.study.documents import PositionReport  # which a player does not need


def value_text(value: Value, own_moves: int | None) -> str:
    """Return `win in 3 moves`, `loss in 2 moves`, `draw in 1 move` or `draw without end`, by the player's own moves."""
    end = "without end" if own_moves is None else f"in {plural(own_moves, 'move')}"
    return f"{value.name.lower()} {end}"


def move_values(game: AnyGame, state: Any, *, in_plies: bool = False) -> str:
    """Return every legal move under its value, which includes the move itself, or under an estimate."""
    groups: dict[str, list[str]] = {}
    if not try_solve(game):
        for estimate in estimated_moves(game, state):
            group = groups.setdefault(percent(round(estimate.score, 1)), [])
            group.append(game.move_name(state, estimate.move))
        return "\n".join(["Estimates of the score:", *_lines(game, state, groups)])
    solution = solved(game)
    for scored in solution.moves(state):
        value = value_text(scored.value, solution.own_moves(state, scored.move))
        if in_plies and scored.plies is not None:
            value = f"{scored.value.name.lower()} in {scored.plies}"
        group = groups.setdefault(value, [])
        group.append(game.move_name(state, scored.move))
    return "\n".join(_lines(game, state, groups))


def reported_values(game: AnyGame, state: Any, moves: "Mapping[str, RemoteValue]") -> str:
    """Return every legal move under its value, as a service reports it."""
    groups: dict[str, list[str]] = {}
    for name, worth in moves.items():
        groups.setdefault(value_text(Value[worth.value.upper()], worth.own_moves), []).append(name)
    return "\n".join(_lines(game, state, groups))


def _lines(game: AnyGame, state: Any, groups: dict[str, list[str]]) -> list[str]:
    """Return each value with its moves. Many moves are named together."""
    legal, describe = list(move_names(game, state)), narration_for(game, Seating()).describe_moves
    return [f"{value}: {named_together(names, legal, describe)}" for value, names in groups.items()]


def solve_page(game: AnyGame, report: "PositionReport", state: Any) -> str:
    """Return the report as text. It counts plies, as research does."""
    winner = {"first": "the first player wins", "second": "the second player wins", "none": "nobody wins"}
    end = "without end" if report.remoteness is None else f"in {plies_text(report.remoteness)}"
    position = f"after {', '.join(report.after)}" if report.after else "from the start"
    values = move_values(game, state, in_plies=True)
    moves = (
        f"The moves, with the plies (moves of either player) to the end:\n{values}" if values else "The game is over."
    )
    best = f"\n\n{report.hint.move}: {report.hint.why}" if report.hint else ""
    drawn = drawn_options(type(game))
    start = f"It starts with {pairs_text(game, drawn)}. Choose others with --seed or --option.\n\n" if drawn else ""
    return (
        f"{title(report.game)}, {position}: {winner[report.winner]} {end}.\n\n{start}{moves}{best}\n\n"
        f"Undecided {report.counted}: {report.states:,}. Solved or read from the cache in {report.seconds} s; "
        f"peak memory {report.megabytes} MB."
    )
