"""Word Clash: place letters on both boards; your full board wins if it is a valid word and loses if it is not."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Annotated, Any, ClassVar, NamedTuple

from duelbook.features import Seat, Slots
from duelbook.game import Move, Outcome, Player, by_seat, won_by
from duelbook.games.word_clash.classes import (
    CLASS_BITS,
    FIRST_LETTER,
    LETTERS,
    NO_BOARD,
    BoardClasses,
    board_classes,
    hash_place,
)
from duelbook.options import Limits, NamesOrFile, check_options
from duelbook.words import COMMON, STANDARD, denied_codes, load_words

BOARDS = ("self", "opponent")  # as the mover sees them
MAX_LENGTH = 8
LETTER_BITS = 0x4040404040404040  # bit 6 of each slot's byte, which all letters have
ALL_LETTERS = (1 << LETTERS) - 1
CLASS_MASK = (1 << CLASS_BITS) - 1
GATHER_BYTES = 0x0102040810204080  # times this, the lowest bits of all bytes stand side by side in the highest byte


class Finishing(IntEnum):
    """Who may fill the last slot of a board (WC-1)."""

    OWNER = 0  # both players; a full board decides for its owner
    OWN_ONLY = 1  # only the board's owner


class State(NamedTuple):
    """Whose turn it is, and both boards. A board has one byte per slot, the first slot lowest; 0 is an empty slot."""

    mover: Seat
    mine: Annotated[int, Slots("length", FIRST_LETTER, LETTERS), "the mover's board: slot 1 with A, B, …, then slot 2"]
    theirs: Annotated[int, Slots("length", FIRST_LETTER, LETTERS), "the opponent's board in the same way"]


@dataclass(frozen=True)
class WordClash:
    """The rules of Word Clash."""

    length: Annotated[int, Limits(3, MAX_LENGTH), "how many letters the words have"] = 5
    dictionary: Annotated[
        str,
        NamesOrFile((STANDARD, COMMON)),
        "which words are valid: all of the shipped list (standard), or only its common words (common)",
    ] = STANDARD
    finishing: Annotated[
        Finishing, "who may fill the last slot of a board: both players (owner), or only the one who owns it (own-only)"
    ] = Finishing.OWNER
    codes: Sequence[int] = field(init=False, repr=False, compare=False)
    digest: str = field(init=False, repr=False)

    proven_classes: ClassVar[bool] = True  # scripts/check_certificate.py proves that `canonical` is right

    def __post_init__(self) -> None:
        check_options(self)
        valid = load_words(self.dictionary, self.length)
        object.__setattr__(self, "codes", valid.codes)
        object.__setattr__(self, "digest", valid.digest)

    @property
    def num_moves(self) -> int:
        return 2 * self.length * LETTERS

    @property
    def max_plies(self) -> int:
        return 2 * self.length - 1  # then a board is full

    def initial(self) -> State:
        return State(0, 0, 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        return placements(open_slots(state, self.length, self.finishing))

    def count_legal(self, state: State) -> int:
        return LETTERS * open_slots(state, self.length, self.finishing).bit_count()

    def nth_legal(self, state: State, n: int) -> Move:
        slots = open_slots(state, self.length, self.finishing)
        while n >= LETTERS:
            slots &= slots - 1  # without the lowest
            n -= LETTERS
        return LETTERS * ((slots & -slots).bit_length() - 1) + n

    def mark_moves(self, state: State, words: Any) -> None:
        slots, move = open_slots(state, self.length, self.finishing), 0
        while slots:
            word, place = move >> 6, move & 63
            letters = ALL_LETTERS * (slots & 1)  # without a branch
            words[word] |= letters << place
            if place > 64 - LETTERS:  # the rest of them
                words[word + 1] |= letters >> (64 - place)
            slots >>= 1
            move += LETTERS

    def play(self, state: State, move: Move) -> State:
        slot = move // LETTERS
        letter = FIRST_LETTER + move % LETTERS
        if slot < self.length:
            return State(1 - state.mover, state.theirs, state.mine | letter << 8 * slot)
        return State(1 - state.mover, state.theirs | letter << 8 * (slot - self.length), state.mine)

    def outcome(self, state: State) -> Outcome:
        if is_full(state.theirs, self.length):
            owner, board = 1 - state.mover, state.theirs
        elif is_full(state.mine, self.length):
            owner, board = state.mover, state.mine
        else:
            return Outcome.UNDECIDED
        return won_by(owner if is_word(self.codes, board) else 1 - owner)

    @cached_property
    def classes(self) -> BoardClasses:
        """The classes of boards that play alike with this dictionary."""
        return board_classes(self.length, tuple(self.codes))

    def canonical(self, state: State) -> State:
        """Return the representative of all states alike: boards of one class play alike, and so do both seats."""
        return State(0, self.classes.canonical(state.mine), self.classes.canonical(state.theirs))

    def class_table(self) -> Sequence[int]:
        """Return the table for `class_of`."""
        return self.classes.table

    def class_of(self, state: State, table: Sequence[int]) -> State:
        """Return the numbers of the classes of both boards: the same for exactly the states with one representative."""
        profile = self.profile_of(state, table)
        return State(0, profile.mine & CLASS_MASK, profile.theirs & CLASS_MASK)

    def profile_of(self, state: State, table: Sequence[int]) -> State:
        """Return the numbers of the classes of both boards, each with its profile."""
        length = self.length
        return State(0, profile_number(table, state.mine, length), profile_number(table, state.theirs, length))

    def following(self, state: State) -> dict[State, int]:
        """Return the canonical states after one placement, each with the number of placements that lead to it."""
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
        """Return the boards of the first and the second player, slot by slot; an empty slot is an empty text."""
        boards = by_seat(state.mover, state.mine, state.theirs)
        return {"boards": [self.letters_of(board) for board in boards]}

    def letters_of(self, board: int) -> list[str]:
        """Return the letters of a board, slot by slot; an empty slot is an empty text."""
        return [letter.strip("\0") for letter in board.to_bytes(self.length, "little").decode()]

    def render(self, state: State) -> str:
        first, second = by_seat(state.mover, state.mine, state.theirs)
        return f"First player's board: {self.slots(first)}\nSecond player's board: {self.slots(second)}"

    def slots(self, board: int) -> str:
        """Return a board as the rule book draws it."""
        return f"[{', '.join(board.to_bytes(self.length, 'little').decode().replace(chr(0), '_'))}]"

    def offends(self, state: State, move: Move) -> bool:
        """Return True if the move spells an offensive word; the computer does not choose such a move (WC-4)."""
        _, mine, theirs = self.play(state, move)
        return mine in denied_codes() or theirs in denied_codes()


def empty_slots(board: int, length: int) -> int:
    """Return a mask in which bit n is set if slot n + 1 is empty."""
    marks = LETTER_BITS >> 8 * (MAX_LENGTH - length) & ~board
    return ((marks >> 6) * GATHER_BYTES >> 56) & 255


def open_slots(state: State, length: int, finishing: Finishing) -> int:
    """Return the slots that the mover may fill as a mask: those of the mover's board, then the opponent's."""
    mine = empty_slots(state.mine, length)
    theirs = empty_slots(state.theirs, length)
    if not mine or not theirs:
        return 0  # a full board ends the game
    if finishing == Finishing.OWN_ONLY and not theirs & (theirs - 1):
        return mine  # only the owner may fill the last slot
    return mine | theirs << length


def profile_number(table: Sequence[int], board: int, length: int) -> int:
    """Return the class and the profile of a board, by `BoardClasses.table`: of a dead one how many slots are empty."""
    size = len(table) // 2
    place = hash_place(board, size)
    while table[place] != board:
        if table[place] == NO_BOARD:
            return empty_slots(board, length).bit_count()
        place = (place + 1) % size
    return table[size + place]


def is_full(board: int, length: int) -> bool:
    """Return True if no slot is empty."""
    while length and board & 255:
        board >>= 8
        length -= 1
    return length == 0


def placements(slots: int) -> Iterator[Move]:
    """Return the moves that place any letter on any slot of the mask."""
    move = 0
    while slots:
        if slots & 1:
            for letter in range(LETTERS):
                yield move + letter
        slots >>= 1
        move += LETTERS


def is_word(codes: Sequence[int], board: int) -> bool:
    """Return True if the full board is among the sorted codes of the valid words."""
    low, high = 0, len(codes)
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < board:
            low = middle + 1
        else:
            high = middle
    return low < len(codes) and codes[low] == board
