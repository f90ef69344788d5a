"""What a person has solved, kept in their data folder."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path

from platformdirs import user_data_path

from duelbook.files import write_atomic


@dataclass
class Progress:
    """Puzzles solved at the first try, puzzles tried, and the days in a row with the daily one solved."""

    solved: int = 0
    tried: int = 0
    streak: int = 0
    last_day: str = ""

    def count(self, solved: bool, day: date | None) -> None:
        """Count a puzzle; `day` is given for the puzzle of that day, which counts once."""
        if day and self.last_day == day.isoformat():
            return
        self.tried += 1
        self.solved += solved
        if day:
            follows = self.last_day == (day - timedelta(days=1)).isoformat()
            self.streak = (self.streak if follows else 0) + 1 if solved else 0
            self.last_day = day.isoformat()

    def text(self) -> str:
        streak = f" Daily streak: {self.streak}." if self.last_day else ""
        return f"Solved at the first try: {self.solved} of {self.tried}.{streak}"


def progress_file() -> Path:
    return user_data_path("duelbook") / "puzzles.json"


def load_progress(path: Path) -> Progress:
    """Answer what the file holds; a missing or damaged one counts as a fresh start."""
    with suppress(OSError, ValueError, TypeError, AttributeError, RecursionError):
        found = json.loads(path.read_text(encoding="utf-8"))
        fresh = asdict(Progress())
        if {name: type(value) for name, value in found.items()} == {name: type(value) for name, value in fresh.items()}:
            return Progress(**found)
    return Progress()


def save_progress(progress: Progress, path: Path) -> None:
    """Write the file whole or not at all; a folder that cannot be written to is no reason to stop."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, (json.dumps(asdict(progress), indent=2) + "\n").encode())
