"""The general lesson, for a game without one of its own: a legal move, a win in one move, and a loss to avoid.

The positions come from random games, looked at move by move, so this works for a game that is too large to be solved.
"""

import random
from typing import Any, NamedTuple

from duelbook.agents.greedy import loses_at_once
from duelbook.game import AnyGame, Move, Outcome, offered_moves, random_move, won_by
from duelbook.game_errors import BrokenGameError
from duelbook.study.lessons import Condition, Lesson, Step, own_lesson

SEED = "lesson"
MAX_PLAYED_MOVES = 60_000  # by which the search is limited, so that it takes about a second at most
MAX_GAMES = 500
MAX_GAME_MOVES = 300
MAX_LESSON_MOVES = 60  # that lead to a position
STEPS_OF_A_KIND = 2
GOOD_ENOUGH = 40  # positions of each kind, of which the clearest are taken


class _Found(NamedTuple):
    """A position for a step, and how clear it is: the lower, the clearer."""

    clearness: tuple[int, int]
    moves: tuple[Move, ...]
    state: Any
    right_moves: int


def lesson_for(game: AnyGame) -> Lesson:
    """Return the game's own lesson, or else the general one. Raise BrokenGameError if its own is wrong."""
    return own_lesson(type(game)) or general_lesson(game)


def usable_lesson(game: AnyGame) -> tuple[Lesson, str]:
    """Return the lesson of the game, and what is wrong with its own if the general one has to replace it."""
    try:
        return lesson_for(game), ""
    except BrokenGameError as error:
        return general_lesson(game), str(error)


def general_lesson(game: AnyGame) -> Lesson:
    """Return a lesson from the rules alone; always the same one. A kind of position that is not found is left out."""
    wins, traps = _search(game)
    steps = [_first_step(game)]
    steps += [_win_step(game, found) for found in _clearest(game, wins)]
    steps += [_trap_step(game, found) for found in _clearest(game, traps)]
    return Lesson(tuple(steps), True)


def _search(game: AnyGame) -> tuple[list[_Found], list[_Found]]:
    """Return positions in which some moves win at once, and positions in which some moves lose at once."""
    rng, left = random.Random(SEED), MAX_PLAYED_MOVES
    wins: list[_Found] = []
    traps: list[_Found] = []
    for _ in range(MAX_GAMES):
        if left < 0 or min(len(wins), len(traps)) >= GOOD_ENOUGH:
            break
        states, moves = [game.initial()], list[Move]()
        while game.outcome(states[-1]) == Outcome.UNDECIDED and len(moves) < MAX_GAME_MOVES:
            moves.append(random_move(game, states[-1], rng))
            states.append(game.play(states[-1], moves[-1]))
        left -= len(moves)
        for ply in range(min(len(moves) - 1, MAX_LESSON_MOVES), max(-1, len(moves) - 5), -1):
            left -= _look(game, states[ply], tuple(moves[:ply]), wins, traps)
    return wins, traps


def _look(game: AnyGame, state: Any, moves: tuple[Move, ...], wins: list[_Found], traps: list[_Found]) -> int:
    """Add the position to those that it belongs to, and return how many moves were played to find out."""
    mover, legal = game.mover(state), offered_moves(game, state)
    following = [game.play(state, move) for move in legal]
    winning = sum(game.outcome(after) == won_by(mover) for after in following)
    if winning:
        if winning < len(legal):
            wins.append(_Found((winning, len(moves)), moves, state, winning))
        return len(legal)
    cost = len(legal) + sum(sum(1 for _ in game.legal_moves(after)) for after in following)
    safe = sum(not loses_at_once(game, after, mover) for after in following)
    if 0 < safe < len(legal):
        traps.append(_Found((safe, len(moves)), moves, state, safe))
    return cost


def _clearest(game: AnyGame, found: list[_Found]) -> list[_Found]:
    """Return the clearest positions, different ones, and one of each seat if there are."""
    by_clearness = sorted(found, key=lambda one: (one.clearness, one.moves))
    chosen = by_clearness[:1]
    if chosen:
        seat = game.mover(chosen[0].state)
        others = [one for one in by_clearness if game.mover(one.state) != seat]
        chosen += others[: STEPS_OF_A_KIND - 1]
    return chosen


def _step(game: AnyGame, moves: tuple[Move, ...], state: Any, **texts: Any) -> Step:
    return Step(game=game, moves=moves, state=state, then=(), why={}, **texts)


def _first_step(game: AnyGame) -> Step:
    return _step(
        game,
        (),
        game.initial(),
        title="Your first move",
        task="You move first. Make any move that is allowed.",
        accepted=Condition.ANY,
        right="That is how a move is made. You can only choose moves that the rules allow.",
        wrong="",
    )


def _win_step(game: AnyGame, found: _Found) -> Step:
    one = found.right_moves == 1
    return _step(
        game,
        found.moves,
        found.state,
        title="Win at once",
        task="One move wins at once. Find it." if one else "Some moves win at once. Find one of them.",
        accepted=Condition.WINS_NOW,
        right="You win: the game is over.",
        wrong="That does not win at once. Try again.",
    )


def _trap_step(game: AnyGame, found: _Found) -> Step:
    one = found.right_moves == 1
    return _step(
        game,
        found.moves,
        found.state,
        title="Do not lose at once",
        task="Your opponent is about to win. Find "
        + ("the only move that prevents it." if one else "a move that does not let them win at once."),
        accepted=Condition.SAFE,
        right="Your opponent cannot win on the next move.",
        wrong="That lets your opponent win.",
    )
