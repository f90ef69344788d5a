"""Comments on a reviewed game: why its mistakes were mistakes, the traps that worked, and the turning point."""

from typing import Any, NamedTuple

from duelbook.game import SEAT_NAMES, Move, Outcome, Reason
from duelbook.narration import Seating, Voice
from duelbook.records.record import Record, replay
from duelbook.solve import Value, solved
from duelbook.study.estimated_review import EstimatedReview, EstimatedVerdict
from duelbook.study.facts import Comment, TurningPoint
from duelbook.study.reason_wording import sprung_trap_text
from duelbook.study.reasons import VALUE_NAMES, Reasons
from duelbook.study.review import JudgedMove, Review
from duelbook.study.wording import ending_text, mistake_text, refutation_text
from duelbook.text import sentence

GIVEN_UP = {
    Reason.RESIGNATION: "resigned",
    Reason.TIME: "ran out of time",
    Reason.FORFEIT: "forfeited the game",
    Reason.ABSENCE: "stayed away",
}
GIVEN_AWAY = {
    (Value.WIN, Value.LOSS): "turned a win into a loss",
    (Value.WIN, Value.DRAW): "turned a win into a draw",
    (Value.DRAW, Value.LOSS): "turned a draw into a loss",
}
STANDING = {Value.WIN: "was winning", Value.DRAW: "had a draw", Value.LOSS: "was losing"}


class PlayedMove(NamedTuple):
    """A move of a game and the state before it."""

    state: Any
    move: Move
    name: str


def comments(record: Record, review: Review | EstimatedReview) -> dict[int, Comment]:
    """Return the comments by the number of the move, from 1. Most moves have none."""
    if isinstance(review, EstimatedReview):
        return _estimated_comments(record, review)
    reasons, names = Reasons(record.game, solved(record.game)), _names(record)
    moves, found = _played(record), dict[int, Comment]()
    for ply, (judged, played) in enumerate(zip(review.moves, moves, strict=True), 1):
        if not judged.regret:
            continue
        voice = reasons.narration.voice(names[judged.player], names[1 - judged.player])
        if ply > 1 and ply - 1 not in found:
            found |= _sprung_trap(reasons, ply - 1, review.moves[ply - 2], moves[ply - 2], judged, voice.turned())
        following = moves[ply].move if ply < len(moves) else None
        best, reply = reasons.best(played.state, voice), reasons.refutation(played.state, played.move, voice, following)
        if reply:
            followed = f"After {played.name}, {refutation_text(reply, SEAT_NAMES[judged.player], voice)}."
        else:
            effect = reasons.effect(played.state, played.move, voice)
            followed = sentence(f"{played.name} {ending_text(effect, VALUE_NAMES[judged.after])}")
        found[ply] = Comment(mistake_text(followed, best, reply, voice), (*best, *reply))
    return found


def _sprung_trap(
    reasons: Reasons, ply: int, earlier: JudgedMove, played: PlayedMove, mistake: JudgedMove, voice: Voice
) -> dict[int, Comment]:
    """Return the comment on the move before a mistake, if it left the other player few good replies."""
    if earlier.player == mistake.player or earlier.after is not Value.LOSS:
        return {}
    trap = reasons.trap(played.state, played.move)
    return {ply: Comment(sprung_trap_text(trap, voice), (trap,))} if trap else {}


def _estimated_comments(record: Record, review: EstimatedReview) -> dict[int, Comment]:
    """Return the comments that the rules prove: doubtful moves after which the opponent wins at once."""
    reasons, names, found = Reasons(record.game, None), _names(record), dict[int, Comment]()
    for ply, (judged, played) in enumerate(zip(review.moves, _played(record), strict=True), 1):
        voice = reasons.narration.voice(names[judged.player], names[1 - judged.player])
        doubtful = judged.verdict is EstimatedVerdict.DOUBTFUL
        reply = reasons.refutation(played.state, played.move, voice) if doubtful else []
        if reply:
            found[ply] = Comment(
                f"After {played.name}, {refutation_text(reply, SEAT_NAMES[judged.player], voice)}.", tuple(reply)
            )
    return found


def turning_point(review: Review) -> TurningPoint | None:
    """Return the last move that gave something away, or None if no move did."""
    for ply, judged in reversed([*enumerate(review.moves, 1)]):
        if judged.regret:
            return TurningPoint(
                ply=ply,
                player=SEAT_NAMES[judged.player],
                move=judged.name,
                before=VALUE_NAMES[judged.before],
                after=VALUE_NAMES[judged.after],
            )
    return None


def turning_point_text(record: Record, review: Review) -> str:
    """Return what decided the game: how it was given up, the last mistake, or that there was none."""
    names, last = _names(record), review.values[-1]
    if record.reason in GIVEN_UP and record.outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
        loser = 1 - record.outcome
        standing = Value(-last) if loser else last
        if standing is not Value.LOSS:
            return f"The turning point was the end: {names[loser]} {GIVEN_UP[record.reason]}, but {STANDING[standing]}."
    point = turning_point(review)
    if point:
        judged = review.moves[point.ply - 1]
        change = GIVEN_AWAY[judged.before, judged.after]
        return f"The turning point was move {point.ply}: {names[judged.player]} played {judged.name} and {change}."
    if not review.moves or last is Value.DRAW:
        return "No move gave anything away."
    start = "after the opening" if record.opening else "from the start"
    return f"No move gave anything away: {names[last is Value.LOSS]} was winning {start}."


def _names(record: Record) -> tuple[str, str]:
    """Return the names of the players by seat."""
    seating = Seating((record.people[0].name, record.people[1].name), record.first)
    return seating.name(0), seating.name(1)


def _played(record: Record) -> list[PlayedMove]:
    moves, state = [], record.game.initial()
    for name, (move, following) in zip(record.moves, replay(record.game, record.moves), strict=True):
        moves.append(PlayedMove(state, move, name))
        state = following
    return moves
