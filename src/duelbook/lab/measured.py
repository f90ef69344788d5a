"""The variants that a lab has measured: a list that is also a table, and that notebooks show."""

from collections.abc import Iterable
from typing import Any

from duelbook.lab.front import front
from duelbook.lab.measure import Variant
from duelbook.lab.plan import LabPlan
from duelbook.lab.table import table_of
from duelbook.tables import Row, data_frame, html_table


class MeasuredVariants(list[Variant]):
    """What was found about each variant of a plan, in order."""

    def __init__(self, plan: LabPlan, variants: Iterable[Variant]) -> None:
        super().__init__(variants)
        self.plan = plan

    def rows(self) -> list[Row]:
        """Return a row for each variant, with the columns of `variants.csv`."""
        columns = {name: column.cells for name, column in table_of(self.plan, self).items()}
        return [dict(zip(columns, cells, strict=True)) for cells in zip(*columns.values(), strict=True)]

    def table(self) -> Any:
        """Return the variants as a table (see `duelbook.tables.data_frame`)."""
        return data_frame(self.rows())

    def _repr_html_(self) -> str:
        """Return the most important figures of each variant, for notebooks."""
        best = front(self)
        return html_table([_row(one, one.number in best) for one in self], self.plan.game)


def _row(one: Variant, on_front: bool) -> Row:
    exact, played, scores = one.exact, one.played, one.scores
    return {
        "variant": one.label,
        "winner": exact and exact.winner,
        "plies": exact and exact.plies,
        "first seat": played and played.first_score,
        "depth": played and played.depth,
        "moves": played and played.moves,
        "fair": scores and scores.fairness,
        "deep": scores and scores.depth,
        "brief": scores and scores.brevity,
        "on the front": on_front,
        "too large": bool(one.too_large),
    }
