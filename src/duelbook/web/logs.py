"""Logs: one JSON object per line on standard error, written by a thread, and no more lines than anybody can read.

A request's id is in every line that it causes. An operator who reads nothing, or too slowly, stops only the logs.
"""

import asyncio
import json
import logging
import os
import sys
import threading
import time
from collections import Counter, deque
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

WRITE_SECONDS = 0.1  # between writes; a warning or an error is written at once
CLOSING_SECONDS = 1.0  # for the last lines to be read
MAX_QUEUED_RECORDS = 10_000  # to be written; further ones are only counted
LINES_PER_SECOND = 10  # of one kind about one client, unless the level is debug; further ones are only counted
FAULTS_PER_SECOND = 5  # warnings and errors of one kind and for one reason; further ones are only counted

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)

STANDARD_FIELDS = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message", "taskName"}
log = logging.getLogger("duelbook.web")


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        entry.update((name, value) for name, value in vars(record).items() if name not in STANDARD_FIELDS)
        if record.exc_info:
            entry["traceback"] = self.formatException(record.exc_info)
        return json.dumps(entry, default=str)


class ThreadHandler(logging.Handler):
    """Hands records to a thread, which formats and writes them. Whoever logs does not wait for that.

    Only the lines about the start and the end of a process are waited for, a moment.
    """

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self._records: deque[logging.LogRecord] = deque()
        self._dropped = 0
        self._faults: Counter[tuple[object, ...]] = Counter()  # warnings and errors of this second, by kind
        self._faults_since = 0.0
        self._left_out = 0
        self._wake = threading.Event()
        self._closed = False
        self._is_writing = False
        self.is_ending = False  # each line is then written before the process goes on, which a signal may end
        self._thread = threading.Thread(target=self._run, name="logs", daemon=True)
        self._thread.start()

    def createLock(self) -> None:  # noqa: N802 - the name in `logging`
        """Create no lock: `emit` needs none."""
        self.lock = None

    def emit(self, record: logging.LogRecord) -> None:
        if len(self._records) >= MAX_QUEUED_RECORDS:
            self._dropped += 1
            return
        if record.levelno >= logging.WARNING and self._has_enough_of(record):
            self._left_out += 1
            return
        if (request := request_id.get()) is not None:
            record.request = request
        self._records.append(record)
        if self.is_ending:
            self.flush()
        elif record.levelno >= logging.WARNING:
            self._wake.set()

    def _has_enough_of(self, record: logging.LogRecord) -> bool:
        """Return True if as many warnings or errors of this kind were logged in this second as anybody reads."""
        if (now := time.monotonic()) >= self._faults_since + 1:
            self._faults.clear()
            self._faults_since = now
        kind = record.name, record.msg, vars(record).get("why"), _raised_at(record)
        self._faults[kind] += 1
        return self._faults[kind] > FAULTS_PER_SECOND

    def flush(self) -> None:
        """Wait until everything is written, but not long: perhaps nobody reads it."""
        end = time.monotonic() + CLOSING_SECONDS
        self._wake.set()
        while (self._records or self._is_writing) and self._thread.is_alive():
            if time.monotonic() > end:
                self.is_ending = False
                return
            time.sleep(0.001)

    def close(self) -> None:
        """Write what is left, if somebody reads it; `logging` calls this when the process ends."""
        self._closed = True
        self._wake.set()
        self._thread.join(CLOSING_SECONDS)
        super().close()

    def _run(self) -> None:
        while not self._closed:
            self._wake.wait(WRITE_SECONDS)
            self._wake.clear()
            self._is_writing = True
            self._write()
            self._is_writing = False
        self._write()

    def _write(self) -> None:
        dropped, self._dropped = self._dropped, 0
        left_out, self._left_out = self._left_out, 0
        lines = [self._line(self._records.popleft()) for _ in range(len(self._records))]
        if dropped:
            lines.append(self.format(_record("log lines dropped: they were not read fast enough", lines=dropped)))
        if left_out:
            lines.append(self.format(_record("warnings and errors left out: they repeat others", lines=left_out)))
        data = memoryview("".join(f"{line}\n" for line in lines).encode())
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError:  # nobody will read it
            self._records.clear()

    def _line(self, record: logging.LogRecord) -> str:
        try:
            return self.format(record)
        except Exception as error:  # wrong arguments, or a value that cannot be shown: other lines are not affected
            return self.format(_record("a log line cannot be formatted", logger=record.name, why=type(error).__name__))


def _record(event: str, **fields: Any) -> logging.LogRecord:
    return logging.makeLogRecord({"levelname": "WARNING", "levelno": logging.WARNING, "msg": event, **fields})


def _raised_at(record: logging.LogRecord) -> object:
    """Return where the exception of the record was raised, as a file and a line; None if it has none."""
    trace = record.exc_info[2] if record.exc_info else None
    while trace and trace.tb_next:
        trace = trace.tb_next
    return trace and (trace.tb_frame.f_code.co_filename, trace.tb_lineno)


class LogSample:
    """Decides which lines about requests and messages are logged: the first few of a kind and a client in a second."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, ...], int] = {}
        self._ends_at = 0.0
        self._left_out = 0

    def admits(self, *kind: str) -> bool:
        """Return True if one more line of the kind may be logged. The kind includes the client's address."""
        if not log.isEnabledFor(logging.INFO):
            return False
        now = asyncio.get_running_loop().time()
        if now >= self._ends_at:
            self._ends_at = now + 1
            self._counts = {}
        count = self._counts[kind] = self._counts.get(kind, 0) + 1
        if count <= LINES_PER_SECOND or log.isEnabledFor(logging.DEBUG):
            return True
        if not self._left_out:
            asyncio.get_running_loop().call_later(1, self._report)
        self._left_out += 1
        return False

    def _report(self) -> None:
        log.info("log lines left out", extra={"lines": self._left_out})
        self._left_out = 0


sample = LogSample()


def write_at_once() -> None:
    """Write every line before going on: the process is about to end."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, ThreadHandler):
            handler.is_ending = True


def set_up(level: str) -> None:
    """Send the logs of Duelbook and of its libraries to standard error."""
    logging._srcfile = None  # the line that logs is not shown, and finding it costs more than the rest
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    handler = ThreadHandler(sys.stderr.fileno())
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    duelbook, uvicorn = logging.getLogger("duelbook"), logging.getLogger("uvicorn.error")
    duelbook.setLevel(level.upper())
    uvicorn.setLevel(max(duelbook.level, logging.INFO))  # below INFO it logs every header, tokens included
    uvicorn.addFilter(is_relevant)
    threading.excepthook = lambda failed: log.error(
        "a thread failed", exc_info=(failed.exc_type, failed.exc_value or failed.exc_type(), failed.exc_traceback)
    )


def is_relevant(record: logging.LogRecord) -> bool:
    """Return False for Uvicorn's lines about sockets, which repeat ours, and about bad bytes from clients."""
    message = record.getMessage()
    return not message.startswith(("Invalid UTF-8", "Invalid HTTP")) and (
        record.levelno > logging.INFO or "WebSocket" not in message
    )
