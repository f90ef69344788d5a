"""The arguments of `duelbook play`."""

from dataclasses import dataclass, field
from pathlib import Path

MAX_MATCHES = 100  # of a series


@dataclass(frozen=True)
class PlayArguments:
    """The arguments of `duelbook play`; None for those that are not given."""

    game: str | None = None
    options: dict[str, str] = field(default_factory=dict)
    agents: tuple[str | None, str | None] = (None, None)
    names: tuple[str | None, str | None] = (None, None)
    first: str | None = None  # `1`, `2` or `random`
    seed: int | None = None
    time_limit: float | None = None
    record: Path | None = None
    resume: Path | None = None
    show_values: bool = False
    matches: int = 1  # played one after another, with the seats swapped each time
    keep: bool = True  # in the history
    kept: int | None = None  # the number of a game of the history to resume
    once: bool = False  # nothing is offered after the match
    server: str | None = None  # of the service that has the match
    join: str | None = None  # the link or the code of a match of the service
    watch: str | None = None  # the same, to watch it

    @property
    def is_resumed(self) -> bool:
        """True if a match of a file or of the history continues."""
        return self.resume is not None or self.kept is not None
