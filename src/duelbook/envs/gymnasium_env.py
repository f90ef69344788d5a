"""A game as a Gymnasium environment: one learner against an agent."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete

from duelbook.agents import Agent, Forfeit, check_agent, make_agent
from duelbook.contract import verify_once
from duelbook.envs.observation import (
    ALWAYS_OVER,
    MAX_SKIPPED,
    METADATA,
    ON_EARLY_END,
    ON_ILLEGAL,
    IllegalActionError,
    Mask,
    Observer,
    as_move,
    check_choice,
    check_flag,
    check_penalty,
    check_ply_limit,
    check_render_mode,
    drawn_on_reset,
    is_truncated,
    make_game,
    mask_of,
    observer_of,
    render,
    reward,
    seeded_rng,
)
from duelbook.envs.starts import OPENING, SEAT, STATE, check_known, check_reset_options, read_seat, read_start
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, IllegalMoveError, Move, Player, Reason
from duelbook.game_errors import telling_game_errors
from duelbook.match import Match, ReadOnlyMatch
from duelbook.options import draw
from duelbook.text import shorten

Policy = Callable[[Any, Any], Any]  # takes observations and masks, one row for each game; returns a move for each
StepResult = tuple[Any, float, bool, bool, dict[str, Any]]

if TYPE_CHECKING:
    Moves = Discrete[np.int64]
else:
    Moves = Discrete  # which has no parameters before Gymnasium 1.3


class LegalMoves(Moves):
    """All moves of a game. Without a mask, `sample` returns a move that is legal now."""

    def __init__(self, num_moves: int) -> None:
        super().__init__(num_moves)
        self.legal: Mask = np.zeros(num_moves, np.int8)

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Return a random move."""
        if probability is not None:
            return super().sample(mask, probability)
        return super().sample(self.legal if mask is None and self.legal.any() else mask)


class PolicyAgent:
    """A function on batches as an agent: it gets observations and masks, one row for each game, and returns moves."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose(self, match: ReadOnlyMatch) -> Move:
        mask = mask_of(match.game, match.game.legal_moves(match.state))
        return as_move(np.asarray(self._policy(observer_of(match.game)(match.state)[None], mask[None])).item())

    def close(self) -> None:
        pass


class DuelEnv(gymnasium.Env[Any, Any]):
    """A game for one learner. Each step plays the learner's move and the opponent's reply."""

    metadata: dict[str, Any] = METADATA

    def __init__(
        self,
        game: str | AnyGame,
        *,
        opponent: str | Agent | Policy = "random",
        seat: str | Player = "random",
        on_illegal: str = "raise",
        penalty: float = 1.0,
        on_early_end: str = "report",
        mask_in_observation: bool = False,
        render_mode: str | None = None,
        ply_limit: int | None = None,
        **options: Any,
    ) -> None:
        self.game = make_game(game, options, DuelEnv)
        verify_once(self.game)
        self._drawn = drawn_on_reset(game, options)
        self.render_mode = check_render_mode(render_mode)
        self.ply_limit = check_ply_limit(self.game, ply_limit)
        self._fixed_seat = read_seat("seat", seat)
        self._raises = check_choice("on_illegal", on_illegal, ON_ILLEGAL) == "raise"
        self._penalty = check_penalty(penalty)
        self._skips = check_choice("on_early_end", on_early_end, ON_EARLY_END) == "skip"
        self._opponent_or_name = _check_opponent(opponent)
        self._opponent = None if isinstance(self._opponent_or_name, str) else self._opponent_or_name
        self._running = False  # between reset and the end of the episode
        self._observer = Observer(self.game)
        self._mask_in_observation = check_flag("mask_in_observation", mask_in_observation)
        self.observation_space = self._observer.masked_space() if mask_in_observation else self._observer.space()
        self.action_space = self._moves = LegalMoves(self.game.num_moves)

    @telling_game_errors
    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start a new game. The seed decides what is drawn before it, a random seat, and how the opponent plays.

        The options are `seat`, `opening`, a list of moves, and `state`. They hold for this episode.
        """
        chosen = check_reset_options(options, (OPENING, STATE, SEAT))
        seat = read_seat(SEAT, chosen[SEAT]) if SEAT in chosen else self._fixed_seat
        super().reset(seed=seed)
        for _ in range(MAX_SKIPPED):
            self._start(chosen, seat)
            if not (self.match.over and self._skips):
                return self._observe()
        self._running = False
        raise RefusedError(ALWAYS_OVER)

    @telling_game_errors
    def step(self, action: Any) -> StepResult:
        """Play the learner's move and the opponent's reply."""
        if not self._running:
            raise RefusedError("No episode is running. Call reset() first.")
        if self.match.over:  # the opponent ended the game before the learner's first turn
            return self._result(reward(self.match.outcome, self.seat))
        try:
            self.match.play(as_move(action))
        except IllegalMoveError as error:
            if self._raises:
                raise IllegalActionError(error) from None
            self._illegal_actions += 1
            return self._result(-self._penalty)
        self._play_opponent()
        return self._result(reward(self.match.outcome, self.seat))

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return True for every legal action, under the name by which sb3-contrib asks for it."""
        return self._moves.legal.astype(np.bool_)

    @telling_game_errors
    def render(self) -> str | None:
        return render(self.game, self.match.state, self.render_mode)

    def close(self) -> None:
        """Close the opponent, even if it was passed in as an agent."""
        if self._opponent:
            self._opponent.close()
        self._opponent = None

    def _start(self, options: Mapping[str, Any], seat: Player | None) -> None:
        """Start a game. If an option cannot be used, raise RefusedError; the game before it then goes on."""
        opponent_seed = int(self.np_random.integers(1 << 31))
        random_seat = int(self.np_random.integers(2))
        game = draw(self.game, seeded_rng(self.np_random), self._drawn) if self._drawn else self.game
        start = read_start(game, options)
        check_known(game, start, self._opponent_or_name)
        match = Match(game, ply_limit=self.ply_limit, start=start.state)
        for move in start.opening:
            match.play(move)
        if isinstance(self._opponent_or_name, str):  # every episode has a new one
            self.close()
            self._opponent = make_agent(self._opponent_or_name, opponent_seed)
        else:
            self._opponent = self._opponent_or_name
        self.seat = random_seat if seat is None else seat
        if self._drawn:
            self.game, self._observer = game, Observer(game)
        self.match = match
        self._illegal_actions = 0
        self._running = True
        self._play_opponent()

    def _play_opponent(self) -> None:
        """Let the opponent play until it is the learner's turn. An opponent that forfeits loses."""
        assert self._opponent
        while not self.match.over and self.match.mover != self.seat:
            try:
                self.match.play(self._opponent.choose(self.match))
            except Forfeit:
                self.match.forfeit()
            except IllegalMoveError as error:
                raise RefusedError(f"The opponent's move is not legal: {error}") from error
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

    def _observe(self) -> tuple[Any, dict[str, Any]]:
        legal: Iterable[Move] = ()
        if self._running:  # if the game is over already, the next step says so, whatever its action
            legal = range(self.game.num_moves) if self.match.over else self.game.legal_moves(self.match.state)
        mask = mask_of(self.game, legal)
        self._moves.legal = mask.copy()
        info = {"action_mask": mask, "seat": self.seat, "reason": str(self.match.reason)}
        vector = self._observer(self.match.state)
        return {"observation": vector, "action_mask": mask.copy()} if self._mask_in_observation else vector, info


def _check_opponent(opponent: Any) -> str | Agent:
    """Return the opponent as the name of an agent or an agent, or raise RefusedError."""
    if isinstance(opponent, str):
        check_agent(opponent)
        return opponent
    if hasattr(opponent, "choose"):
        agent: Agent = opponent
        return agent
    if not callable(opponent):
        allowed = "an agent, the name of one, or a function on batches"
        raise RefusedError(f"opponent must be {allowed}, not {shorten(repr(opponent))}.")
    return PolicyAgent(opponent)
