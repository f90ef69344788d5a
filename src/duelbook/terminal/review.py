"""The page of `duelbook review`: the result and what decided it, every move judged, a chart, and the players."""

from collections.abc import Sequence

from duelbook.play.game_review import (
    COUNTED,
    ESTIMATED,
    GameReview,
    Grade,
    changed_rules_text,
    heading_text,
    record_seating,
    result_text,
)
from duelbook.play.text_tables import StyledLine
from duelbook.records.record import Record
from duelbook.terminal.screen import HEADING, NOTE, RESULT, WARNING, Screen

POINT = "*"
TURNING_POINT = "bold"
ESTIMATED_ROWS = 5  # of the chart
STYLES = {Grade.BEST: "green", Grade.MISTAKE: WARNING, Grade.BLUNDER: "red", Grade.LOST: "dim"}


def show_game_review(record: Record, screen: Screen) -> None:
    """Show the review of a game, which may not be kept. Ctrl-C stops it."""
    from duelbook.play.game_review import review_record

    try:
        with screen.busy("The review"):
            review = review_record(record)
    except KeyboardInterrupt:
        screen.say("Stopped. Type review to start it again.\n", NOTE)
    else:
        screen.say()
        show_review(record, review, screen)
        screen.say()


def show_review(record: Record, review: GameReview, screen: Screen) -> None:
    """Show the result, what decided the game, every move, the chart and the players."""
    seating = record_seating(record)
    names = (seating.name(0), seating.name(1))
    how = _lines([ESTIMATED]) if review.is_estimated else []
    moves = [
        StyledLine(f"{ply}. {names[move.mover]}: {move.name}, {move.verdict}", STYLES.get(move.grade, ""))
        for ply, move in enumerate(review.moves, 1)
    ]
    paragraphs = [
        [StyledLine(heading_text(record), HEADING), *_lines([changed_rules_text(record)], NOTE)],
        [StyledLine(result_text(record), RESULT), *_lines([review.decided], TURNING_POINT)],
        how,
        moves if how else [StyledLine(COUNTED, NOTE), *moves],
        _lines(_points(review.chart(names, ESTIMATED_ROWS), screen.columns).splitlines(), keeps_empty=True),
        _lines([f"Move {ply}: {move.comment}" for ply, move in enumerate(review.moves, 1) if move.comment]),
        _lines([f"Move {note.move}: {names[review.moves[note.move - 1].mover]} {note}" for note in record.notes]),
        _lines(review.summaries),
    ]
    for number, paragraph in enumerate(filter(None, paragraphs)):
        for line in ([StyledLine()] if number else []) + paragraph:
            screen.say(*line)


def _lines(texts: Sequence[str], style: str = "", *, keeps_empty: bool = False) -> list[StyledLine]:
    return [StyledLine(text, style) for text in texts if text or keeps_empty]


def _points(rows: Sequence[tuple[str, Sequence[bool]]], columns: int | None) -> str:
    """Return rows of points, each with its label; what is too long for the columns goes on below, after an empty line.

    A label takes at most half of the columns.
    """
    longest, length = max(len(label) for label, _ in rows), len(rows[0][1])
    width = longest if columns is None else max(1, min(longest, columns // 2))
    part = length if columns is None else max(1, columns - width - len(" |"))
    bands = (
        "\n".join(
            f"{_short(label, width).ljust(width)} |"
            f"{''.join(POINT if here else ' ' for here in points[start : start + part])}".rstrip()
            for label, points in rows
        )
        for start in range(0, length, part)
    )
    return "\n\n".join(bands)


def _short(label: str, width: int) -> str:
    """Return a label with a name that fits: `Bartholomew wins` as `Bart… wins`."""
    if len(label) <= width:
        return label
    name, _, last = label.rpartition(" ")
    return f"{name[: max(0, width - len(last) - 2)]}… {last}"[:width]
