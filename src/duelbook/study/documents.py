"""Studies as JSON: each shape is declared once, for `--json` on the command line and for the service."""

import time
from typing import Annotated, Any, Literal, cast

from msgspec import UNSET, Meta, Struct, UnsetType

from duelbook.game import (
    SEAT_NAMES,
    AnyGame,
    OutcomeName,
    Reason,
    SeatName,
    canonical_form,
    offered_moves,
    outcome_name,
    parse_move,
    state_view,
)
from duelbook.games import label
from duelbook.options import write_options
from duelbook.records.record import Record, state_after
from duelbook.solve import Value, solved
from duelbook.study.comments import comments, turning_point, turning_point_text
from duelbook.study.estimated_review import EstimatedReview
from duelbook.study.facts import AnyFact, Comment, OwnMoves, TurningPoint, ValueName
from duelbook.study.hints import Hint, hint
from duelbook.study.puzzle_kinds import Puzzle
from duelbook.study.puzzles import refutation, task_text, why_right, why_wrong
from duelbook.study.review import Review
from duelbook.text import sentence

WinnerName = Literal["first", "second", "none"]
PuzzleKindName = Literal["win", "only-move", "trap"]
Remoteness = Annotated[int | None, Meta(description="plies until the end; null in a draw without end")]

WINNERS: dict[Value, tuple[WinnerName, WinnerName]] = {  # by value for the player to move, and by that player's seat
    Value.WIN: ("first", "second"),
    Value.LOSS: ("second", "first"),
    Value.DRAW: ("none", "none"),
}


class MoveValue(Struct, kw_only=True, forbid_unknown_fields=True):
    """The exact value of a move for the player who makes it."""

    value: ValueName
    remoteness: Remoteness
    own_moves: OwnMoves


class HintView(Struct, kw_only=True, forbid_unknown_fields=True):
    """Help in three steps: a nudge, the move to play, and why."""

    nudge: Annotated[str, Meta(description="what to look for; it does not name the move")]
    move: str
    why: str
    facts: Annotated[list[AnyFact], Meta(description="what is proven about the move; the text says no more")]


class PositionReport(Struct, kw_only=True, forbid_unknown_fields=True):
    """The exact value of a position and of every move in it, and what it took to solve the game."""

    game: str
    options: dict[str, int | str]
    after: Annotated[list[str], Meta(description="the moves from the start")]
    states: int
    counted: Literal["classes", "states"]
    value: Annotated[ValueName, Meta(description="for the player to move")]
    winner: WinnerName
    remoteness: Remoteness
    winner_moves: Annotated[int | None, Meta(description="moves of the winner until the end; null without a winner")]
    moves: Annotated[dict[str, MoveValue], Meta(description="best first")]
    hint: Annotated[HintView | None, Meta(description="null once the game is over")]
    seconds: float
    megabytes: int


class PuzzleView(Struct, kw_only=True, forbid_unknown_fields=True):
    """A position with a question about it. The answer comes only with an attempt."""

    game: str
    options: dict[str, int | str]
    kind: Annotated[
        PuzzleKindName, Meta(description="the only move that wins, the only one that does not lose, or a trap")
    ]
    task: Annotated[str, Meta(description="what is asked, as a sentence")]
    level: int
    plies: Annotated[int, Meta(description="to look ahead, both players' moves counted: to the win, or to the loss")]
    own_moves: Annotated[int, Meta(description="of the player until the end of the game; 0 if it is endless")]
    right_moves: Annotated[int, Meta(description="how many moves are right")]
    moves: Annotated[list[str], Meta(description="that led to the position")]
    mover: SeatName
    legal: list[str]
    text: str
    view: dict[str, Any]
    right: Annotated[bool, Meta(description="only with an attempt")] | UnsetType = UNSET
    answer: Annotated[str, Meta(description="only with an attempt")] | UnsetType = UNSET
    why: Annotated[str, Meta(description="only with an attempt: why the right move is right")] | UnsetType = UNSET
    why_not: Annotated[str, Meta(description="only with a wrong attempt: why it is wrong")] | UnsetType = UNSET
    trap: Annotated[str, Meta(description="only with an attempt at a trap: the move that tempts")] | UnsetType = UNSET
    facts: Annotated[list[AnyFact], Meta(description="only with an attempt: what is proven")] | UnsetType = UNSET
    refutation: (
        Annotated[list[str], Meta(description="only with an attempt: the replies that show why a move is wrong")]
        | UnsetType
    ) = UNSET
    replier: Annotated[SeatName, Meta(description="only with an attempt: who makes the first reply")] | UnsetType = (
        UNSET
    )


class JudgedMoveView(Struct, kw_only=True, forbid_unknown_fields=True):
    """A move of a match, judged by exact values, or by a search if the game is too large to be solved."""

    player: SeatName
    move: str
    verdict: str
    before: Annotated[ValueName | None, Meta(description="of the position, for the player; null if it is not known")]
    after: Annotated[ValueName | None, Meta(description="of the position after the move, for the same player")]
    remoteness: Remoteness
    score: Annotated[float, Meta(description="of the position after the move, for the player: 0 to 1")]
    best: str
    regret: Annotated[int | None, Meta(description="what the move gave away: 0 to 2; null if it is not known")]
    mattered: Annotated[bool, Meta(description="some legal move would not have kept the value")]
    why: Annotated[str | None, Meta(description="why it was a mistake, or a trap that worked; null for other moves")]
    facts: Annotated[list[AnyFact], Meta(description="what is proven about it; the text says no more")]
    note: Annotated[str | None, Meta(description="what the program that played it said about it; null if nothing")]


class PlayerSummary(Struct, kw_only=True, forbid_unknown_fields=True):
    """A player's game in numbers; null if there was nothing to measure."""

    name: str
    seat: SeatName
    accuracy: float | None
    regret: float | None
    first_blunder: int | None


class ReviewView(Struct, kw_only=True, forbid_unknown_fields=True):
    """A match, judged move by move."""

    game: str
    result: OutcomeName
    reason: Reason
    exact: Annotated[bool, Meta(description="by exact values; if not, everything is an estimate by a search")]
    values: Annotated[list[ValueName], Meta(description="of every position, for the first player; none if not exact")]
    scores: Annotated[list[float], Meta(description="of every position, for the first player: 1 wins, 0 loses")]
    turning_point: Annotated[TurningPoint | None, Meta(description="null if no move is known to be a mistake")]
    decided: Annotated[str, Meta(description="what decided the game, as a sentence; empty if not exact")]
    moves: list[JudgedMoveView]
    players: list[PlayerSummary]


def position_report(game: AnyGame, after: tuple[str, ...]) -> PositionReport:
    """Return the exact values of the position after the named moves, and what it took to solve the game."""
    import resource  # not available on every system

    start = time.perf_counter()
    state = state_after(game, after)
    solution = solved(game)
    value, seconds = solution.value(state), round(time.perf_counter() - start, 3)
    best = hint(game, state)
    return PositionReport(
        game=label(game),
        options=write_options(game),
        after=list(after),
        states=solution.states(),
        counted="classes" if canonical_form(game) else "states",
        value=value_name(value),
        winner=WINNERS[value][game.mover(state)],
        remoteness=solution.remoteness(state),
        winner_moves=None
        if value is Value.DRAW
        else solution.count_moves(state, game.mover(state) ^ (value is Value.LOSS)),
        moves={
            game.move_name(state, scored.move): MoveValue(
                value=value_name(scored.value),
                remoteness=scored.remoteness,
                own_moves=solution.own_moves(state, scored.move),
            )
            for scored in solution.moves(state)
        },
        hint=best and hint_view(best),
        seconds=seconds,
        megabytes=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    )


def hint_view(found: Hint) -> HintView:
    """Return a hint as a document."""
    return HintView(nudge=found.nudge, move=found.move, why=sentence(found.why), facts=list(found.facts))


def puzzle_view(puzzle: Puzzle, attempt: str | None = None) -> PuzzleView:
    """Return the puzzle and, if a move was tried, whether it is the right one."""
    game, state = puzzle.game, puzzle.state
    view = PuzzleView(
        game=label(game),
        options=write_options(game),
        kind=cast(PuzzleKindName, str(puzzle.kind)),
        task=task_text(puzzle),
        level=puzzle.level,
        plies=puzzle.plies,
        own_moves=puzzle.own_moves(),
        right_moves=len(puzzle.right),
        moves=puzzle.move_names(),
        mover=SEAT_NAMES[game.mover(state)],
        legal=[game.move_name(state, move) for move in offered_moves(game, state)],
        text=game.render(state),
        view=state_view(game, state),
    )
    if attempt is not None:
        move = parse_move(game, state, attempt)
        view.right = move in puzzle.right
        view.answer = game.move_name(state, move if view.right else puzzle.answer)
        right = why_right(puzzle, move if view.right else None)
        wrong = None if view.right else why_wrong(puzzle, move)
        view.why, view.facts = right.text, [*right.facts, *(wrong.facts if wrong else ())]
        if wrong:
            view.why_not = wrong.text
        if puzzle.trap is not None:
            view.trap = game.move_name(state, puzzle.trap)
        view.refutation = [] if view.right else refutation(puzzle, move)
        view.replier = SEAT_NAMES[game.mover(game.play(state, move))]
    return view


def review_view(record: Record, review: Review | EstimatedReview) -> ReviewView:
    """Return the review of a record."""
    remarks, notes = comments(record, review), {note.move: sentence(f"The program {note}") for note in record.notes}
    if isinstance(review, EstimatedReview):
        return _estimated_view(record, review, remarks, notes)
    return ReviewView(
        game=label(record.game),
        result=outcome_name(record.outcome),
        reason=record.reason,
        exact=True,
        values=[value_name(value) for value in review.values],
        scores=[score_of(value) for value in review.values],
        turning_point=turning_point(review),
        decided=turning_point_text(record, review),
        moves=[
            JudgedMoveView(
                player=SEAT_NAMES[move.player],
                move=move.name,
                verdict=str(move.verdict),
                before=value_name(move.before),
                after=value_name(move.after),
                remoteness=move.remoteness,
                score=score_of(move.after),
                best=move.best,
                regret=move.regret,
                mattered=move.mattered,
                **_said(remarks.get(ply)),
                note=notes.get(ply),
            )
            for ply, move in enumerate(review.moves, 1)
        ],
        players=[
            PlayerSummary(
                name=person.name,
                seat=SEAT_NAMES[number ^ record.first],
                **review.summary(number ^ record.first)._asdict(),
            )
            for number, person in enumerate(record.people)
        ],
    )


def _said(comment: Comment | None) -> dict[str, Any]:
    return {"why": comment.text, "facts": list(comment.facts)} if comment else {"why": None, "facts": []}


def _estimated_view(
    record: Record, review: EstimatedReview, remarks: dict[int, Comment], notes: dict[int, str]
) -> ReviewView:
    return ReviewView(
        game=label(record.game),
        result=outcome_name(record.outcome),
        reason=record.reason,
        exact=False,
        values=[],
        scores=[round(score, 3) for score in review.scores],
        turning_point=None,
        decided="",
        moves=[
            JudgedMoveView(
                player=SEAT_NAMES[move.player],
                move=move.name,
                verdict=str(move.verdict),
                before=None,
                after=None,
                remoteness=None,
                score=round(move.score, 3),
                best=move.best,
                regret=None,
                mattered=False,
                **_said(remarks.get(ply)),
                note=notes.get(ply),
            )
            for ply, move in enumerate(review.moves, 1)
        ],
        players=[
            PlayerSummary(
                name=person.name, seat=SEAT_NAMES[number ^ record.first], accuracy=None, regret=None, first_blunder=None
            )
            for number, person in enumerate(record.people)
        ],
    )


def score_of(value: Value) -> float:
    """Return a value as a score: 1 for a win, one half for a draw, 0 for a loss."""
    return (value + 1) / 2


def value_name(value: Value) -> ValueName:
    """Return the value as documents spell it."""
    return cast(ValueName, value.name.lower())
