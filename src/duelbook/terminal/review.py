"""The page of `duelbook review`: every move judged, a chart of the game's value, and a summary for each player."""

from duelbook.games import label, title
from duelbook.narration import Seating
from duelbook.records.record import Record
from duelbook.solve import Value
from duelbook.study.review import Review, Verdict
from duelbook.terminal.values import value_text

POINT = "*"


def review_page(record: Record, review: Review) -> str:
    """Return the review as text."""
    seating = Seating((record.people[0].name, record.people[1].name), record.first)
    parts = [
        f"{title(label(record.game))}: {seating.names[0]} against {seating.names[1]}",
        _moves(review, seating),
        _chart(review, seating),
        "\n".join(_summary(review, seat, seating) for seat in seating.seats()),
    ]
    return "\n\n".join(part for part in parts if part)


def _moves(review: Review, seating: Seating) -> str:
    lines = []
    for number, move in enumerate(review.moves, 1):
        worth = value_text(move.after, None if move.remoteness is None else move.remoteness + 1)
        better = f"; best was {move.best}" if move.verdict not in (Verdict.FORCED, Verdict.BEST) else ""
        lines.append(f"{number}. {seating.name(move.player)}: {move.name}, {move.verdict.label} ({worth}{better})")
    return "\n".join(lines)


def _chart(review: Review, seating: Seating) -> str:
    """Return the value of every position, from the first on the left, as points on three rows."""
    rows = {Value.WIN: f"{seating.name(0)} wins", Value.DRAW: "draw", Value.LOSS: f"{seating.name(1)} wins"}
    width = max(map(len, rows.values()))
    return "\n".join(
        f"{label.ljust(width)} |{''.join(POINT if value is row else ' ' for value in review.values)}".rstrip()
        for row, label in rows.items()
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
