"""A game as a PettingZoo environment, in which two learners take turns."""

import random
from collections.abc import Collection
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete
from pettingzoo import AECEnv

from duelbook.contract import verify_once
from duelbook.envs.observation import (
    METADATA,
    Mask,
    Observer,
    as_move,
    check_ply_limit,
    check_render_mode,
    is_truncated,
    mask_of,
    render,
    reward,
)
from duelbook.envs.starts import read_start
from duelbook.game import AnyGame
from duelbook.game_errors import telling_game_errors
from duelbook.games import label
from duelbook.match import Match
from duelbook.options import draw

AGENT_NAMES = ("player_0", "player_1")  # the first player, and the second

Observation = dict[str, Any]


class DuelAECEnv(AECEnv[str, Observation, int]):
    """A game for two learners. Each step plays the move of the player whose turn it is."""

    metadata: dict[str, Any] = METADATA

    def __init__(
        self, game: AnyGame, render_mode: str | None, ply_limit: int | None, drawn: Collection[str] = ()
    ) -> None:
        super().__init__()
        verify_once(game)
        self.game = game
        self._drawn = drawn
        self._rng = random.Random()
        self.metadata = METADATA | {
            "name": f"duelbook_{label(game).replace('-', '_')}_v1",
            "is_parallelizable": False,
        }
        self.render_mode = check_render_mode(render_mode)
        self.ply_limit = check_ply_limit(game, ply_limit)
        self.possible_agents = list(AGENT_NAMES)
        self._observer = Observer(game)
        self.observation_spaces = {agent: self._observer.masked_space() for agent in AGENT_NAMES}
        self.action_spaces = {agent: Discrete(game.num_moves) for agent in AGENT_NAMES}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> "Discrete[np.int64]":
        return self.action_spaces[agent]

    @telling_game_errors
    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game. The seed decides what is drawn before it; everything else is without chance.

        The options are `opening`, a list of moves, and `state`. Others are ignored, as PettingZoo's own tests expect.
        """
        if seed is not None:
            self._rng.seed(seed)
        game = draw(self.game, self._rng, self._drawn) if self._drawn else self.game
        start = read_start(game, options or {})
        if self._drawn:
            self.game, self._observer = game, Observer(game)
        self.match = Match(game, ply_limit=self.ply_limit, start=start.state)
        for move in start.opening:
            self.match.play(move)
        self.agents = list(AGENT_NAMES)
        self.rewards: dict[str, float] = dict.fromkeys(AGENT_NAMES, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(AGENT_NAMES, 0.0)
        self._update()

    @telling_game_errors
    def step(self, action: int) -> None:
        """Play the move. An illegal move raises IllegalMoveError and changes nothing."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.match.play(as_move(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._update()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    @telling_game_errors
    def observe(self, agent: str) -> Observation:
        """Return the state as the mover sees it, and the agent's legal moves: none unless it is their turn."""
        return {"observation": self._observer(self.match.state), "action_mask": self._mask(agent)}

    @telling_game_errors
    def render(self) -> str | None:
        return render(self.game, self.match.state, self.render_mode)

    def close(self) -> None:
        pass

    def _update(self) -> None:
        """Set PettingZoo's attributes to the state of the match."""
        truncated = is_truncated(self.match)
        self.agent_selection = AGENT_NAMES[self.match.mover]
        self.terminations = dict.fromkeys(AGENT_NAMES, self.match.over and not truncated)
        self.truncations = dict.fromkeys(AGENT_NAMES, truncated)
        self.rewards = {agent: reward(self.match.outcome, seat) for seat, agent in enumerate(AGENT_NAMES)}
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in AGENT_NAMES}

    def _mask(self, agent: str) -> Mask:
        to_move = agent == AGENT_NAMES[self.match.mover] and not self.match.over
        return mask_of(self.game, self.game.legal_moves(self.match.state) if to_move else ())
