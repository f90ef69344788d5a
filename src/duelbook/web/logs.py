"""Logs: one JSON document per line, with the request and the match it is about, and never a token."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

STANDARD_FIELDS = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        if request_id.get() is not None:
            entry["request"] = request_id.get()
        entry.update((name, value) for name, value in vars(record).items() if name not in STANDARD_FIELDS)
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


def set_up(level: str) -> None:
    """Send the logs of Duelbook and of its libraries to standard error."""
    logging._srcfile = None  # the line that logs is not shown, and finding it costs more than the rest
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    duelbook, uvicorn = logging.getLogger("duelbook"), logging.getLogger("uvicorn.error")
    duelbook.setLevel(level.upper())
    uvicorn.setLevel(max(duelbook.level, logging.INFO))  # below INFO it logs every header, tokens included
    uvicorn.addFilter(is_relevant)


def is_relevant(record: logging.LogRecord) -> bool:
    """Return False for Uvicorn's lines about sockets, which repeat ours, and about bad text from clients."""
    message = record.getMessage()
    return not message.startswith("Invalid UTF-8") and (record.levelno > logging.INFO or "WebSocket" not in message)
