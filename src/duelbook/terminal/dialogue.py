"""A conversation in the terminal: what it says is printed, what it asks is read line by line, its work is done here."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from duelbook.play.commands import SAVE
from duelbook.play.events import (
    Ask,
    Asked,
    Decided,
    Do,
    Done,
    Ended,
    Hinted,
    InterruptedWorkError,
    Kind,
    Moved,
    Output,
    Page,
    Say,
    Shown,
    Tick,
    Typed,
    Valued,
)
from duelbook.play.exit_codes import EXIT_FINISHED, EXIT_INTERRUPTED, EXIT_LEFT
from duelbook.terminal.line_editor import LineInterruptedError, TimeUpError, files_starting_with, starting_with
from duelbook.terminal.pages import rules_page
from duelbook.terminal.screen import HEADING, NOTE, RESULT, WARNING, Screen
from duelbook.text import fold

if TYPE_CHECKING:
    from duelbook.play.conversation import Conversation

STYLES = {
    Kind.HEADING: HEADING,
    Kind.NOTE: NOTE,
    Kind.HELP: NOTE,
    Kind.ECHO: NOTE,
    Kind.SEPARATOR: NOTE,
    Kind.WARNING: WARNING,
    Kind.REFUSAL: WARNING,
    Kind.RESULT: RESULT,
}
YES_OR_NO = (Asked.CONFIRM, Asked.OFFER)


class Dialogue:
    """One conversation on standard input and output."""

    def __init__(self, conversation: "Conversation", screen: Screen) -> None:
        self._conversation, self._screen = conversation, screen
        self._typed: dict[bool, str] = {}  # when the prompt was interrupted: for yes or no, and for all else
        self._shown: Shown | None = None  # the last that was shown

    def run(self) -> Ended:
        """Hold the conversation to its end. Ctrl-C stops work that can be stopped, or else leaves."""
        return self.go_on(self._conversation.start())

    def go_on(self, output: Output) -> Ended:
        """Show what comes next, and hold the conversation to its end."""
        conversation = self._conversation
        while conversation.ended is None:
            try:
                for shown in output:
                    self._show(shown)
                if conversation.work:
                    output = conversation.handle(self._done(conversation.work))
                elif conversation.asked:
                    output = self._answered(conversation.asked)
                else:
                    assert conversation.ended
            except KeyboardInterrupt:
                output = conversation.leave(is_interrupted=True)
        return conversation.ended

    def _answered(self, asked: Ask) -> Output:
        """Return what follows from what the person types, or from news."""
        conversation, is_yes_or_no = self._conversation, asked.kind in YES_OR_NO
        typed = self._typed.pop(is_yes_or_no, "")
        if asked.kind is Asked.NEXT and not self._screen.can_answer():
            return conversation.leave()
        text = f"{asked.text.removesuffix('?')} (y/n)? " if is_yes_or_no else asked.text
        try:
            line = self._screen.ask(
                text,
                conversation.deadline(),
                self._candidates,
                remember=asked.kind is Asked.MOVE,
                interrupts=conversation.has_news,
                typed=typed,
            )
        except EOFError:
            return conversation.leave()
        except TimeUpError:
            return conversation.handle(Tick())
        except LineInterruptedError as interrupted:
            self._typed[is_yes_or_no] = interrupted.typed
            return conversation.handle(Tick())
        return conversation.handle(Typed(line))

    def _done(self, work: Do) -> Done:
        """Return the result of the work. Ctrl-C stops it."""
        note = f"(Press Ctrl-C {work.stopping}.)" if work.stopping else ""
        try:
            with self._screen.busy(work.text, note):
                return Done(work, work.run())
        except KeyboardInterrupt:
            return Done(work, error=InterruptedWorkError())
        except Exception as error:  # the conversation tells it, or raises it again
            return Done(work, error=error)

    def _candidates(self, typed: str) -> list[str]:
        """Return the answers and commands that begin with what is typed; after `save`, the files."""
        conversation = self._conversation
        saves = conversation.can_save()
        if saves and fold(typed).startswith(SAVE) and " " in typed.strip(" ") + typed[-1:]:
            return [f"{SAVE} {file}" for file in files_starting_with(typed.partition(" ")[2].strip())]
        words = [] if conversation.is_confirming() else [*conversation.names(), *([f"{SAVE} "] if saves else [])]
        return starting_with(typed, (*conversation.choices(), *words))

    # What is shown

    def _show(self, shown: Shown) -> None:
        match shown:
            case Say():
                self._screen.say(shown.text, STYLES.get(shown.kind, ""))
            case Moved():
                self._show_move(shown)
            case Hinted():
                self._screen.show_hint(shown.text, shown.note)
            case Valued():
                self._screen.say(f"{shown.values.text}\n", NOTE)
            case Decided():
                self._screen.say(f"{shown.own}{shown.text}\n")
            case Page():
                self._show_page(shown.name)
        self._shown = shown

    def _show_move(self, moved: Moved) -> None:
        """Announce a move in the words of the game."""
        gap = "" if isinstance(self._shown, Moved) else "\n"
        self._screen.say(f"{gap}{self._conversation.narration.announce(moved.turn)}\n")
        if moved.remark:
            self._screen.say(f"{moved.remark}\n", NOTE)

    def _show_page(self, name: str) -> None:
        conversation = self._conversation
        if name in ("rules", "rules full"):
            game, unknown = conversation.rules
            rules_page(game, self._screen, unknown, full=name == "rules full")
        elif name == "review":
            self._review()
        else:
            texts: dict[str, Callable[[], str]] = {
                "help": self._help,
                "board": lambda: conversation.narration.board(conversation.state),
                "moves": lambda: conversation.narration.legal(conversation.state),
            }
            self._screen.say(texts[name]())

    def _help(self) -> str:
        words = self._conversation.words()
        width = max(map(len, words))
        return "\n".join(
            ["Answer the question, or type:", *(f"  {name.ljust(width)}  {about}" for name, about in words.items())]
        )

    def _review(self) -> None:
        """Show the review of the match, which may not be kept. Ctrl-C stops it."""
        from duelbook.play.session import Session
        from duelbook.terminal.review import show_game_review

        assert isinstance(self._conversation, Session)
        show_game_review(self._conversation.table.record(), self._screen)


def exit_code(ended: Ended, *, is_finished: bool) -> int:
    """Return the exit code after a conversation."""
    if ended.is_interrupted:
        return EXIT_INTERRUPTED
    return EXIT_FINISHED if is_finished else EXIT_LEFT
