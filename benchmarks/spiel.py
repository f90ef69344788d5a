"""A game of ours as OpenSpiel sees it, for comparisons with OpenSpiel's own algorithms."""

from typing import Any

import pyspiel

from duelbook.game import AnyGame, Move, Outcome, Player

MOST_PLIES = 10_000  # OpenSpiel wants a bound; ours have cycles
RETURNS = {Outcome.FIRST_WINS: [1.0, -1.0], Outcome.SECOND_WINS: [-1.0, 1.0], Outcome.DRAW: [0.0, 0.0]}


class SpielGame(pyspiel.Game):
    """The rules of one of our games, with its options."""

    def __init__(self, rules: AnyGame) -> None:
        kind = pyspiel.GameType(
            short_name="duelbook",
            long_name="Duelbook",
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
            information=pyspiel.GameType.Information.PERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=False,
            provides_observation_tensor=False,
            parameter_specification={},
        )
        sizes = pyspiel.GameInfo(
            num_distinct_actions=rules.num_moves,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=MOST_PLIES,
        )
        super().__init__(kind, sizes, {})
        self.rules = rules

    def new_initial_state(self) -> "SpielState":
        return SpielState(self)


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

    def current_player(self) -> Any:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.held.rules.mover(self.held.state)

    def is_terminal(self) -> bool:
        return self.held.outcome is not Outcome.UNDECIDED

    def returns(self) -> list[float]:
        return RETURNS.get(self.held.outcome, [0.0, 0.0])

    def _legal_actions(self, player: Player) -> list[Move]:
        return list(self.held.rules.legal_moves(self.held.state))

    def _apply_action(self, move: Move) -> None:
        self.held = Held(self.held.rules, self.held.rules.play(self.held.state, move))

    def _action_to_string(self, player: Player, move: Move) -> str:
        return self.held.rules.move_name(self.held.state, move)

    def __str__(self) -> str:
        return str(self.held.state)
