"""Classes of Word Clash boards that play alike with a given dictionary.

Only what a board can become matters. So the class of a board is the set of the classes of its boards after one more
letter, and boards with equal sets play alike. A board is *dead* if no word fits it; then only its number of empty slots
matters. Otherwise it is *living*. Nearly every living board with empty slots has a letter that makes it dead. If that
is true of a board and of all living boards that it can become, only its number of empty slots matters, too. The
exceptions are the *enduring* boards. They are found here for each dictionary, and for boards that can become one of
them, the sets are computed.
"""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import combinations

FIRST_LETTER, LETTERS = ord("A"), 26
MAX_CACHED_BOARDS = 200_000
DEAD_LETTER = FIRST_LETTER - 1  # stands for any letters that no word fits

NO_BOARD = -1  # in a place of the table that holds none
CLASS_BITS = 16  # of a number in the table; above them is the profile
HASH_FACTOR, HASH_SHIFT = 0x1E3779B97F4A7C15, 40  # the bits of a product from 40 on depend on all eight slots

Class = int  # the number of a class, 0 and up
INVALID, VALID = 0, 1  # the classes of full boards


def alphabet() -> range:
    """Return the codes of the letters A to Z."""
    return range(FIRST_LETTER, FIRST_LETTER + LETTERS)


@lru_cache(maxsize=4)  # the table of one takes up to 67 MB
def board_classes(length: int, codes: tuple[int, ...]) -> "BoardClasses":
    """Return the classes of boards with these words, which games with other options share."""
    return BoardClasses(length, codes)


class BoardClasses:
    """The classes of all boards of one length, for one list of valid words."""

    def __init__(self, length: int, codes: Sequence[int]) -> None:
        self._length = length
        self._codes = codes
        self._numbers: dict[frozenset[Class], Class] = {}
        self._known: dict[int, Class] = {}
        self._canonical: dict[int, int] = {}
        self._after: dict[int, dict[int, int]] = {}

    def canonical(self, board: int) -> int:
        """Return the board that represents all boards of its class."""
        found = self._canonical.get(board)
        if found is None:
            if len(self._canonical) >= MAX_CACHED_BOARDS:
                self._canonical.clear()
            found = self._canonical[board] = self._find_canonical(board)
        return found

    @cached_property
    def table(self) -> "array[int]":
        """All living boards as a hash table: first the boards, then for each the number of its class and its profile.

        At most half of the places are used; the others hold NO_BOARD. It takes 2 MB for words of 5 letters, and 67 MB
        for 8. The numbers of classes are those of the representatives in their order, after those of dead boards, which
        are their numbers of empty slots. From boards of one class with the same profile, equally many placements lead
        to each class. The profile is the number of placements after which the board is still living. With enduring
        boards that does not say enough, and each board has a profile of its own.
        """
        numbers = {found: self._length + 1 + place for place, found in enumerate(self._representatives)}
        boards, found = array("q"), array("q")
        for board, its_class, living in self._living_boards():
            profile = len(boards) if self._enduring else living
            boards.append(board)
            found.append(profile << CLASS_BITS | numbers[its_class])
        size = 1 << (2 * len(boards) - 1).bit_length()
        table = array("q", [NO_BOARD]) * (2 * size)
        for board, number in zip(boards, found, strict=True):
            place = hash_place(board, size)
            while table[place] != NO_BOARD:
                place = (place + 1) % size
            table[place], table[size + place] = board, number
        return table

    def fits_a_word(self, board: int) -> bool:
        """Return True if the board is a word or can still become one."""
        return bool(self._fitting(board))

    def after(self, board: int) -> dict[int, int]:
        """Return the canonical boards after one more letter, each with the number of placements that lead to it."""
        found = self._after.get(board)
        if found is None:
            if len(self._after) >= MAX_CACHED_BOARDS:
                self._after.clear()
            found = self._after[board] = self._find_after(board)
        return found

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
        return self._representatives[self._class_of(board)]

    @cached_property
    def _representatives(self) -> dict[Class, int]:
        """A living board of each class: the first that is found from the empty board on, so it is always the same.

        The boards after a representative belong to all classes to which boards of its class lead, so none is missed.
        """
        boards = [0]
        found = {self._class_of(0): 0}
        for board in boards:
            for slot in self._empty(board):
                for letter in alphabet():
                    after = board | letter << 8 * slot
                    if self._fitting(after) and self._class_of(after) not in found:
                        found[self._class_of(after)] = after
                        boards.append(after)
        return found

    def _living_boards(self) -> Iterator[tuple[int, Class, int]]:
        """Return every living board with its class, and the number of placements after which it is still living."""
        for filled in range(1 << self._length):
            empty = [slot for slot in range(self._length) if not filled >> slot & 1]
            mask = (1 << 8 * self._length) - 1 - sum(255 << 8 * slot for slot in empty)
            living = self._living(len(empty))
            ways = Counter(
                board & mask for slot in empty for board in {code & (mask | 255 << 8 * slot) for code in self._codes}
            )
            for board in {code & mask for code in self._codes}:
                exceptional = any(_extends(enduring, board) for enduring in self._enduring)
                yield board, self._class_of(board) if exceptional else living, ways[board]

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


def hash_place(board: int, size: int) -> int:
    """Return the place at which a board is looked for first in a table of this size, a power of two. It compiles."""
    return board * HASH_FACTOR >> HASH_SHIFT & (size - 1)


def _extends(longer: int, board: int) -> bool:
    """Return True if the board can become the longer board."""
    return all(longer >> shift & 255 == board >> shift & 255 for shift in range(0, 64, 8) if board >> shift & 255)
