"""The page of `duelbook review`: the result and what decided it, every move judged, a chart, and the players."""

from collections.abc import Sequence

from duelbook.games import label, title
from duelbook.match import Match
from duelbook.narration import Seating
from duelbook.options import changed_options, pairs_text
from duelbook.play.review_texts import chart, record_seating, result_text, summary_text, verdict_text
from duelbook.play.text_tables import StyledLine
from duelbook.records.record import Record, players_text
from duelbook.study.comments import comments, turning_point_text
from duelbook.study.estimated_review import EstimatedJudgement, EstimatedReview, EstimatedVerdict
from duelbook.study.review import JudgedMove, Review, Verdict
from duelbook.terminal.screen import HEADING, NOTE, RESULT, WARNING, Screen

POINT = "*"
TURNING_POINT = "bold"
ESTIMATED_ROWS = 5  # of the chart
STYLES: dict[Verdict | EstimatedVerdict, str] = {
    Verdict.BEST: "green",
    Verdict.MISTAKE: "yellow",
    Verdict.BLUNDER: "red",
    Verdict.ALREADY_LOST: "dim",
    EstimatedVerdict.DOUBTFUL: WARNING,
}
ESTIMATED = (
    "This game is not solved. What follows are estimates by a search: the share of the points that the player scores "
    "in simulated games. They can be wrong."
)
COUNTED = "In brackets is what each move is worth to its player, counted in their own moves, with this one."


def show_game_review(record: Record, screen: Screen) -> None:
    """Show the review of a game, which may not be kept. Ctrl-C stops it."""
    from duelbook.study.estimated_review import best_review

    try:
        with screen.busy("The review"):
            result = best_review(record)
    except KeyboardInterrupt:
        screen.say("Stopped. Type review to start it again.\n", NOTE)
    else:
        screen.say()
        show_review(record, result, screen)
        screen.say()


def show_review(record: Record, review: Review | EstimatedReview, screen: Screen) -> None:
    """Show the result, what decided the game, every move, the chart and the players."""
    seating = record_seating(record)
    names = (seating.name(0), seating.name(1))
    paragraphs = [
        [StyledLine(f"{title(label(record.game))}: {players_text(record.people)}", HEADING), *_changed_rules(record)],
        [StyledLine(result_text(record), RESULT), *_decided(record, review)],
    ]
    if isinstance(review, EstimatedReview):
        paragraphs += [_plain(ESTIMATED), _moves(review, names)]
    else:
        paragraphs += [[StyledLine(COUNTED, NOTE), *_moves(review, names)]]
    paragraphs += [
        _plain(_points(chart(review, names, ESTIMATED_ROWS), screen.columns)),
        _plain(_reasons(record, review)),
        _notes(record, seating),
    ]
    if isinstance(review, Review):
        paragraphs += [[StyledLine(summary_text(review, seat, seating.name(seat))) for seat in seating.seats()]]
    for number, paragraph in enumerate(filter(None, paragraphs)):
        for line in ([StyledLine()] if number else []) + paragraph:
            screen.say(*line)


def _plain(text: str) -> list[StyledLine]:
    return [StyledLine(line) for line in text.splitlines()]


def _changed_rules(record: Record) -> list[StyledLine]:
    changed = changed_options(record.game)
    return [StyledLine(f"Not as in the book: {pairs_text(record.game, changed)}", NOTE)] if changed else []


def _decided(record: Record, review: Review | EstimatedReview) -> list[StyledLine]:
    return [StyledLine(turning_point_text(record, review), TURNING_POINT)] if isinstance(review, Review) else []


def _moves(review: Review | EstimatedReview, names: tuple[str, str]) -> list[StyledLine]:
    moves: Sequence[JudgedMove | EstimatedJudgement] = review.moves
    texts = (
        f"{ply}. {names[move.player]}: {move.name}, {verdict_text(review, ply)}" for ply, move in enumerate(moves, 1)
    )
    return [StyledLine(text, STYLES.get(move.verdict, "")) for text, move in zip(texts, moves, strict=True)]


def _reasons(record: Record, review: Review | EstimatedReview) -> str:
    """Return why mistakes were mistakes, and the traps that worked."""
    return "\n".join(f"Move {ply}: {comment.text}" for ply, comment in comments(record, review).items())


def _notes(record: Record, seating: Seating) -> list[StyledLine]:
    """Return what programs said about their moves."""
    movers = Match.resumed(record).states
    return [
        StyledLine(f"Move {note.move}: {seating.name(record.game.mover(movers[note.move - 1]))} {note}")
        for note in record.notes
    ]


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
