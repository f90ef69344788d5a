"""The report of an evaluation as one HTML page, with the parts that the page of a tournament has."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from duelbook import __version__
from duelbook.agents import ForfeitKind
from duelbook.arena.report.markup import NO_VALUE, figure, page, percent, short_labels, table, tag, text
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
from duelbook.arena.report.plots import seat_plot, share_plot
from duelbook.arena.report.text import different_text, findings_text, replies_text, spent_text
from duelbook.arena.tally import RunTally, Score
from duelbook.intervals import share
from duelbook.text import plural

ALL = "all"
RESULT_COLUMNS = ["Opponent", COUNT_COLUMNS[0], "95% interval", *COUNT_COLUMNS[1:]]
ABOUT_SCORES = (
    "A win is a point and a draw half a point, and so is a match that stopped at the ply limit. Forfeits are losses. "
    "A match of agents that never vary counts once for a 95% interval, and matches from one opening count for "
    "fewer the more they end alike."
)


def evaluation_page(tally: RunTally, report: dict[str, Any]) -> str:
    """Return the page. `report` is the report of the evaluation as a JSON document."""
    plan, parts = tally.plan, _summary(tally, report)
    if not report["overall"]["matches"]:
        return page(f"Evaluation of {plan.agents[0]}", *parts, paragraph("No match is finished yet."))
    agents = [(plan.agents[number], _forfeits(tally, number)) for number in range(len(plan.agents))]
    losses = [
        {
            "agent": plan.players(fixture)[forfeit.by ^ fixture.first],
            "game": plan.games[fixture.entry],
            "kind": forfeit.kind,
            "detail": forfeit.detail,
        }
        for fixture, forfeit in tally.forfeits
    ]
    labels = short_labels(plan.agents[1:])
    short_opponents = [labels[agent] for agent in plan.agents[1:]]
    accuracies = [_game_accuracy(tally, entry) for entry in range(len(plan.entries))]
    accuracy = figure("Accuracy by game with 95% intervals", share_plot("Accuracy", accuracies, "accuracy"))
    parts += [
        "<h2>All games</h2>",
        *_tables(tally, None, accuracy),
        table("Cross table: points in each game against each opponent", ["", *short_opponents], _cross(tally)),
        paragraph(ABOUT_SCORES, "soft"),
        paragraph(ABOUT_MOVES, "soft"),
        *forfeit_section(agents, losses),
    ]
    for entry, game in enumerate(report["games"]):
        if game["matches"]:
            words = f"{lengths_text(tally, entry)} {different_text(game, game['win_rate']['low'])}"
            parts += [game_heading(plan, entry), paragraph(words), *_tables(tally, entry, lengths_figure(tally, entry))]
    return page(f"Evaluation of {plan.agents[0]}", *parts)


def _summary(tally: RunTally, report: dict[str, Any]) -> list[str]:
    """Return what was played and found, what it cost, and links to the games."""
    plan, overall = tally.plan, report["overall"]
    unfinished = "" if overall["matches"] == plan.total else f" {plan.total:,} are planned."
    facts = (
        f"{matches_text(overall['matches'], len(plan.entries))}{unfinished} The agent played "
        f"{plural(plan.pairs, 'pair')} of matches per game and opponent: the same opening, once from each seat. "
        f"{plan_text(plan)} Duelbook {__version__}."
    )
    found = " ".join(findings_text(overall))
    replies = f"Replies: {replies_text(report['replies'])}" if report["replies"] else ""
    played = [at for at, game in enumerate(report["games"]) if game["matches"]]
    links = [game_links(plan.games)] if len(played) == len(plan.games) else []
    asked = asked_sentence(report["plan"] if report["plan"]["reading"] else {})
    sentences = filter(None, (facts, asked, found, replies, spent_text(report["spent"])))
    return [*map(paragraph, sentences), *notes(report["notes"]), *links]


def _tables(tally: RunTally, entry: int | None, picture: str) -> list[str]:
    """Return the results against each opponent and all of them, in all games or in one."""
    opponents = [(number, tally.plan.agents[number]) for number in range(1, len(tally.plan.agents))]
    rows = [row for row in (_row(tally, entry, *opponent) for opponent in opponents) if row["matches"]]
    total = _row(tally, entry, None, ALL)
    figures = [
        figure("Score with 95% intervals", share_plot("Scores", rows, "score")),
        figure("Score as first player (●) and as second player (○)", seat_plot(_both_seats(rows))),
        picture,
    ]
    return [
        table("Results by opponent", RESULT_COLUMNS, map(_result, [*rows, total])),
        tag("div", *figures, class_="pictures"),
        table("Seats, moves and time", ["Opponent", *PLAY_COLUMNS], (_play(row) for row in [*rows, total])),
    ]


def _cross(tally: RunTally) -> list[list[str]]:
    scores = [
        [tally.score(entry=entry, agent=0, opponent=number) for number in range(1, len(tally.plan.agents))]
        for entry in range(len(tally.plan.entries))
    ]
    return [
        [text(game), *(cross_cell(score.points, score.matches) for score in row)]
        for game, row in zip(tally.plan.games, scores, strict=True)
    ]


def _both_seats(rows: Sequence[Row]) -> list[Row]:
    """Return the rows of opponents that have been met from both seats, as always when all matches are finished."""
    return [row for row in rows if row["as_first"]["matches"] and row["as_second"]["matches"]]


def _row(tally: RunTally, entry: int | None, opponent: int | None, name: str) -> Row:
    """Return what the agent did against an opponent, or against all of them, in the form of the standings."""
    seats = [tally.score(entry=entry, agent=0, opponent=opponent, seat=seat) for seat in (0, 1)]
    score, evidence = Score(), tally.evidence(entry=entry, opponent=opponent)
    for seat in seats:
        score.add(seat)
    return {
        "agent": name,
        "all": score,
        **score.results(),
        "forfeits": score.forfeits,
        "as_first": seats[0].results(),
        "as_second": seats[1].results(),
        "score": share(score.points, score.matches, evidence.points()),
        "accuracy": score.kept / score.mattered if score.mattered else None,
        "regret": score.mean_regret,
        "mattered": score.mattered,
    }


def _game_accuracy(tally: RunTally, entry: int) -> Row:
    score, evidence = tally.score(entry=entry, agent=0), tally.evidence(entry=entry)
    return {"agent": tally.plan.games[entry], "accuracy": share(score.kept, score.mattered, evidence.accuracy())}


def _result(row: Row) -> list[str]:
    _, low, high = row["score"]
    score, *others = counts(row)
    return [text(row["agent"]), score, NO_VALUE if low is None else f"{percent(low)} to {percent(high)}", *others]


def _play(row: Row) -> list[str]:
    return [text(row["agent"]), *play(row, row["all"])]


def _forfeits(tally: RunTally, agent: int) -> Counter[ForfeitKind]:
    return tally.score(agent=agent).forfeits
