"""The agent of a level: it sees near results more often than far ones, and judges the rest by a few random games."""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise
from typing import Any, NamedTuple

from duelbook.agents.estimate import estimate_moves
from duelbook.agents.levels import Level
from duelbook.agents.mcts import points, rollout
from duelbook.agents.perfect import trap_rank
from duelbook.game import AnyGame, Move, Outcome, Player, canonical_form, offered_moves
from duelbook.match import ReadOnlyMatch
from duelbook.solve import Solution, Value, solved, try_solve
from duelbook.solve.solution import ENDLESS, KIND_BITS, KIND_MASK, OPPOSITES, VALUES

WIN, UNKNOWN, LOSS = 1.0, 0.5, 0.0  # scores
SCORES = {Value.WIN: WIN, Value.DRAW: 0.5, Value.LOSS: LOSS}


class MoveGroup(NamedTuple):
    """The moves to positions that play alike, the result that is forced there, and what a level believes."""

    moves: list[Move]
    after: Any  # the state after the first of them
    score: float | None  # of the result for the mover; None if none is known
    turns: int = 0  # to the result, with the move itself
    belief: float = UNKNOWN  # the score that the level expects


class LevelAgent:
    """Plays what it believes to be best.

    How far it sees in a position is drawn once in a match, for all moves together, so one of many winning moves is not
    easier to find than the only one. A win that it has seen it plays to the end. Its move follows from the seed and the
    moves so far: another agent with the same seed can take over.
    """

    def __init__(self, rng: random.Random, level: Level) -> None:
        self._level = level
        self._rng = rng
        self._match: ReadOnlyMatch | None = None
        self._key = b""  # of the match: what is drawn follows from it

    def choose(self, match: ReadOnlyMatch) -> Move:
        if match is not self._match:
            self._match, self._key = match, self._rng.randbytes(16)
        rng = random.Random(self._key + len(match.moves).to_bytes(4, "big"))
        best = self._believed_best(match, rng)
        return rng.choice([move for line in best for move in line.moves])

    def close(self) -> None:
        pass

    def _believed_best(self, match: ReadOnlyMatch, rng: random.Random) -> list[MoveGroup]:
        """Return the lines that the level believes to be best."""
        game, state, mover = match.game, match.state, match.mover
        solution = solved(game) if try_solve(game) else None
        lines = _solved_lines(solution, state) if solution else self._searched_lines(game, state, rng)
        seen, unseen = self._look(self._draw(game, state), lines)
        wins, overlooked = ([line for line in some if line.score == WIN] for some in (seen, unseen))
        if wins or (overlooked and solution and self._has_seen_win(solution, match)):
            return _lowest(wins or overlooked, lambda line: line.turns)
        judged = _judged(game, mover, unseen, self._level.candidates, rng) if solution else unseen
        best = _lowest([*seen, *judged], lambda line: -line.belief)
        if best[0].belief > LOSS:
            return best
        if solution and self._level.sets_traps:
            return _lowest(best, lambda line: trap_rank(solution, line.after, mover, line.turns))
        return _lowest(best, lambda line: -line.turns)

    def _searched_lines(self, game: AnyGame, state: Any, rng: random.Random) -> list[MoveGroup]:
        """Return a line for each move, with the result that a search proves, or else its estimate."""
        lines = []
        moves = sum(1 for _ in game.legal_moves(state))
        games = max(self._level.search_games, moves)  # it looks at every move, and so finds each win in one
        for found in estimate_moves(game, state, rng, games):
            after = game.play(state, found.move)
            score, belief = (None, found.score) if found.outcome == Outcome.UNDECIDED else (found.score, UNKNOWN)
            lines.append(MoveGroup([found.move], after, score, found.plies, belief))
        return lines

    def _draw(self, game: AnyGame, state: Any) -> float:
        """Return what is drawn for this position, from 0 to 1: the level sees the results whose chance is higher."""
        identity = _identity(game, state, canonical_form(game))
        digest = blake2b(repr(identity).encode(), digest_size=8, key=self._key).digest()
        return int.from_bytes(digest, "big") / (1 << 64)

    def _look(self, drawn: float, lines: Sequence[MoveGroup]) -> tuple[list[MoveGroup], list[MoveGroup]]:
        """Return the lines whose results the level sees, and the others."""
        seen, unseen = [], []
        for line in lines:
            if line.score is not None and drawn < self._level.chance(line.turns):
                seen.append(line._replace(belief=line.score))
            else:
                unseen.append(line)
        return seen, unseen

    def _has_seen_win(self, solution: Solution, match: ReadOnlyMatch) -> bool:
        """Return True if the level saw a win when it moved before, and has not let it go since."""
        game = match.game
        moves = [(state, after) for state, after in pairwise(match.states) if game.mover(state) == match.mover]
        for state, after in reversed(moves):
            value, turns = _result(solution, after, match.mover)
            if value is not Value.WIN:
                return False
            if self._draw(game, state) < self._level.chance(turns):
                return True
        return False


@lru_cache(maxsize=1)  # `duelbook.regret` asks many agents about one state
def _solved_lines(solution: Solution, state: Any) -> list[MoveGroup]:
    """Return the lines with their exact results. Endless play is not a result that anybody sees."""
    game, mover = solution.game, solution.game.mover(state)
    canonical = canonical_form(game)
    lines: dict[Any, MoveGroup] = {}
    for move in offered_moves(game, state):
        after = game.play(state, move)
        identity = _identity(game, after, canonical)
        if identity in lines:
            lines[identity].moves.append(move)
            continue
        value, turns = _result(solution, after, mover)
        lines[identity] = MoveGroup([move], after, SCORES[value] if turns else None, turns)
    return list(lines.values())


def _result(solution: Solution, state: Any, player: Player) -> tuple[Value, int]:
    """Return what a state is worth to the player who moved there, and the turns to the end; 0 if play is endless."""
    code = solution.code(state)
    values = VALUES if solution.game.mover(state) == player else OPPOSITES
    return values[code & KIND_MASK], 0 if code == ENDLESS else (code >> KIND_BITS) + 1


def _identity(game: AnyGame, state: Any, canonical: Callable[[Any], Any] | None) -> Any:
    """Return what all states that play alike have in common."""
    return (game.mover(state), canonical(state)) if canonical else state


def _judged(
    game: AnyGame, player: Player, lines: Sequence[MoveGroup], count: int, rng: random.Random
) -> Sequence[MoveGroup]:
    """Return some of the lines, those of many moves more often, with a belief from a random game of each."""
    order = [number for number, line in enumerate(lines) for _ in line.moves]
    rng.shuffle(order)
    candidates = [lines[number] for number in list(dict.fromkeys(order))[:count]]
    if len(candidates) == 1:
        return candidates  # there is nothing to compare
    scores = [points(rollout(game, line.after, rng), player) for line in candidates]
    return [line._replace(belief=(UNKNOWN + score) / 2) for line, score in zip(candidates, scores, strict=True)]


def _lowest(lines: Sequence[MoveGroup], key: Callable[[MoveGroup], Any]) -> list[MoveGroup]:
    """Return the lines with the lowest key."""
    keys = [key(line) for line in lines]
    lowest = min(keys)
    return [line for line, found in zip(lines, keys, strict=True) if found == lowest]
