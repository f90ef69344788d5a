"""Progress with puzzles, as the data folder keeps it: what was solved, the daily streak, and the results of days."""

import sys
from datetime import date, timedelta

import msgspec

from duelbook.play.data_folder import data_file, load, save

WRONG, HELPED, SHOWN, SOLVED = "x", "h", "a", "o"  # marks: a wrong move, a step of help, the answer shown, solved
SQUARES = {WRONG: "\U0001f7e5", HELPED: "\U0001f7e8", SHOWN: "\u2b1b", SOLVED: "\U0001f7e9"}  # as the page shares them
WORDS = {WRONG: "wrong move", HELPED: "hint", SHOWN: "answer shown", SOLVED: "solved"}
MAX_MARKS = 40
MAX_DAYS = 2000


class Progress(msgspec.Struct, forbid_unknown_fields=True):
    """Puzzles solved at the first try, puzzles tried, the daily streak, and the marks of each day."""

    solved: int = 0
    tried: int = 0
    streak: int = 0
    last_day: str = ""
    days: dict[str, str] = msgspec.field(default_factory=dict)

    def count(self, solved: bool, day: date | None = None, marks: str = "", *, late: bool = False) -> None:
        """Count a puzzle. That of a day counts once; a late one, of a past day, leaves the streak as it is."""
        if day and (day.isoformat() in self.days or day.isoformat() == self.last_day):
            return
        self.tried += 1
        self.solved += solved
        if day:
            self.days[day.isoformat()] = marks[:MAX_MARKS]
            self.days = dict(sorted(self.days.items())[-MAX_DAYS:])
        if day and not late:
            follows = self.last_day == (day - timedelta(days=1)).isoformat()
            self.streak = (self.streak if follows else 0) + 1 if solved else 0
            self.last_day = day.isoformat()

    def text(self) -> str:
        streak = f" Daily streak: {self.streak}." if self.last_day else ""
        return f"Solved at the first try: {self.solved} of {self.tried}.{streak}"


def load_progress() -> Progress:
    return load(data_file("puzzles.json"), Progress)


def save_progress(progress: Progress) -> str:
    """Return an empty text, or a sentence about why the progress is not kept."""
    return save(progress, data_file("puzzles.json"))


def marks_text(marks: str) -> str:
    """Return the marks as squares or, where the output takes only ASCII, as words."""
    if "utf" in (getattr(sys.stdout, "encoding", "utf-8") or "").lower():  # the full screen has no encoding
        return "".join(SQUARES.get(mark, "") for mark in marks)
    return ", ".join(WORDS.get(mark, "") for mark in marks)


def share_text(day: date, title: str, level: int, marks: str) -> str:
    """Return the result of a daily puzzle as text to share. It does not give the answer away."""
    return (
        f"Duelbook puzzle of {day:%a} {day.day} {day:%b}: {title}, level {level} of 5\n"
        f"{marks_text(marks)}\nduelbook puzzle --day {day}"
    )
