"""A game as an environment of PettingZoo, in which two learners take turns."""

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from duelbook.envs.border import METADATA, as_move, check_ply_limit, check_render_mode, shown
from duelbook.envs.observer import Mask, Observer, mask_of
from duelbook.envs.rewards import reward, truncated
from duelbook.envs.spaces import box_of
from duelbook.game import AnyGame
from duelbook.games import name_of
from duelbook.match import Match

SEATS = ("player_0", "player_1")  # the first player, and the second

Observation = dict[str, Any]


class TurnEnv(AECEnv[str, Observation, int]):
    """Plays a game by the actions of whoever is to move."""

    metadata: dict[str, Any] = METADATA

    def __init__(self, game: AnyGame, render_mode: str | None, ply_limit: int | None) -> None:
        super().__init__()
        self.game = game
        self.metadata = METADATA | {
            "name": f"duelbook_{name_of(game).replace('-', '_')}_v1",
            "is_parallelizable": False,
        }
        self.render_mode = check_render_mode(render_mode)
        self.ply_limit = check_ply_limit(game, ply_limit)
        self.possible_agents = list(SEATS)
        self._observer = Observer(game)
        mask = Box(0, 1, (game.num_moves,), np.int8)
        vector = box_of(self._observer)
        self.observation_spaces = {seat: Dict({"observation": vector, "action_mask": mask}) for seat in SEATS}
        self.action_spaces = {seat: Discrete(game.num_moves) for seat in SEATS}

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; there is no chance in it, so the seed changes nothing."""
        self.match = Match(self.game, ply_limit=self.ply_limit)
        self.agents = list(SEATS)
        self.rewards: dict[str, float] = dict.fromkeys(SEATS, 0.0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(SEATS, 0.0)
        self._settle()

    def step(self, action: int) -> None:
        """Play the move, or refuse it and change nothing."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.match.play(as_move(action))
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._settle()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> Observation:
        """Answer the state as the mover sees it; who is not to move has no legal moves."""
        return {"observation": self._observer(self.match.state), "action_mask": self._mask(agent)}

    def render(self) -> str | None:
        return shown(self.game, self.match.state, self.render_mode)

    def close(self) -> None:
        pass

    def _settle(self) -> None:
        """Tell everybody how the match stands."""
        stopped = truncated(self.match)
        self.agent_selection = SEATS[self.match.mover]
        self.terminations = dict.fromkeys(SEATS, self.match.over and not stopped)
        self.truncations = dict.fromkeys(SEATS, stopped)
        self.rewards = {name: reward(self.match.outcome, seat) for seat, name in enumerate(SEATS)}
        self.infos = {name: {"action_mask": self._mask(name)} for name in SEATS}

    def _mask(self, agent: str) -> Mask:
        moving = agent == SEATS[self.match.mover] and not self.match.over
        return mask_of(self.game, self.game.legal_moves(self.match.state) if moving else ())
