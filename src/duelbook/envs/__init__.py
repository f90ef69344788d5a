"""Environments for learning agents: PettingZoo, Gymnasium, OpenSpiel, and many games at once (extra `envs`).

Importing this package registers the games with Gymnasium, as in `gymnasium.make("duelbook/Charge-v1")`. The libraries
themselves are imported when they are needed.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from duelbook.errors import MissingExtraError
from duelbook.extras import require_extra
from duelbook.game import AnyGame
from duelbook.games import GAMES, make, title

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from duelbook.envs.learner_vector_env import LearnerVectorEnv
    from duelbook.envs.observation import Mask, Vector
    from duelbook.envs.vector_env import DuelVectorEnv

__all__ = ["aec", "gymnasium_id", "observe", "register_gymnasium", "register_openspiel", "vector"]


def aec(
    game: str | AnyGame, /, *, render_mode: str | None = None, ply_limit: int | None = None, **options: Any
) -> "AECEnv[str, Any, Any]":
    """Return a PettingZoo environment of the game: its name and options, or a game in hand.

    `reset` draws the options that are marked as drawn and not given. A game in hand is played as it is.
    """
    require_extra("envs", "gymnasium", "pettingzoo")
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from duelbook.envs.observation import drawn_on_reset, make_game
    from duelbook.envs.pettingzoo_env import DuelAECEnv

    rules = make_game(game, options, aec)
    return OrderEnforcingWrapper(DuelAECEnv(rules, render_mode, ply_limit, drawn_on_reset(game, options)))


def vector(game: str | AnyGame, num_envs: int, /, *, opponent: Any = None, **settings: Any) -> "DuelVectorEnv":
    """Return a Gymnasium `VectorEnv` that plays many games at once (also needs the extra `fast`).

    Without an opponent, the learner plays both sides. Settings are the arguments of the environment and the options of
    the game. `reset` draws the options that are marked as drawn and not given, once for all games.
    """
    if opponent is not None:
        return make_vector(game, num_envs, opponent=opponent, **settings)
    _require_vector()
    from duelbook.envs.vector_env import DuelVectorEnv

    return DuelVectorEnv(game, num_envs, **settings)


def make_vector(game: str | AnyGame, num_envs: int = 1, **settings: Any) -> "LearnerVectorEnv":
    """Return many games of one learner against an opponent: what `gymnasium.make_vec` makes."""
    _require_vector()
    from duelbook.envs.learner_vector_env import LearnerVectorEnv

    return LearnerVectorEnv(game, num_envs, **settings)


def _require_vector() -> None:
    require_extra("envs", "gymnasium")
    require_extra("fast")


def observe(game: str | AnyGame, state: Any) -> "tuple[Vector, Mask]":
    """Return the observation of a state and the mask of its legal moves, as all environments give them.

    So a policy that learned from observations can be asked about any state, as `duelbook.regret` does:
    `regret(lambda state: policy(*observe(game, state)), game)`.
    """
    require_extra("envs", "numpy")
    from duelbook.envs.observation import mask_of, observer_of

    rules = make(game)
    return observer_of(rules)(state), mask_of(rules, rules.legal_moves(state))


def gymnasium_id(name: str) -> str:
    """Return the name of a game in Gymnasium: `duelbook/FlagChase-v1` for `flag-chase`."""
    return f"duelbook/{title(name).replace(' ', '')}-v1"


def register_gymnasium() -> None:
    """Register every game that Gymnasium does not know yet."""
    require_extra("envs", "gymnasium")
    from gymnasium.envs.registration import register, registry

    for name in GAMES:
        if gymnasium_id(name) not in registry:
            register(
                gymnasium_id(name),
                entry_point="duelbook.envs.gymnasium_env:DuelEnv",
                vector_entry_point="duelbook.envs:make_vector",
                kwargs={"game": name},
            )


def register_openspiel() -> None:
    """Register the games with OpenSpiel, as in `pyspiel.load_game("duelbook_charge(goal=21)")`."""
    require_extra("envs", "pyspiel")
    from duelbook.envs.openspiel import register_games

    register_games()


with suppress(MissingExtraError):
    register_gymnasium()
