"""Environments for learners: PettingZoo, Gymnasium, OpenSpiel, and many games at once (extra `envs`).

Importing this makes the games known to Gymnasium, as in `gymnasium.make("duelbook/Charge-v1")`; importing
`duelbook.envs.openspiel` makes them known to OpenSpiel. All else that is large is imported when it is asked for.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from duelbook.envs.registration import register_all
from duelbook.errors import RefusedError
from duelbook.games import make

if TYPE_CHECKING:
    from pettingzoo import AECEnv

    from duelbook.envs.many import ManyEnv

__all__ = ["aec", "vector"]

if find_spec("gymnasium"):
    register_all()


def aec(
    name: str, /, *, render_mode: str | None = None, ply_limit: int | None = None, **options: Any
) -> "AECEnv[str, Any, Any]":
    """Answer a game of that name with these options as an environment of PettingZoo."""
    _installed("envs", "gymnasium", "pettingzoo")
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

    from duelbook.envs.zoo import TurnEnv

    return OrderEnforcingWrapper(TurnEnv(make(name, **options), render_mode, ply_limit))


def vector(name: str, count: int, /, *, ply_limit: int | None = None, **options: Any) -> "ManyEnv":
    """Answer so many games of that name at once, in the shape of Gymnasium's `VectorEnv`."""
    _installed("envs", "gymnasium")
    _installed("fast", "numba")
    from duelbook.envs.many import ManyEnv

    return ManyEnv(make(name, **options), count, ply_limit)


def _installed(extra: str, *packages: str) -> None:
    """Refuse in a sentence where a package is missing."""
    for package in packages:
        if find_spec(package) is None:
            raise RefusedError(f"this needs the extra `{extra}`, which is not installed ({package} is missing)")
