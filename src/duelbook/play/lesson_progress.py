"""Progress in the lessons, as the data folder keeps it: how many steps of each were passed."""

from collections.abc import Sequence

import msgspec

from duelbook.play.data_folder import data_file, load, save


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
        """Return the index of the step to go on with, in a lesson that has so many steps."""
        return self.step if not self.done and 0 <= self.step < steps else 0


class Progress(msgspec.Struct, forbid_unknown_fields=True):
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


def load_lessons() -> Progress:
    return load(data_file("lessons.json"), Progress)


def note_passed(game: str, passed: int, steps: int) -> str:
    """Keep that so many steps of a lesson are passed, unless it was more before. Return why it is not kept, if so."""
    progress = load_lessons()
    before = progress.lessons.get(game)
    progress.pass_step(game, max(passed, before.start(steps) if before else 0), steps)
    return save(progress, data_file("lessons.json"))
