"""All checks of a game, one after the other, each with the first failure that it finds."""

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import NamedTuple

from duelbook.contract import KERNEL_CHECKS, PositionCheck, described, faults_of, initial_faults, line_text, names_of
from duelbook.errors import RefusedError
from duelbook.game import AnyGame
from duelbook.game_errors import raised_text
from duelbook.games import make
from duelbook.options import pairs_text
from duelbook.testing import guide_checks, library_checks, match_checks, text_checks
from duelbook.testing.fault import Fault, Skipped
from duelbook.testing.oracle import Oracle, oracle_faults
from duelbook.testing.sample import PositionSample, take_samples
from duelbook.text import shorten

POSITIONS = 1000  # that each check looks at, by default

Check = Callable[[PositionSample], Iterator[Fault]]


class Failure(NamedTuple):
    """A check that failed: what is wrong, and the names of the moves that show it (None if no position does)."""

    check: str
    game: str  # with its options
    reason: str
    moves: tuple[str, ...] | None

    def __str__(self) -> str:
        return f"{self.game}: {self.check}: {self.sentence()}"

    def sentence(self) -> str:
        """Return what is wrong and the moves that show it."""
        return f"{self.reason} {line_text(self.moves)}".rstrip()


class CheckResult(NamedTuple):
    """What came of a check: it passed, or failed, or was skipped for a reason."""

    check: str
    about: str
    failure: Failure | None = None
    skipped: str = ""


def _everywhere(check: PositionCheck) -> Check:
    """Return a check of a game that checks each of its positions."""

    def faults(sample: PositionSample) -> Iterator[Fault]:
        for position in sample.positions:
            for reason in faults_of(check, sample.game, position.state):
                yield Fault(reason, position.moves)

    return faults


def _deterministic_faults(sample: PositionSample) -> Iterator[Fault]:
    for reason in initial_faults(sample.game):
        yield Fault(reason, None)
    yield from _everywhere(KERNEL_CHECKS["deterministic"])(sample)


CHECKS: dict[str, tuple[str, Check]] = {
    "options": ("options are frozen, hashable, and the same when read from text", text_checks.option_faults),
    "presets": ("the presets of the game can be played", text_checks.preset_faults),
    "states": ("states are named tuples of whole numbers", _everywhere(KERNEL_CHECKS["states"])),
    "players": ("one of two players is to move", _everywhere(KERNEL_CHECKS["players"])),
    "outcomes": ("outcomes are members of Outcome", _everywhere(KERNEL_CHECKS["outcomes"])),
    "moves": ("legal moves ascend, are known, and there are some until the end", _everywhere(KERNEL_CHECKS["moves"])),
    "deterministic": ("the same moves lead to the same state", _deterministic_faults),
    "names": ("every move has a name of its own that can be typed", _everywhere(text_checks.name_faults)),
    "ends": ("every game ends, or comes back to an earlier state", match_checks.end_faults),
    "text": ("the text and the view of every state can be shown", _everywhere(text_checks.show_faults)),
    "narration": ("the narration has words for every position", text_checks.narration_faults),
    "board": ("the board of every position can be drawn, and every legal move pressed on it", text_checks.board_faults),
    "rules": ("the rules page can be shown with any options", text_checks.rules_faults),
    "lesson": ("every step of the lesson can be passed", text_checks.step_faults),
    "guide": ("the examples of the guide can be played, and its tips are right", guide_checks.guide_faults),
    "draws": ("what is drawn follows from the seed and fits the game", text_checks.draw_faults),
    "records": ("records of matches can be written and read", match_checks.record_faults),
    "examples": ("the examples of the rule book follow the rules", match_checks.example_faults),
    "equivalents": ("states that count as equal play alike", _everywhere(match_checks.canonical_faults)),
    "observations": ("observations are within their bounds", library_checks.observation_faults),
    "packing": ("states fit into the numbers of the compiled solver", library_checks.packing_faults),
    "compiled": ("compiled and interpreted rules play alike", library_checks.compiled_faults),
}
ESSENTIAL = ("options", "states", "players", "outcomes", "moves", "deterministic")  # the others rely on these
DEFAULT_START_ONLY = (
    "options",
    "presets",
    "rules",
    "lesson",
    "guide",
    "draws",
    "examples",
)  # they draw starts themselves, or need none
ORACLE = "oracle"
ABOUT_ORACLE = "the second implementation has the same legal moves, mover and outcome"


def check_game(
    game: str | AnyGame,
    *,
    oracle: Oracle | None = None,
    skip: Collection[str] = (),
    positions: int = POSITIONS,
    seed: int = 0,
) -> list[Failure]:
    """Return what is wrong with the game: one failure for each check that does not pass, so an empty list is good.

    `positions` is the number of positions that each check looks at: those near the start, all of them if the game is
    small, and others of random games. If the start is drawn, half of them are those of drawn starts, and a failure
    names what was drawn. The same seed gives the same positions. `skip` names checks to leave out. `oracle` is a
    second implementation to compare with (see `duelbook.testing.oracle`).
    """
    results = run_checks(game, oracle=oracle, skip=skip, positions=positions, seed=seed)
    return [result.failure for result in results if result.failure]


def run_checks(
    game: str | AnyGame,
    *,
    oracle: Oracle | None = None,
    skip: Collection[str] = (),
    positions: int = POSITIONS,
    seed: int = 0,
) -> Iterator[CheckResult]:
    """Return the result of each check, as soon as it is known. The arguments are those of `check_game`."""
    for name in skip:
        if name not in CHECKS:
            raise RefusedError(f"Unknown check '{shorten(name)}'. Checks: {', '.join(CHECKS)}.")
    game = make(game)
    checks: dict[str, tuple[str, Check]] = (
        CHECKS if oracle is None else {**CHECKS, ORACLE: (ABOUT_ORACLE, partial(oracle_faults, oracle))}
    )
    return _results(game, {name: check for name, check in checks.items() if name not in skip}, positions, seed)


def _results(game: AnyGame, checks: dict[str, tuple[str, Check]], positions: int, seed: int) -> Iterator[CheckResult]:
    samples = take_samples(game, seed, positions)
    failed: list[str] = []
    for name, (about, check) in checks.items():
        if failed and name not in ESSENTIAL:
            yield CheckResult(name, about, skipped=f"It relies on {' and '.join(failed)}, which failed.")
            continue
        try:
            failure = _first_failure(name, check, samples[:1] if name in DEFAULT_START_ONLY else samples)
        except Skipped as skipped:
            yield CheckResult(name, about, skipped=str(skipped))
            continue
        if failure and name in ESSENTIAL:
            failed.append(name)
        yield CheckResult(name, about, failure)


def _first_failure(name: str, check: Check, samples: list[PositionSample]) -> Failure | None:
    for sample in samples:
        for fault in _guarded(check, sample):
            return _failure(name, sample, fault)
    return None


def _guarded(check: Check, sample: PositionSample) -> Iterator[Fault]:
    """Return the faults that the check finds. An exception in the game is one, too."""
    try:
        yield from check(sample)
    except RefusedError as error:
        yield Fault(str(error), None)
    except Skipped:
        raise
    except Exception as error:
        yield Fault(raised_text(error, type(sample.game)), None)


def _failure(check: str, sample: PositionSample, fault: Fault) -> Failure:
    game = fault.game or sample.game
    moves = None if fault.moves is None else names_of(game, fault.moves)
    drawn = f"With {pairs_text(game, sample.drawn)}: " if sample.drawn else ""
    return Failure(check, described(game), f"{drawn}{fault.reason}", moves)
