"""The report of a tournament as one HTML page: standings, plots and tables, for all games together and for each."""

from functools import partial
from typing import Any

from duelbook import __version__
from duelbook.agents import agent_settings, trust_option
from duelbook.agents.llm.settings import model_settings
from duelbook.arena.report.markup import NO_VALUE, figure, page, percent, short_labels, signed, table, tag, text
from duelbook.arena.report.parts import (
    ABOUT_MOVES,
    COUNT_COLUMNS,
    PLAY_COLUMNS,
    Row,
    asked_sentence,
    counts,
    cross_cell,
    forfeit_section,
    game_heading,
    game_links,
    lengths_figure,
    lengths_text,
    matches_text,
    notes,
    paragraph,
    plan_text,
    play,
)
from duelbook.arena.report.plots import accuracy_plot, rating_plot, seat_plot
from duelbook.arena.report.text import different_text
from duelbook.arena.tally import RunTally
from duelbook.text import plural

ABOUT_RATINGS = (
    "Ratings come from the Bradley–Terry model on the Elo scale: a difference of 400 points means odds of ten to "
    "one, and the mean of all agents is 0. A draw counts as half a win, and so does a match that stopped at the ply "
    "limit. Forfeits are losses. Jeffreys' prior keeps ratings finite. The 95% interval holds the ratings that the "
    "matches do not reject; a match of agents that never vary counts once for it, and matches from one opening "
    "count for fewer the more they end alike, or as one if every agent won all or none of its matches against each "
    "other one."
)
STANDINGS_COLUMNS = ["Agent", "Rating", "95% interval", *COUNT_COLUMNS]


def tournament_page(tally: RunTally, document: dict[str, Any]) -> str:
    """Return the page."""
    heading = f"Tournament of {plural(len(tally.plan.agents), 'agent')}"
    return page(heading, *_summary(tally, document), *_sections(tally, document))


def _summary(tally: RunTally, document: dict[str, Any]) -> list[str]:
    """Return what was played, how to play it again, and links to the games."""
    plan = tally.plan
    facts = (
        f"{matches_text(plan.total, len(plan.entries))} Every two agents played {plural(plan.pairs, 'pair')} of "
        f"matches per game: the same opening, once from each seat. {plan_text(plan)} Duelbook {__version__}."
    )
    again = tag("code", f"duelbook tournament --manifest manifest.json --out NEW-FOLDER{trust_option(plan.agents)}")
    asked = asked_sentence(model_settings(agent_settings(plan.agents)))
    return [
        *map(paragraph, filter(None, [facts, asked])),
        paragraph(different_text(document, document["overall"]["standings"][0]["low"])),
        tag("p", "Play exactly the same tournament again, from the folder of this page: ", again),
        *notes(document["notes"]),
        game_links(plan.games),
    ]


def _sections(tally: RunTally, document: dict[str, Any]) -> list[str]:
    overall = document["overall"]
    rows = overall["standings"]
    forfeits = [(row["agent"], tally.score(agent=tally.plan.agents.index(row["agent"])).forfeits) for row in rows]
    parts = [
        "<h2>All games</h2>",
        *_tables(tally, None, overall, figure("Accuracy on decisions that mattered", accuracy_plot(rows))),
        paragraph(ABOUT_RATINGS, "soft"),
        paragraph(ABOUT_MOVES, "soft"),
        *forfeit_section(forfeits, document["forfeits"]),
    ]
    for entry, game in enumerate(document["games"]):
        words = [_seats(game["seats"]), lengths_text(tally, entry), different_text(game, game["standings"][0]["low"])]
        parts += [
            game_heading(tally.plan, entry),
            paragraph(" ".join(words)),
            *_tables(tally, entry, game, lengths_figure(tally, entry)),
        ]
    return parts


def _seats(seats: dict[str, int]) -> str:
    """Return a sentence about the results by seat."""
    matches = sum(seats.values())
    parts = [f"the second {percent(seats['second'], matches)}"]
    parts += [f"{percent(seats['draws'], matches)} were draws"] * bool(seats["draws"])
    parts += [f"{plural(seats['ply_limit'], 'match', 'es')} stopped at the ply limit"] * bool(seats["ply_limit"])
    return f"The first player won {percent(seats['first'], matches)} of the matches, {', '.join(parts)}."


def _tables(tally: RunTally, entry: int | None, part: dict[str, Any], *pictures: str) -> list[str]:
    rows = part["standings"]
    figures = [
        figure("Ratings with 95% intervals", rating_plot(rows)),
        figure("Score as first player (●) and as second player (○)", seat_plot(rows)),
        *pictures,
    ]
    return [
        table("Standings", STANDINGS_COLUMNS, map(_standing, rows)),
        tag("div", *figures, class_="pictures"),
        table("Cross table: row against column", ["", *_labels(rows)], _cross(part)),
        table("Seats, moves and time", ["Agent", *PLAY_COLUMNS], map(partial(_play, tally, entry), rows)),
    ]


def _standing(row: Row) -> list[str]:
    interval = NO_VALUE if row["low"] is None else f"{signed(row['low'])} to {signed(row['high'])}"
    return [text(row["agent"]), signed(row["rating"]), interval, *counts(row)]


def _play(tally: RunTally, entry: int | None, row: Row) -> list[str]:
    score = tally.score(entry=entry, agent=tally.plan.agents.index(row["agent"]))
    return [text(row["agent"]), *play(row, score)]


def _labels(rows: list[Row]) -> list[str]:
    labels = short_labels([row["agent"] for row in rows])
    return [labels[row["agent"]] for row in rows]


def _cross(part: dict[str, Any]) -> list[list[str]]:
    names = _labels(part["standings"])
    return [
        [text(name), *(cross_cell(cell["points"], cell["matches"]) if cell else "" for cell in cells)]
        for name, cells in zip(names, part["cross"], strict=True)
    ]
