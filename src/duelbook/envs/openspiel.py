"""The games in OpenSpiel: `duelbook_charge` and the others, with their options as parameters.

Importing this module registers the games, so that pickled games and states can be read anywhere.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from duelbook.contract import verify_once
from duelbook.envs.observation import Observer, reward
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, HasLongestGame, Move, Outcome, Player, illegal_number
from duelbook.game_errors import telling_game_errors
from duelbook.games import GAMES, make, title
from duelbook.match import ply_limit
from duelbook.options import PRESET, OptionText, option_text, options_of
from duelbook.presets import BOOK
from duelbook.solve import TooLargeError
from duelbook.solve.termination import termination_interpreted

MAX_GAMES, MAX_SNAPSHOTS = 16, 1 << 14  # that are remembered
MAX_EXPLORED_STATES = 2000  # to find the longest game
WORD_SEPARATOR = "/"  # a comma separates parameters in OpenSpiel, so words are written as PLANT/GHOST
ABOUT_SEPARATOR = "OpenSpiel keeps commas for itself: write a slash instead, as in words=PLANT/GHOST."


class SpielGame(pyspiel.Game):
    """A game with its options."""

    def __init__(self, kind: pyspiel.GameType, rules: AnyGame, parameters: dict[str, Any], max_plies: int) -> None:
        verify_once(rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.num_moves,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=max_plies,
        )
        super().__init__(kind, info, parameters)
        self.rules = rules
        self.max_plies = max_plies

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game by its name and parameters."""
        return load, (str(self),)

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Any:
        """Return an observer of states, or of whole histories. Nothing is private, so one of that sees nothing."""
        if kind is not None and not kind.public_info:
            return IIGObserverForPublicInfoGame(kind, parameters)
        if kind is not None and kind.perfect_recall:
            return HistoryObserver(self.rules, self.max_plies)
        return SpielObserver(self.rules)


class SharedState:
    """A state with its rules and what follows from them. It never changes, so copies of states share it."""

    __slots__ = ("find", "legal", "legal_set", "mover", "outcome", "rules", "state")

    def __init__(self, rules: AnyGame, state: Any) -> None:
        self.rules = rules
        self.state = state
        self.outcome = rules.outcome(state)
        self.mover = rules.mover(state)
        self.legal = list(rules.legal_moves(state))
        self.legal_set = frozenset(self.legal)
        self.find = snapshots_of(rules)

    def __deepcopy__(self, memo: object) -> "SharedState":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return SharedState, (self.rules, self.state)


@lru_cache(MAX_GAMES)
def snapshots_of(rules: AnyGame) -> Callable[[Any], SharedState]:
    """Return a function that returns the snapshot of a state. Searches come back to the same states again and again."""
    return lru_cache(MAX_SNAPSHOTS)(partial(SharedState, rules))


class SpielState(pyspiel.State):
    """A state that OpenSpiel changes and copies."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.snapshot = snapshots_of(game.rules)(game.rules.initial())
        self.plies_left = game.max_plies

    @property
    def game(self) -> AnyGame:
        return self.snapshot.rules

    def current_player(self) -> Any:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.snapshot.mover

    def is_terminal(self) -> bool:
        """Return True if the game is decided, or stopped at its maximum length, which counts as a draw."""
        return not self.plies_left or self.snapshot.outcome is not Outcome.UNDECIDED

    def returns(self) -> list[float]:
        return [reward(self.snapshot.outcome, player) for player in (0, 1)]

    def legal_actions(self, player: Player | None = None) -> list[Move]:
        """Return the legal moves. Python calls this one; C++ calls `_legal_actions`, which only the mover has."""
        if self.is_terminal() or player not in (None, self.snapshot.mover):
            return []
        return self.snapshot.legal.copy()

    def _legal_actions(self, player: Player) -> list[Move]:
        return self.snapshot.legal

    @telling_game_errors
    def _apply_action(self, move: Move) -> None:
        now = self.snapshot
        if move not in now.legal_set or not self.plies_left:
            raise illegal_number(now.rules, now.state, move)
        self.snapshot = now.find(now.rules.play(now.state, move))
        self.plies_left -= 1

    @telling_game_errors
    def _action_to_string(self, player: Player, move: Move) -> str:
        return self.game.move_name(self.snapshot.state, move)

    @telling_game_errors
    def __str__(self) -> str:
        """Return the board and the full state. OpenSpiel tells states apart by this text."""
        stopped = "" if self.plies_left else " at the ply limit"
        return f"{self.game.render(self.snapshot.state)}\n{self.snapshot.state}{stopped}"


class SpielObserver:
    """The vector of a state as the mover sees it, whichever player asks."""

    def __init__(self, rules: AnyGame) -> None:
        self._observer = Observer(rules)
        self.tensor = self._observer(rules.initial())
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: Player) -> None:
        self.tensor[:] = self._observer(state.snapshot.state)

    def string_from(self, state: SpielState, player: Player) -> str:
        return str(state)


class HistoryObserver(SpielObserver):
    """The vector of a state, and after it the moves that led there, with an element for every move at every ply."""

    def __init__(self, rules: AnyGame, max_plies: int) -> None:
        super().__init__(rules)
        self._now, self._num_moves = self.tensor, rules.num_moves
        self.tensor = np.zeros(len(self._now) + max_plies * rules.num_moves, np.float32)
        history = self.tensor[len(self._now) :].reshape(max_plies, rules.num_moves)
        self.dict = {"observation": self.tensor[: len(self._now)], "history": history}

    def set_from(self, state: SpielState, player: Player) -> None:
        self.dict["observation"][:] = self._observer(state.snapshot.state)
        self.dict["history"][:] = 0
        moves = state.history()
        self.dict["history"][range(len(moves)), moves] = 1

    def string_from(self, state: SpielState, player: Player) -> str:
        return str(state.history_str())


def max_game_length(rules: AnyGame) -> int:
    """Return the length of the longest game, or the ply limit if there is none, or it is not easily found."""
    if isinstance(rules, HasLongestGame):
        return min(rules.max_plies, ply_limit(rules))
    try:
        return min(termination_interpreted(rules, MAX_EXPLORED_STATES).longest or ply_limit(rules), ply_limit(rules))
    except TooLargeError:
        return ply_limit(rules)


def load(text: str) -> pyspiel.Game:
    """Return the game, such as `duelbook_charge(goal=21)`. Unpickling a game calls this function."""
    return pyspiel.load_game(text)


def openspiel_name(name: str) -> str:
    """Return the name of a game in OpenSpiel: `duelbook_flag_chase` for `flag-chase`."""
    return f"duelbook_{name.replace('-', '_')}"


def parameter_text(value: OptionText) -> OptionText:
    """Return the value of an option in OpenSpiel's syntax."""
    return value.replace(",", WORD_SEPARATOR) if isinstance(value, str) else value


def register(name: str) -> None:
    """Register a game with OpenSpiel, unless it is registered already."""
    if openspiel_name(name) in pyspiel.registered_names():
        return
    options = options_of(GAMES[name])
    defaults: dict[str, OptionText] = {
        option.name: parameter_text(option_text(option.default)) for option in options if option.default is not None
    }
    defaults[PRESET] = BOOK  # OpenSpiel fills in what is not given, so the book's value does not replace a preset's
    kind = game_type(name, defaults)
    pairs = {option.name for option in options if option.type is tuple}

    class RegisteredGame(SpielGame):  # a class, because a function held by OpenSpiel alone crashes Python at its exit
        def __init__(self, parameters: dict[str, Any] | None = None) -> None:
            changed = {key: value for key, value in (parameters or {}).items() if value != defaults.get(key)}
            texts = {
                key: value.replace(WORD_SEPARATOR, ",") if key in pairs else value for key, value in changed.items()
            }
            try:
                rules = make(name, **texts)
            except RefusedError as error:
                if not pairs & changed.keys():
                    raise
                text = str(error).replace("separated by a comma", "separated by a slash")
                raise RefusedError(f"{text} {ABOUT_SEPARATOR}") from error
            super().__init__(kind, rules, changed, max_game_length(rules))

    pyspiel.register_game(kind, RegisteredGame)


def game_type(name: str, parameters: dict[str, OptionText]) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=openspiel_name(name),
        long_name=title(name),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


def register_games() -> None:
    """Register every game with OpenSpiel."""
    for name in GAMES:
        register(name)


register_games()
