"""The board widget: draws any game's board, and reports what is pressed with the mouse or the keys."""

from collections.abc import Mapping
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from duelbook.board import Position, board_of, theme_of
from duelbook.board.cells import TILES, TOKENS, Look, TextBoard
from duelbook.board.picking import Picking
from duelbook.game import Player
from duelbook.play.typed_moves import MoveQuestions
from duelbook.text import fold
from duelbook.tui.board_layout import Layout, Placed, lay_out
from duelbook.tui.canvas import Canvas, style
from duelbook.tui.themes import game_colours

VALUE_SIGNS = {"▲": "win", "■": "draw", "▼": "loss"}  # the shapes of the page, and the colours that they have
TOP_EDGE, BOTTOM_EDGE = "▄", "▀"


class BoardView(Widget, can_focus=True):
    """A position. Pieces with words can be pressed: by a click, by Enter at the cursor, or by their own key.

    Words are picked in any order until they leave a single move. What the game asks for first is an answer at once.
    """

    DEFAULT_CSS = """
    BoardView { height: auto; min-height: 100%; background: $felt; color: $on-felt; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go(0, -1)", "Up", show=False),
        Binding("down", "go(0, 1)", "Down", show=False),
        Binding("left", "go(-1, 0)", "Left", show=False),
        Binding("right", "go(1, 0)", "Right", show=False),
        Binding("enter,space", "press", "Play", show=False),
        Binding("backspace", "unpick", "Back", show=False),
    ]

    class PiecePressed(Message):
        """What is pressed completes a move, or answers the question: this is the answer."""

        def __init__(self, answer: str) -> None:
            self.answer = answer
            super().__init__()

    class Pointed(Message):
        """The cursor or the mouse is on a piece that completes this move, or on none."""

        def __init__(self, move: str) -> None:
            self.move = move
            super().__init__()

    class TextTyped(Message):
        """Something was typed that belongs to no piece, or follows such a text."""

        def __init__(self, text: str) -> None:
            self.text = text
            super().__init__()

    def __init__(self) -> None:
        super().__init__()
        self.shown: TextBoard | None = None
        self._questions: MoveQuestions | None = None  # that pressing answers
        self._given: tuple[str, ...] = ()  # answers of this turn
        self._picked: tuple[str, ...] = ()  # words besides them, out of the order of the questions
        self.labels = ("", "")  # of the players, by seat
        self.turn: Player | None = None
        self._marks: Mapping[str, str] = {}  # the values of moves
        self._colours: Mapping[str, str] = {}  # of the game's board, instead of those of the interface
        self._cursor = ""  # the words of the piece under the cursor
        self.takes_text = False  # for the line below also where nothing can be pressed
        self._typing = False  # until the line below the board takes the keys itself
        self._drawn: tuple[Size, Layout, Canvas] | None = None

    def show(
        self,
        position: Position,
        names: tuple[str, str],
        labels: tuple[str, str],
        near: Player,
        turn: Player | None,
        questions: MoveQuestions | None = None,
        marks: Mapping[str, str] | None = None,
    ) -> None:
        """Show a position. `labels` are the players' names with what belongs to them, by seat."""
        given = questions.answers if questions else ()
        if (questions, given) != (self._questions, self._given):
            self._questions, self._given, self._picked = questions, given, ()
        self.labels, self.turn, self._marks = labels, turn, marks or {}
        picking = Picking(list(position.legal), self._all_picked())
        self.shown = TextBoard(
            board_of(position), theme_of(position.game), picking, names, near=near, is_open=questions is not None
        )
        self._drop_cursor()
        self.refresh(layout=True)

    def _drop_cursor(self) -> None:
        """Take the cursor away if what it was on cannot be pressed any more."""
        self._drawn = None
        if self._cursor not in (piece.piece.words for piece in self._active()):
            self._cursor = ""

    def _all_picked(self) -> tuple[str, ...]:
        """Return the words that are picked: the answers that are given, and others."""
        return (" ".join(self._given), *self._picked) if self._given else self._picked

    # Drawing

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return lay_out(self.shown, width, container.height, self._value).height if self.shown else 1

    def notify_style_update(self) -> None:
        self._drawn = None
        super().notify_style_update()

    def render_line(self, y: int) -> Strip:
        if self.shown is None or not self.size.width:
            return Strip.blank(self.size.width, self.rich_style)
        _, _, canvas = self._draw()
        return canvas.strip(y) if y < canvas.height else Strip.blank(self.size.width, self._ground())

    def _colour(self, name: str) -> str:
        return self._colours.get(name) or self.app.theme_variables[name]

    def _ground(self) -> Style:
        return style(self._colour("on-felt"), self._colour("felt"))

    def _draw(self) -> tuple[Size, Layout, Canvas]:
        assert self.shown
        if self._drawn and self._drawn[0] == self.size:
            return self._drawn
        self._colours = game_colours(self.app.theme, self.shown.theme)
        layout = lay_out(self.shown, self.size.width, self.size.height, self._value)
        canvas = Canvas(self.size.width, layout.height, self._ground())
        for seat, y in layout.plates.items():
            self._draw_plate(canvas, seat, y)
        for placed in layout.pieces:
            if placed.piece.look in TILES:
                self._draw_tile(canvas, placed)
            elif placed.height > 1:
                self._draw_block(canvas, placed)
            else:
                canvas.write(placed.x, placed.y, placed.piece.text, self._look(placed))
        self._drawn = self.size, layout, canvas
        return self._drawn

    def _draw_plate(self, canvas: Canvas, seat: Player, y: int) -> None:
        """Draw the line with a player's token, name and note; that of the mover has an arrow and their colour."""
        assert self.shown
        own, deep = self._colour("second" if seat else "first"), self._colour("felt-deep")
        is_turn = self.turn == seat
        ground = style(self._colour("ink"), own, bold=True) if is_turn else style(self._colour("on-felt"), deep)
        token = ground if is_turn else style(own, deep, bold=True)
        note = self.shown.note(seat)
        canvas.fill(0, y, canvas.width, 1, ground)
        canvas.write(1, y, "▶" if is_turn else " ", ground)
        canvas.write(3, y, TOKENS[seat], token)
        canvas.write(5, y, self.labels[seat][: max(0, canvas.width - 8 - len(note))], ground)
        canvas.write(canvas.width - len(note) - 1, y, note, ground)

    def _look(self, placed: Placed) -> Style:
        felt, bold = self._colour("felt"), placed.piece.last
        look = placed.piece.look
        if look in (Look.FIRST, Look.SECOND):
            return style(self._colour("ink"), self._colour(look), bold=True, underline=placed.piece.last)
        if look in (Look.FIRST_TEXT, Look.SECOND_TEXT):
            name = "first" if look is Look.FIRST_TEXT else "second"
            return style(self._colour(name), felt, bold=True, underline=placed.piece.last)
        if look is Look.CELL:
            return style(self._colour("ink"), self._colour("on-felt-quiet"), bold=True)
        if look is Look.PICKED:
            return style(self._colour("ink"), self._colour("cursor"), bold=True)
        if look is Look.EMPTY:
            return style(self._colour("on-felt-quiet"), self._colour("felt-deep"), underline=placed.piece.last)
        name = "on-felt-quiet" if look is Look.QUIET else "on-felt"
        return style(self._colour(name), felt, bold=bold, underline=placed.piece.last)

    def _draw_tile(self, canvas: Canvas, placed: Placed) -> None:
        felt, piece = self._colour("felt"), placed.piece
        if piece.look is Look.GONE:
            look = style(self._colour("on-felt-quiet"), felt, underline=piece.last, bold=piece.last)
            middle = placed.y + placed.height // 2
            canvas.write(placed.x, middle, piece.text.center(placed.width), look)
            return
        is_cursor = bool(piece.words) and piece.words == self._cursor and self.has_focus
        ground = self._colour("cursor") if is_cursor else self._colour("tile" if piece.words else "on-felt-quiet")
        face = style(self._colour("ink"), ground, bold=bool(piece.words), underline=piece.last)
        if placed.height == 1:
            canvas.write(placed.x, placed.y, f"{'[' if is_cursor else ' '}{piece.text}", face)
            canvas.write(placed.x + placed.width - len(placed.mark) - 1, placed.y, "]" if is_cursor else " ", face)
            canvas.write(placed.x + placed.width - len(placed.mark), placed.y, placed.mark, self._mark_look(placed))
            return
        edge = style(ground, felt)
        canvas.fill(placed.x, placed.y, placed.width, 1, edge, TOP_EDGE)
        canvas.write(placed.x, placed.y + 1, piece.text.center(placed.width), face)
        if is_cursor:
            canvas.write(placed.x, placed.y + 1, "[", face)
            canvas.write(placed.x + placed.width - 1, placed.y + 1, "]", face)
        canvas.fill(placed.x, placed.y + 2, placed.width, 1, edge, BOTTOM_EDGE)
        if placed.mark:
            canvas.write(placed.x, placed.y + 2, placed.mark.center(placed.width), self._mark_look(placed))
        elif piece.note:
            canvas.write(placed.x, placed.y + 2, piece.note.center(placed.width), style(self._colour("ink"), ground))

    def _draw_block(self, canvas: Canvas, placed: Placed) -> None:
        """Draw what fills a tall row without being a tile, such as a cell of a track."""
        look = self._look(placed)
        edge = style(look.bgcolor.name if look.bgcolor else self._colour("felt"), self._colour("felt"))
        canvas.fill(placed.x, placed.y, placed.width, 1, edge, TOP_EDGE)
        canvas.write(placed.x, placed.y + 1, placed.piece.text.center(placed.width), look)
        canvas.fill(placed.x, placed.y + 2, placed.width, 1, edge, BOTTOM_EDGE)

    def _mark_look(self, placed: Placed) -> Style:
        name = VALUE_SIGNS.get(placed.mark[:1], "draw")
        return style(self._colour("on-value"), self._colour(name), bold=True)

    # Pressing

    def _active(self) -> list[Placed]:
        return [placed for placed in self._draw()[1].pieces if placed.piece.words] if self.shown else []

    def _at(self, event: events.MouseEvent) -> str:
        found = (placed.piece.words for placed in self._active() if placed.contains(event.x, event.y))
        return next(found, "")

    def _move(self, words: str) -> str:
        """Return the move that pressing these words completes, or an empty text."""
        return self.shown.picking.chosen(words) if self.shown and words else ""

    def _value(self, words: str) -> str:
        """Return the mark of the move that pressing these words completes."""
        return self._marks.get(self._move(words), "")

    def on_click(self, event: events.Click) -> None:
        if words := self._at(event):
            self._press(words)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self._point(self._at(event))

    def on_leave(self) -> None:
        self._point("")

    def on_focus(self) -> None:
        self._redraw()

    def on_blur(self) -> None:
        self._typing = False
        self._redraw()

    def on_paste(self, event: events.Paste) -> None:
        self.post_message(self.TextTyped(event.text.splitlines()[0] if event.text.strip() else ""))

    def _redraw(self) -> None:
        self._drawn = None
        self.refresh()

    def _point(self, words: str) -> None:
        if words != self._cursor:
            self._cursor = words
            self.post_message(self.Pointed(self._move(words)))
            self._redraw()

    def _press(self, words: str) -> None:
        """Answer the question by the move that is complete, or by the words, or pick them."""
        if not (self.shown and self._questions):
            return
        begin = "".join(f"{answer} " for answer in self._given)
        if move := self._move(words):
            self._pick(())
            self.post_message(self.PiecePressed(move.removeprefix(begin)))
        elif words in self._questions.choices and not self._picked:
            self.post_message(self.PiecePressed(words))
        else:
            self._pick((*self._picked, words))

    def _pick(self, picked: tuple[str, ...]) -> None:
        """Take these words as picked, besides the answers that are given."""
        assert self.shown
        self._picked = picked
        self.shown.picking.pick(self._all_picked())
        self._drop_cursor()
        self.refresh()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self._picked) if action == "unpick" else True

    def action_unpick(self) -> None:
        self._pick(self._picked[:-1])

    def action_press(self) -> None:
        if self._cursor:
            self._press(self._cursor)
        elif active := self._active():
            self._point(active[0].piece.words)

    def action_go(self, right: int, down: int) -> None:
        """Move the cursor to the nearest piece in this direction; of several with one answer, the last one counts."""
        active = list({placed.piece.words: placed for placed in self._active()}.values())
        here = next((placed for placed in active if placed.piece.words == self._cursor), None)
        if here is None:
            if active:
                self._point(active[0].piece.words)
            return
        middle = here.x + here.width / 2
        if right:
            ordered = sorted((placed for placed in active), key=lambda placed: (placed.y, placed.x))
            self._point(ordered[(ordered.index(here) + right) % len(ordered)].piece.words)
            return
        ahead = [placed for placed in active if (placed.y - here.y) * down > 0]
        if ahead:
            near = min(ahead, key=lambda one: (abs(one.y - here.y), abs(one.x + one.width / 2 - middle)))
            self._point(near.piece.words)

    def on_key(self, event: events.Key) -> None:
        """Press the only answer that this key stands for; of several, go to the next. Other text is for the line below.

        Where a part of the move is chosen already, a key only goes to an answer, also to the only one, and Enter
        presses it. Where a move is a single character, one that is none gets the reason at once.
        """
        character, answers = event.character or "", list(dict.fromkeys(one.piece.words for one in self._active()))
        if not (answers or self.takes_text) or not event.is_printable or (character == " " and not self._typing):
            return
        event.stop()
        event.prevent_default()
        keys = [_key(answer) for answer in answers]
        found = [answer for answer, key in zip(answers, keys, strict=True) if key == fold(character)]
        longer = character.isdecimal() and any(len(key) > 1 and key.startswith(character) for key in keys)
        if self._typing or longer or (not found and not _is_like(character, keys)):
            self._typing = True
            self.post_message(self.TextTyped(character))
        elif len(found) > 1 or (found and self.shown and self.shown.picking.picked):
            place = found.index(self._cursor) + 1 if self._cursor in found else 0
            self._point(found[place % len(found)])
        else:
            self._press(found[0]) if found else self.post_message(self.PiecePressed(character))  # it gets the reason


def _key(answer: str) -> str:
    """Return what stands for an answer on the keyboard: its last word, as the `3` of `charge 3`."""
    return fold(answer).rpartition(" ")[2]


def _is_like(character: str, keys: list[str]) -> bool:
    """Return True if every answer is a single character, and this one can be meant as an answer.

    A letter may also begin a word for the line below, unless letters are answers. A digit begins none.
    """
    if not keys or not all(len(key) == 1 for key in keys):
        return False
    return character.isdecimal() or (character.isalpha() and all(map(str.isalpha, keys)))
