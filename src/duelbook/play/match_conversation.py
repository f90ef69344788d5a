"""What a screen tells about a match besides its turns: help, files, and what comes after the end."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.game import Player
from duelbook.narration import narration_for
from duelbook.play.commands import SAVE, command_word
from duelbook.play.conversation import Command, Conversation, nothing
from duelbook.play.events import Ask, Asked, Decided, Ended, Hinted, Kind, Output, Page, Say, Shown, Valued
from duelbook.play.next_match import NextStep, own_result, read_step
from duelbook.play.screen_table import ScreenTable
from duelbook.records.file import check_new

if TYPE_CHECKING:
    from duelbook.study.hints import HintSteps  # which a match without hints does not need

HELP_NOTE = "(Type help to see what you can do.)"


class MatchConversation(Conversation):
    """A match on a screen, but for its turns."""

    def __init__(self, table: ScreenTable) -> None:
        super().__init__()
        self.table, self.match = table, table.match
        self.narration = narration_for(table.match.game, table.seating)
        self._tell_found: Callable[[Any], Shown] = Valued  # the help that is looked for
        self._hints: HintSteps | None = None
        self._is_finished = False  # the ending is told
        self._is_help_mentioned = self._are_points_told = False
        self._files = {table.setup.record}  # that this match was saved to

    @property
    def state(self) -> Any:
        """The position that is shown."""
        return self.match.state

    @property
    def commands(self) -> Mapping[str, str]:
        """What can be typed at any time, and what it does."""
        return self.table.commands

    def words(self) -> dict[str, str]:
        """Return the commands that can be typed; those of the game are about the cards or the like of a player."""
        return super().words() if self.table.own else dict(self.commands)

    @property
    def has_news(self) -> Callable[[], bool] | None:
        """The function that returns True if there is news from elsewhere; None for a match in this process."""
        return self.table.has_news

    def deadline(self) -> float | None:
        """Return the end of the mover's time by the monotonic clock, or None while no time runs."""
        return self.table.deadline()

    def choices(self) -> Sequence[str]:
        """Return the answers that the question may get."""
        if self.asked and self.asked.kind is Asked.NEXT:
            return self.table.steps()
        return super().choices()

    @property
    def _seat(self) -> Player:
        """The seat of the person who gives a command: who is asked, or else the one whose turn it is here."""
        own = self.table.own
        if self.asked:
            return self.asked.seat
        return self.match.mover if self.match.mover in own or not own else own[0]

    def _stop_thinking(self) -> None:
        """Drop the work that goes on, also that of a computer."""
        raise NotImplementedError

    def _refuse(self, text: str) -> Output:
        """Say why what the person wants is not possible; the first time, also mention the command help."""
        yield from super()._refuse(text)
        if not self._is_help_mentioned:
            self._is_help_mentioned = True
            yield Say(HELP_NOTE, Kind.HELP)

    def leave(self, *, is_interrupted: bool = False, problem: RefusedError | None = None) -> Output:
        """Leave the match, which is kept."""
        self._stop_thinking()
        if not self._is_finished:
            yield from self._keep(gap=True)
            yield from self.table.leave()
        yield from self._points("\n")
        yield self._end(Ended(is_interrupted=is_interrupted, problem=problem))

    def _points(self, before: str = "", after: str = "") -> Output:
        """Tell the points of a series, once."""
        if self._are_points_told:
            return
        self._are_points_told = True
        if points := self.table.points():
            yield Say(f"{before}{points}{after}", Kind.RESULT)

    def _keep(self, *, gap: bool = False) -> Output:
        """Keep the match in its places. A blank line follows what is wrong, unless what comes next begins with one."""
        for problem in self.table.keep():
            yield Say(f"{problem}\n" if gap else problem, Kind.WARNING)

    # Help

    @property
    def is_finding(self) -> bool:
        """True while help is looked for."""
        return self.work is not None and self._then == self._found

    def _moves(self, value: str) -> Output:
        """Show the legal moves, also those of a player who is elsewhere."""
        if self.match.mover not in self.table.own:
            yield Say(f"It is the turn of {self.table.name(self.match.mover)}.")
        elif premature := self._premature():
            yield from self._refuse(premature)
            return
        yield Page("moves")

    def _premature(self) -> str:
        """Return why the player who is asked cannot ask for help: the other one is next."""
        asking, table, match = self._seat, self.table, self.match
        if asking == match.mover:
            return ""
        you, following = table.name(asking), table.name(match.mover)
        if match.mover in table.own:
            return f"{you}, your move is made. Press Enter; then {following} can ask for this."
        return f"It is the turn of {following}."

    def _values(self, value: str) -> Output:
        if refusal := self.table.help_refusal("values") or self._premature():
            yield from self._refuse(refusal)
        else:
            yield from self._value_moves()

    def _value_moves(self) -> Output:
        stopped = "Stopped. The values of this turn are not shown.\n"
        yield from self._find("Valuing the moves", self.table.find_values, Valued, stopped)

    def _hint(self, value: str) -> Output:
        """Give a step of help: first a nudge, then the best move, then why."""
        if refusal := self.table.help_refusal("hints") or self._premature():
            yield from self._refuse(refusal)
            return
        from duelbook.study.hints import HintSteps  # imported here so that a match starts sooner

        self._hints = self._hints or HintSteps(self.table.find_hint)
        find = partial(self._hints.next, self.match.game, self.match.state)
        stopped = "Stopped. Type a move, or hint to look for one again."
        yield from self._find("Looking for the best move", find, lambda step: Hinted(step.text, step.note), stopped)

    def _find(self, text: str, find: Callable[[], Any], tell: Callable[[Any], Shown], stopped: str) -> Output:
        """Look for help, at nobody's expense: the clock stands still (ALL-6)."""
        self.table.hold()
        self._tell_found = tell
        given_up = partial(self._not_found, Say(stopped, Kind.WARNING))
        yield self._do(text, find, self._found, refused=self._help_refused, stopped=given_up)

    def _found(self, found: Any) -> Output:
        self.table.release()
        self.table.note_help()
        yield self._tell_found(found)

    def _help_refused(self, error: RefusedError) -> Output:
        self.table.release()
        yield from self._refuse(str(error))

    def _not_found(self, stopped: Say) -> Output:
        self.table.release()
        yield stopped

    # Files

    def _save(self, file: str) -> Output:
        """Save the match as a record, by default to its file."""
        record = self.table.setup.record
        if not file and not record:
            yield from self._refuse("Name the file to save to: save FILE")
            return
        try:
            path = full_path(file) if file else record
            assert path
            if path not in self._files:
                check_new(path)
            self.table.save(path)
        except RefusedError as error:
            yield from self._refuse(str(error))
        else:
            self._files.add(path)
            yield Say(self.table.saved_text(shlex.quote(str(path))), Kind.NOTE)

    _commands: ClassVar[dict[str, Command]] = Conversation._commands | {
        "moves": _moves,
        "values": _values,
        "hint": _hint,
        SAVE: _save,
    }

    # After the end

    def _finish(self) -> Output:
        """Tell how the match has ended and what decided it, and then ask what is next."""
        if self._is_finished:
            yield from self._ask_next()
            return
        self._stop()
        match, table = self.match, self.table
        self._is_finished, self.questions = True, None
        table.tell_result()
        ending = self.narration.ending(match.state, match.moves, match.outcome, match.reason)
        yield Say(f"{ending}\n", Kind.RESULT)
        if work := table.finish():
            yield self._await(work, self._conclude, stopped=self._conclude)
        else:
            yield from self._conclude()

    def _conclude(self, _: Any = None) -> Output:
        """Keep the match for the last time, and tell what decided it."""
        table = self.table
        yield from self._keep(gap=True)
        if table.setup.once:
            if text := table.after_text():
                yield Say(text, Kind.NOTE)
            if table.next_title():
                yield Say("", Kind.SEPARATOR)
            yield from self._go_on()
        else:
            yield self._do(
                "Looking for what decided the game",
                table.find_decision,
                self._decided,
                refused=self._undecided,
                stopped=nothing,
            )

    def _decided(self, text: str) -> Output:
        record, own = self.table.record(), self.table.only_own
        yield Decided("" if own is None else own_result(record, own), text)

    def _undecided(self, error: RefusedError) -> Output:
        yield Say(str(error), Kind.WARNING)  # the game's own code fails

    def _ask_next(self) -> Output:
        """Ask for the next match of a series, or for what the person wants to do next."""
        if not self.table.next_title():
            yield from self._points(after="\n")
        yield self._ask_step()

    def _ask_step(self) -> Ask:
        """Return the question for what is next."""
        title, steps = self.table.next_title(), ", ".join(self.table.steps()).capitalize()
        text = f"Press Enter for {title}: " if title else f"{steps}, or Enter to leave: "
        self.asked = Ask(text, Asked.NEXT, self._seat)
        return self.asked

    def _answer_next(self, text: str) -> Output:
        if self.table.next_title():
            yield from self._answer_series(command_word(text))
            return
        steps = self.table.steps()
        step = read_step(text, steps)
        if step is NextStep.REVIEW:
            yield Page("review")
        elif step is None:
            yield Say(f"Type one of {', '.join(steps)}, or press Enter to leave.", Kind.WARNING)
        else:
            yield Say("", Kind.SEPARATOR)
            if note := self.table.step_note(step):
                yield Say(f"{note}\n", Kind.NOTE)
            yield self._end(Ended(step, following=self.table.following(step)))

    def _answer_series(self, word: str) -> Output:
        """Go on with the series only if the person presses Enter."""
        if word == "quit":
            yield from self.leave()
        elif word:
            yield Say("Press Enter, or type quit to leave.", Kind.WARNING)
        else:
            yield Say("", Kind.SEPARATOR)
            yield from self._go_on()

    def _go_on(self) -> Output:
        """End with the next match of a series, if there is one."""
        following = self.table.following(NextStep.LEAVE)
        if following is None:
            yield from self._points("\n")
        yield self._end(Ended(following=following))

    def ask_again(self, problem: RefusedError | None = None) -> Output:
        """Ask again what is next: what the person wanted is not possible, or they do not want it any more."""
        self.ended = None
        if problem:
            yield Say(f"{problem}\n", Kind.WARNING)
        yield from self._next()
