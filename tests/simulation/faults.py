"""Faults: what can go wrong, where, when and for how long. A schedule is a list of them."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What goes wrong while the fault lasts."""

    CRASH = "crash"  # the process ends without notice, and is started again afterwards
    RESTART = "restart"  # the process is stopped in order, and is started again afterwards
    PAUSE = "pause"
    SLOW_STORE = "slow store"
    SILENT_STORE = "silent store"  # it does not answer; what it was asked to write may be written
    FAILING_STORE = "failing store"  # some transactions fail, before or after the commit
    FULL_DISK = "full disk"
    CHANNEL_DOWN = "channel down"
    LOSSY_CHANNEL = "lossy channel"  # messages are dropped, doubled, delayed and overtake each other
    LOSSY_NETWORK = "lossy network"  # requests and answers get lost, sockets are cut
    DYING_WORKERS = "dying workers"
    HANGING_WORKERS = "hanging workers"
    CONFUSED_WORKERS = "confused workers"  # their answers are cut or say that they failed
    CLOCK_JUMP = "clock jump"  # of the time of day; it stays


@dataclass(frozen=True)
class Fault:
    """One fault of one process, or of all."""

    kind: Kind
    start: float
    seconds: float
    node: int | None = None  # None is all of them
    amount: float = 0.0

    def __str__(self) -> str:
        where = "all processes" if self.node is None else f"process {self.node}"
        amount = f" by {self.amount:+.0f} s" if self.kind is Kind.CLOCK_JUMP else ""
        return f"{self.start:6.2f} s  {self.kind}{amount}, {where}, for {self.seconds:.2f} s"


class Faults:
    """The faults that are active now."""

    def __init__(self) -> None:
        self._active: list[Fault] = []

    def begin(self, fault: Fault) -> None:
        self._active.append(fault)

    def end(self, fault: Fault) -> None:
        self._active.remove(fault)

    def active(self, kind: Kind, node: int) -> bool:
        return any(fault.kind is kind and fault.node in (None, node) for fault in self._active)
