"""The page of `duelbook review`: every move judged, a chart of the game's value, and a summary for each player."""

from collections.abc import Sequence

from duelbook.games import label, title
from duelbook.narration import Seating
from duelbook.records.record import Record
from duelbook.solve import Value
from duelbook.study.comments import comments, turning_point_text
from duelbook.study.estimated_review import EstimatedReview, EstimatedVerdict
from duelbook.study.review import Review, Verdict
from duelbook.study.wording import percent
from duelbook.terminal.values import value_text

POINT = "*"
ESTIMATED = (
    "This game is too large to be solved. What follows are estimates by a search: the share of the points that the\n"
    "player scores in simulated games. They can be wrong."
)
COUNTED = "In brackets is what each move is worth to its player, counted in their own moves, with this one."
VERDICTS = {
    EstimatedVerdict.FORCED: "forced",
    EstimatedVerdict.PREFERRED: "the search would play it, too",
    EstimatedVerdict.SIMILAR: "the search finds it about as good as {best}",
    EstimatedVerdict.DOUBTFUL: "the search prefers {best}, {best_score}",
}


def review_page(record: Record, review: Review | EstimatedReview) -> str:
    """Return the review as text."""
    seating = Seating((record.people[0].name, record.people[1].name), record.first)
    heading = f"{title(label(record.game))}: {seating.names[0]} against {seating.names[1]}"
    reasons = _reasons(record, review)
    if isinstance(review, EstimatedReview):
        parts = [heading, ESTIMATED, _estimates(review, seating), _estimated_chart(review, seating), reasons]
        return "\n\n".join(part for part in parts if part)
    parts = [
        f"{heading}\n{COUNTED}",
        _moves(review, seating),
        _chart(review, seating),
        f"{turning_point_text(record, review)}\n{reasons}".rstrip(),
        "\n".join(_summary(review, seat, seating) for seat in seating.seats()),
    ]
    return "\n\n".join(part for part in parts if part)


def _moves(review: Review, seating: Seating) -> str:
    lines = []
    for number, move in enumerate(review.moves, 1):
        worth = value_text(move.after, move.own_moves)
        better = f"; best was {move.best}" if move.verdict not in (Verdict.FORCED, Verdict.BEST) else ""
        lines.append(f"{number}. {seating.name(move.player)}: {move.name}, {move.verdict.label} ({worth}{better})")
    return "\n".join(lines)


def _reasons(record: Record, review: Review | EstimatedReview) -> str:
    """Return why mistakes were mistakes, and the traps that worked."""
    return "\n".join(f"Move {ply}: {comment.text}" for ply, comment in comments(record, review).items())


def _estimates(review: EstimatedReview, seating: Seating) -> str:
    lines = []
    for number, move in enumerate(review.moves, 1):
        verdict = VERDICTS[move.verdict].format(best=move.best, best_score=percent(move.best_score))
        lines.append(f"{number}. {seating.name(move.player)}: {move.name}, {percent(move.score)} ({verdict})")
    return "\n".join(lines)


def _chart(review: Review, seating: Seating) -> str:
    """Return the value of every position, from the first on the left, as points on three rows."""
    rows = {Value.WIN: f"{seating.name(0)} wins", Value.DRAW: "draw", Value.LOSS: f"{seating.name(1)} wins"}
    return _points([(label, [value is row for value in review.values]) for row, label in rows.items()])


def _estimated_chart(review: EstimatedReview, seating: Seating) -> str:
    """Return the score of every position, from the first on the left, as points on five rows."""
    labels = (f"{seating.name(0)} ahead", "", "even", "", f"{seating.name(1)} ahead")
    at = [min(4, int(5 * (1 - score))) for score in review.scores]
    return _points([(label, [place == row for place in at]) for row, label in enumerate(labels)])


def _points(rows: Sequence[tuple[str, Sequence[bool]]]) -> str:
    """Return rows of points, each with its label."""
    width = max(len(label) for label, _ in rows)
    return "\n".join(
        f"{label.ljust(width)} |{''.join(POINT if here else ' ' for here in points)}".rstrip() for label, points in rows
    )


def _summary(review: Review, seat: int, seating: Seating) -> str:
    summary = review.summary(seat)
    if summary.regret is None:
        return f"{seating.name(seat)}: no decision to make"
    accuracy = "no decision that mattered" if summary.accuracy is None else f"accuracy {summary.accuracy:.0%}"
    blunder = ""
    if summary.first_blunder:
        move = review.moves[summary.first_blunder - 1]
        blunder = f", first blunder on move {summary.first_blunder} ({move.name}; best was {move.best})"
    return f"{seating.name(seat)}: {accuracy}{blunder}"
