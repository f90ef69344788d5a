"""What a game says during a match. A narration returns texts; the terminal and the web page show them.

`Narration` works for any game from its move names and `render`. A game with words of its own has a `narration.py`
whose class `Narration` overrides what differs.
"""

import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from duelbook.game import PASS, AnyGame, Move, Outcome, Player, Reason, move_names
from duelbook.game_folder import game_value
from duelbook.text import plural, sentence

Dialogue = Generator[str, str, str]  # yields prompts and refusals, receives answers, returns the name of a move
SEAT_WORDS = re.compile(r"\b(?:the )?(first|second) player\b", re.IGNORECASE)  # how `render` names the players
MAX_PREVIEWED_BOARD = 60  # characters of a board that stands in a sentence
YOU = "you"  # the reader of a text
THIRD_PERSON = {"have": "has", "pass": "passes", "reply": "replies"}  # of verbs that do not just add an s
State = TypeVar("State")
GameT = TypeVar("GameT", bound=AnyGame)


class Refusal(str):
    """What a dialogue yields when an answer is wrong; the next prompt follows."""


class Question(str):
    """A prompt of a dialogue with the answers that it may get, which a terminal completes."""

    answers: Sequence[str]

    def __new__(cls, text: str, answers: Sequence[str]) -> "Question":
        question = super().__new__(cls, text)
        question.answers = answers
        return question


class Command(NamedTuple):
    """A terminal command that only one game has: its help text, and a function from the state to its output."""

    about: str
    answer: Callable[[Any], str]


@dataclass(frozen=True)
class Seating:
    """Who sits where. The rules know seats; people are Player 1 and Player 2, whichever of them moves first."""

    names: tuple[str, str] = ("Player 1", "Player 2")
    first: int = 0  # which of the two people moves first
    humans: tuple[bool, bool] = (True, True)

    def person(self, seat: Player) -> int:
        """Return 0 if Player 1 has this seat, 1 if Player 2 has."""
        return seat ^ self.first

    def seat(self, person: int) -> Player:
        """Return the seat of Player 1 (0) or Player 2 (1)."""
        return person ^ self.first

    def seats(self) -> tuple[Player, Player]:
        """Return the seats of Player 1 and Player 2."""
        return self.seat(0), self.seat(1)

    def name(self, seat: Player) -> str:
        """Return the name of the person on this seat."""
        return self.names[self.person(seat)]

    def is_human(self, seat: Player) -> bool:
        """Return True if a person, not an agent, has this seat."""
        return self.humans[self.person(seat)]


class Voice(NamedTuple):
    """How a text about a move names its two players: as a reader and their opponent, or by their names."""

    mover: str = YOU
    opponent: str = "your opponent"
    tell_move: Callable[[str, "Voice"], str] | None = None  # of the narration: how it tells the moves of others

    def turned(self) -> "Voice":
        """Return the voice for a move of the opponent."""
        return self._replace(mover=self.opponent, opponent=self.mover)

    def move(self, who: str, name: str) -> str:
        """Return a move of this person as text: the name that the reader types, or what the game tells of others."""
        if who == YOU or self.tell_move is None:
            return name
        return self.tell_move(name, self if who == self.mover else self.turned())

    @staticmethod
    def verb(who: str, verb: str) -> str:
        """Return the verb as it follows the person: `play` for you, `plays` for others."""
        return verb if who == YOU else THIRD_PERSON.get(verb, f"{verb}s")

    @classmethod
    def does(cls, who: str, verb: str) -> str:
        """Return the person with a verb: `you play`, `Ann plays`, `Ann has`."""
        return f"{who} {cls.verb(who, verb)}"

    @staticmethod
    def whose(who: str) -> str:
        """Return the possessive: `your`, `Ann's`."""
        return "your" if who == YOU else f"{who}'s"


class Turn(NamedTuple, Generic[State]):
    """One move and what it changed."""

    before: State
    move: Move
    after: State
    earlier: Sequence[Move]  # all moves before it


class Preview(NamedTuple):
    """What a move would do, in words to the player who thinks about it."""

    text: str  # one sentence or two, without who wins by it
    warning: bool = False  # it costs something that the player may not expect
    result: str = ""  # what it decides, as far as the players can know that before they see it


class Narration(Generic[GameT, State]):
    """The texts of one game for the people on its two seats."""

    separator: ClassVar[str] = ""  # printed between two turns
    starter: ClassVar[str] = "1"  # who moves first by default: `1`, `2` or `random` (ALL-1)

    def __init__(self, game: GameT, seating: Seating) -> None:
        self.game = game
        self.seating = seating

    def greeting(self) -> str:
        """Return the text that opens the session."""
        return self.board(self.game.initial())

    def board(self, state: State) -> str:
        """Return the state as text that names people, not seats."""
        return named(self.game.render(state), (self.seating.name(0), self.seating.name(1)))

    def heading(self, state: State, moves: Sequence[Move]) -> str:
        """Return the text above the prompt for a move."""
        return f"{self.mover(state)}'s turn{' again' if self.moves_again(state, moves) else ''}."

    def recap(self, state: State, moves: Sequence[Move]) -> str:
        """Return what to show of a position that a player comes back to, as far as its heading does not say it."""
        board = self.board(state)
        return "" if board in self.heading(state, moves) else board

    def ask(self, state: State) -> Dialogue:
        """Ask for a move: yield each question, receive the answer, and return the name of the move."""
        answer = yield "Enter your move: "
        return answer

    def why(self, state: State, answer: str) -> str:
        """Return a sentence on why the answer is not a legal move, or an empty text if the game has nothing to add."""
        return ""

    def explain(self, state: State, move: Move, voice: Voice) -> str:
        """Return what a good move does, in words that follow its name, or an empty text if there is nothing to add.

        As in `takes the crystal that your opponent needs`. Hints, reviews and puzzles add the value and the reason.
        """
        return ""

    def tell_move(self, name: str, voice: Voice) -> str:
        """Return the move of this name, made by the voice's mover, in words for somebody else.

        It is for names that depend on who types them, such as `A opponent 1`.
        """
        return name

    def voice(self, mover: str = YOU, opponent: str = "your opponent") -> Voice:
        """Return the voice in which this game's moves are told."""
        return Voice(mover, opponent, self.tell_move)

    def preview(self, turn: Turn[State]) -> Preview:
        """Return what the move would do, for a player who has not decided yet: "You would have 8 of 15." """
        loses = self.game.outcome(turn.after) == 1 - self.game.mover(turn.before)
        return Preview(self._prospect(turn), loses, self.preview_result(turn))

    def _prospect(self, turn: Turn[State]) -> str:
        name, board = self.game.move_name(turn.before, turn.move), " ".join(self.game.render(turn.after).split())
        if words := self.explain(turn.before, turn.move, Voice()):
            return sentence(f"{name} {words.rstrip(',')}")
        if len(board) <= MAX_PREVIEWED_BOARD:
            return sentence(f"after {name}: {board}")
        if self.game.outcome(turn.after) != Outcome.UNDECIDED:
            return f"After {name} the game is over."
        again = self.game.mover(turn.after) == self.game.mover(turn.before)
        choice = plural(len(move_names(self.game, turn.after)), "move")
        return f"After {name} it is {'your turn again' if again else 'the turn of your opponent'}, with {choice}."

    def preview_result(self, turn: Turn[State]) -> str:
        """Return what the move would decide by the rules, or an empty text if the game goes on."""
        outcome = self.game.outcome(turn.after)
        if outcome in (Outcome.UNDECIDED, Outcome.DRAW):
            return "The game would end in a draw." if outcome == Outcome.DRAW else ""
        return "This wins the game." if outcome == self.game.mover(turn.before) else "This loses the game."

    def announce(self, turn: Turn[State]) -> str:
        """Return the text that follows a move."""
        name = self.game.move_name(turn.before, turn.move)
        action = "passes" if name == PASS else f"plays {name}"
        return f"{self.mover(turn.before)} {action}.\n\n{self.board(turn.after)}"

    def short_name(self, state: State, move: Move) -> str:
        """Return a legal move in short notation, as the page's list of moves writes it: a few letters or digits."""
        return self.game.move_name(state, move)

    def describe_moves(self, parts: Sequence[str | None]) -> str:
        """Return in words all legal moves whose names have these parts. None stands for any part."""
        return " ".join(part or "(any)" for part in parts)

    def pause(self) -> str:
        """Return the prompt that ends a turn when two people share a keyboard, or an empty text."""
        return ""

    def ending(self, state: State, moves: Sequence[Move], outcome: Outcome, reason: Reason) -> str:
        """Return the text that closes a match, whatever ended it."""
        name = self.seating.name
        match reason:
            case Reason.RULES:
                return self.ending_by_rules(state, moves)
            case Reason.RESIGNATION:
                return f"{name(1 - outcome)} resigns.\n\n{name(outcome)} wins!"
            case Reason.TIME:
                return f"{name(1 - outcome)} has run out of time.\n\n{name(outcome)} wins!"
            case Reason.FORFEIT:
                return f"{name(1 - outcome)} forfeits the match.\n\n{name(outcome)} wins!"
            case Reason.ABSENCE:
                return f"{name(1 - outcome)} has stayed away.\n\n{name(outcome)} wins!"
            case Reason.PLY_LIMIT:
                return f"The match stops at the move limit of {plural(len(moves), 'move')}. Nobody wins."
            case Reason.UNFINISHED:
                return "The game is unfinished."

    def ending_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        """Return the text that closes a match that the rules have decided: the last move is the reason."""
        outcome, name = self.game.outcome(state), self.seating.name
        if outcome == Outcome.DRAW:
            return f"The game is a draw after {plural(len(moves), 'move')}."
        if not moves:
            return self.who_won(state)
        before = self.before_last(moves)
        last, mover = self.game.move_name(before, moves[-1]), self.game.mover(before)
        return f"{name(outcome)} wins {f'with {last}' if mover == outcome else f'after {name(mover)} played {last}'}!"

    def result(self, state: State, moves: Sequence[Move], outcome: Outcome, reason: Reason) -> str | None:
        """Return in one line who won and why, in the third person; None until the match is over."""
        if reason is Reason.UNFINISHED:
            return None
        spectator = type(self)(self.game, replace(self.seating, humans=(False, False)))
        if reason is Reason.RULES:
            return spectator.result_by_rules(state, moves)
        return " ".join(spectator.ending(state, moves, outcome, reason).split())

    def result_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        """Return in one line who won by the rules and why."""
        return " ".join(self.ending_by_rules(state, moves).split())

    def legal(self, state: State) -> str:
        """Return the output of the command `moves`: what is legal now."""
        return f"Legal moves: {', '.join(move_names(self.game, state))}"

    def commands(self) -> dict[str, Command]:
        """Return the commands that only this game has, by name."""
        return {}

    def mover(self, state: State) -> str:
        """Return the name of the person whose turn it is."""
        return self.seating.name(self.game.mover(state))

    def who_won(self, state: State) -> str:
        """Return who won by the rules, or that it is a draw, without a reason."""
        outcome = self.game.outcome(state)
        return "The game is a draw." if outcome == Outcome.DRAW else f"{self.seating.name(outcome)} wins!"

    def moves_again(self, state: State, moves: Sequence[Move]) -> bool:
        """Return True if the player to move also made the last move."""
        return bool(moves) and self.game.mover(self.before_last(moves)) == self.game.mover(state)

    def before_last(self, moves: Sequence[Move]) -> Any:
        """Return the state before the last of these moves."""
        state = self.game.initial()
        for move in moves[:-1]:
            state = self.game.play(state, move)
        return state

    def you(self, state: State) -> bool:
        """Return True if the mover is a person, who is addressed as "you"."""
        return self.seating.is_human(self.game.mover(state))


AnyNarration = Narration[Any, Any]


def narration_class(game: AnyGame) -> type[AnyNarration]:
    """Return the narration in the game's folder, or the general one if there is none."""
    found: type[AnyNarration] = game_value(game, "narration", "Narration") or Narration
    return found


def narration_for(game: AnyGame, seating: Seating) -> AnyNarration:
    """Return the narration of a match of this game."""
    return narration_class(game)(game, seating)


def named(text: str, names: Sequence[str]) -> str:
    """Return a text with the names of the players, by seat, instead of `first player` and `second player`."""
    return SEAT_WORDS.sub(lambda found: names[found[1].lower() == "second"], text)
