"""Classes of Word Clash boards that play alike with a given dictionary.

Only what a board can become matters. So the class of a board is the set of the classes of its boards after one more
letter, and boards with equal sets play alike. A board is *dead* if no word fits it; then only its number of empty slots
matters. Otherwise it is *living*. Nearly every living board with empty slots has a letter that makes it dead. If that
is true of a board and of all living boards that it can become, only its number of empty slots matters, too. The
exceptions are the *enduring* boards. They are found here for each dictionary, and for boards that can become one of
them, the sets are computed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations

FIRST_LETTER, LETTERS = ord("A"), 26
MAX_CACHED_BOARDS = 200_000
DEAD_LETTER = FIRST_LETTER - 1  # stands for any letters that no word fits

Class = int  # the number of a class, 0 and up
INVALID, VALID = 0, 1  # the classes of full boards


def alphabet() -> range:
    """Return the codes of the letters A to Z."""
    return range(FIRST_LETTER, FIRST_LETTER + LETTERS)


class BoardClasses:
    """The classes of all boards of one length, for one list of valid words."""

    def __init__(self, length: int, codes: Sequence[int]) -> None:
        self._length = length
        self._codes = codes
        self._numbers: dict[frozenset[Class], Class] = {}
        self._known: dict[int, Class] = {}
        self._representatives: dict[Class, int] = {}
        self._canonical: dict[int, int] = {}
        self._after: dict[int, dict[int, int]] = {}

    def canonical(self, board: int) -> int:
        """Return the board that represents all boards of its class."""
        if board not in self._canonical:
            if len(self._canonical) == MAX_CACHED_BOARDS:
                self._canonical.clear()
            self._canonical[board] = self._find_canonical(board)
        return self._canonical[board]

    def fits_a_word(self, board: int) -> bool:
        """Return True if the board is a word or can still become one."""
        return bool(self._fitting(board))

    def after(self, board: int) -> dict[int, int]:
        """Return the canonical boards after one more letter, each with the number of placements that lead to it."""
        if board not in self._after:
            if len(self._after) == MAX_CACHED_BOARDS:
                self._after.clear()
            self._after[board] = self._find_after(board)
        return self._after[board]

    def _find_after(self, board: int) -> dict[int, int]:
        empty, fitting = self._empty(board), self._fitting(board)
        ways = len(empty) * LETTERS
        if not fitting:
            return {self._dead_board(len(empty) - 1): ways} if empty else {}
        if self._enduring:  # boards may belong to any class, so look at each
            return Counter(self.canonical(board | letter << 8 * slot) for slot in empty for letter in alphabet())
        living = [
            (slot, letter) for slot in empty for letter in alphabet() if fitting & self._having.get((slot, letter), 0)
        ]
        found = {self.canonical(board | living[0][1] << 8 * living[0][0]): len(living)} if living else {}
        dead = {self._dead_board(len(empty) - 1): ways - len(living)} if len(living) < ways else {}
        return found | dead

    def _find_canonical(self, board: int) -> int:
        if not self._fitting(board):
            return self._dead_board(len(self._empty(board)))
        return self._representatives.setdefault(self._class_of(board), board)

    def _dead_board(self, empty: int) -> int:
        return sum(DEAD_LETTER << 8 * slot for slot in range(self._length - empty))

    def _class_of(self, board: int) -> Class:
        if board not in self._known:
            self._known[board] = self._classify(board)
        return self._known[board]

    def _classify(self, board: int) -> Class:
        empty = self._empty(board)
        if not self._fitting(board):
            return self._dead(len(empty))
        if not empty:
            return VALID
        if not any(_extends(enduring, board) for enduring in self._enduring):
            return self._living(len(empty))
        after = {self._class_of(board | letter << 8 * slot) for slot in empty for letter in alphabet()}
        return self._number(after)

    def _dead(self, empty: int) -> Class:
        return self._number({self._dead(empty - 1)}) if empty else INVALID

    def _living(self, empty: int) -> Class:
        return self._number({self._dead(empty - 1), self._living(empty - 1)}) if empty else VALID

    def _number(self, after: set[Class]) -> Class:
        """Return the number of the class whose boards lead to exactly these classes."""
        return self._numbers.setdefault(frozenset(after), len(self._numbers) + 2)

    def _empty(self, board: int) -> list[int]:
        return [slot for slot in range(self._length) if not board >> 8 * slot & 255]

    def _fitting(self, board: int) -> int:
        """Return the words that fit the board, as a mask."""
        fitting = (1 << len(self._codes)) - 1
        for slot in range(self._length):
            letter = board >> 8 * slot & 255
            if letter:
                fitting &= self._having.get((slot, letter), 0)
        return fitting

    @cached_property
    def _having(self) -> dict[tuple[int, int], int]:
        """The words with a letter in a slot, as masks."""
        having: dict[tuple[int, int], bytearray] = {}
        for number, code in enumerate(self._codes):
            for slot in range(self._length):
                key = slot, code >> 8 * slot & 255
                bits = having.setdefault(key, bytearray(len(self._codes) // 8 + 1))
                bits[number >> 3] |= 1 << (number & 7)
        return {key: int.from_bytes(bits, "little") for key, bits in having.items()}

    @cached_property
    def _enduring(self) -> list[int]:
        """The living boards that no letter makes dead: any letter on any empty slot still leads to a word."""
        complete = [
            slot for slot in range(self._length) if all((slot, letter) in self._having for letter in alphabet())
        ]
        found = []
        for size in range(1, len(complete) + 1):
            for empty in combinations(complete, size):
                found += [board for board in self._boards_with(empty) if self._endures(board, empty)]
        return found

    def _boards_with(self, empty: tuple[int, ...]) -> Iterator[int]:
        """Return the boards with exactly these empty slots that fit at least as many words as there are letters."""
        blank = sum(255 << 8 * slot for slot in empty)
        fitting: dict[int, int] = {}
        for code in self._codes:
            fitting[code & ~blank] = fitting.get(code & ~blank, 0) + 1
        return (board for board, words in fitting.items() if words >= LETTERS)

    def _endures(self, board: int, empty: tuple[int, ...]) -> bool:
        fitting = self._fitting(board)
        return all(fitting & self._having[slot, letter] for slot in empty for letter in alphabet())


def _extends(longer: int, board: int) -> bool:
    """Return True if the board can become the longer board."""
    return all(longer >> shift & 255 == board >> shift & 255 for shift in range(0, 64, 8) if board >> shift & 255)
