"""The results of runs: JSON documents that are also tables, and that notebooks show."""

from collections.abc import Iterable
from typing import Any

from duelbook.arena.report.text import different_text
from duelbook.errors import RefusedError
from duelbook.tables import Row, data_frame, html_table, paragraph
from duelbook.text import shorten

ALL = "all"


class ResultDocument(dict[str, Any]):
    """A JSON document with a table of its most important figures."""

    def rows(self) -> list[Row]:
        """Return the figures as rows."""
        raise NotImplementedError

    def table(self) -> Any:
        """Return the rows as a table (see `duelbook.tables.data_frame`)."""
        return data_frame(self.rows())

    def notes(self) -> Iterable[str]:
        """Return sentences about the figures."""
        return ()

    def _repr_html_(self) -> str:
        return html_table(self.rows()) + "".join(map(paragraph, self.notes()))


class Standings(ResultDocument):
    """The standings of a tournament."""

    def rows(self, game: str = ALL) -> list[Row]:
        """Return a row for each agent, the best first, in all games together or in one of them."""
        parts = {ALL: self["overall"], **{part["game"]: part for part in self["games"]}}
        if game not in parts:
            raise RefusedError(f"The tournament has no game '{shorten(game)}'. Games: {', '.join(parts)}.")
        return [
            {
                "agent": row["agent"],
                "rating": row["rating"],
                "low": row["low"],
                "high": row["high"],
                "score": row["points"] / row["matches"],
                "matches": row["matches"],
                "wins": row["wins"],
                "draws": row["draws"],
                "losses": row["losses"],
                "ply_limit": row["ply_limit"],
                "forfeits": sum(row["forfeits"].values()),
                "accuracy": row["accuracy"],
                "regret": row["regret"],
            }
            for row in parts[game]["standings"]
        ]

    def table(self, game: str = ALL) -> Any:
        """Return the standings of all games together, or of one of them, as a table."""
        return data_frame(self.rows(game))

    def notes(self) -> Iterable[str]:
        yield different_text(self, self["overall"]["standings"][0]["low"])
        yield from self["notes"]


class EvaluationReport(ResultDocument):
    """The report of an evaluation."""

    def rows(self) -> list[Row]:
        """Return a row for each game, opponent and seat."""
        return [{name: cell[name] for name in ("game", "opponent", "seat")} | _figures(cell) for cell in self["cells"]]

    def summary(self) -> list[Row]:
        """Return a row for each game, and one for all together."""
        cells = [*((cell["game"], cell) for cell in self["games"]), (ALL, self["overall"])]
        return [{"game": game, **_figures(cell)} for game, cell in cells]

    def notes(self) -> Iterable[str]:
        yield different_text(self["overall"], (self["overall"]["win_rate"] or {}).get("low"))
        yield from self["notes"]

    def _repr_html_(self) -> str:
        about = f"{self['plan']['agent']} against {', '.join(self['plan']['opponents'])}"
        return html_table(self.summary(), about) + "".join(map(paragraph, self.notes()))


class Comparison(ResultDocument):
    """Several runs side by side: tournaments and evaluations, or position evaluations."""

    def rows(self, game: str = ALL) -> list[Row]:
        """Return a row for each run and agent, in all games together or in one of them."""
        parts = {ALL: self["overall"], **{part["game"]: part["rows"] for part in self["games"]}}
        if game not in parts:
            raise RefusedError(f"No run has the game '{shorten(game)}'. Games: {', '.join(parts)}.")
        return [_flat(row) for row in parts[game]]

    def table(self, game: str = ALL) -> Any:
        """Return the figures of all games together, or of one of them, as a table."""
        return data_frame(self.rows(game))

    def notes(self) -> Iterable[str]:
        yield from self["notes"]


class SeriesResult(ResultDocument):
    """How two agents did against each other."""

    def rows(self) -> list[Row]:
        """Return a row for the first agent in all matches, and one for each seat of it."""
        parts = {ALL: self, "first": self["as_first"], "second": self["as_second"]}
        names = ("matches", "points", "wins", "draws", "losses", "ply_limit")
        return [
            {"agent": self["agents"][0], "opponent": self["agents"][1], "seat": seat}
            | {name: part[name] for name in names}
            for seat, part in parts.items()
        ]

    def notes(self) -> Iterable[str]:
        ends = self["interval"]
        interval = f" (95% interval {ends[0]:.1%} to {ends[1]:.1%})" if ends else ""
        yield f"{self['game']}: {self['agents'][0]} scored {self['score']:.1%}{interval}."
        yield different_text(self, ends)


def _flat(row: dict[str, Any]) -> Row:
    """Return a row of a comparison with one value a column: an interval has two columns of its own."""
    flat: Row = {}
    for name, value in row.items():
        if name in ("difference", "accuracy", "accuracy_score", "regret_score", "score", "legal"):
            flat |= {f"{name}_{end}".removesuffix("_rate"): (value or {}).get(end) for end in ("rate", "low", "high")}
            if name == "difference":
                flat |= {end: (value or {}).get(end) for end in ("better", "pairs")}
        elif name == "reference":
            flat[name] = f"{value['agent']} in {value['run']}" if value else None
        elif name == "forfeits":
            flat[name] = sum(value.values())
        else:
            flat[name] = value["rate"] if isinstance(value, dict) else value
    return flat


def _figures(cell: dict[str, Any]) -> Row:
    """Return the figures of a part of an evaluation. What was not measured is None."""
    wins, accuracy = cell["win_rate"] or {}, cell["accuracy"] or {}
    return {
        "matches": cell["matches"],
        "wins": cell["wins"],
        "draws": cell["draws"],
        "losses": cell["losses"],
        "win_rate": wins.get("rate"),
        "low": wins.get("low"),
        "high": wins.get("high"),
        "accuracy": accuracy.get("rate"),
        "regret": cell["regret"],
        "forfeits": sum(cell["forfeits"].values()),
    }
