"""Exact values as text: the values of moves, many of them in few words, and the page of `duelbook solve`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from duelbook.game import AnyGame, move_names
from duelbook.games import title
from duelbook.narration import Seating, narration_for
from duelbook.options import drawn_options, pairs_text
from duelbook.solve import Value, solved, try_solve
from duelbook.study.hints import estimated_moves, plies_text
from duelbook.study.wording import percent
from duelbook.text import plural

if TYPE_CHECKING:
    from duelbook.online.views import RemoteValue
    from duelbook.study.documents import PositionReport  # which a player does not need

Pattern = tuple[str | None, ...]  # the parts of a name; None stands for any

MAX_PARTS = 4  # of a name; longer names are not grouped
MAX_NAMED_MOVES = 12  # more are counted


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


def named_together(names: Sequence[str], legal: Sequence[str], describe: Callable[[Pattern], str]) -> str:
    """Return the moves in words: one by one if they are few, else by what their names have in common.

    Every legal move that fits such a description is among them.
    """
    if len(names) <= MAX_NAMED_MOVES:
        return ", ".join(names)
    if len(names) == len(legal):
        return "any move"
    wanted, others = {tuple(name.split()) for name in names}, {tuple(name.split()) for name in legal}
    others -= wanted
    left, texts = set(wanted), list[str]()
    for pattern in _patterns(wanted, others):
        covered = {parts for parts in left if _fits(pattern, parts)}
        if len(covered) > 1:
            texts.append(describe(pattern))
            left -= covered
    texts += [name for name in names if tuple(name.split()) in left]
    more = len(texts) - MAX_NAMED_MOVES
    if more > 0 and len(others) <= MAX_NAMED_MOVES:
        return "every other move"
    return ", ".join(texts[:MAX_NAMED_MOVES]) + (f" and {more} more" if more > 0 else "")


def _patterns(wanted: set[tuple[str, ...]], others: set[tuple[str, ...]]) -> Iterator[Pattern]:
    """Yield the patterns that only wanted moves fit, the most general ones first."""
    for length in sorted({len(parts) for parts in wanted if 1 < len(parts) <= MAX_PARTS}):
        for fixed in range(1, length):
            for places in combinations(range(length), fixed):
                refused = {_pattern(parts, places) for parts in others if len(parts) == length}
                found = {_pattern(parts, places) for parts in wanted if len(parts) == length}
                yield from sorted(found - refused, key=lambda pattern: [part or "" for part in pattern])


def _pattern(parts: tuple[str, ...], places: tuple[int, ...]) -> Pattern:
    return tuple(part if place in places else None for place, part in enumerate(parts))


def _fits(pattern: Pattern, parts: tuple[str, ...]) -> bool:
    return len(pattern) == len(parts) and all(one in (None, part) for one, part in zip(pattern, parts, strict=True))


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
