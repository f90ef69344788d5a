"""The parts that the pages of tournaments, evaluations and comparisons share."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from duelbook.agents import ForfeitKind
from duelbook.arena.plan import MatchPlan
from duelbook.arena.report.markup import NO_VALUE, figure, percent, points, table, tag, text
from duelbook.arena.report.plots import length_plot
from duelbook.arena.report.text import asked_text
from duelbook.arena.tally import RunTally, Score
from duelbook.games import label, title
from duelbook.text import duration, plural

MAX_FORFEIT_ROWS = 50
LEGAL_MOVES = " Legal moves: "  # with these words the reason of an illegal move goes on
COUNT_COLUMNS = ["Score", "Won", "Drawn", "Ply limit", "Lost", "by forfeit"]
PLAY_COLUMNS = ["Score as first", "Score as second", "Accuracy", "Regret", "Decisions", "Time per move"]
ABOUT_MOVES = (
    "Accuracy is the share of decisions that kept the exact value of the position, among those in which some legal "
    "move would have given value away. Only these decisions count. Regret is the value that they gave away on average, "
    "where a win is 1, a draw 0 and a loss −1. A forfeit in such a decision is a wrong one, which gives away what was "
    "left to lose. The time per move is all that passed; a model's includes every request for the move and the pauses "
    "before it was sent again."
)

Row = dict[str, Any]  # what an agent did, as in the standings


def paragraph(words: str, kind: str | None = None) -> str:
    return tag("p", text(words), class_=kind)


def notes(sentences: Sequence[str]) -> list[str]:
    return [paragraph(note, "warn") for note in sentences]


def game_links(games: Sequence[str]) -> str:
    return tag("nav", *(tag("a", text(game), href=f"#game-{at}") for at, game in enumerate(games, 1)))


def game_heading(plan: MatchPlan, entry: int) -> str:
    """Return the heading of the section about a game, to which the links lead."""
    options = plan.games[entry].partition(":")[2]
    suffix = f" ({options.replace(':', ', ')})" if options else ""
    return tag("h2", text(title(label(plan.entries[entry].game)) + suffix), id=f"game-{entry + 1}")


def plan_text(plan: MatchPlan) -> str:
    """Return the settings that every match of the plan has."""
    limit = f"{plan.ply_limit}" if plan.ply_limit else "the default of each game"
    return (
        f"Seed: {plan.seed}. Openings: {plan.openings}. Ply limit, the most moves of both players in a match: {limit}."
    )


def asked_sentence(how: dict[str, Any]) -> str:
    """Return how language models are asked by these settings, or nothing if there are none."""
    return f"Language models have {asked_text(how)}." if how else ""


def counts(row: Row) -> list[str]:
    """Return the cells of COUNT_COLUMNS."""
    numbers = [row["wins"], row["draws"], row["ply_limit"], row["losses"], sum(row["forfeits"].values())]
    return [percent(row["points"], row["matches"]), *(f"{number:,}" for number in numbers)]


def cross_cell(scored: float, matches: int) -> str:
    """Return a cell of a cross table, whose colour shows the share of the points."""
    if not matches:
        return ""
    share = round(scored / matches, 3)
    return tag("td", f"{points(scored)} / {matches:,}", class_="share", style=f"--share: {share}")


def play(row: Row, score: Score) -> list[str]:
    """Return the cells of PLAY_COLUMNS."""
    seats = [percent(row[seat]["points"], row[seat]["matches"]) for seat in ("as_first", "as_second")]
    regret = NO_VALUE if row["regret"] is None else f"{row['regret']:.3f}"
    time = duration(score.seconds / score.moves) if score.moves else NO_VALUE
    return [*seats, percent(row["accuracy"]), regret, f"{row['mattered']:,}", time]


def lengths_text(tally: RunTally, entry: int) -> str:
    """Return how many moves a match of the game had."""
    lengths = tally.lengths[entry]
    if len(lengths) == 1:
        return f"Every match had {plural(min(lengths), 'move')}."
    mean = sum(length * count for length, count in lengths.items()) / lengths.total()
    return f"A match had {mean:.1f} moves on average, from {min(lengths)} to {max(lengths)}."


def lengths_figure(tally: RunTally, entry: int) -> str:
    return figure("Matches by number of moves", length_plot(tally.lengths[entry]))


def forfeit_section(agents: Sequence[tuple[str, Counter[ForfeitKind]]], losses: Sequence[Row]) -> list[str]:
    """Return the section on forfeits, which is always there: the kinds of each agent, and what happened."""
    if not losses:
        return ["<h2>Forfeits</h2>", paragraph("No match was forfeited.")]
    rows = [[text(agent), *(f"{kinds[kind]:,}" for kind in ForfeitKind)] for agent, kinds in agents]
    return [
        "<h2>Forfeits</h2>",
        table("Matches lost by forfeit, by kind", ["Agent", *ForfeitKind], rows),
        table("What happened", ["Agent", "Game", "Kind", "Matches", "Reason"], _grouped(losses), "words"),
    ]


def _grouped(losses: Sequence[Row]) -> list[list[str]]:
    """Return one row for all forfeits with the same agent, game, kind and reason, the most frequent first.

    Which moves were legal depends on the position, so that is no part of the reason.
    """
    groups = Counter(
        (one["agent"], one["game"], one["kind"], one["detail"].partition(LEGAL_MOVES)[0]) for one in losses
    )
    return [
        [*map(text, names), f"{count:,}", tag("td", text(detail), class_="long")]
        for (*names, detail), count in groups.most_common(MAX_FORFEIT_ROWS)
    ]


def matches_text(count: int, games: int) -> str:
    return f"{count:,} match{'' if count == 1 else 'es'} of {plural(games, 'game')}."
