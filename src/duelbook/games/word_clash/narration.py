"""What Word Clash says during a match."""

from collections.abc import Sequence
from string import ascii_uppercase

from duelbook import narration
from duelbook.errors import RefusedError
from duelbook.game import Move, Player, move_names
from duelbook.games.word_clash.rules import BOARDS, State, WordClash, empty_slots
from duelbook.narration import Dialogue, Preview, Question, Refusal, Turn, Voice
from duelbook.text import plural, quote

PARTS = ("a letter", "a board", "a position")


class Narration(narration.Narration[WordClash, State]):
    """The texts of Word Clash, as in its rule book."""

    def greeting(self) -> str:
        return ""  # the heading of the first turn is the book's opening

    def board(self, state: State) -> str:
        seating = self.seating
        return "\n".join(
            f"{seating.name(seat)}'s Board: {self.game.slots(board_of(state, seat))}" for seat in seating.seats()
        )

    def heading(self, state: State, moves: Sequence[Move]) -> str:
        if not self.you(state):
            return f"{self.mover(state)}'s Turn\n\n{self.board(state)}"
        mine, theirs = self.game.slots(state.mine), self.game.slots(state.theirs)
        return f"{self.mover(state)}'s Turn\n\nYour Board: {mine}\nOpponent's Board: {theirs}\n"

    def recap(self, state: State, moves: Sequence[Move]) -> str:
        return ""

    def ask(self, state: State) -> Dialogue:
        """Ask for letter, board and position one by one. An answer may also hold several of them."""
        free = self._free(state)
        parts: list[str] = []
        while len(parts) < len(PARTS):
            answer = yield self._question(parts, free)
            try:
                parts = read_parts(parts, answer.split(), free)
            except RefusedError as error:
                yield Refusal(error)
        return " ".join(parts)

    def _question(self, parts: list[str], free: dict[str, list[str]]) -> Question:
        if not parts:
            return Question("Select a letter from A-Z: ", ascii_uppercase)
        if len(parts) == 1:
            return Question(
                "Place letter on ('self' or 'opponent'): ", [board for board, places in free.items() if places]
            )
        return Question(f"Choose position (1-{self.game.length}): ", free[parts[1]])

    def _free(self, state: State) -> dict[str, list[str]]:
        """Return the free positions of each board, taken from the legal moves."""
        free: dict[str, list[str]] = {board: [] for board in BOARDS}
        for name in move_names(self.game, state):
            letter, board, position = name.split()
            if letter == "A":
                free[board].append(position)
        return free

    def legal(self, state: State) -> str:
        free = self._free(state).items()
        places = (f"{board}: {', '.join(positions) or 'none'}" for board, positions in free)
        return "Any letter from A to Z on these positions:\n" + "\n".join(places)

    def explain(self, state: State, move: Move, voice: Voice) -> str:
        following, classes = self.game.play(state, move), self.game.classes
        own = following.theirs != state.mine
        before, board = (state.mine, following.theirs) if own else (state.theirs, following.mine)
        whose = voice.whose(voice.mover if own else voice.opponent)
        left = empty_slots(board, self.game.length).bit_count()
        if not left:
            return f"completes {whose} board with {'a valid word' if classes.fits_a_word(board) else 'an invalid word'}"
        if not classes.fits_a_word(before):
            return f"leaves {plural(left, 'slot')} to fill on {whose} board, which no word fits any more,"
        if not classes.fits_a_word(board):
            return f"makes a valid word on {whose} board impossible"
        if own:
            return f"keeps a word possible on {whose} board"
        return f"leaves {plural(left, 'slot')} to fill on {whose} board, which a word still fits,"

    def tell_move(self, name: str, voice: Voice) -> str:
        letter, board, position = name.split()
        whose = "their own" if board == BOARDS[0] else voice.whose(voice.opponent)
        return f"{letter} in position {position} on {whose} board"

    def describe_moves(self, parts: Sequence[str | None]) -> str:
        letter, board, position = parts
        boards = {"self": "your board", "opponent": "the opponent's board", None: "either board"}
        return f"{letter or 'any letter'} on {boards[board]}{f' in position {position}' if position else ''}"

    def short_name(self, state: State, move: Move) -> str:
        letter, board, position = self.game.move_name(state, move).split()
        return f"{letter}{position}" if board == BOARDS[0] else f"{letter}{position} opp"

    def preview(self, turn: Turn[State]) -> Preview:
        """Return what the board would read. Whether that is a valid word shows once it is played."""
        own = turn.after.theirs != turn.before.mine
        board = turn.after.theirs if own else turn.after.mine
        letters, whose = self.game.slots(board).strip("[]").replace(", ", " "), "Your" if own else "Your opponent's"
        left = empty_slots(board, self.game.length).bit_count()
        if left:
            return Preview(f"{whose} board would read {letters}, with {plural(left, 'slot')} left.")
        valid, other = ("wins", "loses") if own else ("loses", "wins")
        return Preview(
            f"{whose} board would be complete: {letters}. A valid word {valid}, anything else {other}.", True
        )

    def announce(self, turn: Turn[State]) -> str:
        letter, board, position = self.game.move_name(turn.before, turn.move).split()
        mover, opponent = self.mover(turn.before), self.mover(turn.after)
        if self.you(turn.before):
            who, owner = "You", {"self": "your", "opponent": "your opponent's"}[board]
        else:
            who, owner = mover, {"self": "their own", "opponent": f"{opponent}'s"}[board]
        return f"{who} placed '{letter}' in position {position} on {owner} board."

    def pause(self) -> str:
        return "Press Enter to end your turn..."

    def ending_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        owner, letters, valid = self._complete(state)
        winner = self.game.outcome(state)
        return (
            f"{self.seating.name(owner)}'s board is complete: {' '.join(letters)}\n"
            f"'{''.join(letters)}' is {valid} English word.\n"
            f"{self._verdict(owner, finisher=1 - state.mover, wins=winner == owner)}\n"
            f"{self.seating.name(winner)} wins the game."
        )

    def _complete(self, state: State) -> tuple[Player, list[str], str]:
        """Return whose board is complete, its letters, and whether they are `a valid` word or `not a valid` one."""
        owner = next(seat for seat in (0, 1) if not empty_slots(board_of(state, seat), self.game.length))
        letters = self.game.slots(board_of(state, owner)).strip("[]").split(", ")
        return owner, letters, "a valid" if self.game.outcome(state) == owner else "not a valid"

    def result_by_rules(self, state: State, moves: Sequence[Move]) -> str:
        owner, letters, valid = self._complete(state)
        name, winner = self.seating.name(owner), self.seating.name(self.game.outcome(state))
        return f"{name}'s board reads {''.join(letters)}, {valid} English word. {winner} wins the game."

    def _verdict(self, owner: Player, finisher: Player, wins: bool) -> str:
        name, other = self.seating.name(owner), self.seating.name(finisher)
        if owner == finisher:
            if wins:
                return f"{name} has completed their board with a valid word."
            return f"{name} loses for completing their board with an invalid word."
        if wins:
            return f"{other} loses for completing {name}'s board with a valid word."
        return f"{name} loses: {other} has completed {name}'s board with an invalid word."


def board_of(state: State, seat: Player) -> int:
    """Return the board of the player on this seat."""
    return state.mine if state.mover == seat else state.theirs


def read_parts(parts: list[str], answers: list[str], free: dict[str, list[str]]) -> list[str]:
    """Return the parts of the move known so far, in the order of PARTS, or raise RefusedError at a wrong answer."""
    if len(answers) == len(PARTS):
        parts = []  # the whole move in one line, which may also correct an earlier answer
    if not answers or len(parts) + len(answers) > len(PARTS):
        raise RefusedError(f"Give {PARTS[len(parts)]}, or the whole move in one line, such as: E self 3")
    for answer in answers:
        parts = [*parts, _read_part(parts, answer, free)]
    return parts


def _read_part(parts: list[str], answer: str, free: dict[str, list[str]]) -> str:
    wrong = f"{quote(answer)} is not"
    if not parts:
        if len(answer) == 1 and answer.isascii() and answer.isalpha():
            return answer.upper()
        raise RefusedError(f"{wrong} a letter from A to Z.")
    if len(parts) == 1:
        found = [board for board in BOARDS if free[board] and board.startswith(answer.lower())]
        if len(found) == 1 and answer:
            return found[0]
        boards = " or ".join(f"'{board}'" for board in BOARDS if free[board])
        raise RefusedError(f"{wrong} a board with a free position for you. Type {boards}.")
    if answer in free[parts[1]]:
        return answer
    raise RefusedError(f"{wrong} a free position on that board. Free positions: {', '.join(free[parts[1]])}.")
