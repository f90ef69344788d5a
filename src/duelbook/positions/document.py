"""The scores of an agent on positions: a JSON document that is also a table, and that notebooks show."""

from collections.abc import Iterable
from typing import Any

from duelbook.arena.documents import ALL, ResultDocument
from duelbook.positions.report import SCORE, about_lines, result_lines
from duelbook.tables import Row, html_table, paragraph


class PositionScores(ResultDocument):
    """The scores of an agent on positions."""

    def rows(self) -> list[Row]:
        """Return a row for all answers, and one for each game, seat and stratum; none if there are no answers."""
        if not self["overall"]["answers"]:
            return []
        parts = [(name, cell[name], cell) for name, part in self["parts"].items() for cell in part]
        return [_row(by, part, cell) for by, part, cell in [(ALL, ALL, self["overall"]), *parts]]

    def notes(self) -> Iterable[str]:
        yield from about_lines(self)[1:]
        if self["overall"]["answers"]:
            yield from (SCORE, *result_lines(self))

    def _repr_html_(self) -> str:
        return html_table(self.rows(), about_lines(self)[0]) + "".join(map(paragraph, self.notes()))


def _row(by: str, part: str, cell: dict[str, Any]) -> Row:
    return {
        "by": by,
        "part": part,
        "positions": cell["positions"],
        "answers": cell["answers"],
        "accuracy": cell["accuracy"]["rate"],
        "low": cell["accuracy"]["low"],
        "high": cell["accuracy"]["high"],
        "chance": cell["chance"]["accuracy"],
        "score": cell["accuracy_score"]["rate"],
        "regret": cell["regret"]["rate"],
        "legal": cell["legal"]["rate"],
    }
