"""The games in OpenSpiel: importing this registers `duelbook_charge` and the others; options are parameters."""

from typing import Any

import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from duelbook.envs.observer import Observer
from duelbook.envs.rewards import reward
from duelbook.game import AnyGame, IllegalMoveError, Move, Outcome, Player, move_names
from duelbook.games import GAMES, make, title
from duelbook.match import ply_limit
from duelbook.options import OptionText, option_text, options_of

COMMA = "/"  # in OpenSpiel a comma parts parameters, so words are given as PLANT/GHOST


class SpielGame(pyspiel.Game):
    """The rules of a game with its options."""

    def __init__(self, kind: pyspiel.GameType, rules: AnyGame, parameters: dict[str, Any], longest: int) -> None:
        sizes = pyspiel.GameInfo(
            num_distinct_actions=rules.num_moves,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=longest,
        )
        super().__init__(kind, sizes, parameters)
        self.rules = rules

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game by its name and parameters."""
        return load, (str(self),)

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Any:
        """Answer what makes vectors of states; where whole histories are wanted, OpenSpiel's own."""
        if kind is None or (kind.public_info and not kind.perfect_recall):
            return SpielObserver(self.rules)
        return IIGObserverForPublicInfoGame(kind, parameters)


class Held:
    """A state with its rules; what never changes need not be copied, which would cost OpenSpiel half its time."""

    def __init__(self, rules: AnyGame, state: Any) -> None:
        self.rules = rules
        self.state = state
        self.outcome = rules.outcome(state)

    def __deepcopy__(self, seen: object) -> "Held":
        return self


class SpielState(pyspiel.State):
    """A state of ours; OpenSpiel changes it and copies it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.held = Held(game.rules, game.rules.initial())
        self.plies_left = game.max_game_length()

    def current_player(self) -> Any:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.held.rules.mover(self.held.state)

    def is_terminal(self) -> bool:
        """Tell whether the game is decided, or stopped at its greatest length, which counts as a draw."""
        return self.held.outcome is not Outcome.UNDECIDED or not self.plies_left

    def returns(self) -> list[float]:
        return [reward(self.held.outcome, player) for player in (0, 1)]

    def _legal_actions(self, player: Player) -> list[Move]:
        return list(self.held.rules.legal_moves(self.held.state))

    def _apply_action(self, move: Move) -> None:
        if move not in self._legal_actions(self.current_player()):
            raise IllegalMoveError(f"move number {move}", move_names(self.held.rules, self.held.state))
        self.held = Held(self.held.rules, self.held.rules.play(self.held.state, move))
        self.plies_left -= 1

    def _action_to_string(self, player: Player, move: Move) -> str:
        return self.held.rules.move_name(self.held.state, move)

    def __str__(self) -> str:
        """Answer the board, and the state in full: no two states are alike in it."""
        stopped = "" if self.plies_left else " at the ply limit"
        return f"{self.held.rules.render(self.held.state)}\n{self.held.state}{stopped}"


class SpielObserver:
    """The vector of a state, the same whichever player asks: the mover's point of view."""

    def __init__(self, rules: AnyGame) -> None:
        self._observer = Observer(rules)
        self.tensor = self._observer(rules.initial())
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: Player) -> None:
        self.tensor[:] = self._observer(state.held.state)

    def string_from(self, state: SpielState, player: Player) -> str:
        return str(state)


def load(text: str) -> pyspiel.Game:
    """Answer the game, as in `duelbook_charge(goal=21)`; unpickling calls it where nothing may be registered yet."""
    return pyspiel.load_game(text)


def spiel_name(name: str) -> str:
    """Answer under which name OpenSpiel knows a game: `flag-chase` is duelbook_flag_chase."""
    return f"duelbook_{name.replace('-', '_')}"


def spiel_text(value: OptionText) -> OptionText:
    """Answer an option as OpenSpiel can write it."""
    return value.replace(",", COMMA) if isinstance(value, str) else value


def register(name: str) -> None:
    """Make a game known to OpenSpiel, if it is not."""
    if spiel_name(name) in pyspiel.registered_names():
        return
    options = options_of(GAMES[name])
    usual = {option.name: spiel_text(option_text(option.default)) for option in options if option.default is not None}
    kind = game_type(name, usual)
    pairs = {option.name for option in options if option.type is tuple}

    class Registered(
        SpielGame
    ):  # a class and no function: one that OpenSpiel alone holds would crash Python at its exit
        def __init__(self, parameters: dict[str, Any] | None = None) -> None:
            given = {key: value for key, value in (parameters or {}).items() if value != usual.get(key)}
            texts = {key: value.replace(COMMA, ",") if key in pairs else value for key, value in given.items()}
            rules = make(name, **texts)
            super().__init__(kind, rules, given, ply_limit(rules))

    pyspiel.register_game(kind, Registered)


def game_type(name: str, parameters: dict[str, OptionText]) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=spiel_name(name),
        long_name=title(name),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


for _name in GAMES:
    register(_name)
