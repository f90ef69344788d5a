"""The game that a command is about: one of the history by its number, the last one, or a record in a file."""

from duelbook.files import full_path
from duelbook.history.store import History
from duelbook.records import load_record
from duelbook.records.record import Record

MAX_DIGITS = 1000  # Python reads no number that is much longer


def is_number(text: str) -> bool:
    """Return True if the text is the number of a game. A file of such a name is given as `./12`."""
    return text.isascii() and text.isdecimal() and len(text) < MAX_DIGITS


def find_record(text: str | None) -> Record:
    """Return the game with this number, the record in this file, or the last game of the history for None."""
    if text is None:
        return History().record(History().last().number)
    return History().record(int(text)) if is_number(text) else load_record(full_path(text))
