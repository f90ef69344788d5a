"""How Gymnasium learns of the games."""

from duelbook.games import GAMES, title


def env_id(name: str) -> str:
    """Answer under which name Gymnasium knows a game: `flag-chase` is duelbook/FlagChase-v1."""
    return f"duelbook/{title(name).replace(' ', '')}-v1"


def register_all() -> None:
    """Register every game that Gymnasium does not know yet."""
    from gymnasium.envs.registration import register, registry

    for name in GAMES:
        if env_id(name) not in registry:
            register(env_id(name), entry_point="duelbook.envs.gym:DuelEnv", kwargs={"game": name})
