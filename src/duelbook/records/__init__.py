"""A played game as data, as a JSON document, and in a file."""

from duelbook.records.document import RecordDocument, from_json, to_json
from duelbook.records.file import load_record, save_record
from duelbook.records.record import HUMAN, Person, Record, RecordError

__all__ = [
    "HUMAN",
    "Person",
    "Record",
    "RecordDocument",
    "RecordError",
    "from_json",
    "load_record",
    "save_record",
    "to_json",
]
