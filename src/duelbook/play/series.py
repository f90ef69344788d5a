"""Several matches of the same players, one after another: the seats are swapped each time, and points are added up."""

from dataclasses import replace
from pathlib import Path

from duelbook.game import Outcome, won_by
from duelbook.games import name_of
from duelbook.match import Match
from duelbook.options import write_options
from duelbook.play.arguments import PlayArguments
from duelbook.play.setup import Setup, is_model_among
from duelbook.records.file import check_new


class Series:
    """The matches so far: one, or several. `points` are those of Player 1 and Player 2."""

    def __init__(self, arguments: PlayArguments, number: int = 1, current: PlayArguments | None = None) -> None:
        self.arguments = arguments  # of the whole series
        self.number = number  # of the match that is played
        self.current = current or arguments  # of that match
        self.points = [0.0, 0.0]
        self._counted = 0

    @property
    def is_last(self) -> bool:
        """True if no match follows the one that is played."""
        return self.number == self.arguments.matches

    def title(self) -> str:
        """Return which match is played, as `Match 1 of 3`, or an empty text if it is the only one."""
        return f"Match {self.number} of {self.arguments.matches}" if self.arguments.matches > 1 else ""

    def count(self, match: Match, setup: Setup) -> None:
        """Count one point for a win, half a point for a draw."""
        self._counted += 1
        for person in (0, 1):
            is_even = match.outcome in (Outcome.DRAW, Outcome.UNDECIDED)
            self.points[person] += 0.5 if is_even else float(match.outcome == won_by(person ^ setup.first))

    def points_text(self, setup: Setup) -> str:
        """Return the points of both players, or an empty text if no match of several is over."""
        if self.arguments.matches == 1 or not self._counted:
            return ""
        one, two = setup.people
        return f"Points: {one.name}: {self.points[0]:g}, {two.name}: {self.points[1]:g}"

    def following(self, match: Match, setup: Setup) -> "Series":
        """Return the series with the next match: the same rules, with the seats swapped."""
        current = replace(
            self.current,
            game=name_of(match.game),
            options={name: str(value) for name, value in write_options(match.game).items()},
            agents=(setup.people[0].agent, setup.people[1].agent),
            first=str(2 - setup.first),
            seed=None if setup.seed is None else setup.seed + 1,
            record=record_of(self.arguments.record, self.number + 1),
        )
        series = Series(self.arguments, self.number + 1, current)
        series.points, series._counted = self.points, self._counted
        return series


def record_of(record: Path | None, number: int) -> Path | None:
    """Return the file of one of several matches: `game.json`, then `game-2.json` and so on."""
    return record.with_stem(f"{record.stem}-{number}") if record and number > 1 else record


def check_new_records(arguments: PlayArguments) -> None:
    """Raise RefusedError if the record of one of the matches, or its log, would replace a file."""
    for number in range(1, arguments.matches + 1):
        record = record_of(arguments.record, number)
        if record and record != arguments.resume:
            check_new(record)
            if is_model_among(arguments.agents):
                from duelbook.agents.llm import log_beside

                check_new(log_beside(record))
