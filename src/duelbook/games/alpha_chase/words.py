"""The words of Alpha Chase: those that players may choose, and those that the program offers (AC-3)."""

from duelbook.errors import RefusedError
from duelbook.text import shorten
from duelbook.words import STANDARD, denied, load_words

BOOK = "book"
ALL = "all"
BOOK_WORDS = ("BRAVE", "CHARM", "GHOST", "PLANT", "QUICK")
WORD_LENGTH = 5


def offered_words(source: str) -> tuple[str, ...]:
    """Return the words that the program lists and draws: the valid ones without those that offend."""
    offered = tuple(word for word in valid_words(source) if word not in denied())
    if not offered:
        raise RefusedError(f"The word file '{source}' has no word of five different letters that the program may draw.")
    return offered


def valid_words(source: str) -> tuple[str, ...]:
    """Return the words that a player may choose: the book's, all of the dictionary, or those of a file."""
    if source == BOOK:
        return BOOK_WORDS
    words = load_words(STANDARD if source == ALL else source, WORD_LENGTH).words
    fitting = tuple(word for word in words if len(set(word)) == WORD_LENGTH)
    if not fitting:
        raise RefusedError(f"The word file '{source}' has no word of five different letters.")
    return fitting


def check_word(text: str, source: str) -> str:
    """Return the word in capitals, or raise RefusedError with the reason."""
    word = text.strip().upper()
    if len(word) != WORD_LENGTH or not (text.strip().isascii() and word.isalpha()):
        raise RefusedError(f"'{shorten(text)}' is not a word of five letters.{_valid(source)}")
    repeated = next((letter for letter in word if word.count(letter) > 1), "")
    if repeated:
        raise RefusedError(f"'{word}' repeats the letter {repeated}; all five letters must differ.{_valid(source)}")
    if word not in valid_words(source):
        raise RefusedError(f"'{word}' is not on the list of words.{_valid(source)}")
    return word


def _valid(source: str) -> str:
    return f" Words: {', '.join(BOOK_WORDS)}; many more with the option word_list=all." if source == BOOK else ""
