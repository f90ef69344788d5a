"""The screen of a review: step through a game, with the value of every position and a verdict on every move."""

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import OptionList, Static

from duelbook.board import Position, history_of
from duelbook.board.cells import TOKENS
from duelbook.games import label, title
from duelbook.match import Match
from duelbook.play.game_review import ACCURACY, GameReview, Grade, record_seating, result_text, review_record
from duelbook.records.record import Record, only_person
from duelbook.text import sentence
from duelbook.tui.board import BoardView
from duelbook.tui.dialogs import rules_page
from duelbook.tui.screens import DuelScreen
from duelbook.tui.subject import seat_labels
from duelbook.tui.window import plain

SIGNS = {Grade.BEST: "✓", Grade.GOOD: "·", Grade.MISTAKE: "?", Grade.BLUNDER: "✗", Grade.LOST: "–"}
POINT, POINT_HERE, HERE = "■", "◉", "┊"  # of the chart; the last two in the column of this position
MAX_LABEL = 14  # characters beside the chart
CHART_ROWS = 3


class ReviewScreen(DuelScreen):
    """A game of the history, or one that has just ended. The arrow keys step through it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Step", key_display="←→", priority=True, tooltip="go back one move"),
        Binding("right", "step(1)", show=False, priority=True, tooltip="go on one move"),
        Binding("home", "go_to(0)", show=False, priority=True, tooltip="go to the start of the game"),
        Binding("end", "go_to(-1)", show=False, priority=True, tooltip="go to the end of the game"),
        Binding("n", "fault(1)", "Mistakes", key_display="n p", tooltip="go to the next mistake"),
        Binding("p", "fault(-1)", show=False, tooltip="go to the mistake before"),
        Binding(
            "pagedown",
            "scroll_comment(1)",
            "More",
            key_display="PgDn",
            priority=True,
            tooltip="read the rest of the comment",
        ),
        Binding(
            "pageup", "scroll_comment(-1)", show=False, priority=True, tooltip="go back to the beginning of the comment"
        ),
        Binding("f7", "rules", "Rules", tooltip="read the rules"),
    ]

    def __init__(self, record: Record) -> None:
        super().__init__()
        self._record = record
        self._match = Match.resumed(record)
        self._seating = record_seating(record)
        self._review: GameReview | None = None
        self._waiting: list[int] = []  # the ways to a mistake that were asked for before the review was there
        self.at = 0

    def content(self) -> ComposeResult:
        with Horizontal(id="body"):
            with VerticalScroll(id="table", can_focus=False):
                yield BoardView()
            with Vertical(id="beside"):
                yield OptionList(id="judged", markup=False, compact=True)
                yield plain(name="signs")
        yield plain(name="chart")
        with VerticalScroll(id="comment-box", can_focus=False):
            yield plain(name="comment")

    def on_mount(self) -> None:
        self.query_one(BoardView).focus()
        self.watch(self._comment_box, "show_vertical_scrollbar", self.refresh_bindings, init=False)
        moves = self.query_one("#judged", OptionList)
        moves.add_options(["    the start", *(self._entry(ply) for ply in range(1, len(self._match.moves) + 1))])
        self._show()
        self.start_work("The review", lambda: review_record(self._record), self._judged)

    def _judged(self, review: GameReview) -> None:
        self._review = review
        self.say("signs", _signs_text(review))
        moves = self.query_one("#judged", OptionList)
        for ply in range(1, len(self._match.moves) + 1):
            moves.replace_option_prompt_at_index(ply, self._entry(ply))
        self._show()
        for by in self._waiting:
            self.action_fault(by)

    def show_busy(self, text: str) -> None:
        if text:
            self._comment(text)

    @property
    def _comment_box(self) -> VerticalScroll:
        return self.query_one("#comment-box", VerticalScroll)

    def _comment(self, text: str) -> None:
        """Show a comment from its first line on."""
        self.say("comment", text)
        self._comment_box.scroll_home(animate=False)

    # What is shown

    def _entry(self, ply: int) -> str:
        """Return a move of the list with the sign of its verdict."""
        mover = self._match.game.mover(self._match.states[ply - 1])
        sign = SIGNS.get(self._review.moves[ply - 1].grade, " ") if self._review else " "
        return f"{ply:>3} {TOKENS[mover]} {sign} {self._record.moves[ply - 1]}"

    def _show(self) -> None:
        match, at = self._match, self.at
        names = (self._seating.name(0), self._seating.name(1))
        _, history = history_of(match.game, match.moves[:at])
        is_over = at == len(match.moves) and match.over
        turn = None if is_over else match.game.mover(match.states[at])
        position = Position(match.game, match.states[at], history, player_1=self._seating.seat(0))
        labels = seat_labels(self._record.people, self._seating, only_person(self._record.people))
        near = self._seating.seat(only_person(self._record.people) or 0)
        self.query_one(BoardView).show(position, names, labels, near, turn)
        self.query_one("#judged", OptionList).highlighted = at
        self.say("title", f"Review of {title(label(match.game))}  ·  position {at} of {len(match.moves)}")
        if not self.work:
            self._comment(self._text())
        self.query_one("#chart", Static).update(self._chart())

    def _text(self) -> str:
        """Return what is said about the move that led here; at the start and the end, about the whole game."""
        review, at = self._review, self.at
        whole = [result_text(self._record)]
        if review and review.decided:
            whole.append(review.decided)
        if at == 0:
            if review and review.summaries:
                whole += [*(f"{summary}." for summary in review.summaries), f"({ACCURACY})"]
            return " ".join(whole)
        mover = self._seating.name(self._match.game.mover(self._match.states[at - 1]))
        said = [f"Move {at}: {mover} played {self._record.moves[at - 1]}"]
        if review:
            judged = review.moves[at - 1]
            said[0] += f", {judged.verdict}."
            said += filter(None, [judged.comment])
        said += [sentence(f"The program {note}") for note in self._record.notes if note.move == at]
        return " ".join([*said, *(whole[:1] if at == len(self._match.moves) else [])])

    def _chart(self) -> Text:
        """Return the value of every position as points on three rows; the column of this position is marked."""
        review = self._review
        if review is None:
            return Text("\n\n")
        variables = self.app.theme_variables
        names = (self._seating.name(0)[:MAX_LABEL], self._seating.name(1)[:MAX_LABEL])
        rows, colours = review.chart(names, CHART_ROWS), (variables["first"], "", variables["second"])
        width = max(len(name) for name, _ in rows)
        begin = max(0, self.at - max(1, self.size.width - width - 6))
        lines = []
        for (name, points), colour in zip(rows, colours, strict=True):
            line = Text(f"{name.rjust(width)} ")
            for ply, has_point in enumerate(points[begin:], begin):
                blank, point = (HERE, POINT_HERE) if ply == self.at else (" ", POINT)
                line.append(point if has_point else blank, colour if has_point else "")
            lines.append(line)
        return Text("\n").join(lines)

    # Stepping

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_index != self.at:
            self.action_go_to(event.option_index)

    def action_step(self, by: int) -> None:
        self.action_go_to(min(max(0, self.at + by), len(self._match.moves)))

    def action_go_to(self, ply: int) -> None:
        self.at = len(self._match.moves) if ply < 0 else ply
        self._show()

    def action_fault(self, by: int) -> None:
        """Go to the next mistake, or to the one before; as soon as the review is there."""
        if self._review is None:
            self._waiting.append(by)
            return
        faults = [ply for ply, judged in enumerate(self._review.moves, 1) if judged.is_fault]
        ahead = [ply for ply in faults if (ply - self.at) * by > 0]
        if ahead:
            self.action_go_to(ahead[0] if by > 0 else ahead[-1])
        else:
            self._comment(f"There is no mistake {'after' if by > 0 else 'before'} this position. {self._text()}")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for scrolling a comment that is in view as a whole."""
        return action != "scroll_comment" or (self.is_mounted and self._comment_box.show_vertical_scrollbar)

    def action_scroll_comment(self, by: int) -> None:
        """Scroll the comment by as many lines as are in view, but for one."""
        box = self._comment_box
        box.scroll_relative(y=by * max(1, box.size.height - 1), animate=False)

    def action_rules(self) -> None:
        self.app.push_screen(rules_page(self._record.game))


def _signs_text(review: GameReview) -> str:
    """Return what the signs in the list of moves mean, as far as they occur in it."""
    signs = {SIGNS[judged.grade]: judged.label for judged in review.moves if judged.grade in SIGNS}
    return "  ".join(f"{sign} {word}" for sign, word in signs.items())
