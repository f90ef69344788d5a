"""Lessons: small positions of a game, each with a task that shows one rule."""

from duelbook.agents.levels import LEVELS
from duelbook.study.lessons import Step, accepted_moves
from duelbook.text import plural

EASIEST = next(iter(LEVELS))


def hint_text(step: Step, *, again: bool) -> str:
    """Return how many moves are right; the second time, name one."""
    right, legal = accepted_moves(step), len(list(step.game.legal_moves(step.state)))
    if again:
        return f"Try {step.game.move_name(step.state, right[0])}." if right else "No move does it."
    if len(right) == legal:
        return "Any move does what the task asks for."
    does = "1 of them does" if len(right) == 1 else f"{len(right)} of them do"
    return f"You have {plural(legal, 'move')}; {does} what the task asks for."
