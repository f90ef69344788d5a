"""The variants as a table, one row for each: as CSV, and as Parquet (extra `lab`)."""

import csv
import io
import shlex
from collections.abc import Sequence
from typing import Any, NamedTuple, get_args, get_type_hints

from msgspec import Struct

from duelbook.arena.entries import GameEntry
from duelbook.games import find_rules, label
from duelbook.lab.front import front
from duelbook.lab.measure import Exact, LevelMatches, Scores, Variant
from duelbook.lab.plan import LabPlan
from duelbook.options import drawn_options, options_of, write_options


class Column(NamedTuple):
    """A column of the table: the type of its cells, and the cells, None where nothing is known."""

    type: type
    cells: list[Any]


Table = dict[str, Column]  # by the name of the column


def table_of(plan: LabPlan, variants: Sequence[Variant]) -> Table:
    """Return the columns: the number, the swept options, what was found, and the command to play the variant."""
    best = front(variants)
    types = {option.name: int if option.type is int else str for option in options_of(find_rules(plan.game))}

    def column(kind: type, cells: Any) -> Column:
        return Column(kind, list(cells))

    return {
        "variant": column(int, (one.number for one in variants)),
        **{
            sweep.option: column(types[sweep.option], (one.options[sweep.option] for one in variants))
            for sweep in plan.sweeps
        },
        "too_large": column(str, (one.too_large for one in variants)),
        **_columns("exact_{}", Exact, [one.exact for one in variants]),
        **_columns("{}", LevelMatches, [one.played for one in variants]),
        **{
            f"first_score_{level}": column(float, (one.played and one.played.by_level[level] for one in variants))
            for level in plan.levels[:-1]
        },
        **_columns("{}_score", Scores, [one.scores for one in variants]),
        "front": column(bool, (one.number in best for one in variants)),
        "command": column(str, (command_of(plan.variants.entries[one.number]) for one in variants)),
    }


def _columns(name: str, kind: type[Struct], found: Sequence[Struct | None]) -> Table:
    """Return a column for each field of the Struct that is a number or a text."""
    hints = {field: (get_args(hint) or (hint,))[0] for field, hint in get_type_hints(kind).items()}
    return {
        name.format(field): Column(hint, [getattr(one, field, None) for one in found])
        for field, hint in hints.items()
        if hint in (int, float, str) and field != "by_level"
    }


def command_of(entry: GameEntry) -> str:
    """Return the command that plays the game: with the options that differ from the rule book or would be drawn."""
    rules = type(entry.game)
    book, drawn = write_options(rules()), drawn_options(rules)
    fixed = [(name, value) for name, value in write_options(entry.game).items() if name not in entry.drawn]
    given = [f"{name}={value}" for name, value in fixed if name in drawn or value != book[name]]
    return " ".join([f"duelbook play {label(entry.game)}", *(f"--option {shlex.quote(option)}" for option in given)])


def csv_bytes(table: Table) -> bytes:
    """Return the table as CSV. What is not known is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*(column.cells for column in table.values()), strict=True))
    return text.getvalue().encode()


def parquet_bytes(table: Table) -> bytes:
    """Return the table as Parquet."""
    import pyarrow
    from pyarrow import parquet

    types = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string(), bool: pyarrow.bool_()}
    arrays = {name: pyarrow.array(column.cells, types[column.type]) for name, column in table.items()}
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.table(arrays), sink)
    return bytes(sink.getvalue())
