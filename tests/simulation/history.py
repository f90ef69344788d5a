"""The history of a run: what clients asked and saw, checked against what was committed."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.simulation.cluster import Cluster
from tests.simulation.network import Answer

CALM_SECONDS = 1.0  # for an answer while nothing delays it
CALM_AFTER_SECONDS = 8.0  # after the last fault that delays answers
ANSWER_SECONDS = 45.0  # for any answer of a process that is not interrupted
EXPECTED_STATUSES = (200, 201, 202, 403, 409, 422, 503)


@dataclass(frozen=True)
class Violation:
    """A promise that was broken."""

    check: str
    time: float
    detail: str

    def __str__(self) -> str:
        return f"{self.time:6.2f} s  {self.check}: {self.detail}"


@dataclass
class Intended:
    """A move that a player intends to play, with its key, and the answers to all tries."""

    match: str
    key: str
    ply: int
    move: str
    answers: list[Any] = field(default_factory=list)  # (version, ply, moves); moves are None over a socket
    refused: str = ""


class History:
    """Checks every event as it happens. `check_end` compares the final state."""

    def __init__(self, cluster: Cluster) -> None:
        self.violations: list[Violation] = []
        self.events: list[str] = []  # the trace
        self.moves: list[Intended] = []
        self.created: dict[str, float] = {}  # acknowledged matches
        self._cluster = cluster

    def note(self, *words: object) -> None:
        self.events.append(f"{self._cluster.loop.time():.6f} " + " ".join(map(str, words)))

    def fail(self, check: str, detail: str) -> None:
        self.violations.append(Violation(check, self._cluster.loop.time(), detail))

    # Answers

    def answered(self, node: int, what: str, start: float, answer: Answer | None) -> None:
        """Check that an answer came in time and is one of those that a client may get."""
        now, place = self._cluster.loop.time(), self._cluster.nodes[node]
        self.note(what, node, answer.status if answer else "lost", answer.code if answer else "")
        if answer and answer.status not in EXPECTED_STATUSES:
            self.fail(f"status {answer.status}", f"{what}: {answer.body}")
        if place.interrupted >= start:
            return
        calm = self._cluster.is_calm(node) and place.disturbed + CALM_AFTER_SECONDS < start and "student" not in what
        if now - start > (CALM_SECONDS if calm else ANSWER_SECONDS):
            self.fail("late answer" if calm else "starved", f"{what} took {now - start:.1f} s")

    def version_at(self, match: str, time: float) -> int:
        committed = self._cluster.store.history.get(match, ())
        return next((one.version for one in reversed(committed) if one.time <= time), 0)

    def read(self, match: str, version: int, start: float, what: str) -> None:
        """Check a view that was read: not older than what was committed when the read began, and committed."""
        if version < (known := self.version_at(match, start)):
            self.fail("stale read", f"{what} of {match[:6]} shows version {version}, {known} was committed before")
        if version > (known := self.version_at(match, self._cluster.loop.time())):
            self.fail("uncommitted read", f"{what} of {match[:6]} shows version {version}, only {known} is committed")

    def pushed(self, match: str, version: int, before: int) -> None:
        """Check a view that a socket was sent."""
        if version <= before:
            self.fail("socket went back", f"version {version} after {before} of {match[:6]}")
        if version > (known := self.version_at(match, self._cluster.loop.time())):
            self.fail("uncommitted read", f"a socket shows version {version} of {match[:6]}, only {known} is committed")

    def refused(self, intended: Intended, code: str) -> None:
        """Check an answer that refuses a move: no other try was accepted before."""
        if intended.answers:
            self.fail("other answer", f"{intended.key} was answered {intended.answers[0]} and then {code}")
        intended.refused = code

    def acknowledged(self, intended: Intended, version: int, ply: int, moves: Sequence[str] | None) -> None:
        """Check an answer that accepts a move: it is committed, and all answers to the key are the same."""
        if version > (known := self.version_at(intended.match, self._cluster.loop.time())):
            self.fail("acknowledged too early", f"{intended.key} made version {version}, only {known} is committed")
        for before in intended.answers:
            if before[:2] != (version, ply) or (None not in (before[2], moves) and before[2] != moves):
                self.fail("other answer", f"{intended.key} was answered {before} and then {(version, ply, moves)}")
        if moves is not None and (len(moves) <= intended.ply or moves[intended.ply] != intended.move):
            self.fail("other move", f"{intended.key} played {intended.move} at {intended.ply}, the answer has {moves}")
        intended.answers.append((version, ply, moves))
