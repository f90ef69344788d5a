"""The dictionary: the valid words of each length, loaded when first needed."""

import hashlib
import re
from array import array
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from duelbook.errors import RefusedError

STANDARD = "standard"  # every word of the shipped list
COMMON = "common"  # its common words, marked with this tier:
COMMON_TIER = "35"


class WordList(NamedTuple):
    """The valid words of one length."""

    words: tuple[str, ...]  # in capitals and in order
    codes: "array[int]"  # the words as sorted numbers, which compiled rules can search
    digest: str  # a hash of the words


def load_words(source: str, length: int) -> WordList:
    """Return the words of this length: of the shipped list, or of a file with one word per line."""
    if source in (STANDARD, COMMON):
        return _shipped(source, length)
    try:
        status = Path(source).stat()
    except OSError as error:
        raise RefusedError(f"The word file '{source}' cannot be read: {error.strerror}.") from error
    return _from_file(source, (status.st_mtime_ns, status.st_size), length)


def word_code(word: str) -> int:
    """Return a word as a number: one byte per letter, the first letter lowest. A blank slot is a zero byte."""
    return int.from_bytes(word.encode(), "little")


@cache
def denied() -> frozenset[str]:
    """Return the offensive words: people may use them, but the computer never offers them."""
    return frozenset(line for line in _data("deny.txt").splitlines() if not line.startswith("#"))


@cache
def denied_codes() -> frozenset[int]:
    """Return the offensive words as numbers."""
    return frozenset(map(word_code, denied()))


@cache
def _data(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="ascii").upper()


@cache
def _shipped(source: str, length: int) -> WordList:
    tier = COMMON_TIER if source == COMMON else ""
    return _word_list(re.findall(rf"\n([A-Z]{{{length}}}) {tier}", "\n" + _data("words.txt")))


@lru_cache(maxsize=16)
def _from_file(path: str, stamp: tuple[int, int], length: int) -> WordList:
    try:
        lines = Path(path).read_text(encoding="utf-8-sig").upper().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RefusedError(f"The word file '{path}' cannot be read: {error}.") from error
    fitting = re.compile(rf"[A-Z]{{{length}}}")
    found = {line.strip() for line in lines if fitting.fullmatch(line.strip())}
    if not found:
        raise RefusedError(
            f"The word file '{path}' has no word of {length} letters. Put one word per line, letters A to Z."
        )
    return _word_list(found)


def _word_list(words: Iterable[str]) -> WordList:
    ordered = tuple(sorted(words))
    digest = hashlib.sha256("\n".join(ordered).encode()).hexdigest()
    return WordList(ordered, array("q", sorted(map(word_code, ordered))), f"sha256:{digest}")
