"""The review of a game as front ends show it: what decided it, every move judged, a chart, and each player."""

from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from duelbook.game import Player
from duelbook.games import label, title
from duelbook.match import Match
from duelbook.narration import Seating, narration_for
from duelbook.options import changed_options, pairs_text
from duelbook.play.values import value_text
from duelbook.records.record import Record, players_text
from duelbook.solve import Value
from duelbook.study.comments import comments, turning_point_text
from duelbook.study.estimated_review import EstimatedJudgement, EstimatedReview, EstimatedVerdict, best_review
from duelbook.study.review import NO_DECISIONS, JudgedMove, Review, Verdict
from duelbook.study.wording import percent
from duelbook.text import plural

ESTIMATED = (
    "This game is not solved. What follows are estimates by a search: the share of the points that the player scores "
    "in simulated games. They can be wrong."
)
COUNTED = "In brackets is what each move is worth to its player, counted in their own moves, with this one."
ACCURACY = "Accuracy counts only moves that could change the result."
ESTIMATED_VERDICTS = {
    EstimatedVerdict.OPENING: "drawn as the opening",
    EstimatedVerdict.FORCED: "forced",
    EstimatedVerdict.PREFERRED: "the search would play it, too",
    EstimatedVerdict.SIMILAR: "the search finds it about as good as {best}",
    EstimatedVerdict.DOUBTFUL: "the search prefers {best}, {best_score}",
}
SCORES = {Value.WIN: 1.0, Value.DRAW: 0.5, Value.LOSS: 0.0}
EXACT_ROWS = 3  # of a chart: won, a draw, lost


class Grade(StrEnum):
    """How good a move was, so that each front end can mark it in its way."""

    BEST = "best"
    GOOD = "good"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    LOST = "lost"  # every move loses
    NONE = "none"  # there was no decision


GRADES: dict[Verdict | EstimatedVerdict, Grade] = {
    Verdict.BEST: Grade.BEST,
    Verdict.GOOD: Grade.GOOD,
    Verdict.MISTAKE: Grade.MISTAKE,
    Verdict.BLUNDER: Grade.BLUNDER,
    Verdict.ALREADY_LOST: Grade.LOST,
    EstimatedVerdict.PREFERRED: Grade.BEST,
    EstimatedVerdict.SIMILAR: Grade.GOOD,
    EstimatedVerdict.DOUBTFUL: Grade.MISTAKE,
}


class GradedMove(NamedTuple):
    """A move and the verdict on it."""

    name: str
    mover: Player
    grade: Grade
    label: str  # the verdict in a word
    verdict: str  # with what the move is worth, as in `blunder (loss in 2 moves; best was 5)`
    comment: str  # why it was a mistake, or a trap that worked; mostly empty

    @property
    def is_fault(self) -> bool:
        """True if there was a better move."""
        return self.grade in (Grade.MISTAKE, Grade.BLUNDER)


class GameReview(NamedTuple):
    """What is known about a game after it was reviewed."""

    is_estimated: bool
    decided: str  # what decided the game; empty if that is not known
    moves: list[GradedMove]
    summaries: list[str]  # how well each player did, in a clause that begins with the name
    scores: list[float]  # of every position, for the first player

    def chart(self, names: tuple[str, str], estimated_rows: int) -> list[tuple[str, Sequence[bool]]]:
        """Return the rows of a chart: the label of each, and in which positions it has a point, from the first one on.

        A higher row is better for the first player. The names are those by seat; estimates have an odd number of rows.
        """
        rows = estimated_rows if self.is_estimated else EXACT_ROWS
        between = [""] * (rows // 2 - 1)
        end, middle = ("ahead", "even") if self.is_estimated else ("wins", "draw")
        labels = [f"{names[0]} {end}", *between, middle, *between, f"{names[1]} {end}"]
        places = [min(rows - 1, int(rows * (1 - score))) for score in self.scores]
        return [(name, [place == row for place in places]) for row, name in enumerate(labels)]


def review_record(record: Record) -> GameReview:
    """Return the review of a game: by exact values, or by a search if there are none."""
    return game_review(record, best_review(record))


def game_review(record: Record, review: Review | EstimatedReview) -> GameReview:
    """Return what front ends show of a review."""
    seating, said = record_seating(record), comments(record, review)
    judgements: Sequence[JudgedMove | EstimatedJudgement] = review.moves
    moves = []
    for ply, judged in enumerate(judgements, 1):
        word = judged.verdict.label if isinstance(judged.verdict, Verdict) else str(judged.verdict)
        comment = said[ply].text if ply in said else ""
        grade = GRADES.get(judged.verdict, Grade.NONE)
        moves.append(GradedMove(judged.name, judged.player, grade, word, _verdict_text(review, ply), comment))
    if isinstance(review, EstimatedReview):
        return GameReview(True, "", moves, [], [*review.scores])
    summaries = [_summary_text(review, seat, seating.name(seat)) for seat in seating.seats()]
    scores = [SCORES[value] for value in review.values]
    return GameReview(False, turning_point_text(record, review), moves, summaries, scores)


def _verdict_text(review: Review | EstimatedReview, ply: int) -> str:
    if isinstance(review, EstimatedReview):
        guess = review.moves[ply - 1]
        verdict = ESTIMATED_VERDICTS[guess.verdict].format(best=guess.best, best_score=percent(guess.best_score))
        return f"{percent(guess.score)} ({verdict})"
    judged = review.moves[ply - 1]
    better = f"; best was {judged.best}" if judged.verdict not in (*NO_DECISIONS, Verdict.BEST) else ""
    return f"{judged.verdict.label} ({value_text(judged.after, judged.own_moves)}{better})"


def _summary_text(review: Review, seat: Player, name: str) -> str:
    summary = review.summary(seat)
    if summary.regret is None:
        return f"{name}: no decision to make"
    accuracy = "no decision that mattered" if summary.accuracy is None else f"accuracy {summary.accuracy:.0%}"
    blunder = ""
    if summary.first_blunder:
        move = review.moves[summary.first_blunder - 1]
        blunder = f", first blunder on move {summary.first_blunder} ({move.name}; best was {move.best})"
    return f"{name}: {accuracy}{blunder}"


# What is known without a review


def record_seating(record: Record) -> Seating:
    """Return who sits where in a record."""
    return Seating((record.people[0].name, record.people[1].name), record.first)


def heading_text(record: Record) -> str:
    """Return which game was played, and who played it."""
    return f"{title(label(record.game))}: {players_text(record.people)}"


def changed_rules_text(record: Record) -> str:
    """Return which rules are not as in the book, or an empty text."""
    changed = changed_options(record.game)
    return f"Not as in the book: {pairs_text(record.game, changed)}" if changed else ""


def result_text(record: Record) -> str:
    """Return in one line who won and why, or how far an unfinished game went."""
    match = Match.resumed(record)
    narration = narration_for(record.game, record_seating(record))
    found = narration.result(match.state, match.moves, match.outcome, match.reason)
    return found or f"The game is unfinished after {plural(len(match.moves), 'move')}."
