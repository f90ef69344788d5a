"""A game as a Gymnasium environment: one learner against an agent."""

import math
from numbers import Real
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from duelbook.agents import Agent, Forfeit, make_agent
from duelbook.contract import verify_once
from duelbook.envs.observation import (
    METADATA,
    Mask,
    Observer,
    Vector,
    as_move,
    check_ply_limit,
    check_render_mode,
    drawn_on_reset,
    is_truncated,
    mask_of,
    render,
    reward,
    seeded_rng,
)
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, IllegalMoveError, Player, Reason
from duelbook.game_errors import telling_game_errors
from duelbook.games import make
from duelbook.match import Match
from duelbook.options import draw
from duelbook.text import shorten

SEATS: dict[str, Player | None] = {"first": 0, "second": 1, "random": None}
ON_ILLEGAL = ("raise", "penalty")

StepResult = tuple[Vector, float, bool, bool, dict[str, Any]]


class LegalMoves(Discrete[np.int64]):
    """All moves of a game. Without a mask, `sample` returns a move that is legal now."""

    def __init__(self, num_moves: int) -> None:
        super().__init__(num_moves)
        self.legal: Mask = np.zeros(num_moves, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return a random move."""
        if mask is None and probability is None and self.legal.any():
            mask = self.legal
        return super().sample(mask, probability)


class DuelEnv(gymnasium.Env[Vector, Any]):
    """A game for one learner. Each step plays the learner's move and the opponent's reply."""

    metadata: dict[str, Any] = METADATA

    def __init__(
        self,
        game: str | AnyGame,
        *,
        opponent: str | Agent = "random",
        seat: str = "random",
        on_illegal: str = "raise",
        penalty: float = 1.0,
        render_mode: str | None = None,
        ply_limit: int | None = None,
        **options: Any,
    ) -> None:
        self.game = make(game, **options)
        verify_once(self.game)
        self._drawn = drawn_on_reset(game, options)
        self.render_mode = check_render_mode(render_mode)
        self.ply_limit = check_ply_limit(self.game, ply_limit)
        if isinstance(opponent, str):
            make_agent(opponent).close()  # raises RefusedError for an unknown name
        elif not hasattr(opponent, "choose"):
            raise RefusedError(f"opponent must be an agent or the name of one, not {shorten(repr(opponent))}.")
        self._fixed_seat = SEATS[_check_choice("seat", seat, tuple(SEATS))]
        self._raises = _check_choice("on_illegal", on_illegal, ON_ILLEGAL) == "raise"
        self._penalty = _check_penalty(penalty)
        self._opponent_or_name = opponent
        self._opponent: Agent | None = None if isinstance(opponent, str) else opponent
        self._running = False  # between reset and the end of the episode
        self._observer = Observer(self.game)
        self.observation_space = self._observer.space()
        self.action_space = self._moves = LegalMoves(self.game.num_moves)

    @telling_game_errors
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Start a new game. The seed decides what is drawn before it, a random seat, and how the opponent plays."""
        super().reset(seed=seed)
        opponent_seed = int(self.np_random.integers(1 << 31))
        random_seat = int(self.np_random.integers(2))
        if isinstance(self._opponent_or_name, str):  # every episode has a new one
            self.close()
            self._opponent = make_agent(self._opponent_or_name, opponent_seed)
        else:
            self._opponent = self._opponent_or_name
        self.seat = random_seat if self._fixed_seat is None else self._fixed_seat
        if self._drawn:
            self.game = draw(self.game, seeded_rng(self.np_random), self._drawn)
            self._observer = Observer(self.game)
        self.match = Match(self.game, ply_limit=self.ply_limit)
        self._illegal_actions = 0
        self._running = True
        self._play_opponent()
        return self._observe()

    @telling_game_errors
    def step(self, action: Any) -> StepResult:
        """Play the learner's move and the opponent's reply."""
        if not self._running:
            raise RefusedError("No episode is running. Call reset() first.")
        if self.match.over:  # the opponent won before the learner's first turn
            return self._result(reward(self.match.outcome, self.seat))
        try:
            self.match.play(as_move(action))
        except IllegalMoveError:
            if self._raises:
                raise
            self._illegal_actions += 1
            return self._result(-self._penalty)
        self._play_opponent()
        return self._result(reward(self.match.outcome, self.seat))

    @telling_game_errors
    def render(self) -> str | None:
        return render(self.game, self.match.state, self.render_mode)

    def close(self) -> None:
        """Close the opponent, even if it was passed in as an agent."""
        if self._opponent:
            self._opponent.close()
        self._opponent = None

    def _play_opponent(self) -> None:
        """Let the opponent play until it is the learner's turn. An opponent that forfeits loses."""
        assert self._opponent
        while not self.match.over and self.match.mover != self.seat:
            try:
                self.match.play(self._opponent.choose(self.match))
            except Forfeit:
                self.match.forfeit()
        if self.render_mode == "human":
            self.render()

    def _result(self, points: float) -> StepResult:
        """Return the result of a step. Penalised actions count towards the ply limit."""
        terminated = self.match.over and not is_truncated(self.match)
        truncated = not terminated and len(self.match.moves) + self._illegal_actions >= self.ply_limit
        self._running = not (terminated or truncated)
        observation, info = self._observe()
        if truncated:
            info["reason"] = str(Reason.PLY_LIMIT)
        return observation, points, terminated, truncated, info

    def _observe(self) -> tuple[Vector, dict[str, Any]]:
        legal = self.game.legal_moves(self.match.state) if self._running and not self.match.over else ()
        mask = mask_of(self.game, legal)
        self._moves.legal = mask.copy()
        info = {"action_mask": mask, "seat": self.seat, "reason": str(self.match.reason)}
        return self._observer(self.match.state), info


def _check_choice(name: str, value: Any, valid: tuple[str, ...]) -> str:
    if value not in valid:
        raise RefusedError(f"{name} must be one of {', '.join(valid)}, not {shorten(repr(value))}.")
    return str(value)


def _check_penalty(penalty: Any) -> float:
    is_number = isinstance(penalty, Real) and not isinstance(penalty, bool)
    if not (is_number and math.isfinite(penalty) and penalty >= 0):
        raise RefusedError(f"penalty must be a number of at least 0, not {shorten(repr(penalty))}.")
    return float(penalty)
