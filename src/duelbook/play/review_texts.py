"""What front ends tell about a game that was reviewed: its result, the verdict on each move, a chart, each player."""

from collections.abc import Sequence

from duelbook.game import Player
from duelbook.match import Match
from duelbook.narration import Seating, narration_for
from duelbook.play.values import value_text
from duelbook.records.record import Record
from duelbook.solve import Value
from duelbook.study.estimated_review import EstimatedReview, EstimatedVerdict
from duelbook.study.review import NO_DECISIONS, Review, Verdict
from duelbook.study.wording import percent
from duelbook.text import plural

ESTIMATED_VERDICTS = {
    EstimatedVerdict.OPENING: "drawn as the opening",
    EstimatedVerdict.FORCED: "forced",
    EstimatedVerdict.PREFERRED: "the search would play it, too",
    EstimatedVerdict.SIMILAR: "the search finds it about as good as {best}",
    EstimatedVerdict.DOUBTFUL: "the search prefers {best}, {best_score}",
}
FAULTS = (Verdict.MISTAKE, Verdict.BLUNDER, EstimatedVerdict.DOUBTFUL)
ROW_OF = {Value.WIN: 0, Value.DRAW: 1, Value.LOSS: 2}  # of a chart, for the first player


def record_seating(record: Record) -> Seating:
    """Return who sits where in a record."""
    return Seating((record.people[0].name, record.people[1].name), record.first)


def result_text(record: Record) -> str:
    """Return in one line who won and why, or how far an unfinished game went."""
    match = Match.resumed(record)
    narration = narration_for(record.game, record_seating(record))
    found = narration.result(match.state, match.moves, match.outcome, match.reason)
    return found or f"The game is unfinished after {plural(len(match.moves), 'move')}."


def verdict_text(review: Review | EstimatedReview, ply: int) -> str:
    """Return the verdict on a move, from 1: `blunder (loss in 2 moves; best was 5)`, or what a search thinks of it."""
    if isinstance(review, EstimatedReview):
        guess = review.moves[ply - 1]
        verdict = ESTIMATED_VERDICTS[guess.verdict].format(best=guess.best, best_score=percent(guess.best_score))
        return f"{percent(guess.score)} ({verdict})"
    judged = review.moves[ply - 1]
    better = f"; best was {judged.best}" if judged.verdict not in (*NO_DECISIONS, Verdict.BEST) else ""
    return f"{judged.verdict.label} ({value_text(judged.after, judged.own_moves)}{better})"


def summary_text(review: Review, seat: Player, name: str) -> str:
    """Return how well a player did, in a clause that begins with the name."""
    summary = review.summary(seat)
    if summary.regret is None:
        return f"{name}: no decision to make"
    accuracy = "no decision that mattered" if summary.accuracy is None else f"accuracy {summary.accuracy:.0%}"
    blunder = ""
    if summary.first_blunder:
        move = review.moves[summary.first_blunder - 1]
        blunder = f", first blunder on move {summary.first_blunder} ({move.name}; best was {move.best})"
    return f"{name}: {accuracy}{blunder}"


def chart(
    review: Review | EstimatedReview, names: tuple[str, str], estimated_rows: int
) -> list[tuple[str, Sequence[bool]]]:
    """Return the rows of a chart: the label of each, and in which positions it has a point, from the first one on.

    A higher row is better for the first player. Exact values have three rows; estimates have an odd number.
    """
    if isinstance(review, Review):
        labels = [f"{names[0]} wins", "draw", f"{names[1]} wins"]
        places = [ROW_OF[value] for value in review.values]
    else:
        between = [""] * (estimated_rows // 2 - 1)
        labels = [f"{names[0]} ahead", *between, "even", *between, f"{names[1]} ahead"]
        places = [min(estimated_rows - 1, int(estimated_rows * (1 - score))) for score in review.scores]
    return [(label, [place == row for place in places]) for row, label in enumerate(labels)]
