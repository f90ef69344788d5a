"""The conversation about a match, from the greeting to what the person wants to do next. Every front end shows it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from duelbook.errors import RefusedError
from duelbook.game import Move, Player, forced_pass
from duelbook.options import changed_options, pairs_text
from duelbook.play.actions import RULES, ActionName, never_text
from duelbook.play.commands import HELP_COMMANDS
from duelbook.play.conversation import Command, nothing
from duelbook.play.events import Ask, Asked, Done, Ended, Event, Kind, Moved, Output, Say, TakenBack, Typed
from duelbook.play.match_conversation import MatchConversation
from duelbook.play.screen_table import AgentChoice, ScreenTable
from duelbook.play.setup import is_solution_required
from duelbook.play.typed_moves import MoveQuestions
from duelbook.text import fold

if TYPE_CHECKING:
    from duelbook.agents import Introduction  # which a match of two people does not need

NOT_SOLVED = "This game is not solved: levels play by search, and values are estimates."


class Session(MatchConversation):
    """What one screen says about a match, and what it asks the players who sit at it."""

    def __init__(
        self,
        table: ScreenTable,
        *,
        opening: Sequence[str] = (),
        introduces: bool = False,
        confirms: bool = True,
        pauses: bool = True,
    ) -> None:
        """`introduces` the players to each other and `confirms` what cannot be taken back: both for people who see it.

        It `pauses` between two people where a game wants that: for people who read line by line.

        The texts of the opening are said before the greeting.
        """
        super().__init__(table)
        self.shows_values = table.setup.show_values  # at every turn of a person
        self._introduces, self._confirms, self._opening = introduces, confirms, opening
        self._pauses = pauses
        self._resigning: Player | None = None  # who is asked whether they want to resign
        self._pausing: Player | None = None  # who has moved and passes the keyboard on
        self._is_halted = False  # the computer, until a person lets it go on
        self._has_begun = False  # the turn
        self.is_open = False  # the match is ready and the players are greeted
        self._introduced: list[Introduction] = []  # the programs that have said who they are

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
            yield self._do(
                "Solving the game",
                self.table.prepare,
                self._prepared,
                refused=self._fail,
                stopped=self._solving_stopped,
                stopping=stopping,
            )
        else:
            yield from self._greet()
            yield from self._next()

    def _prepared(self, is_solved: bool) -> Output:
        if not is_solved:
            yield Say(f"{NOT_SOLVED}\n", Kind.NOTE)
        yield from self._greet()

    def _solving_stopped(self) -> Output:
        """Play on without the solution, unless an agent cannot do without."""
        if is_solution_required(self.table.setup.people):
            yield self._end(Ended(is_interrupted=True))
            return
        from duelbook.solve import remember_too_large

        remember_too_large(self.match.game)
        yield Say(f"Stopped. {NOT_SOLVED}\n", Kind.NOTE)
        yield from self._greet()

    def _greet(self) -> Output:
        try:
            self.table.open()
        except RefusedError as error:
            yield from self._fail(error)
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
        if not (self.is_thinking or self.is_finding):
            return
        self.asked = self._open_question()
        if self.asked:
            yield self.asked
        elif self.questions:
            yield self._ask_move(self.match.mover)

    def _begin_turn(self) -> Output:
        match = self.match
        self._has_begun = True
        self.table.start_turn()
        yield self._heading(match.state, match.moves)
        if self.shows_values and self._is_asked(match.state):
            self.questions = MoveQuestions(self.narration, match.state)
            yield from self._value_moves()

    def _heading(self, state: Any, moves: Sequence[Move]) -> Say:
        """Return the text above a turn. A blank line follows it if a person here is asked."""
        heading = self.narration.heading(state, moves)
        return Say(heading if self._is_asked(state) else heading.rstrip("\n"), Kind.HEADING)

    def _is_asked(self, state: Any) -> bool:
        """Return True if a person here chooses the move in this position."""
        game = self.match.game
        return game.mover(state) in self.table.own and forced_pass(game, state) is None

    def _take_turn(self) -> Output:
        """Let the mover move: by a pass that the rules force, a computer, a person here, or one elsewhere."""
        match, table = self.match, self.table
        forced = forced_pass(match.game, match.state)
        if forced is not None:
            yield from self._act("play", match.mover, (forced, None))
        elif thinking := table.thinking():
            yield self._do(
                f"{table.name(match.mover)} is thinking",
                thinking,
                self._chosen,
                refused=self._cannot_choose,
                stopped=self._halt,
            )
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
            yield self._await(question, nothing)

    # What has happened

    def _follow(self) -> Output:
        """Tell what has changed at the table."""
        try:
            changes = self.table.follow()
        except RefusedError as error:
            yield from self._fail(error)
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

    def _time_up(self) -> Output:
        self._stop_thinking()
        yield Say("", Kind.SEPARATOR)

    # The computer

    def _chosen(self, choice: AgentChoice) -> Output:
        """Play the move that the computer has chosen, unless its time was up. One that does not move loses."""
        table = self.table
        name, who = table.name(self.match.mover), choice.introduction
        if choice.move is None:
            self.match.forfeit()
            yield Say(f"{choice.forfeit}\n", Kind.WARNING)
            return
        table.count_turn(choice.seconds)
        if table.check_time():
            yield from self._time_up()
            return
        if who and who not in self._introduced:
            self._introduced.append(who)
            yield Say(f"\n{name} is {who.name} by {who.author}.", Kind.NOTE)
        yield from self._act("play", self.match.mover, (choice.move, choice.note))

    def _cannot_choose(self, error: RefusedError) -> Output:
        yield from self.leave(problem=error)  # for example, its endpoint is down

    def _halt(self) -> Output:
        """Wait for what the person wants who has stopped the computer, if there is one to say it."""
        if not (self.table.own and self._confirms):
            yield from self.leave(is_interrupted=True)
            return
        self._is_halted = True
        self.table.renew_agents()  # what it was doing may go on in its thread
        yield Say(f"Stopped. It is the turn of {self.table.name(self.match.mover)}.", Kind.WARNING)

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
        if typed in HELP_COMMANDS and (refusal := self.table.help_refusal(HELP_COMMANDS[typed])):
            return refusal
        return next((never_text(name, self.table) for name in RULES if name == typed), "")

    def _answer_other(self, text: str, asked: Ask) -> Output:
        if asked.kind in (Asked.OFFER, Asked.CONFIRM):
            yes = self._yes(text)
            if yes is None:
                yield from self._refuse("Answer y or n.")
            elif asked.kind is Asked.OFFER:
                yield from self._act("agree" if yes else "decline", asked.seat)
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

    def _answer_resign(self, seat: Player, *, resigns: bool) -> Output:
        self._resigning = None
        if resigns:
            yield Say("", Kind.SEPARATOR)
            yield from self._act("resign", seat)
        else:
            yield Say("The game goes on.", Kind.NOTE)

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
            yield self._await(work, nothing)
        elif self.work:
            yield from self._follow()  # what is told does not wait for the work

    @property
    def _turn(self) -> tuple[Any, ...]:
        """What work for a turn is about: the position, and whether somebody is asked to let moves be taken back."""
        return id(self.match.state), self.match.reason, self.table.offer

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

    _commands: ClassVar[dict[str, Command]] = MatchConversation._commands | {"undo": _undo, "resign": _resign}
