"""A game as an environment of Gymnasium: one learner against an agent."""

from typing import Any

import gymnasium

from duelbook.agents import Agent, Forfeit
from duelbook.envs.border import METADATA, as_move, check_ply_limit, check_render_mode, shown
from duelbook.envs.observer import Observer, Vector, mask_of
from duelbook.envs.rewards import reward, truncated
from duelbook.envs.settings import Settings
from duelbook.envs.spaces import LegalMoves, box_of
from duelbook.errors import RefusedError
from duelbook.game import IllegalMoveError, Reason
from duelbook.games import make
from duelbook.match import Match

Told = tuple[Vector, float, bool, bool, dict[str, Any]]


class DuelEnv(gymnasium.Env[Vector, Any]):
    """Plays a game by the learner's actions; the opponent's answers are part of each step."""

    metadata: dict[str, Any] = METADATA

    def __init__(
        self,
        game: str,
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
        self.render_mode = check_render_mode(render_mode)
        self.ply_limit = check_ply_limit(self.game, ply_limit)
        self._settings = Settings.checked(opponent, seat, on_illegal, penalty)
        self._observer = Observer(self.game)
        self._opponent: Agent | None = None if isinstance(opponent, str) else opponent
        self._told = True  # that the episode is over: there is none yet
        self.observation_space = box_of(self._observer)
        self.action_space = self._moves = LegalMoves(self.game.num_moves)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Vector, dict[str, Any]]:
        """Start a new game; the seed decides the seat, where that is left to chance, and all that the opponent does."""
        super().reset(seed=seed)
        self._meet(int(self.np_random.integers(1 << 31)))
        self.seat = self._settings.seat(int(self.np_random.integers(2)))
        self.match = Match(self.game, ply_limit=self.ply_limit)
        self._illegal = 0  # actions that were penalised
        self._told = False
        self._answer()
        self._show()
        return self._seen()

    def step(self, action: Any) -> Told:
        """Play the learner's move and the opponent's answer."""
        if self._told:
            raise RefusedError("no episode is under way; reset the environment")
        if self.match.over:  # the opponent has won before the learner's first turn
            return self._tell(reward(self.match.outcome, self.seat))
        try:
            self.match.play(as_move(action))
        except IllegalMoveError:
            if self._settings.raises:
                raise
            self._illegal += 1
            return self._tell(-self._settings.penalty)
        self._answer()
        self._show()
        return self._tell(reward(self.match.outcome, self.seat))

    def render(self) -> str | None:
        return shown(self.game, self.match.state, self.render_mode)

    def close(self) -> None:
        """Close the opponent, also one that was given."""
        if self._opponent:
            self._opponent.close()
        self._opponent = None

    def _meet(self, seed: int) -> None:
        """Have the opponent of a new episode: by its name another one, while one that was given stays."""
        if isinstance(self._settings.agent, str):
            self.close()
        self._opponent = self._settings.opponent(seed)

    def _answer(self) -> None:
        """Let the opponent play until it is the learner's turn; who has no move to answer loses."""
        assert self._opponent
        while not self.match.over and self.match.mover != self.seat:
            try:
                self.match.play(self._opponent.choose(self.match))
            except Forfeit:
                self.match.forfeit()

    def _tell(self, points: float) -> Told:
        """Answer how the episode stands; penalised actions count towards its length."""
        terminated = self.match.over and not truncated(self.match)
        stopped = not terminated and len(self.match.moves) + self._illegal >= self.ply_limit
        self._told = terminated or stopped
        observation, info = self._seen()
        if stopped:
            info["reason"] = str(Reason.PLY_LIMIT)
        return observation, points, terminated, stopped, info

    def _seen(self) -> tuple[Vector, dict[str, Any]]:
        legal = () if self.match.over or self._told else self.game.legal_moves(self.match.state)
        mask = mask_of(self.game, legal)
        self._moves.legal = mask.copy()
        info = {"action_mask": mask, "seat": self.seat, "reason": str(self.match.reason)}
        return self._observer(self.match.state), info

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()
