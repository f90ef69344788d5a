"""Alpha Chase: take letters from one alphabet and complete your word before your opponent does."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Annotated, Any, ClassVar, NamedTuple

from duelbook.features import Bits, Seat, UpTo
from duelbook.game import Move, Outcome, Player, by_seat, each_bit, random_choices, won_by
from duelbook.games.alpha_chase.words import ALL, BOOK, check_word, offered_words
from duelbook.options import Drawn, NamesOrFile, check_options

ALPHABET = (1 << 26) - 1
FIRST_LETTER = ord("A")
NOBODY = 2
DEFAULT_WORDS = ("PLANT", "GHOST")
ABOUT_ENDING = (
    "when the game ends if nobody completes a word: when no letter of either word is left (settled), when no letter at "
    "all is left (exhausted), or as soon as neither word can be completed (dead), which changes the winner in about a "
    "quarter of random games"
)
ABOUT_TIE_BREAK = (
    "who wins if both players hold equally many letters of their words: who took the first letter of the game "
    "(first-letter), or who first took a letter of their own word (first-own-letter)"
)


class Ending(IntEnum):
    """When the game ends if nobody completes a word (AC-4)."""

    SETTLED = 0  # no letter of either word is left
    EXHAUSTED = 1  # no letter is left
    DEAD = 2  # neither word can be completed


class TieBreak(IntEnum):
    """Who wins if both have the same number of letters of their own word (AC-5)."""

    FIRST_LETTER = 0
    FIRST_OWN_LETTER = 1


class State(NamedTuple):
    """Whose turn it is, and the letters that each player has taken."""

    mover: Seat
    mine: Annotated[int, Bits(26), "letters the mover has taken; bit 0 is A"]
    theirs: Annotated[int, Bits(26), "letters the opponent has taken"]
    opener: Annotated[Player, UpTo(NOBODY), "the seat that wins if the count is tied; 2 while that is undecided"]


@dataclass(frozen=True)
class AlphaChase:
    """The rules of Alpha Chase."""

    words: Annotated[
        tuple[str, str], Drawn(random_choices), "the words to complete, each of five different letters"
    ] = DEFAULT_WORDS
    word_list: Annotated[
        str,
        NamesOrFile((BOOK, ALL)),
        "the words that players choose from: those of the rule book (book), or every word of five different letters "
        "in the dictionary (all)",
    ] = BOOK
    ending: Annotated[Ending, ABOUT_ENDING] = Ending.SETTLED
    tie_break: Annotated[TieBreak, ABOUT_TIE_BREAK] = TieBreak.FIRST_LETTER
    sets: Annotated[tuple[int, int], Bits(26), "word, by its letters"] = field(init=False, repr=False, compare=False)

    choice: ClassVar[str] = "word"
    chosen: ClassVar[str] = "words"
    proven_classes: ClassVar[bool] = True  # scripts/check_certificate.py proves that `canonical` is right

    def __post_init__(self) -> None:
        check_options(self)
        words = self.words
        if words is DEFAULT_WORDS and not set(words) <= set(self.choices()):  # no words were chosen (AC-7)
            words = (self.choices()[0], self.choices()[-1])
        first, second = map(self.check_choice, words)
        object.__setattr__(self, "words", (first, second))
        object.__setattr__(self, "sets", (letter_set(first), letter_set(second)))

    def choices(self) -> tuple[str, ...]:
        return offered_words(self.word_list)

    def check_choice(self, text: str) -> str:
        return check_word(text, self.word_list)

    @property
    def num_moves(self) -> int:
        return 26

    @property
    def max_plies(self) -> int:
        return 26  # every turn takes a letter

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
        if not their_word & ~state.theirs:  # a player completes a word only by moving
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
        """Return the representative of all states alike: letters in the same words (one, both, none) are equivalent."""
        first, second = self.sets
        mine = theirs = 0
        for kind in (first & ~second, second & ~first, first & second, ALPHABET & ~(first | second)):
            own, others = share_out(kind, (state.mine & kind).bit_count(), (state.theirs & kind).bit_count())
            mine, theirs = mine | own, theirs | others
        return State(state.mover, mine, theirs, state.opener)

    def profile_of(self, state: State, table: Sequence[int]) -> State:
        """Return the canonical state: letters that are equivalent are equally many in all states alike."""
        return self.canonical(state)

    def move_name(self, state: State, move: Move) -> str:
        return chr(FIRST_LETTER + move)

    def view(self, state: State) -> dict[str, Any]:
        """Return the words and letters of the first and the second player, and the letters that are left."""
        first, second = by_seat(state.mover, state.mine, state.theirs)
        return {
            "words": list(self.words),
            "letters": [each_letter(first), each_letter(second)],
            "left": each_letter(ALPHABET & ~(first | second)),
        }

    def render(self, state: State) -> str:
        first, second = by_seat(state.mover, state.mine, state.theirs)
        return (
            f"First player's word: {self.words[0]}; letters collected: {letters(first)}\n"
            f"Second player's word: {self.words[1]}; letters collected: {letters(second)}\n"
            f"Available letters: {letters(ALPHABET & ~(first | second))}"
        )


@lru_cache(maxsize=10_000)
def share_out(kind: int, mine: int, theirs: int) -> tuple[int, int]:
    """Return letters of this kind for each of the two players: the lowest for one, the next for the other."""
    own = others = 0
    for number in range(mine + theirs):
        letter = kind & -kind
        kind ^= letter
        if number < mine:
            own |= letter
        else:
            others |= letter
    return own, others


def letter_set(word: str) -> int:
    """Return the letters of the word as a mask; bit 0 is A."""
    return sum(1 << ord(letter) - FIRST_LETTER for letter in word)


def each_letter(mask: int) -> list[str]:
    """Return the letters of the mask in order."""
    return [chr(FIRST_LETTER + move) for move in each_bit(mask)]


def letters(mask: int) -> str:
    """Return the letters of the mask as text; `none` if it is empty."""
    return " ".join(each_letter(mask)) or "none"
