"""Classes that the registry must refuse, and one that it takes."""

from dataclasses import dataclass, field

from tests.support.toy.rules import Staircase


class NoGame:
    """It has only some of the methods."""

    initial = mover = legal_moves = outcome = move_name = len


@dataclass
class Thawed:
    """Its options can change."""

    steps: int = 7
    num_moves = 2
    initial = mover = legal_moves = play = outcome = move_name = render = len


@dataclass(frozen=True)
class Lists(Staircase):
    """An option cannot be text."""

    walls: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class NoDefault:
    """An option has no default."""

    steps: int
    num_moves = 2
    initial = mover = legal_moves = play = outcome = move_name = render = len


@dataclass(frozen=True)
class Raises(Staircase):
    """It cannot be made."""

    def __post_init__(self) -> None:
        assert 1 // 0


@dataclass(frozen=True)
class Downstairs(Staircase):
    """Another game."""
