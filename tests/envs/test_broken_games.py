"""An environment tells what goes wrong in a game's own code as the game's, with the method, the file and the line."""

from collections.abc import Callable

import pytest

pytest.importorskip("gymnasium", reason="gymnasium is not installed (extra envs)")
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed (extra envs)")

from duelbook import envs
from duelbook.contract import BrokenRulesError
from duelbook.envs.gymnasium_env import DuelEnv
from duelbook.game import AnyGame
from duelbook.game_errors import BrokenGameError
from tests.support.games.broken import NoMoves, RaisingWhenMany

LATE = (
    r"The game RaisingWhenMany is broken: play raises IndexError: tuple index out of range \(/.*broken.py:[0-9]+\)\.$"
)
UseGames = Callable[[str], None]


def step_pettingzoo(game: AnyGame) -> None:
    env = envs.aec(game)
    env.reset()
    env.step(0)


def step_gymnasium(game: AnyGame) -> None:
    env = DuelEnv(game, seat="first")
    env.reset()
    env.step(0)


@pytest.mark.parametrize("step", [step_pettingzoo, step_gymnasium])
def test_what_the_rules_raise_is_the_games(step: Callable[[AnyGame], None]) -> None:
    step(RaisingWhenMany())
    with pytest.raises(BrokenGameError, match=LATE):
        step(RaisingWhenMany(stones=50))


@pytest.mark.parametrize("make_env", [envs.aec, DuelEnv])
def test_rules_that_break_the_contract_have_no_environment(make_env: Callable[[AnyGame], object]) -> None:
    with pytest.raises(BrokenRulesError, match="No move is legal, but the game is undecided"):
        make_env(NoMoves())


def test_openspiel_is_told_the_same(use_games: UseGames) -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="pyspiel is not installed (extra envs)")
    use_games("tests.support.games.broken:RaisingWhenMany,tests.support.games.broken:NoMoves")
    envs.register_openspiel()
    pyspiel.load_game("duelbook_raising_when_many").new_initial_state().apply_action(0)
    with pytest.raises(BrokenRulesError, match="are broken: play raises IndexError: tuple index out of range"):
        pyspiel.load_game("duelbook_raising_when_many(stones=50)")  # which looks for the longest game
    with pytest.raises(BrokenRulesError, match="No move is legal, but the game is undecided"):
        pyspiel.load_game("duelbook_no_moves")
