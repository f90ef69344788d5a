"""The report of a tournament as one HTML page: standings, plots and tables, for all games together and for each."""

from collections import Counter
from functools import partial
from typing import Any

from duelbook import __version__
from duelbook.agents import ForfeitKind, trust_option
from duelbook.arena.report.markup import (
    NO_VALUE,
    duration,
    figure,
    page,
    percent,
    points,
    short_labels,
    signed,
    table,
    tag,
    text,
)
from duelbook.arena.report.plots import accuracy_plot, length_plot, rating_plot, seat_plot
from duelbook.arena.report.text import different_text
from duelbook.arena.tally import Tally
from duelbook.games import label, title
from duelbook.text import plural

MAX_FORFEIT_ROWS = 50

ABOUT_RATINGS = (
    "Ratings come from the Bradley–Terry model on the Elo scale: a difference of 400 points means odds of ten to "
    "one, and the mean of all agents is 0. A draw counts as half a win, and so does a match that stopped at the ply "
    "limit. Forfeits are losses. Jeffreys' prior keeps ratings finite. The 95% interval holds the ratings that the "
    "matches do not reject; a match that was played several times counts once for it, and matches from one opening "
    "count for fewer the more they end alike."
)
ABOUT_MOVES = (
    "Accuracy is the share of decisions that kept the exact value of the position, among those in which some legal "
    "move would have given value away. Regret is the value that a decision gave away on average, where a win is 1, a "
    "draw 0 and a loss −1."
)


def report_page(tally: Tally, document: dict[str, Any]) -> str:
    """Return the page."""
    heading = f"Tournament of {plural(len(tally.plan.agents), 'agent')}"
    return page(heading, *_summary(tally, document), *_sections(tally, document))


def _summary(tally: Tally, document: dict[str, Any]) -> list[str]:
    """Return what was played, how to play it again, and links to the games."""
    plan = tally.plan
    limit = f"{plan.ply_limit}" if plan.ply_limit else "the default of each game"
    facts = (
        f"{plan.total:,} matches of {plural(len(plan.entries), 'game')}. Every two agents played "
        f"{plural(plan.pairs, 'pair')} of matches per game: the same opening, once from each seat. "
        f"Seed: {plan.seed}. Openings: {plan.openings}. "
        f"Ply limit, the most moves of both players in a match: {limit}. Duelbook {__version__}."
    )
    links = [tag("a", text(game["game"]), href=f"#game-{at}") for at, game in enumerate(document["games"], 1)]
    notes = [tag("p", text(note), class_="warn") for note in document["notes"]]
    trust = trust_option(plan.agents)
    again = tag("code", f"duelbook tournament --manifest manifest.json --out NEW-FOLDER{trust}")
    return [
        tag("p", text(facts)),
        tag("p", text(different_text(document, document["overall"]["standings"][0]["low"]))),
        tag("p", "Play exactly the same tournament again: ", again),
        *notes,
        tag("nav", *links),
    ]


def _sections(tally: Tally, document: dict[str, Any]) -> list[str]:
    overall = document["overall"]
    accuracy = figure("Accuracy on decisions that mattered", accuracy_plot(overall["standings"]))
    parts = [
        "<h2>All games</h2>",
        *_tables(tally, None, overall, accuracy),
        tag("p", text(ABOUT_RATINGS), class_="soft"),
    ]
    parts += [tag("p", text(ABOUT_MOVES), class_="soft"), *_forfeits(document)]
    for at, game in enumerate(document["games"]):
        parts += _game(tally, at, game)
    return parts


def _game(tally: Tally, entry: int, game: dict[str, Any]) -> list[str]:
    heading, options = title(label(tally.plan.entries[entry].game)), game["game"].partition(":")[2]
    suffix = f" ({options.replace(':', ', ')})" if options else ""
    length = game["length"]
    words = f"A match had {length['mean']:.1f} moves on average, from {length['shortest']} to {length['longest']}."
    histogram = figure("Matches by number of moves", length_plot(game["lengths"]))
    return [
        tag("h2", text(heading + suffix), id=f"game-{entry + 1}"),
        tag("p", text(f"{_seats(game['seats'])} {words} {different_text(game, game['standings'][0]['low'])}")),
        *_tables(tally, entry, game, histogram),
    ]


def _seats(seats: dict[str, int]) -> str:
    """Return a sentence about the results by seat."""
    matches = sum(seats.values())
    parts = [f"the second {percent(seats['second'], matches)}"]
    parts += [f"{percent(seats['draws'], matches)} were draws"] * bool(seats["draws"])
    parts += [f"{plural(seats['ply_limit'], 'match', 'es')} stopped at the ply limit"] * bool(seats["ply_limit"])
    return f"The first player won {percent(seats['first'], matches)} of the matches, {', '.join(parts)}."


def _tables(tally: Tally, entry: int | None, part: dict[str, Any], *pictures: str) -> list[str]:
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
        table("Seats, moves and time", PLAY_COLUMNS, map(partial(_play, tally, entry), rows)),
    ]


STANDINGS_COLUMNS = ["Agent", "Rating", "95% interval", "Score", "Won", "Drawn", "Ply limit", "Lost", "by forfeit"]


def _standing(row: dict[str, Any]) -> list[str]:
    counts = [row["wins"], row["draws"], row["ply_limit"], row["losses"], sum(row["forfeits"].values())]
    interval = NO_VALUE if row["low"] is None else f"{signed(row['low'])} to {signed(row['high'])}"
    rating = [signed(row["rating"]), interval]
    return [text(row["agent"]), *rating, percent(row["points"], row["matches"]), *(f"{count:,}" for count in counts)]


PLAY_COLUMNS = ["Agent", "Score as first", "Score as second", "Accuracy", "Regret", "Decisions", "Time per move"]


def _play(tally: Tally, entry: int | None, row: dict[str, Any]) -> list[str]:
    score = tally.score(entry=entry, agent=tally.plan.agents.index(row["agent"]))
    seats = [percent(row[seat]["points"], row[seat]["matches"]) for seat in ("as_first", "as_second")]
    regret = NO_VALUE if row["regret"] is None else f"{row['regret']:.3f}"
    time = duration(score.seconds / score.moves) if score.moves else NO_VALUE
    return [text(row["agent"]), *seats, percent(row["accuracy"]), regret, f"{row['decisions']:,}", time]


def _labels(rows: list[dict[str, Any]]) -> list[str]:
    labels = short_labels([row["agent"] for row in rows])
    return [labels[row["agent"]] for row in rows]


def _cross(part: dict[str, Any]) -> list[list[str]]:
    names = _labels(part["standings"])
    return [[text(name), *map(_cell, cells)] for name, cells in zip(names, part["cross"], strict=True)]


def _cell(cell: dict[str, Any] | None) -> str:
    if cell is None:
        return ""
    share = round(cell["points"] / cell["matches"], 3)
    return tag("td", f"{points(cell['points'])} / {cell['matches']:,}", class_="share", style=f"--share: {share}")


def _forfeits(document: dict[str, Any]) -> list[str]:
    """Return the section on forfeits, which is always there."""
    forfeits, rows = document["forfeits"], document["overall"]["standings"]
    if not forfeits:
        return ["<h2>Forfeits</h2>", tag("p", "No match was forfeited.")]
    counts = [[text(row["agent"]), *(f"{row['forfeits'][kind]:,}" for kind in ForfeitKind)] for row in rows]
    return [
        "<h2>Forfeits</h2>",
        table("Matches lost by forfeit, by kind", ["Agent", *ForfeitKind], counts),
        table("What happened", ["Agent", "Game", "Kind", "Matches", "Reason"], _grouped(forfeits), "words"),
    ]


def _grouped(forfeits: list[dict[str, Any]]) -> list[list[str]]:
    """Return one row for all forfeits with the same agent, game, kind and reason, the most frequent first."""
    groups = Counter((one["agent"], one["game"], one["kind"], one["detail"]) for one in forfeits)
    return [
        [*map(text, names), f"{count:,}", tag("td", text(detail), class_="long")]
        for (*names, detail), count in groups.most_common(MAX_FORFEIT_ROWS)
    ]
