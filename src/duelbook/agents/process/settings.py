"""Settings for programs, by environment variables."""

from dataclasses import dataclass
from typing import Any

from duelbook.settings import read_settings, setting

PREFIX = "DUELBOOK_PROCESS_"


@dataclass(frozen=True)
class ProcessSettings:
    """The settings for programs. Each is also an environment variable: `DUELBOOK_PROCESS_` and its name."""

    seconds: float = setting(10.0, "time for one move", 0.01)
    match_seconds: float = setting(0.0, "time for all moves of a match together; 0 for no limit", 0)
    start_seconds: float = setting(10.0, "time until `hello`, and from there and from each `game` until `ready`", 0.01)

    def play_settings(self) -> dict[str, Any]:
        """Return the settings that affect how a program plays, by their environment variables."""
        return {f"{PREFIX}{name.upper()}": value for name, value in vars(self).items()}


def read_process_settings() -> ProcessSettings:
    return read_settings(ProcessSettings, PREFIX)
