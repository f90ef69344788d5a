"""Boards of Word Clash that play alike, found for the dictionary at hand.

What can become of a board is all that matters about it. So a board is, in the end, the set of what
its boards after one more letter are; two boards with equal sets are one class. A *dead* board, which
no word fits, is only its number of empty slots. A *living* one nearly always has a letter that kills
it. Where that holds for a board and for all living boards that can come of it, living is all there is
to know about it, too; that it holds is established here for every board, and where it does not, the
sets are computed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations

FIRST_LETTER, LETTERS = ord("A"), 26
REMEMBERED = 200_000  # boards whose representative is kept at hand
DEAD_LETTER = 1  # stands for letters that no word has in their slots

Class = int  # 0 and up; equal classes, equal numbers
INVALID, VALID = 0, 1  # the classes of full boards


def alphabet() -> range:
    return range(FIRST_LETTER, FIRST_LETTER + LETTERS)


class BoardClasses:
    """The classes of all boards with so many slots, for one list of valid words."""

    def __init__(self, length: int, codes: Sequence[int]) -> None:
        self._length = length
        self._codes = codes
        self._numbers: dict[frozenset[Class], Class] = {}
        self._known: dict[int, Class] = {}
        self._representatives: dict[Class, int] = {}
        self._canonical: dict[int, int] = {}
        self._after: dict[int, dict[int, int]] = {}

    def canonical(self, board: int) -> int:
        """Answer the board that stands for all boards of its class."""
        if board not in self._canonical:
            if len(self._canonical) == REMEMBERED:
                self._canonical.clear()
            self._canonical[board] = self._find_canonical(board)
        return self._canonical[board]

    def after(self, board: int) -> dict[int, int]:
        """Answer the canonical boards after one more letter, each with the number of ways to get there."""
        if board not in self._after:
            if len(self._after) == REMEMBERED:
                self._after.clear()
            self._after[board] = self._find_after(board)
        return self._after[board]

    def _find_after(self, board: int) -> dict[int, int]:
        """Count living letters; only for boards that are not like all living ones are they told apart."""
        empty, fitting = self._empty(board), self._fitting(board)
        ways = len(empty) * LETTERS
        if not fitting:
            return {self._dead_board(len(empty) - 1): ways} if empty else {}
        if self._enduring:
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
        """Answer the number of the class whose boards lead to exactly these classes."""
        return self._numbers.setdefault(frozenset(after), len(self._numbers) + 2)

    def _empty(self, board: int) -> list[int]:
        return [slot for slot in range(self._length) if not board >> 8 * slot & 255]

    def _fitting(self, board: int) -> int:
        """Answer the words that fit the board, as a set of bits."""
        fitting = (1 << len(self._codes)) - 1
        for slot in range(self._length):
            letter = board >> 8 * slot & 255
            if letter:
                fitting &= self._having.get((slot, letter), 0)
        return fitting

    @cached_property
    def _having(self) -> dict[tuple[int, int], int]:
        """The words that have a letter in a slot, as sets of bits."""
        having: dict[tuple[int, int], bytearray] = {}
        for number, code in enumerate(self._codes):
            for slot in range(self._length):
                key = slot, code >> 8 * slot & 255
                bits = having.setdefault(key, bytearray(len(self._codes) // 8 + 1))
                bits[number >> 3] |= 1 << (number & 7)
        return {key: int.from_bytes(bits, "little") for key, bits in having.items()}

    @cached_property
    def _enduring(self) -> list[int]:
        """The living boards that no letter kills: every letter in every empty slot still leads to a word."""
        all_around = [
            slot for slot in range(self._length) if all((slot, letter) in self._having for letter in alphabet())
        ]
        found = []
        for size in range(1, len(all_around) + 1):
            for empty in combinations(all_around, size):
                found += [board for board in self._boards_with(empty) if self._endures(board, empty)]
        return found

    def _boards_with(self, empty: tuple[int, ...]) -> Iterator[int]:
        """Answer the boards with these empty slots that enough words fit for every letter."""
        blank = sum(255 << 8 * slot for slot in empty)
        fitting: dict[int, int] = {}
        for code in self._codes:
            fitting[code & ~blank] = fitting.get(code & ~blank, 0) + 1
        return (board for board, words in fitting.items() if words >= LETTERS)

    def _endures(self, board: int, empty: tuple[int, ...]) -> bool:
        fitting = self._fitting(board)
        return all(fitting & self._having[slot, letter] for slot in empty for letter in alphabet())


def _extends(longer: int, board: int) -> bool:
    """Tell whether the longer board can come of the board."""
    return all(longer >> shift & 255 == board >> shift & 255 for shift in range(0, 64, 8) if board >> shift & 255)
