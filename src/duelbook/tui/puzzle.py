"""The screens of puzzles: which one is wanted, and one puzzle after another."""

import secrets
from collections.abc import Callable
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Select

from duelbook.game import Move
from duelbook.games import GAMES, make, title
from duelbook.narration import AnyNarration, Seating, narration_for
from duelbook.play.progress import load_puzzles, marks_text
from duelbook.play.puzzle_attempt import PuzzleAttempt
from duelbook.play.puzzle_request import MAX_CHOSEN_SEED, PuzzleRequest, other_levels, question_text
from duelbook.study.hints import HintStep
from duelbook.study.puzzle_bank import puzzle_levels
from duelbook.study.puzzle_kinds import KIND_TEXTS, LEVELS, Puzzle, PuzzleKind
from duelbook.tui.dialogs import Confirmation
from duelbook.tui.form import FormScreen, FormSelect
from duelbook.tui.key_help import Sections
from duelbook.tui.position import HINTING, PositionScreen
from duelbook.tui.screens import problem_text
from duelbook.tui.window import plain

ANY = "any"
ALL_LEVELS = {kind: [*LEVELS] for kind in PuzzleKind}


class PuzzlesScreen(FormScreen):
    """A form: game, level and kind."""

    def __init__(self) -> None:
        super().__init__()
        self._known = ALL_LEVELS  # of the game that is chosen

    def fields(self) -> ComposeResult:
        games = [("any game", ANY), *((title(name), name) for name in GAMES)]
        for label, name, entries in (
            ("Game", "game", games),
            ("Kind", "kind", _kinds(self._known)),
            ("Level", "level", _levels([*LEVELS])),
        ):
            select = FormSelect(entries, id=name, value=entries[0][1], allow_blank=False, compact=True)
            yield Horizontal(plain(label, classes="label"), select, classes="field")

    def on_mount(self) -> None:
        self.say("title", "Puzzles")
        self.query_one("#start").focus()

    def on_screen_resume(self) -> None:
        self.say("message", load_puzzles().text())

    def show_busy(self, text: str) -> None:
        if self.is_mounted:
            self.say("message", text)

    def on_select_changed(self, event: Select.Changed) -> None:
        """Offer the kinds that the game has, and the levels that this kind has in it."""
        if event.select.id == "game" and event.value == ANY:
            self._offer(ALL_LEVELS)
        elif event.select.id == "game":
            name = str(event.value)
            self.start_work("Looking for its puzzles", lambda: puzzle_levels(name), self._offer)
        elif event.select.id == "kind":
            self._offer_levels()

    def _offer(self, known: dict[PuzzleKind, list[int]]) -> None:
        self._known = known
        self.say("message", load_puzzles().text() if known else "This game has no puzzle. Try another game.")
        if known:
            _refill(self.query_one("#kind", Select), _kinds(known))
            self._offer_levels()

    def _offer_levels(self) -> None:
        kind = PuzzleKind(str(self.query_one("#kind", Select).value))
        _refill(self.query_one("#level", Select), _levels(self._known.get(kind, [])))

    def failed(self, error: Exception) -> None:
        """The game has no puzzles, for example because it is too large."""
        self._known = {}
        self.say("message", problem_text(error))

    def on_button_pressed(self) -> None:
        if self.work or not self._known:  # what there is is not known yet, or nothing
            return
        game, level, kind = (str(self.query_one(f"#{name}", Select).value) for name in ("game", "level", "kind"))
        request = PuzzleRequest(
            None if game == ANY else game,
            secrets.randbelow(MAX_CHOSEN_SEED),
            None if level == ANY else int(level),
            PuzzleKind(kind),
        )
        self.app.push_screen(PuzzleScreen(request))


def _kinds(known: dict[PuzzleKind, list[int]]) -> list[tuple[str, str]]:
    return [(KIND_TEXTS[kind], str(kind)) for kind in known]


def _levels(known: list[int]) -> list[tuple[str, str]]:
    return [("any level", ANY), *((f"level {level} of 5", str(level)) for level in known)]


def _refill(select: Select[str], entries: list[tuple[str, str]]) -> None:
    """Offer these entries. What was chosen stays chosen if it is among them."""
    before = select.value
    select.set_options(entries)
    select.value = before if before in [value for _, value in entries] else entries[0][1]


class PuzzleScreen(PositionScreen):
    """One puzzle. After a wrong move the person sees why, and may try again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f6", "answer", "Give up", tooltip="see the answer, after asking"),
        Binding("f8", "next", "Next", tooltip="go to another puzzle"),
        Binding("less_than_sign", "easier", "Easier", tooltip="go to an easier puzzle"),
        Binding("greater_than_sign", "harder", "Harder", tooltip="go to a harder puzzle"),
    ]

    def __init__(self, request: PuzzleRequest) -> None:
        super().__init__()
        self._request = request
        self._attempt: PuzzleAttempt | None = None
        self._played: Move | None = None  # once the puzzle is done

    def on_mount(self) -> None:
        self._find(self._request)

    def _find(self, request: PuzzleRequest) -> None:
        self.query_one("#asked").display = False
        self.start_work("Looking for a puzzle", request.find_new, self._pose)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return False for what can only be done before the puzzle is done, or after it."""
        if action in ("hint", "answer"):
            return self._played is None
        if action in ("easier", "harder"):
            return self._played is not None
        return super().check_action(action, parameters)

    def key_enter(self, event: events.Key) -> None:
        """Go on to the next puzzle once this one is done."""
        if self._played is not None and not self.work:
            event.stop()
            self.action_next()

    def failed(self, error: Exception) -> None:
        if self._attempt is None:
            self.leave_telling(problem_text(error))
        else:
            super().failed(error)
            self.redraw()

    @property
    def _puzzle(self) -> Puzzle:
        assert self._attempt
        return self._attempt.puzzle

    def narration_and_state(self) -> tuple[AnyNarration, Any, list[Move]]:
        if self._attempt is None:
            game = make(self._request.game or next(iter(GAMES)))
            return narration_for(game, Seating()), game.initial(), []
        puzzle = self._puzzle
        return narration_for(puzzle.game, Seating()), puzzle.state, list(puzzle.moves)

    def _pose(self, found: tuple[PuzzleRequest, Puzzle]) -> None:
        self._request, puzzle = found
        self._attempt, self._played = PuzzleAttempt(puzzle, self._request.day), None
        narration, state, _ = self.narration_and_state()
        self.exercise = question_text(puzzle, narration.mover(state))
        self.said = f"(To see it again: {self._request.command(puzzle)})"
        done = load_puzzles().days.get(str(self._request.day), "")
        if done:
            self.said += f"\nYou have done this puzzle before: {marks_text(done)} It does not count again."
        self.ask()
        self.set_class(False, "-finished")
        self.redraw()
        self.refresh_bindings()
        self.set_focus(self.board)

    def redraw(self) -> None:
        narration, state, moves = self.narration_and_state()
        mover = narration.game.mover(state)
        if self._played is not None:
            moves = [*moves, self._played]
            state = narration.game.play(state, self._played)
        turn = mover if self._played is None else None
        self.show_position(narration.game, state, moves, mover, turn)
        seed = "" if self._request.day else f"  ·  seed {self._request.seed}"
        self.say("title", f"{self._request.title(self._puzzle)}{seed}")
        self.show_message()

    def play_move(self, move: Move) -> None:
        attempt = self._attempt
        assert attempt

        def judge() -> str | tuple[str, str]:
            why = attempt.why_wrong(move)
            return why or (attempt.why_right(move, solved=True), attempt.finish(solved=True))

        self.start_work("Judging the move", judge, lambda found: self._judged(move, found))

    def _judged(self, move: Move, found: str | tuple[str, str]) -> None:
        if isinstance(found, tuple):
            self._finished(move, found)
            return
        assert self._attempt
        self._attempt.note_wrong()
        self.said = found
        self.ask()
        self.redraw()

    def _finished(self, move: Move, found: tuple[str, str]) -> None:
        right, standing = found
        self._played, self.questions, self.exercise = move, None, ""
        self.said = f"{right}\n{standing} Press Enter for the next one."
        if self._request.day and self._attempt:
            self.said = f"{right}\n{self._attempt.share_text()}\nPress Enter for another puzzle."
        self.set_class(True, "-finished")
        self.redraw()
        self.refresh_bindings()
        self.set_focus(None)

    def action_hint(self) -> None:
        if self.questions and self._attempt and not self.is_at_work(HINTING, self.action_hint):
            self.start_work(HINTING, self._attempt.next_hint, self._hinted)

    def _hinted(self, step: HintStep) -> None:
        assert self._attempt
        self._attempt.note_hint(step)
        self.show_hint(step)

    def action_answer(self) -> None:
        """Show the answer, if the person really gives up. The puzzle is then not solved."""
        if self.questions:
            self.app.push_screen(Confirmation("Do you want to see the answer?"), self._give_up)

    def _give_up(self, yes: bool | None) -> None:
        attempt = self._attempt
        if yes and self.questions and attempt:
            best = attempt.puzzle.answer
            self.questions = None
            self.start_work(
                "Looking for the reason",
                lambda: (attempt.why_right(best, solved=False), attempt.finish(solved=False)),
                lambda found: self._finished(best, found),
            )

    def commands(self) -> dict[str, Callable[[], None]]:
        return super().commands() | {"answer": self.action_answer, "next": self.action_next}

    def more_help(self) -> Sections:
        if self._attempt is None:
            return {}
        return {"Puzzle": {"to see it again": self._request.command(self._puzzle)}, **super().more_help()}

    def action_next(self) -> None:
        if self._attempt:
            self._find(self._request.following(self._puzzle))

    def action_harder(self) -> None:
        self._go_to("harder")

    def action_easier(self) -> None:
        self._go_to("easier")

    def _go_to(self, word: str) -> None:
        if self._attempt is None:
            return
        following = self._request.following(self._puzzle)
        level = other_levels(following, self._puzzle)[word]
        if level is None:
            self.tell(f"There is no {word} level.")
        else:
            self._find(following._replace(level=level))
