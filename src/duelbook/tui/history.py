"""The screen of the history: the games that were played, to filter, review and resume."""

from contextlib import suppress
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import DataTable, Select

from duelbook.errors import RefusedError
from duelbook.play.arguments import PlayArguments
from duelbook.play.past_games import (
    HEADINGS,
    RESULTS,
    PastGame,
    Totals,
    past_games,
    past_record,
    played_games,
    played_opponents,
    totals,
    wanted_games,
)
from duelbook.text import sanitize
from duelbook.tui.dialogs import PageDialog
from duelbook.tui.review import ReviewScreen
from duelbook.tui.screens import DuelScreen
from duelbook.tui.starting import start_match
from duelbook.tui.window import plain

ANY = "any"
LONGER = {"": "no.", "you": "you moved"}  # headings, where there is more room
COLUMNS = (0, 2, 3, 5, 4, 1)  # of HEADINGS, the one that a narrow window leaves out last
OPPONENT, DAY = 2, 5  # columns of the table
NARROW_COLUMNS = 4  # which even the smallest window shows
MIN_OPPONENT = 10  # characters
PADDING = 2  # of each column
SCROLL_BAR = 2


class HistoryScreen(DuelScreen):
    """A table of games. Enter resumes an unfinished game, and reviews a finished one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f3", "review", "Review", tooltip="review the game; Enter does that, too, if it is over"),
        Binding("f4", "resume", "Resume", tooltip="continue the game, as Enter does if it is not over"),
        Binding("f5", "statistics", "Statistics", tooltip="show what the games add up to, by game and opponent"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._games: list[PastGame] = []  # those that fit the filter, in the order of the table
        self._totals: Totals | None = None  # of those that fit the filter, with any result

    def content(self) -> ComposeResult:
        with Horizontal(id="filters"):
            yield Select([("all games", ANY)], id="game", value=ANY, allow_blank=False, compact=True)
            yield Select([("all opponents", ANY)], id="opponent", value=ANY, allow_blank=False, compact=True)
            results = [("all results", ANY), *((result, result) for result in RESULTS)]
            yield Select(results, id="result", value=ANY, allow_blank=False, compact=True)
        yield DataTable(id="games", cursor_type="row")
        yield plain(name="message")

    def on_mount(self) -> None:
        self.say("title", "History")
        table = self.query_one(DataTable)
        headings = [HEADINGS[column] for column in COLUMNS]
        table.add_columns(*(LONGER.get(heading, heading) for heading in headings))
        table.focus()

    def on_screen_resume(self) -> None:
        games, opponents = dict[str, str](), dict[str, str]()
        with suppress(RefusedError):  # the message says why
            games, opponents = played_games(), played_opponents()
        self._offer("game", "all games", games)
        self._offer("opponent", "all opponents", opponents)
        self._read()

    def _offer(self, name: str, everything: str, labels: dict[str, str]) -> None:
        select: Select[str] = self.query_one(f"#{name}", Select)
        before = select.value
        select.set_options([(everything, ANY), *((labels[one], one) for one in sorted(labels))])
        select.value = before if before in labels else ANY

    def on_select_changed(self) -> None:
        self._read()

    def on_resize(self, event: events.Resize) -> None:
        self._fill(self._chosen())

    def _read(self) -> None:
        """Show the games that fit, and what they add up to."""
        values = (self.query_one(f"#{name}", Select).value for name in ("game", "opponent", "result"))
        game, opponent, result = (None if value == ANY else str(value) for value in values)
        chosen, wanted = self._chosen(), wanted_games(game, opponent, result)
        try:
            self._games = past_games(wanted).games
            self._totals = totals(wanted_games(game, opponent, None))
            message = totals(wanted).summary()
        except RefusedError as error:  # a damaged file; the sentence says how to repair it
            self._games, self._totals, message = [], None, str(error)
        self._fill(chosen)
        self.say("message", message)

    def _fill(self, chosen: PastGame | None) -> None:
        """Show the games in the table, with the cursor on the chosen one if it is there."""
        table = self.query_one(DataTable)
        table.clear()
        rows = [[Text(sanitize(one.row[column])) for column in COLUMNS] for one in self._games]
        _fit(rows, [str(column.label) for column in table.ordered_columns], self.size.width - SCROLL_BAR)
        table.add_rows(rows)
        numbers = [one.number for one in self._games]
        if chosen and chosen.number in numbers:
            table.move_cursor(row=numbers.index(chosen.number))
        self.refresh_bindings()

    def _chosen(self) -> PastGame | None:
        table = self.query_one(DataTable)
        return self._games[table.cursor_row] if table.row_count else None

    def on_data_table_row_highlighted(self) -> None:
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether the key does something: only a game that is not over can be resumed."""
        if action == "statistics":
            return self._totals is not None and not self._totals.is_empty
        if action not in ("review", "resume"):
            return True
        chosen = self._chosen()
        return chosen is not None and not (action == "resume" and chosen.is_over)

    def on_data_table_row_selected(self) -> None:
        chosen = self._chosen()
        if chosen:
            self.action_review() if chosen.is_over else self.action_resume()

    def action_review(self) -> None:
        if chosen := self._chosen():
            try:
                self.app.push_screen(ReviewScreen(past_record(chosen.number)))
            except RefusedError as error:  # such as a game that is not installed any more
                self.failed(error)

    def action_resume(self) -> None:
        if chosen := self._chosen():
            try:
                start_match(self.app, PlayArguments(kept=chosen.number))
            except RefusedError as error:  # such as a game that is not installed any more
                self.failed(error)

    def action_statistics(self) -> None:
        """Show what the games add up to. A streak and shares follow from all results, so that filter does not count."""
        assert self._totals is not None
        page, result = Text(), self.query_one("#result", Select).value
        if result != ANY:
            page.append(f"These are the games with any result, not only '{result}'.\n\n")
        for text, style in self._totals.page(self.size.width - 10):  # beside the borders
            page.append(f"{sanitize(text)}\n", style)
        self.app.push_screen(PageDialog(page))


def _fit(rows: list[list[Text]], headings: list[str], room: int) -> None:
    """Shorten days and opponents if the columns are too wide for the room, so that the results are in view."""

    def widths() -> list[int]:
        return [max(len(heading), *(row[at].cell_len for row in rows)) + PADDING for at, heading in enumerate(headings)]

    if not rows or sum(widths()) <= room:
        return
    for row in rows:
        row[DAY] = row[DAY][len("2026-") :]
    needed = widths()
    needed[OPPONENT] = PADDING
    left = room - sum(needed)
    if left < MIN_OPPONENT:
        left = room - sum(needed[:NARROW_COLUMNS])
    for row in rows:
        row[OPPONENT].truncate(max(MIN_OPPONENT, left), overflow="ellipsis")
