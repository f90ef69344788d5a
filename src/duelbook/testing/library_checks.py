"""Checks that need libraries or limits: observations for learners, the packing of the solver, compiled rules."""

from collections.abc import Iterator
from importlib.util import find_spec

from duelbook.extras import install_command
from duelbook.features import numbers_of
from duelbook.solve.packing import MAX_BITS, tight_packing
from duelbook.testing.fault import Fault, Skipped
from duelbook.testing.sample import PositionSample

COMPARED_GAMES = 30


def observation_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is outside the bounds of the observations."""
    _need("numpy", "envs")
    from duelbook.envs.observation import Observer
    from duelbook.features import features_of

    observer = Observer(sample.game)
    names = [feature.name for feature in features_of(sample.game) for _ in feature.elements]
    for position in sample.positions:
        vector = observer(position.state)
        wrong = ((vector < observer.low) | (vector > observer.high)).nonzero()[0]
        if len(wrong):
            at = int(wrong[0])
            bounds = f"{observer.low[at]:g} to {observer.high[at]:g}"
            yield Fault(f"The feature {names[at]} is {vector[at]:g}; its range is {bounds}.", position.moves)


def packing_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return which states are mixed up when they are packed into one number."""
    packing = tight_packing(tuple(numbers_of(position.state)) for position in sample.positions)
    if not packing.fits():
        raise Skipped(
            f"A state takes {packing.bits()} bits; the compiled solver has {MAX_BITS}, the other one no limit."
        )
    seen = {packing.pack(position.state): position.state for position in sample.positions}
    for position in sample.positions:
        if seen[packing.pack(position.state)] != position.state:
            yield Fault("Two states are the same number when they are packed.", position.moves)


def compiled_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return where the compiled rules play another game, or why they do not compile."""
    _need("numba", "fast")
    from duelbook.compiled.agreement import check_agreement
    from duelbook.compiled.kernel import CannotCompileError

    try:
        check_agreement(sample.game, COMPARED_GAMES, sample.rng.randrange(1 << 30))
    except CannotCompileError as error:
        yield Fault(f"{error} Everything but playouts in bulk and the vector environment works without.", None)


def _need(package: str, extra: str) -> None:
    if find_spec(package) is None:
        raise Skipped(f"{package} is not installed. Install it with: {install_command(extra)}")
