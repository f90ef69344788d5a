"""Alpha Chase: take letters from one alphabet and complete your word before your opponent does."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Annotated, Any, ClassVar, NamedTuple

from duelbook.features import Bits, Seat, UpTo
from duelbook.game import Move, Outcome, Player, each_bit, won_by
from duelbook.games.alpha_chase.words import ALL, BOOK, available_words, check_word
from duelbook.options import NamesOrFile, check_options

ALPHABET = (1 << 26) - 1
FIRST_LETTER = ord("A")
NOBODY = 2
DEFAULT_WORDS = ("PLANT", "GHOST")
ENDINGS = (
    "when a game without a completed word ends: once no letter of either word is left, no letter at all, "
    "or neither word can be completed (which changes the winner in about a quarter of random games)"
)
TIE_BREAKS = "who wins a level count: who took the first letter of all, or the first of their own word"


class Ending(IntEnum):
    """When a game ends in which nobody completes a word (AC-4)."""

    SETTLED = 0  # no letter of either word is left
    EXHAUSTED = 1  # no letter is left
    DEAD = 2  # neither word can be completed


class TieBreak(IntEnum):
    """Who wins with as many letters as the opponent (AC-5)."""

    FIRST_LETTER = 0
    FIRST_OWN_LETTER = 1


class State(NamedTuple):
    mover: Seat
    mine: Annotated[int, Bits(26), "letters the mover has taken; bit 0 is A"]
    theirs: Annotated[int, Bits(26), "letters the opponent has taken"]
    opener: Annotated[Player, UpTo(NOBODY), "the seat that wins a level count; 2 while that is open"]


@dataclass(frozen=True)
class AlphaChase:
    """Alpha Chase with its options."""

    words: Annotated[tuple[str, str], "the words to complete"] = DEFAULT_WORDS
    word_list: Annotated[
        str,
        NamesOrFile((BOOK, ALL)),
        "the words to choose from: the book's, all of the dictionary, or a file, one word a line",
    ] = BOOK
    ending: Annotated[Ending, ENDINGS] = Ending.SETTLED
    tie_break: Annotated[TieBreak, TIE_BREAKS] = TieBreak.FIRST_LETTER
    sets: Annotated[tuple[int, int], Bits(26), "word, by its letters"] = field(init=False, repr=False, compare=False)

    choice: ClassVar[str] = "word"
    chosen: ClassVar[str] = "words"

    def __post_init__(self) -> None:
        check_options(self)
        words = self.words
        if words is DEFAULT_WORDS and not set(words) <= set(self.choices()):  # none were given (AC-7)
            words = (self.choices()[0], self.choices()[-1])
        first, second = map(self.check_choice, words)
        object.__setattr__(self, "words", (first, second))
        object.__setattr__(self, "sets", (letter_set(first), letter_set(second)))

    def choices(self) -> tuple[str, ...]:
        return available_words(self.word_list)

    def check_choice(self, text: str) -> str:
        return check_word(text, self.word_list)

    @property
    def num_moves(self) -> int:
        return 26

    def initial(self) -> State:
        return State(0, 0, 0, NOBODY if self.tie_break == TieBreak.FIRST_OWN_LETTER else 0)

    def mover(self, state: State) -> Player:
        return state.mover

    def legal_moves(self, state: State) -> Iterator[Move]:
        undecided = self.outcome(state) == Outcome.UNDECIDED
        return each_bit(ALPHABET & ~(state.mine | state.theirs) if undecided else 0)

    def play(self, state: State, move: Move) -> State:
        opener = state.opener
        if opener == NOBODY and self.sets[state.mover] >> move & 1:
            opener = state.mover
        return State(1 - state.mover, state.theirs, state.mine | 1 << move, opener)

    def outcome(self, state: State) -> Outcome:
        my_word, their_word = self.sets[state.mover], self.sets[1 - state.mover]
        if not their_word & ~state.theirs:  # whoever completes a word has just moved
            return won_by(1 - state.mover)
        taken = state.mine | state.theirs
        if self.ending == Ending.DEAD:
            over = my_word & state.theirs and their_word & state.mine
        elif self.ending == Ending.EXHAUSTED:
            over = taken == ALPHABET
        else:
            over = not (my_word | their_word) & ~taken
        if not over:
            return Outcome.UNDECIDED
        lead = (my_word & state.mine).bit_count() - (their_word & state.theirs).bit_count()
        if lead == 0:
            return won_by(0 if state.opener == NOBODY else state.opener)
        return won_by(state.mover if lead > 0 else 1 - state.mover)

    def canonical(self, state: State) -> State:
        """Letters of one kind are alike: in one word, in the other, in both, in neither."""
        first, second = self.sets
        mine = theirs = 0
        for kind in (first & ~second, second & ~first, first & second, ALPHABET & ~(first | second)):
            own, others = shared_out(kind, (state.mine & kind).bit_count(), (state.theirs & kind).bit_count())
            mine, theirs = mine | own, theirs | others
        return State(state.mover, mine, theirs, state.opener)

    def move_name(self, state: State, move: Move) -> str:
        return chr(FIRST_LETTER + move)

    def view(self, state: State) -> dict[str, Any]:
        """Answer each player's word and letters by seat, and the letters that are left."""
        first, second = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        return {
            "words": list(self.words),
            "letters": [each_letter(first), each_letter(second)],
            "left": each_letter(ALPHABET & ~(first | second)),
        }

    def render(self, state: State) -> str:
        first, second = (state.mine, state.theirs) if state.mover == 0 else (state.theirs, state.mine)
        return (
            f"First player's word: {self.words[0]}; letters collected: {letters(first)}\n"
            f"Second player's word: {self.words[1]}; letters collected: {letters(second)}\n"
            f"Available letters: {letters(ALPHABET & ~(first | second))}"
        )


@lru_cache(maxsize=10_000)
def shared_out(kind: int, mine: int, theirs: int) -> tuple[int, int]:
    """Answer letters of the kind for two players: the lowest ones for the one, the next for the other."""
    letters = [1 << move for move in each_bit(kind)]
    return sum(letters[:mine]), sum(letters[mine : mine + theirs])


def letter_set(word: str) -> int:
    return sum(1 << ord(letter) - FIRST_LETTER for letter in word)


def each_letter(mask: int) -> list[str]:
    return [chr(FIRST_LETTER + move) for move in each_bit(mask)]


def letters(mask: int) -> str:
    return " ".join(each_letter(mask)) or "none"
