"""Word Clash: place letters on both boards; your full board wins with a valid word and loses without."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Annotated, Any, NamedTuple

from duelbook.features import Seat, Slots
from duelbook.game import Move, Outcome, Player, won_by
from duelbook.games.word_clash.classes import FIRST_LETTER, LETTERS, BoardClasses
from duelbook.options import Limits, NamesOrFile, check_options
from duelbook.words import COMMON, STANDARD, denied_codes, load

BOARDS = ("self", "opponent")  # as the mover sees them


class Finishing(IntEnum):
    """Who may fill the last slot of a board (WC-1)."""

    OWNER = 0  # anybody: a full board decides for its owner
    OWN_ONLY = 1


class State(NamedTuple):
    mover: Seat  # a board is a byte a slot, the first one lowest, 0 while it is empty
    mine: Annotated[int, Slots("length", FIRST_LETTER, LETTERS), "the mover's board: slot 1 with A, B, …, then slot 2"]
    theirs: Annotated[int, Slots("length", FIRST_LETTER, LETTERS), "the opponent's board likewise"]


@dataclass(frozen=True)
class WordClash:
    """Word Clash with its options."""

    length: Annotated[int, Limits(3, 8), "slots on each board"] = 5
    dictionary: Annotated[
        str, NamesOrFile((STANDARD, COMMON)), "which words are valid: the shipped list, its common words, or a file"
    ] = STANDARD
    finishing: Annotated[Finishing, "who may fill the last slot of a board: anybody, or its owner"] = Finishing.OWNER
    codes: Sequence[int] = field(init=False, repr=False, compare=False)
    digest: str = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_options(self)
        valid = load(self.dictionary, self.length)
        object.__setattr__(self, "codes", valid.codes)
        object.__setattr__(self, "digest", valid.digest)

    @property
    def num_moves(self) -> int:
        return 2 * self.length * LETTERS

    def initial(self) -> State:
        return State(0, 0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        mine = empty_slots(state.mine, self.length)
        theirs = empty_slots(state.theirs, self.length)
        if not mine or not theirs:
            mine = theirs = 0  # a full board has decided the game
        elif self.finishing == Finishing.OWN_ONLY and not theirs & (theirs - 1):
            theirs = 0  # their last slot is theirs to fill
        return placements(mine | theirs << self.length)

    def play(self, state: State, move: Move) -> State:
        slot = move // LETTERS
        letter = FIRST_LETTER + move % LETTERS
        if slot < self.length:
            return State(1 - state.mover, state.theirs, state.mine | letter << 8 * slot)
        return State(1 - state.mover, state.theirs | letter << 8 * (slot - self.length), state.mine)

    def outcome(self, state: State) -> Outcome:
        if not empty_slots(state.theirs, self.length):
            owner, board = 1 - state.mover, state.theirs
        elif not empty_slots(state.mine, self.length):
            owner, board = state.mover, state.mine
        else:
            return Outcome.UNDECIDED
        return won_by(owner if is_word(self.codes, board) else 1 - owner)

    @cached_property
    def classes(self) -> BoardClasses:
        return BoardClasses(self.length, self.codes)

    def canonical(self, state: State) -> State:
        """Boards of which the same can become are alike, and so are the seats."""
        return State(0, self.classes.canonical(state.mine), self.classes.canonical(state.theirs))

    def following(self, state: State) -> dict[State, int]:
        """Count the placements by what they lead to."""
        classes = self.classes
        mine, theirs = classes.canonical(state.mine), classes.canonical(state.theirs)
        found = {State(0, theirs, board): ways for board, ways in classes.after(state.mine).items()}
        empty = empty_slots(state.theirs, self.length)
        if self.finishing == Finishing.OWNER or empty & (empty - 1):
            for board, ways in classes.after(state.theirs).items():
                found[State(0, board, mine)] = found.get(State(0, board, mine), 0) + ways
        return found

    def move_name(self, state: State, move: Move) -> str:
        slot, letter = divmod(move, LETTERS)
        board, position = divmod(slot, self.length)
        return f"{chr(FIRST_LETTER + letter)} {BOARDS[board]} {position + 1}"

    def view(self, state: State) -> dict[str, Any]:
        """Answer each player's board by seat, slot by slot; an empty slot is an empty text."""
        boards = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        slots = (board.to_bytes(self.length, "little").decode() for board in boards)
        return {"boards": [[letter.strip("\0") for letter in board] for board in slots]}

    def render(self, state: State) -> str:
        first, second = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        return f"First player's board: {self.slots(first)}\nSecond player's board: {self.slots(second)}"

    def slots(self, board: int) -> str:
        """Answer a board as the book draws it."""
        return f"[{', '.join(board.to_bytes(self.length, 'little').decode().replace(chr(0), '_'))}]"

    def offends(self, state: State, move: Move) -> bool:
        """Tell whether the move spells a slur, so that the computer does not choose it."""
        _, mine, theirs = self.play(state, move)
        return mine in denied_codes() or theirs in denied_codes()


def empty_slots(board: int, length: int) -> int:
    """Answer a mask with bit n set while slot n + 1 is empty."""
    mask = 0
    for slot in range(length):
        if not board >> 8 * slot & 255:
            mask |= 1 << slot
    return mask


def placements(slots: int) -> Iterator[Move]:
    """Answer every letter on every slot of the mask."""
    move = 0
    while slots:
        if slots & 1:
            for letter in range(LETTERS):
                yield move + letter
        slots >>= 1
        move += LETTERS


def is_word(codes: Sequence[int], board: int) -> bool:
    """Look the full board up in the sorted codes of all valid words."""
    low, high = 0, len(codes)
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < board:
            low = middle + 1
        else:
            high = middle
    return low < len(codes) and codes[low] == board
