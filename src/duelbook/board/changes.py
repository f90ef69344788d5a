"""What a move would change on a board, for a player who points at it: the parts and cells that differ."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from duelbook.board.model import AnyPart, Board, Cell, Grid, Row, Track


class BoardChange(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something on a board that would be another one: a part, or a cell."""

    at: Sequence[str | int]  # the names and places that lead to it, such as `middle`, 0, `cells`, 3
    part: AnyPart | None = None
    cell: Cell | None = None


def board_changes(before: Board, after: Board) -> list[BoardChange]:
    """Return what lies elsewhere, or is somebody else's. What can be chosen next does not count."""
    changes = [*_in_parts(["middle"], before.middle, after.middle)]
    for seat in (0, 1):
        changes += _in_parts(["sides", seat, "parts"], before.sides[seat].parts, after.sides[seat].parts)
    return changes


def _in_parts(at: list[str | int], before: Sequence[AnyPart], after: Sequence[AnyPart]) -> Iterator[BoardChange]:
    for place, new in enumerate(after):
        old, here = before[place] if place < len(before) else None, [*at, place]
        if isinstance(old, Row | Track) and isinstance(new, Row | Track) and len(old.cells) == len(new.cells):
            yield from _in_cells([*here, "cells"], old.cells, new.cells)
        elif isinstance(old, Grid) and isinstance(new, Grid) and [*map(len, old.rows)] == [*map(len, new.rows)]:
            for number, (cells, later) in enumerate(zip(old.rows, new.rows, strict=True)):
                yield from _in_cells([*here, "rows", number], cells, later)
        elif old != new and not (isinstance(old, Row) and old.is_choice):
            yield BoardChange(at=here, part=new)


def _in_cells(at: list[str | int], before: Sequence[Cell], after: Sequence[Cell]) -> Iterator[BoardChange]:
    for place, (old, new) in enumerate(zip(before, after, strict=True)):
        if _face(old) != _face(new):
            yield BoardChange(at=[*at, place], cell=new)


def _face(cell: Cell) -> tuple[object, ...]:
    """Return what lies there, without what can be done with it."""
    is_there = cell.state if cell.state in ("empty", "gone", "lost") else ""
    return cell.text, cell.owner, cell.tokens, cell.count, is_there
