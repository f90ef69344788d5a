"""The screen of the history: the games that were played, to filter, review and resume."""

from datetime import UTC, datetime
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import DataTable, Select

from duelbook.errors import RefusedError
from duelbook.games import GAMES, title
from duelbook.history.filters import Filter
from duelbook.history.kept_game import KeptGame, Result
from duelbook.history.rating import rating_of
from duelbook.history.statistics import tally
from duelbook.history.store import History
from duelbook.terminal.arguments import PlayArguments
from duelbook.terminal.history import HEADINGS, game_row
from duelbook.text import plural, sanitize
from duelbook.tui.review import ReviewScreen
from duelbook.tui.screens import DuelScreen, plain
from duelbook.tui.starting import start_match

ANY = "any"
SHORT = {"first": "1st", "second": "2nd"}
COLUMNS = (0, 2, 3, 5, 4, 1)  # of HEADINGS, the one that a narrow window leaves out last


class HistoryScreen(DuelScreen):
    """A table of games. Enter resumes an unfinished game, and reviews a finished one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f3", "review", "Review"),
        Binding("f4", "resume", "Resume"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._games: list[KeptGame] = []
        self._problem = ""  # with reading the history

    def content(self) -> ComposeResult:
        with Horizontal(id="filters"):
            yield Select([("all games", ANY)], id="game", value=ANY, allow_blank=False, compact=True)
            yield Select([("all opponents", ANY)], id="opponent", value=ANY, allow_blank=False, compact=True)
            results = [("all results", ANY), *((str(one), str(one)) for one in Result if one is not Result.NONE)]
            yield Select(results, id="result", value=ANY, allow_blank=False, compact=True)
        yield DataTable(id="games", cursor_type="row")
        yield plain(name="message")

    def on_mount(self) -> None:
        self.say("title", "History")
        table = self.query_one(DataTable)
        table.add_columns(*(HEADINGS[column] or "no." for column in COLUMNS))
        table.focus()

    def on_screen_resume(self) -> None:
        try:
            self._games, self._problem = History().games(), ""
        except RefusedError as error:  # a damaged file; the sentence says how to repair it
            self._games, self._problem = [], str(error)
        self._offer("game", "all games", {one.game for one in self._games}, title)
        self._offer("opponent", "all opponents", {one.opponent for one in self._games if one.opponent}, str)
        self._fill()

    def _offer(self, name: str, everything: str, found: set[str], shown: object) -> None:
        select: Select[str] = self.query_one(f"#{name}", Select)
        before = select.value
        labels = {one: title(one) if shown is title and one in GAMES else one for one in sorted(found)}
        select.set_options([(everything, ANY), *((label, one) for one, label in labels.items())])
        select.value = before if before in labels else ANY

    def on_select_changed(self) -> None:
        self._fill()

    def _fill(self) -> None:
        """Show the games that fit, and what they add up to."""
        game, opponent, result = (self.query_one(f"#{name}", Select).value for name in ("game", "opponent", "result"))
        wanted = Filter(
            None if game == ANY else str(game),
            None if opponent == ANY else str(opponent),
            None if result == ANY else Result(str(result)),
        )
        found = wanted.of(self._games)
        table = self.query_one(DataTable)
        table.clear()
        for one in found:
            row = [SHORT.get(text, text) for text in game_row(one)]
            table.add_row(*(Text(sanitize(row[column])) for column in COLUMNS), key=str(one.number))
        self.say("message", self._problem or _summary(found))

    def _chosen(self) -> KeptGame | None:
        table = self.query_one(DataTable)
        if not table.row_count:
            return None
        key = table.coordinate_to_cell_key(table.cursor_coordinate).row_key.value
        return next((one for one in self._games if str(one.number) == key), None)

    def on_data_table_row_selected(self) -> None:
        chosen = self._chosen()
        if chosen:
            self.action_review() if chosen.finished else self.action_resume()

    def action_review(self) -> None:
        if chosen := self._chosen():
            try:
                self.app.push_screen(ReviewScreen(History().record(chosen.number)))
            except RefusedError as error:  # such as a game that is not installed any more
                self.failed(error)

    def action_resume(self) -> None:
        if chosen := self._chosen():
            if chosen.finished:
                self.say("message", "This game is over. Press Enter to review it.")
                return
            try:
                start_match(self.app, PlayArguments(kept=chosen.number))
            except RefusedError as error:  # such as a game that is not installed any more
                self.failed(error)


def _summary(games: list[KeptGame]) -> str:
    """Return what the games add up to."""
    if not games:
        return "There is no such game in your history."
    total, rating = tally(games), rating_of(games, datetime.now(UTC))
    decided = f"; against the computer {total.won} won, {total.lost} lost, {total.drawn} drawn" if total.games else ""
    rated = f"; rating {rating}" if rating else ""
    return f"{plural(len(games), 'game')}{decided}{rated}."
