"""What all environments share: vectors, masks, rewards, text for people, and the checks of arguments."""

import math
import operator
import random
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import lru_cache
from inspect import Parameter, signature
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from duelbook.errors import RefusedError, check_range
from duelbook.features import features_of, numbers_of, observed_parts, shown_options
from duelbook.features import state_from_numbers as state_from_numbers
from duelbook.game import AnyGame, IllegalMoveError, Move, Outcome, Player, Reason
from duelbook.games import find_rules, make
from duelbook.match import Match, ply_limit
from duelbook.options import PRESET, drawn_options, options_of, whole
from duelbook.presets import expand_preset
from duelbook.text import did_you_mean, shorten

if TYPE_CHECKING:
    from gymnasium.spaces import Box, Dict

Vector = npt.NDArray[np.float32]
Mask = npt.NDArray[np.int8]
Longs = npt.NDArray[np.int64]

RENDER_MODES = ("human", "ansi")
METADATA: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}
MAX_PLY_LIMIT = 1 << 31
MAX_OBSERVERS = 64  # that are remembered
ON_ILLEGAL = ("raise", "penalty")
ON_EARLY_END = ("report", "skip")
MAX_SKIPPED = 1000  # games in a row that the opponent ends before the learner's first turn
ALWAYS_OVER = (
    f"In {MAX_SKIPPED} games in a row, the opponent ended the game before the learner's first turn. "
    "Use on_early_end='report' or another seat."
)


class UnexpectedArgumentError(RefusedError, TypeError):
    """There is no argument or option with this name, or no such render mode. Wrappers expect a TypeError."""


class IllegalActionError(IllegalMoveError):
    """An illegal action. Gymnasium's `AsyncVectorEnv` raises the error of a worker again as `type(error)(error)`."""

    def __init__(self, error: IllegalMoveError) -> None:
        RefusedError.__init__(self, *error.args)
        self.legal = error.legal


class Observer:
    """Turns states into vectors, seen from the mover's side. The vectors are the same in every library."""

    def __init__(self, game: AnyGame) -> None:
        features = features_of(game)
        self._elements = [(feature.number, element) for feature in features for element in feature.elements]
        elements = [(number, *element) for number, element in self._elements]
        lengths = [len(feature.elements) for feature in features]
        self.game = game
        self.shown_options = np.array([shown_options(game, 0), shown_options(game, 1)], np.int64)
        self.numbers, self.shifts, self.masks, self.symbols = np.array(elements, np.int64).T.copy()
        self.parts = np.array(observed_parts(self._elements), np.int64)
        self.low = np.repeat(np.array([feature.low for feature in features], np.float32), lengths)
        self.high = np.repeat(np.array([feature.high for feature in features], np.float32), lengths)

    def __call__(self, state: Any) -> Vector:
        numbers = [*numbers_of(state), *self.shown_options[self.game.mover(state)].tolist()]
        try:
            row = np.array(numbers, np.int64)
        except OverflowError:  # a mask of more than 63 bits
            return np.array([element.read(numbers[number]) for number, element in self._elements], np.float32)
        found = row[self.numbers] >> self.shifts & self.masks
        vector: Vector = np.where(self.symbols < 0, found, found == self.symbols).astype(np.float32)
        return vector

    def space(self) -> "Box[np.float32]":
        """Return the Gymnasium space of the vectors."""
        from gymnasium.spaces import Box

        return Box(self.low, self.high, dtype=np.float32)

    def masked_space(self) -> "Dict":
        """Return the Gymnasium space of the vectors with the masks beside them."""
        from gymnasium.spaces import Box, Dict

        return Dict({"observation": self.space(), "action_mask": Box(0, 1, (self.game.num_moves,), np.int8)})


@lru_cache(MAX_OBSERVERS)
def observer_of(game: AnyGame) -> Observer:
    """Return the observer of the game, which is made once."""
    return Observer(game)


def make_game(game: str | AnyGame, options: Mapping[str, Any], *makers: Callable[..., Any]) -> AnyGame:
    """Return the game with these options, or raise RefusedError: UnexpectedArgumentError for one that it has not.

    `makers` are the functions whose other keywords these are, so that the error can name them, too.
    """
    known = [option.name for option in options_of(find_rules(game))] + [PRESET] if isinstance(game, str) else []
    for name in options:
        if name not in known:
            whose = f"Options of {game}: {', '.join(known)}" if known else "A game in hand has its options already"
            own = [one.name for maker in makers for one in signature(maker).parameters.values() if _is_keyword(one)]
            close = did_you_mean(name.replace("_", "-"), [one.replace("_", "-") for one in (*known, *own)])
            raise UnexpectedArgumentError(
                f"got an unexpected keyword argument '{shorten(name)}'.{close.replace('-', '_')} "
                f"{whose}. Arguments of the environment: {', '.join(own)}."
            )
    return make(game, **options)


def _is_keyword(parameter: Parameter) -> bool:
    return parameter.kind is Parameter.KEYWORD_ONLY


def drawn_on_reset(game: str | AnyGame, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the options that each reset draws: none of a game in hand."""
    if not isinstance(game, str):
        return ()
    rules = find_rules(game)
    return drawn_options(rules, expand_preset(rules, given))


def seeded_rng(rng: np.random.Generator) -> random.Random:
    """Return a generator of the kind that games are drawn with, seeded by Gymnasium's."""
    return random.Random(int(rng.integers(1 << 63)))


def mask_of(game: AnyGame, moves: Iterable[Move]) -> Mask:
    """Return a mask with 1 for each of the moves and 0 for all others."""
    mask = np.zeros(game.num_moves, np.int8)
    mask[list(moves)] = 1
    return mask


def reward(outcome: Outcome, player: Player) -> float:
    """Return 1 for a win, -1 for a loss, and 0 for a draw or an undecided game."""
    if outcome in (Outcome.DRAW, Outcome.UNDECIDED):
        return 0.0
    return 1.0 if outcome == player else -1.0


def is_truncated(match: Match) -> bool:
    """Return True if the match was stopped at the ply limit, which is not an end by the rules."""
    return match.reason is Reason.PLY_LIMIT


def render(game: AnyGame, state: Any, mode: str | None) -> str | None:
    """Return the state as text in the mode `ansi`, or print it in the mode `human`."""
    text = game.render(state)
    if mode == "human":
        print(text, end="\n\n")  # noqa: T201 - as Gymnasium defines this mode
    return text if mode == "ansi" else None


def as_move(action: Any) -> Move:
    """Return the action as a Python integer, or raise RefusedError."""
    try:
        return operator.index(action)
    except TypeError:
        raise RefusedError(f"An action must be the number of a move, not {shorten(repr(action))}.") from None


def check_render_mode(mode: str | None) -> str | None:
    """Return the mode, or raise an error that is a TypeError, too: Stable-Baselines3 then tries without a mode."""
    if mode is not None and mode not in RENDER_MODES:
        allowed = ", ".join(RENDER_MODES)
        raise UnexpectedArgumentError(f"render_mode must be one of {allowed}, not {shorten(repr(mode))}.")
    return mode


def check_ply_limit(game: AnyGame, limit: int | None) -> int:
    """Return the limit, by default that of matches between agents. Raise RefusedError if it is out of range."""
    return ply_limit(game) if limit is None else check_count("ply_limit", limit, MAX_PLY_LIMIT)


def check_choice(name: str, value: Any, valid: Collection[str]) -> str:
    """Return the value if it is one of the valid ones, or raise RefusedError."""
    if value not in valid:
        raise RefusedError(f"{name} must be one of {', '.join(valid)}, not {shorten(repr(value))}.")
    return str(value)


def check_flag(name: str, value: Any) -> bool:
    """Return the value if it is True or False, or raise RefusedError: the text "no" would count as True."""
    if not isinstance(value, bool):
        raise RefusedError(f"{name} must be True or False, not {shorten(repr(value))}.")
    return value


def check_penalty(penalty: Any) -> float:
    """Return the penalty for an illegal action, or raise RefusedError."""
    is_number = isinstance(penalty, Real) and not isinstance(penalty, bool)
    if not (is_number and math.isfinite(penalty) and penalty >= 0):
        raise RefusedError(f"penalty must be a number of at least 0, not {shorten(repr(penalty))}.")
    return float(penalty)


def check_count(name: str, value: Any, high: int) -> int:
    """Return the value as a whole number from 1 to `high`, or raise RefusedError."""
    count = whole(value)
    if not isinstance(count, int) or isinstance(count, bool):
        raise RefusedError(f"{name} must be a whole number, not {shorten(repr(value))}.")
    check_range(name, count, 1, high)
    return count
