"""Many moves in few words: those whose names share parts are named together, as `any letter on your board`."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

Pattern = tuple[str | None, ...]  # the parts of a name; None stands for any

MAX_PARTS = 4  # of a name; longer names are not grouped
MAX_NAMED_MOVES = 12  # more are counted


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
