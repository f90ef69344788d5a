"""The conversation about a match, from the greeting to what the person wants to do next. Every front end shows it."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from duelbook.errors import RefusedError
from duelbook.files import full_path
from duelbook.game import Move, Player, forced_pass
from duelbook.narration import narration_for
from duelbook.options import changed_options, pairs_text
from duelbook.play.actions import RULES, ActionName, never_text
from duelbook.play.commands import SAVE, command_word
from duelbook.play.conversation import Command, Conversation, nothing
from duelbook.play.events import (
    Ask,
    Asked,
    Decided,
    Done,
    Ended,
    Event,
    Hinted,
    InterruptedWorkError,
    Kind,
    Moved,
    Output,
    Page,
    Say,
    TakenBack,
    Typed,
    Valued,
)
from duelbook.play.next_match import NextStep, own_result, read_step
from duelbook.play.screen_table import ScreenTable
from duelbook.play.setup import is_solution_required
from duelbook.play.typed_moves import MoveQuestions
from duelbook.records.file import check_new
from duelbook.text import fold

if TYPE_CHECKING:
    from duelbook.agents import Agent  # which a match of two people does not need
    from duelbook.study.hints import HintStep, HintSteps  # which a match without hints does not need

NOT_SOLVED = "This game is not solved: levels play by search, and values are estimates."
HELP_NOTE = "(Type help to see what you can do.)"


class Session(Conversation):
    """What one screen says about a match, and what it asks the players who sit at it."""

    def __init__(
        self,
        table: ScreenTable,
        *,
        opening: Sequence[str] = (),
        introduces: bool = False,
        confirms: bool = True,
        pauses: bool = True,
        find_values: Callable[[], Any] | None = None,
    ) -> None:
        """`introduces` the players to each other and `confirms` what cannot be taken back: both for people who see it.

        It `pauses` between two people where a game wants that: for people who read line by line.

        The texts of the opening are said before the greeting.
        """
        super().__init__()
        self.table, self.match = table, table.match
        self.narration = narration_for(table.match.game, table.seating)
        self.shows_values = table.setup.show_values  # at every turn of a person
        self._introduces, self._confirms, self._opening = introduces, confirms, opening
        self._pauses = pauses
        self._find_values = find_values or table.find_values
        self._hints: HintSteps | None = None
        self._resigning: Player | None = None  # who is asked whether they want to resign
        self._pausing: Player | None = None  # who has moved and passes the keyboard on
        self._is_halted = False  # the computer, until a person lets it go on
        self._has_begun = False  # the turn
        self.is_open = False  # the match is ready and the players are greeted
        self._is_finished = False  # the ending is told
        self._is_help_mentioned = self._are_points_told = False
        self._introduced: list[Agent] = []  # the programs that have said who they are
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
    def is_ready(self) -> bool:
        """True if a command can be given now, as while a computer thinks."""
        return super().is_ready or self.is_thinking

    @property
    def is_thinking(self) -> bool:
        """True while a computer chooses its move."""
        return self.work is not None and self._then == self._chosen

    # Before the first turn

    def start(self) -> Output:
        """Prepare the match, greet the players and begin."""
        self.table.hold()
        if self.table.needs_preparation:
            stopping = "" if is_solution_required(self.table.setup.people) else "to play on without the solution"
            yield self._do("Solving the game", self.table.prepare, self._prepared, self._not_solved, stopping)
        else:
            yield from self._greet()
            yield from self._next()

    def _prepared(self, is_solved: bool) -> Output:
        if not is_solved:
            yield Say(f"{NOT_SOLVED}\n", Kind.NOTE)
        yield from self._greet()

    def _not_solved(self, error: BaseException) -> Output:
        """Play on without the solution if a person has stopped the work, unless an agent cannot do without."""
        if isinstance(error, RefusedError):
            yield self._end(Ended(problem=error))
        elif not isinstance(error, InterruptedWorkError):
            raise error
        elif is_solution_required(self.table.setup.people):
            yield self._end(Ended(is_interrupted=True))
        else:
            from duelbook.solve import remember_too_large

            remember_too_large(self.match.game)
            yield Say(f"Stopped. {NOT_SOLVED}\n", Kind.NOTE)
            yield from self._greet()

    def _greet(self) -> Output:
        try:
            self.table.open()
        except RefusedError as error:
            yield self._end(Ended(problem=error))
            return
        yield from (Say(f"{text}\n", Kind.NOTE) for text in self._opening)
        self.is_open, moves = True, self.match.moves
        if text := self.table.resumed_text() or self.narration.greeting():
            yield Say(f"{text}\n", Kind.GREETING)
        if self._introduces:
            if introduction := self.table.introduction():
                yield Say(f"{introduction}\n", Kind.NOTE)
            if changed := changed_options(self.match.game):
                yield Say(f"Not as in the book: {pairs_text(self.match.game, changed)}\n", Kind.NOTE)
        if moves:
            yield from self._recap()

    def _recap(self) -> Output:
        """Show the position, as far as the heading of the turn does not show it."""
        if recap := self.narration.recap(self.match.state, self.match.moves):
            yield Say(f"{recap}\n", Kind.HEADING)

    # Events

    def _take(self, event: Event) -> Output:
        if isinstance(event, Done) or self.is_thinking or not self.table.check_time():
            yield from super()._take(event)
        else:
            yield from self._time_up()

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

    # What is next

    def _next(self) -> Output:
        """Go on until somebody is asked, or something takes a while."""
        while not self.ended:
            if self.work:
                yield from self._ask_meanwhile()
                return
            self.asked = None
            yield from self._follow()
            if self.ended:
                return
            if self.match.over:
                yield from self._finish()
            elif self.table.offer and not self._has_begun and self._pausing is None:
                yield from self._begin_turn()  # the position comes before the question about its moves
            elif question := self._open_question():
                self.asked = question
                yield question
            elif not self._has_begun:
                yield from self._begin_turn()
            else:
                yield from self._take_turn()
            if self.asked:
                return

    def _open_question(self) -> Ask | None:
        """Return the question that comes before the turn goes on, or None."""
        table, offer = self.table, self.table.offer
        if offer and (self._confirms or table.is_shared):  # a script does not know what somebody elsewhere asks
            return Ask(table.offer_text(offer), Asked.OFFER, 1 - offer.seat)
        if self._resigning is not None:
            return Ask(f"{table.name(self._resigning)}, do you want to resign?", Asked.CONFIRM, self._resigning)
        if self._pausing is not None:
            return Ask(self.narration.pause(), Asked.PAUSE, self._pausing)
        if self._is_halted:
            text = "Press Enter to let it think again, or type a command: "
            return Ask(text, Asked.HALTED, table.own[0])
        return None

    def _ask_meanwhile(self) -> Output:
        """Ask what can be answered while the program thinks or looks for help, which some front ends do in a thread."""
        if self._then == self._decided:
            yield self._ask_step()
        if self._then not in (self._chosen, self._valued, self._hinted):
            return
        self.asked = self._open_question()
        if self.asked:
            yield self.asked
        elif self.questions:
            yield self._ask_move(self.match.mover)

    def _begin_turn(self) -> Output:
        match, table = self.match, self.table
        self._has_begun = True
        table.start_turn()
        yield self._heading(match.state, match.moves)
        is_asked = match.mover in table.own and forced_pass(match.game, match.state) is None
        if self.shows_values and is_asked:
            self.questions = MoveQuestions(self.narration, match.state)
            yield from self._find("Valuing the moves", self._find_values, self._valued, self._not_valued)

    def _heading(self, state: Any, moves: Sequence[Move]) -> Say:
        """Return the text above a turn. A blank line follows it if a person here is asked."""
        heading = self.narration.heading(state, moves)
        is_asked = self.match.game.mover(state) in self.table.own and forced_pass(self.match.game, state) is None
        return Say(heading if is_asked else heading.rstrip("\n"), Kind.HEADING)

    def _take_turn(self) -> Output:
        """Let the mover move: by a pass that the rules force, a computer, a person here, or one elsewhere."""
        match, table = self.match, self.table
        forced = forced_pass(match.game, match.state)
        if forced is not None:
            yield from self._act("play", match.mover, (forced, None))
        elif table.agent():
            yield self._do(f"{table.name(match.mover)} is thinking", table.choice(), self._chosen, self._not_chosen)
        elif match.mover in table.own:
            self.questions = self.questions or MoveQuestions(self.narration, match.state)
            yield self._ask_move(match.mover)
        else:
            yield from self._wait()

    def _wait(self) -> Output:
        """Wait for the player who is elsewhere."""
        question = self.table.waiting(self._confirms)
        if isinstance(question, Ask):
            self.asked = question
            yield question
        else:
            yield self._do(question.text, question.run, nothing, self._leave_if_interrupted)

    # What has happened

    def _follow(self) -> Output:
        """Tell what has changed at the table."""
        try:
            changes = self.table.follow()
        except RefusedError as error:
            yield self._end(Ended(problem=error))
            return
        for change in changes:
            if isinstance(change, Moved):
                yield from self._moved(change)
            elif isinstance(change, TakenBack):
                yield from self._taken_back(change)
            else:
                yield change

    def _moved(self, moved: Moved) -> Output:
        before = moved.turn.before
        if not self._has_begun:
            yield self._heading(before, moved.turn.earlier)
        self._has_begun, self.questions = False, None
        yield from self._keep()
        remark = f"{self.table.name(self.match.game.mover(before))} {moved.note}"
        yield moved._replace(
            remark=remark if moved.note and not self.table.own else ""
        )  # to a person it would be a hint
        if self.match.over and moved.turn.after == self.match.state:
            return
        if self._pauses and self.table.is_shared and self.narration.pause():
            self._pausing = self.match.game.mover(before)
        else:
            yield from self._separate()

    def _separate(self) -> Output:
        if self.narration.separator:
            yield Say(f"{self.narration.separator}\n", Kind.SEPARATOR)

    def _taken_back(self, change: TakenBack) -> Output:
        self._is_halted = self._has_begun = False
        self._pausing = self._resigning = self.questions = None
        yield change
        yield Say("Taken back.\n", Kind.NOTE)
        yield from self._recap()
        yield from self._keep(gap=True)

    def _keep(self, *, gap: bool = False) -> Output:
        """Keep the match in its places. A blank line follows what is wrong, unless what comes next begins with one."""
        for problem in self.table.keep():
            yield Say(f"{problem}\n" if gap else problem, Kind.WARNING)

    def _time_up(self) -> Output:
        self._stop_thinking()
        yield Say("", Kind.SEPARATOR)

    # The computer

    def _chosen(self, choice: Any) -> Output:
        """Play the move that the computer has chosen, unless its time was up."""
        table = self.table
        name, who = table.name(self.match.mover), choice.introduction
        table.count_turn(choice.seconds)
        if table.check_time():
            yield from self._time_up()
            return
        if who and who not in self._introduced:
            self._introduced.append(who)
            yield Say(f"\n{name} is {who.name} by {who.author}.", Kind.NOTE)
        yield from self._act("play", self.match.mover, (choice.move, choice.note))

    def _not_chosen(self, error: BaseException) -> Output:
        """Let a computer that does not move lose. One that a person has stopped waits for what they want."""
        from duelbook.agents import Forfeit

        if isinstance(error, Forfeit):
            self.match.forfeit()
            yield Say(f"{error}\n", Kind.WARNING)
        elif isinstance(error, RefusedError):  # for example, its endpoint is down
            yield from self.leave(problem=error)
        elif isinstance(error, InterruptedWorkError) and self.table.own and self._confirms:
            self._is_halted = True
            self.table.renew_agents()  # what it was doing may go on in its thread
            yield Say(f"Stopped. It is the turn of {self.table.name(self.match.mover)}.", Kind.WARNING)
        else:
            yield from self._leave_if_interrupted(error)

    def _stop_thinking(self) -> None:
        """Drop the work that goes on. A computer that was thinking begins anew when it is asked again."""
        if self.is_thinking:
            self.table.renew_agents()
        self._stop()

    # Answers

    def _typed(self, event: Any, asked: Ask) -> Output:
        if asked.kind is Asked.NEXT:
            yield from self._answer_next(event.text)
        elif why := self._why_never(event, asked):
            yield from self._refuse(why)
        else:
            yield from super()._typed(event, asked)

    def _why_never(self, event: Any, asked: Ask) -> str:
        """Return why an action that was typed is never possible in this match, or an empty text."""
        typed, legal = fold(event.text), self.questions.legal if self.questions else ()
        is_free = asked.kind in (Asked.MOVE, Asked.WAIT) and typed not in map(fold, legal)
        if not (is_free and isinstance(event, Typed) and self.table.own):
            return ""
        return next((never_text(name, self.table) for name in RULES if name == typed), "")

    def _answer_other(self, text: str, asked: Ask) -> Output:
        if asked.kind in (Asked.OFFER, Asked.CONFIRM):
            yes = self._yes(text)
            if yes is None:
                yield from self._refuse("Answer y or n.")
            elif asked.kind is Asked.OFFER:
                yield from self._answer_offer(asked.seat, agrees=yes)
            else:
                yield from self._answer_resign(asked.seat, resigns=yes)
        elif asked.kind is Asked.WAIT:
            if text:
                yield from self._refuse(self.table.advice(text))
        elif text:
            yield from self._refuse("Press Enter, or type a command.")
        elif asked.kind is Asked.PAUSE:
            self._pausing = None
            yield Say("", Kind.SEPARATOR)
            yield from self._separate()
        else:
            self._is_halted = False
            self.table.start_turn()

    def _answer_offer(self, seat: Player, *, agrees: bool) -> Output:
        yield from self._act("agree" if agrees else "decline", seat)

    def _answer_resign(self, seat: Player, *, resigns: bool) -> Output:
        self._resigning = None
        if resigns:
            yield Say("", Kind.SEPARATOR)
            yield from self._act("resign", seat)
        else:
            yield Say("The game goes on.", Kind.NOTE)

    def _refuse(self, text: str) -> Output:
        """Say why what the person wants is not possible; the first time, also mention the command help."""
        yield from super()._refuse(text)
        if not self._is_help_mentioned:
            self._is_help_mentioned = True
            yield Say(HELP_NOTE, Kind.HELP)

    # What the players do

    def _play(self, move: Move) -> Output:
        self.questions = None  # a move that is not played is asked for again
        yield from self._act("play", self.match.mover, (move, None))

    def _act(self, action: ActionName, seat: Player, value: Any = None) -> Output:
        """Let a player do something. The work that goes on stops, unless the turn goes on."""
        before = self._turn
        try:
            work = self.table.act(action, seat, value)
        except RefusedError as error:
            yield from self._refuse(str(error))
            return
        if self._turn != before:
            self._stop_thinking()
        if work:
            yield self._await(work, nothing, self._not_acted)
        elif self.work:
            yield from self._follow()  # what is told does not wait for the work

    def _not_acted(self, error: BaseException) -> Output:
        if isinstance(error, RefusedError):
            yield from self._refuse(str(error))
        else:
            yield from self._leave_if_interrupted(error)

    @property
    def _turn(self) -> tuple[Any, ...]:
        """What work for a turn is about: the position, and whether somebody is asked to let moves be taken back."""
        return id(self.match.state), self.match.reason, self.table.offer

    @property
    def _seat(self) -> Player:
        """The seat of the person who gives a command: who is asked, or else the one whose turn it is here."""
        own = self.table.own
        if self.asked:
            return self.asked.seat
        return self.match.mover if self.match.mover in own or not own else own[0]

    # Commands

    def _command(self, name: str, value: str) -> Output:
        """Carry out a command. After the end there is nothing to take back or to give up."""
        known = (*RULES, *self.table.actions(self._seat))  # a service may offer more than this program knows
        action = next((action for action in known if action == name and name in self.commands), None)
        if self._is_finished and (action or name in self._commands):
            return
        if action is None or name in self._commands:
            yield from super()._command(name, value)
        else:
            yield from self._act(action, self._acting_seat(action))

    def _acting_seat(self, action: ActionName) -> Player:
        """Return the seat of the person who gives the command for this action."""
        rule, waiting = RULES.get(action), 1 - self.match.mover
        return waiting if rule and rule.is_by_waiting and waiting in self.table.own else self._seat

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
            yield from self._find("Valuing the moves", self._find_values, self._valued, self._not_valued)

    def _valued(self, values: Any) -> Output:
        self._found()
        yield Valued(values)

    def _not_valued(self, error: BaseException) -> Output:
        yield from self._not_found(error, "Stopped. The values of this turn are not shown.\n")

    def _hint(self, value: str) -> Output:
        """Give a step of help: first a nudge, then the best move, then why."""
        if refusal := self.table.help_refusal("hints") or self._premature():
            yield from self._refuse(refusal)
            return
        from duelbook.study.hints import HintSteps  # imported here so that a match starts sooner

        self._hints = self._hints or HintSteps(self.table.find_hint)
        find = partial(self._hints.next, self.match.game, self.match.state)
        yield from self._find("Looking for the best move", find, self._hinted, self._not_hinted)

    def _hinted(self, step: "HintStep") -> Output:
        self._found()
        yield Hinted(step.text, step.note)

    def _not_hinted(self, error: BaseException) -> Output:
        yield from self._not_found(error, "Stopped. Type a move, or hint to look for one again.")

    def _find(
        self,
        text: str,
        find: Callable[[], Any],
        then: Callable[[Any], Output],
        failed: Callable[[BaseException], Output],
    ) -> Output:
        """Look for help, at nobody's expense: the clock stands still (ALL-6)."""
        self.table.hold()
        yield self._do(text, find, then, failed)

    def _found(self) -> None:
        self.table.release()
        self.table.note_help()

    def _not_found(self, error: BaseException, stopped: str) -> Output:
        self.table.release()
        if isinstance(error, RefusedError):
            yield from self._refuse(str(error))
        elif isinstance(error, InterruptedWorkError):
            yield Say(stopped, Kind.WARNING)
        else:
            raise error

    def _undo(self, value: str) -> Output:
        """Take back the last answer of this turn, or moves. Of two people, the other one has to agree."""
        if self.is_confirming():
            yield from self._refuse("Answer y or n first.")
        elif self._take_back_answer():
            yield Say("Taken back.", Kind.ECHO)
        else:
            yield from self._act("undo", self._seat)

    def _resign(self, value: str) -> Output:
        if self.is_confirming():
            yield from self._refuse("Answer y or n first.")
        elif self._confirms:
            self._resigning = self._seat
        else:
            yield from self._answer_resign(self._seat, resigns=True)

    def _quit(self, value: str) -> Output:
        yield from self.leave()

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

    _commands: ClassVar[dict[str, Command]] = {
        "moves": _moves,
        "values": _values,
        "hint": _hint,
        "undo": _undo,
        "resign": _resign,
        "quit": _quit,
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
        self._is_finished, self._resigning, self.questions = True, None, None
        table.tell_result()
        ending = self.narration.ending(match.state, match.moves, match.outcome, match.reason)
        yield Say(f"{ending}\n", Kind.RESULT)
        if work := table.finish():
            yield self._await(work, self._conclude, self._not_loaded)
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
            yield self._do("Looking for what decided the game", table.find_decision, self._decided, self._undecided)

    def _not_loaded(self, error: BaseException) -> Output:
        if not isinstance(error, InterruptedWorkError):
            raise error
        yield from self._conclude()

    def _decided(self, text: str) -> Output:
        record, own = self.table.record(), self.table.only_own
        yield Decided("" if own is None else own_result(record, own), text)

    def _undecided(self, error: BaseException) -> Output:
        if isinstance(error, RefusedError):  # the game's own code fails
            yield Say(str(error), Kind.WARNING)
        elif not isinstance(error, InterruptedWorkError):
            raise error

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
