"""Progress in lessons and with puzzles, as the data folder keeps it: steps passed, puzzles solved, results of days."""

import sys
from collections.abc import Sequence
from datetime import date, timedelta

import msgspec

from duelbook.play.data_folder import data_file, load, save

WRONG, HELPED, SHOWN, SOLVED = "x", "h", "a", "o"  # marks: a wrong move, a step of help, the answer shown, solved
SQUARES = {WRONG: "\U0001f7e5", HELPED: "\U0001f7e8", SHOWN: "\u2b1b", SOLVED: "\U0001f7e9"}  # as the page shares them
WORDS = {WRONG: "wrong move", HELPED: "hint", SHOWN: "answer shown", SOLVED: "solved"}
MAX_MARKS = 40
MAX_DAYS = 2000


# Lessons


class LessonProgress(msgspec.Struct, forbid_unknown_fields=True):
    """Steps passed in this round, of how many, and whether all of them were passed once."""

    step: int = 0
    steps: int = 0
    done: bool = False

    def text(self) -> str:
        """Return how far the person is, in words."""
        if self.done:
            return "finished"
        return f"up to step {self.step} of {self.steps}"

    def start(self, steps: int) -> int:
        """Return the index of the step to go on with, in a lesson of that number of steps."""
        return self.step if not self.done and 0 <= self.step < steps else 0


class LearningProgress(msgspec.Struct, forbid_unknown_fields=True):
    """The progress in the lesson of each game that was begun."""

    lessons: dict[str, LessonProgress] = msgspec.field(default_factory=dict)

    def pass_step(self, game: str, passed: int, steps: int) -> None:
        """Note how many steps are passed. A lesson that was finished once stays finished."""
        before = self.lessons.get(game, LessonProgress())
        done = before.done or passed >= steps
        self.lessons[game] = LessonProgress(min(passed, steps), steps, done)

    def text(self, game: str) -> str:
        """Return how far the person is in the lesson of a game, in words."""
        return self.lessons[game].text() if game in self.lessons else "about a minute"

    def next_lesson(self, games: Sequence[str], after: str = "") -> str | None:
        """Return the game whose lesson comes next, of those that are not finished.

        After a lesson it is the one that follows it; otherwise one that was begun, or else the first.
        """
        start = games.index(after) + 1 if after else 0
        order = [*games[start:], *games[:start]]
        unfinished = [
            name for name in order if name != after and not (name in self.lessons and self.lessons[name].done)
        ]
        begun = [] if after else [name for name in unfinished if name in self.lessons]
        return next(iter(begun or unfinished), None)


def load_lessons() -> LearningProgress:
    return load(data_file("lessons.json"), LearningProgress)


def note_passed(game: str, passed: int, steps: int) -> str:
    """Keep the number of steps of a lesson that are passed, unless it was more before. Return a problem, if any."""
    progress = load_lessons()
    before = progress.lessons.get(game)
    progress.pass_step(game, max(passed, before.start(steps) if before else 0), steps)
    return save(progress, data_file("lessons.json"))


# Puzzles


class PuzzleProgress(msgspec.Struct, forbid_unknown_fields=True):
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


def load_puzzles() -> PuzzleProgress:
    return load(data_file("puzzles.json"), PuzzleProgress)


def save_puzzles(progress: PuzzleProgress) -> str:
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
