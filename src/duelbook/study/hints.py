"""Hints in steps: a nudge, the best move, and the reason for it, counted in the player's own moves."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from duelbook.agents.estimate import SEARCH_GAMES, SEARCH_SECONDS, EstimatedMove, estimate_moves
from duelbook.game import AnyGame, Outcome
from duelbook.narration import Voice
from duelbook.solve import solved, try_solve
from duelbook.study.facts import AnyFact
from duelbook.study.reasons import Reasons
from duelbook.study.wording import nudge, why

NEXT_STEPS = ("(Type hint again for the move.)", "(Type hint again for the reason.)", "")


class Hint(NamedTuple):
    """The best move, the reason as text that follows its name and a colon, a first nudge, and what is proven."""

    move: str
    why: str
    nudge: str
    facts: tuple[AnyFact, ...]

    def steps(self) -> tuple[str, str, str]:
        """Return the three steps of help: a nudge, the move, and the move with the reason."""
        return self.nudge, f"Play {self.move}.", f"{self.move}: {self.why}"


class HintStep(NamedTuple):
    """One step of help."""

    number: int  # 0 for the nudge
    text: str
    note: str  # what asking again gives


class HintSteps:
    """The help that one player asks for, step by step. A new position begins with a nudge again."""

    def __init__(self, find: "Callable[[AnyGame, Any], Hint | None] | None" = None) -> None:
        self._find = find or hint
        self._asked: tuple[AnyGame, Any] | None = None
        self._steps: tuple[str, ...] = ()
        self._number = 0

    def next(self, game: AnyGame, state: Any) -> HintStep:
        """Return the next step of help in an undecided position. The last one is repeated."""
        if self._asked == (game, state):
            self._number = min(self._number + 1, len(self._steps) - 1)
        else:
            found = self._find(game, state)  # first: it may be interrupted, and the step then still be due
            assert found
            self._asked, self._steps, self._number = (game, state), found.steps(), 0
        return HintStep(self._number, self._steps[self._number], NEXT_STEPS[self._number])


def hint(game: AnyGame, state: Any) -> Hint | None:
    """Return the best move that the computer may suggest and why, or None if the game is over.

    In a game that is too large to be solved it is an estimate, and says so.
    """
    if not try_solve(game):
        return _estimated_hint(game, state)
    if game.outcome(state) != Outcome.UNDECIDED:
        return None
    reasons = Reasons(game, solved(game))
    voice = reasons.narration.voice()
    return _hint(reasons.best(state, voice), voice)


def _hint(facts: list[AnyFact], voice: Voice) -> Hint:
    return Hint(facts[0].move, why(facts, voice), nudge(facts), tuple(facts))


def _estimated_hint(game: AnyGame, state: Any) -> Hint | None:
    estimates, reasons = estimated_moves(game, state), Reasons(game, None)
    voice = reasons.narration.voice()
    return _hint(reasons.estimated_facts(state, estimates[0], voice), voice) if estimates else None


def estimated_moves(
    game: AnyGame, state: Any, games: int = SEARCH_GAMES, seconds: float = SEARCH_SECONDS
) -> list[EstimatedMove]:
    """Return the moves with their estimated scores, best first: the same ones for the same position."""
    return estimate_moves(game, state, random.Random(0), games, seconds)


def plies_text(plies: int) -> str:
    """Return `1 ply` or `3 plies`."""
    return "1 ply" if plies == 1 else f"{plies} plies"
