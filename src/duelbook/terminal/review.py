"""The page of `duelbook review`: the result and what decided it, every move judged, a chart, and the players."""

from collections.abc import Sequence
from typing import NamedTuple

from duelbook.games import label, title
from duelbook.match import Match
from duelbook.narration import Seating, narration_for
from duelbook.options import changed_options, pairs_text
from duelbook.play.values import value_text
from duelbook.records.record import Record, players_text
from duelbook.solve import Value
from duelbook.study.comments import comments, turning_point_text
from duelbook.study.estimated_review import EstimatedReview, EstimatedVerdict
from duelbook.study.review import NO_DECISIONS, Review, Verdict
from duelbook.study.wording import percent
from duelbook.terminal.screen import HEADING, NOTE, RESULT, WARNING, Screen
from duelbook.text import plural

POINT = "*"
TURNING_POINT = "bold"
STYLES = {Verdict.BEST: "green", Verdict.MISTAKE: "yellow", Verdict.BLUNDER: "red", Verdict.ALREADY_LOST: "dim"}
ESTIMATED = (
    "This game is not solved. What follows are estimates by a search: the share of the points that the player scores "
    "in simulated games. They can be wrong."
)
COUNTED = "In brackets is what each move is worth to its player, counted in their own moves, with this one."
VERDICTS = {
    EstimatedVerdict.OPENING: "drawn as the opening",
    EstimatedVerdict.FORCED: "forced",
    EstimatedVerdict.PREFERRED: "the search would play it, too",
    EstimatedVerdict.SIMILAR: "the search finds it about as good as {best}",
    EstimatedVerdict.DOUBTFUL: "the search prefers {best}, {best_score}",
}


class Line(NamedTuple):
    """A line of the page, and its style on a colour terminal."""

    text: str
    style: str = ""


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
    seating = Seating((record.people[0].name, record.people[1].name), record.first)
    paragraphs = [
        [Line(f"{title(label(record.game))}: {players_text(record.people)}", HEADING), *_changed_rules(record)],
        [Line(result_text(record, seating), RESULT), *_decided(record, review)],
    ]
    if isinstance(review, EstimatedReview):
        paragraphs += [
            _plain(ESTIMATED),
            _estimates(review, seating),
            _plain(_estimated_chart(review, seating, screen.columns)),
        ]
    else:
        chart = _chart(review, seating, screen.columns)
        paragraphs += [[Line(COUNTED, NOTE), *_moves(review, seating)], _plain(chart)]
    paragraphs += [_plain(_reasons(record, review)), _notes(record, seating)]
    if isinstance(review, Review):
        paragraphs += [[Line(summary_text(review, seat, seating)) for seat in seating.seats()]]
    for number, paragraph in enumerate(filter(None, paragraphs)):
        for line in ([Line("")] if number else []) + paragraph:
            screen.say(*line)


def result_text(record: Record, seating: Seating) -> str:
    """Return in one line who won and why, or how far an unfinished game went."""
    match = Match.resumed(record)
    found = narration_for(record.game, seating).result(match.state, match.moves, match.outcome, match.reason)
    return found or f"The game is unfinished after {plural(len(match.moves), 'move')}."


def _plain(text: str) -> list[Line]:
    return [Line(line) for line in text.splitlines()]


def _changed_rules(record: Record) -> list[Line]:
    changed = changed_options(record.game)
    return [Line(f"Not as in the book: {pairs_text(record.game, changed)}", NOTE)] if changed else []


def _decided(record: Record, review: Review | EstimatedReview) -> list[Line]:
    return [Line(turning_point_text(record, review), TURNING_POINT)] if isinstance(review, Review) else []


def _moves(review: Review, seating: Seating) -> list[Line]:
    lines = []
    for number, move in enumerate(review.moves, 1):
        worth = value_text(move.after, move.own_moves)
        better = f"; best was {move.best}" if move.verdict not in (*NO_DECISIONS, Verdict.BEST) else ""
        text = f"{number}. {seating.name(move.player)}: {move.name}, {move.verdict.label} ({worth}{better})"
        lines.append(Line(text, STYLES.get(move.verdict, "")))
    return lines


def _reasons(record: Record, review: Review | EstimatedReview) -> str:
    """Return why mistakes were mistakes, and the traps that worked."""
    return "\n".join(f"Move {ply}: {comment.text}" for ply, comment in comments(record, review).items())


def _notes(record: Record, seating: Seating) -> list[Line]:
    """Return what programs said about their moves."""
    movers = Match.resumed(record).states
    return [
        Line(f"Move {note.move}: {seating.name(record.game.mover(movers[note.move - 1]))} {note}")
        for note in record.notes
    ]


def _estimates(review: EstimatedReview, seating: Seating) -> list[Line]:
    lines = []
    for number, move in enumerate(review.moves, 1):
        verdict = VERDICTS[move.verdict].format(best=move.best, best_score=percent(move.best_score))
        text = f"{number}. {seating.name(move.player)}: {move.name}, {percent(move.score)} ({verdict})"
        lines.append(Line(text, WARNING if move.verdict is EstimatedVerdict.DOUBTFUL else ""))
    return lines


def _chart(review: Review, seating: Seating, columns: int | None) -> str:
    """Return the value of every position, from the first on the left, as points on three rows."""
    rows = {Value.WIN: f"{seating.name(0)} wins", Value.DRAW: "draw", Value.LOSS: f"{seating.name(1)} wins"}
    return _points([(label, [value is row for value in review.values]) for row, label in rows.items()], columns)


def _estimated_chart(review: EstimatedReview, seating: Seating, columns: int | None) -> str:
    """Return the score of every position, from the first on the left, as points on five rows."""
    labels = (f"{seating.name(0)} ahead", "", "even", "", f"{seating.name(1)} ahead")
    at = [min(4, int(5 * (1 - score))) for score in review.scores]
    return _points([(label, [place == row for place in at]) for row, label in enumerate(labels)], columns)


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


def summary_text(review: Review, seat: int, seating: Seating) -> str:
    summary = review.summary(seat)
    if summary.regret is None:
        return f"{seating.name(seat)}: no decision to make"
    accuracy = "no decision that mattered" if summary.accuracy is None else f"accuracy {summary.accuracy:.0%}"
    blunder = ""
    if summary.first_blunder:
        move = review.moves[summary.first_blunder - 1]
        blunder = f", first blunder on move {summary.first_blunder} ({move.name}; best was {move.best})"
    return f"{seating.name(seat)}: {accuracy}{blunder}"
