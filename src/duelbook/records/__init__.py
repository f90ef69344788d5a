"""A played game as data, as a JSON document, and in a file. What reads and writes JSON is imported when it is used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from duelbook.records.record import HUMAN, Person, Record, RecordError

if TYPE_CHECKING:
    from duelbook.records.document import RecordDocument, from_json, to_json
    from duelbook.records.file import load_record, save_record

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

LAZY = {
    **dict.fromkeys(("RecordDocument", "from_json", "to_json"), "document"),
    **dict.fromkeys(("load_record", "save_record"), "file"),
}


def __getattr__(name: str) -> Any:
    if name not in LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{LAZY[name]}"), name)
