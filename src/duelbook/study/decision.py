"""What decided a game, in one line: its turning point by exact values, or else what the rules alone can tell."""

import time

from duelbook.game import AnyGame, Outcome, won_by
from duelbook.narration import Seating
from duelbook.records.record import Record, replay
from duelbook.solve import Progress, TooLargeError, solved
from duelbook.study.comments import GIVEN_UP, turning_point_text
from duelbook.study.review import review_game

SOLVE_SECONDS = 3.0  # to find out; a person who has just finished a game does not wait for longer


class _TakesTooLongError(Exception):
    """A game was not solved in time."""


def decision_text(record: Record) -> str:
    """Return what decided a finished game. It takes a few seconds at most."""
    if _is_solved_soon(record.game):
        return turning_point_text(record, review_game(record.game, record.moves, record.opening))
    return _by_rules(record)


def _is_solved_soon(game: AnyGame) -> bool:
    end = time.monotonic() + SOLVE_SECONDS

    def stop_in_time(progress: Progress) -> None:
        if time.monotonic() > end:
            raise _TakesTooLongError

    try:
        solved(game, on_progress=stop_in_time)
    except (TooLargeError, _TakesTooLongError):
        return False
    return True


def _by_rules(record: Record) -> str:
    """Return how the loser's last move allowed the end, or how the game was given up."""
    game = record.game
    if record.outcome not in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
        return "Nobody has won."
    seating = Seating((record.people[0].name, record.people[1].name), record.first)
    loser = 1 - record.outcome
    if record.reason in GIVEN_UP:
        return f"{seating.name(loser)} {GIVEN_UP[record.reason]}."
    states = [game.initial(), *(state for _, state in replay(game, record.moves))]
    for ply in range(len(record.moves) - 1, -1, -1):
        if game.mover(states[ply]) == loser:
            name, after = record.moves[ply], [game.play(states[ply], move) for move in game.legal_moves(states[ply])]
            if all(_wins_at_once(game, state, record.outcome) for state in after):
                return f"{seating.name(loser)} could not prevent the end on move {ply + 1}: every move allowed it."
            return f"Move {ply + 1} decided it: {seating.name(loser)} played {name}, which allowed the end."
    return f"{seating.name(record.outcome)} won before {seating.name(loser)} could move."


def _wins_at_once(game: AnyGame, state: object, winner: int) -> bool:
    """Return True if the winner has won, or has a move that wins."""
    if game.outcome(state) != Outcome.UNDECIDED:
        return game.outcome(state) == won_by(winner)
    if game.mover(state) != winner:
        return False
    return any(game.outcome(game.play(state, move)) == won_by(winner) for move in game.legal_moves(state))
