"""A match in the terminal: people and agents take turns until the match is over or a person leaves."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Reason, forced_pass, move_names
from duelbook.match import Match
from duelbook.narration import AnyNarration, Question, Turn
from duelbook.options import changed_options, pairs_text
from duelbook.play.exit_codes import EXIT_FINISHED, EXIT_INTERRUPTED, EXIT_LEFT, StoppedGameError
from duelbook.play.setup import Setup
from duelbook.play.typed_moves import MoveQuestions
from duelbook.records import save_record
from duelbook.records.record import Note, Record, only_person
from duelbook.terminal.commands import Commands, QuitError, TurnEndedError
from duelbook.terminal.leaving import after_text, leaving_text
from duelbook.terminal.line_editor import TimeUpError
from duelbook.terminal.screen import HEADING, NOTE, RESULT, WARNING, Screen
from duelbook.text import plural

if TYPE_CHECKING:
    from duelbook.agents import Agent  # which a game of two people does not need
    from duelbook.study.hints import Hint


class Session:
    """One match, from its greeting to its result."""

    def __init__(self, match: Match, narration: AnyNarration, setup: Setup, screen: Screen) -> None:
        self.match = match
        self.narration = narration
        self.seating = narration.seating
        self.setup = setup
        self.screen = screen
        self.prompted = match.mover  # the seat that is asked
        self._commands = Commands(self)
        self._clock_runs = False
        self.last_save: tuple[Path, list[Move], Reason] | None = None  # the file, and the moves and the reason in it
        self._help_mentioned = False
        self._question = ""  # the prompt that is shown
        self._note: Note | None = None  # what the program says about the move of this turn
        self._introduced: list[Agent] = []  # the programs that have said who they are
        self.questions: MoveQuestions | None = None  # for the move of this turn, while a person is asked for one

    def run(self) -> int:
        """Play to the end and return the exit code. A person who leaves early is shown how to resume."""
        if self.setup.record:
            self.save(self.setup.record)
        try:
            self._open()
            while not self.match.over:
                self._turn()
            self._finish()
            return EXIT_FINISHED
        except (QuitError, EOFError):
            self._leave()
            return EXIT_LEFT
        except KeyboardInterrupt:
            self._leave()
            return EXIT_INTERRUPTED
        except RefusedError as error:  # an agent cannot continue, for example because its endpoint is down
            self._leave()
            raise StoppedGameError(str(error)) from error

    def save(self, path: Path) -> None:
        save_record(self.record(), path)
        self.last_save = path, [*self.match.moves], self.match.reason

    def record(self) -> Record:
        """Return the match so far as a record."""
        setup = self.setup
        return self.match.record(setup.people, setup.first, seed=setup.seed, time_limit=setup.time_limit)

    def resign(self) -> None:
        """End the match: the player who is asked gives up."""
        self.match.resign(self.prompted)

    def note_help(self) -> None:
        """Note that values or a hint were shown: the match does not count for a rating."""
        if self.setup.keeper:
            self.setup.keeper.helped = True

    def ask(self, prompt: str = "") -> str:
        """Return what the person types, by default to the question for a move. After a command, ask again."""
        while True:
            self._question = prompt or self.move_question()
            text = self.screen.ask(self._question, self._deadline, self._commands.candidates, remember=self._clock_runs)
            if not self._commands.run(text):
                return text

    def move_question(self) -> str:
        """Return the question for a move that is asked now."""
        assert self.questions
        return self.questions.question

    def take_back_answer(self) -> bool:
        """Take back the last answer of this turn. Return False if there is none."""
        if self.questions is None or not self.questions.take_back():
            return False
        self.screen.say("Taken back.", NOTE)
        return True

    def answers(self) -> Sequence[str]:
        """Return the answers that the question may get: those that it names, or the legal moves."""
        if isinstance(self._question, Question):
            return self._question.answers
        return list(move_names(self.match.game, self.match.state))

    @property
    def _deadline(self) -> float | None:
        """The end of the mover's time, by the monotonic clock, or None while no time runs."""
        limit = self.setup.time_limit
        return self.match.turn_started + limit if limit and self._clock_runs else None

    @contextmanager
    def stopped_clock(self) -> Iterator[None]:
        """Stop the mover's clock: while the other player is asked, and while the program works (ALL-6)."""
        ran, spent = self._clock_runs, self.match.turn_seconds()
        self._clock_runs = False
        try:
            yield
        finally:
            self._clock_runs = ran
            self.match.start_turn(spent)

    @contextmanager
    def working(self, text: str) -> Iterator[None]:
        """Show that the program works, at nobody's expense: the clock stands still."""
        with self.stopped_clock(), self.screen.busy(text):
            yield

    def show_position(self) -> None:
        """Show the position, as far as the heading of the turn does not show it."""
        if recap := self.narration.recap(self.match.state, self.match.moves):
            self.screen.say(f"{recap}\n")

    def warn(self, text: str) -> None:
        """Show what was wrong with an answer; the first time, also mention the command help."""
        self.screen.say(text, WARNING)
        if not self._help_mentioned:
            self.screen.say("(Type help to see what you can do.)", NOTE)
            self._help_mentioned = True

    def _open(self) -> None:
        greeting = self.narration.greeting()
        if self.match.moves:
            self.screen.say(f"Resumed after {plural(len(self.match.moves), 'move')}.\n")
        elif greeting:
            self.screen.say(f"{greeting}\n")
        if self.screen.is_terminal:
            self.introduce()
            if changed := changed_options(self.match.game):
                self.screen.say(f"Not as in the book: {pairs_text(self.match.game, changed)}\n", NOTE)
        if self.match.moves:
            self.show_position()

    def introduce(self) -> None:
        """Tell a person who plays against an agent who they are, and who moves first."""
        people, first = self.setup.people, self.setup.first
        own = only_person(people)
        if own is not None:
            starts = "You move" if own == first else f"{people[first].name} moves"
            self.screen.say(f"You are {people[own].name}, against {people[1 - own].agent}. {starts} first.\n", NOTE)

    def _turn(self) -> None:
        self.prompted = self.match.mover
        self._note = None
        self.match.start_turn()
        try:
            self._move()
            self._autosave(gap=False)
            self._announce()
        except TurnEndedError:  # by a resignation, a forfeit, or a move taken back
            self._autosave()
        except TimeUpError:
            self.match.run_out_of_time()
            self.screen.say()

    def _move(self) -> None:
        match = self.match
        heading = self.narration.heading(match.state, match.moves)
        agent = self.setup.agents[self.seating.person(match.mover)]
        forced = forced_pass(match.game, match.state)
        if forced is None and agent is None:
            self.screen.say(heading, HEADING)
            if self.setup.show_values:
                self.show_values()
            self._human_move()
            return
        self.screen.say(heading.rstrip("\n"), HEADING)
        move = forced if forced is not None else self._agent_move(agent)
        if self.setup.time_limit and match.turn_seconds() > self.setup.time_limit:
            raise TimeUpError
        match.play(move)
        if self._note:
            match.add_note(self._note)

    def _agent_move(self, agent: "Agent | None") -> Move:
        """Return the move that the agent chooses. Ctrl-C stops its thinking and asks a person how to go on."""
        from duelbook.agents import Forfeit, chosen_move, introduction, turn_report

        assert agent is not None
        name = self.seating.name(self.match.mover)
        kind = self.setup.people[self.seating.person(self.match.mover)].agent
        while True:
            try:
                with self.screen.busy(f"{name} is thinking"):
                    move = chosen_move(agent, kind, self.match)
            except Forfeit as forfeit:
                self.screen.say(f"{forfeit}\n", WARNING)
                self.match.forfeit()
                raise TurnEndedError from None
            except KeyboardInterrupt:
                if not any(self.seating.humans) or not self.screen.interactive:
                    raise
                self._ask_how_to_go_on(name)
                continue
            report, who = turn_report(agent), introduction(agent)
            if report.seconds is not None:
                self.match.start_turn(report.seconds)
            if who and agent not in self._introduced:
                self._introduced.append(agent)
                self.screen.say(f"\n{name} is {who.name} by {who.author}.", NOTE)
            self._note = report.note
            return move

    def _ask_how_to_go_on(self, name: str) -> None:
        """Wait until the person lets the agent think again. Commands, such as undo or quit, are theirs."""
        self.prompted = next(seat for seat in (0, 1) if self.seating.is_human(seat))
        self.screen.say(f"Stopped. It is the turn of {name}.", WARNING)
        while self.ask("Press Enter to let it think again, or type a command: "):
            self.warn("Press Enter, or type a command.")
        self.prompted = self.match.mover
        self.match.start_turn()

    def find_hint(self, game: AnyGame, state: Any) -> "Hint | None":
        """Return the best move in a position and why, or None if the game is over."""
        from duelbook.study.hints import hint  # imported here so that a game starts sooner

        return hint(game, state)

    def find_values(self) -> str:
        """Return what each legal move is worth, as text."""
        from duelbook.play.values import move_values  # imported here so that a game starts sooner

        return move_values(self.match.game, self.match.state)

    def show_values(self) -> None:
        """Show what each legal move is worth."""
        try:
            with self.working("Valuing the moves"):
                values = self.find_values()
            self.note_help()
            self.screen.say(f"{values}\n", NOTE)
        except RefusedError as error:
            self.warn(str(error))
        except KeyboardInterrupt:
            self.screen.say("Stopped. The values of this turn are not shown.\n", WARNING)

    def _human_move(self) -> None:
        self.match.start_turn()
        self._clock_runs = True
        try:
            while not self._try_move():
                pass
        finally:
            self._clock_runs = False

    def _try_move(self) -> bool:
        """Ask for one move and play it. Return False if it was not played."""
        self.questions = questions = MoveQuestions(self.narration, self.match.state)
        try:
            while True:
                text = self.ask()
                try:
                    move = questions.answer(text, self._commands.names())
                except RefusedError as error:
                    self.warn(str(error))
                else:
                    if move is not None:
                        return self._play(move)
        finally:
            self.questions = None

    def _play(self, move: Move) -> bool:
        self.match.play(move)
        return True

    def _announce(self) -> None:
        match = self.match
        turn = Turn(match.states[-2], match.moves[-1], match.state, match.moves[:-1])
        self.screen.say(f"\n{self.narration.announce(turn)}\n")
        if self._note and not any(self.seating.humans):  # to a person it would be a hint
            self.screen.say(f"{self.seating.name(self.match.game.mover(turn.before))} {self._note}\n", NOTE)
        if match.over:
            return
        if all(self.seating.humans) and self.narration.pause():
            while self.ask(self.narration.pause()):
                self.warn("Press Enter, or type a command.")
            self.screen.say()
        if self.narration.separator:
            self.screen.say(f"{self.narration.separator}\n", NOTE)

    def _autosave(self, *, gap: bool = True) -> None:
        """Keep the match in the history, and save it to its record file. Play continues if that fails.

        A blank line follows what is said then, unless what comes next begins with one.
        """
        if self.setup.keeper and (problem := self.setup.keeper.keep(self.record())):
            self.screen.say(f"{problem}\n" if gap else problem, WARNING)
        try:
            if self.setup.record:
                self.save(self.setup.record)
        except RefusedError as error:
            self.screen.say(str(error), WARNING)

    def _finish(self) -> None:
        match = self.match
        if any(self.setup.agents):
            from duelbook.agents import tell_result

            for agent in filter(None, self.setup.agents):
                tell_result(agent, match)
        ending = self.narration.ending(match.state, match.moves, match.outcome, match.reason)
        self.screen.say(f"{ending}\n", RESULT)
        self._autosave()
        if self.setup.once:
            self.screen.say(after_text(self), NOTE)

    def _leave(self) -> None:
        self._autosave()
        if self.setup.keeper and not self.match.moves:
            self.setup.keeper.discard()
        self.screen.say(leaving_text(self), NOTE)
