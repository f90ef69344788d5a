"""The dictionary: which words there are, loaded when first needed and for the length that is needed."""

import hashlib
import re
from array import array
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from duelbook.game import RefusedError

STANDARD = "standard"  # every word of the shipped list
COMMON = "common"  # its common words, marked with this tier:
COMMON_TIER = "35"


def words(source: str, length: int) -> tuple[str, ...]:
    """Answer the words of that length in capitals and in order: of the shipped list, or of a file."""
    if source in (STANDARD, COMMON):
        return _shipped(source, length)
    status = Path(source).stat()
    return _from_file(source, (status.st_mtime_ns, status.st_size), length)


def codes(source: str, length: int) -> "array[int]":
    """Answer the words as sorted numbers, the form that compiled rules can search."""
    return array("q", sorted(map(word_code, words(source, length))))


def digest(source: str, length: int) -> str:
    """Answer the hash that tells two word lists of that length apart."""
    text = "\n".join(words(source, length))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def word_code(word: str) -> int:
    """Answer a word as a number, a byte a letter with the first one lowest; a blank slot is a zero byte."""
    return int.from_bytes(word.encode(), "little")


@cache
def denied() -> frozenset[str]:
    """Answer the slurs: valid words like any other, but never offered by the computer."""
    return frozenset(_data("deny.txt").upper().split())


def _data(name: str) -> str:
    return files(__name__).joinpath(name).read_text(encoding="utf-8")


@cache
def _shipped(source: str, length: int) -> tuple[str, ...]:
    tier = COMMON_TIER if source == COMMON else r"\d+"
    return tuple(re.findall(rf"^([A-Z]{{{length}}}) {tier}$", _capitals(), re.MULTILINE))


@cache
def _capitals() -> str:
    return _data("words.txt").upper()


@lru_cache(maxsize=16)
def _from_file(path: str, stamp: tuple[int, int], length: int) -> tuple[str, ...]:
    try:
        lines = Path(path).read_text(encoding="utf-8").upper().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise RefusedError(f"the word file '{path}' cannot be read: {error}") from error
    fitting = re.compile(rf"[A-Z]{{{length}}}")
    found = {line.strip() for line in lines if fitting.fullmatch(line.strip())}
    if not found:
        raise RefusedError(f"the word file '{path}' holds no word of {length} letters A to Z, one a line")
    return tuple(sorted(found))
