"""The result of one game of a tournament, as a line of text that shows when it is damaged."""

import json
from typing import Any, NamedTuple
from zlib import crc32

from duelbook.agents import ForfeitKind
from duelbook.arena.judging import Judgement
from duelbook.arena.playing import Forfeited
from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, Outcome, Reason, outcome_name

OUTCOMES = {outcome_name(outcome): outcome for outcome in Outcome}


class Result(NamedTuple):
    """How the game of that number went."""

    number: int
    record: dict[str, Any]  # as a JSON document
    forfeit: Forfeited | None
    judged: tuple[Judgement, Judgement] | None  # by seat
    first: tuple[float, ...]  # seconds that each move of the first player took
    second: tuple[float, ...]

    @property
    def outcome(self) -> Outcome:
        return OUTCOMES[self.record["result"]]

    @property
    def reason(self) -> Reason:
        return Reason(self.record["reason"])


def write_result(result: Result) -> str:
    """Answer the line, with a checksum before it and a line end behind."""
    forfeit = result.forfeit and {**result.forfeit._asdict(), "by": SEAT_NAMES[result.forfeit.by]}
    body = json.dumps({**result._asdict(), "forfeit": forfeit}, separators=(",", ":"))
    return f"{crc32(body.encode()):08x} {body}\n"


def read_result(line: bytes) -> Result:
    """Answer the result in the line, or refuse a damaged one."""
    check, _, body = line.rstrip(b"\n").partition(b" ")
    if check != f"{crc32(body):08x}".encode():
        raise RefusedError("damaged, its checksum is wrong")
    try:
        return _result(**parse(body))
    except (TypeError, KeyError, ValueError) as error:
        raise RefusedError("not the result of a game") from error


def _result(number: int, record: dict[str, Any], forfeit: Any, judged: Any, **seconds: list[float]) -> Result:
    lost = forfeit and Forfeited(SEAT_NAMES.index(forfeit["by"]), ForfeitKind(forfeit["kind"]), forfeit["detail"])
    one, two = judged or (None, None)
    both = (Judgement(*one), Judgement(*two)) if one and two else None
    return Result(number, record, lost, both, tuple(seconds["first"]), tuple(seconds["second"]))
