"""`duelbook certify`: a proof of who wins, which can be checked without the solver."""

import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Annotated

import typer

from duelbook.cli.app import (
    AFTER,
    DRAW_SEED,
    GAME,
    MEMORY,
    OPTION,
    PRESET_OPTION,
    app,
    chosen_game,
    move_list,
    show_progress,
)
from duelbook.errors import RefusedError
from duelbook.files import check_new_file, full_path, write_parts
from duelbook.records.record import replay
from duelbook.solve.lock import LOCK_SUFFIX, PART_SUFFIX, locked
from duelbook.solve.progress import Meter, Stage
from duelbook.text import shorten

EXAMPLES = """\b
Examples:
  duelbook certify crystal-capture --out crystal.jsonl
  duelbook certify charge --option goal=9 --out charge.jsonl.gz
  duelbook certify word-clash --after "E self 3" --out clash.jsonl
"""
GZIP = 16 + zlib.MAX_WBITS  # the container; zlib writes no time into it, so that the same lines give the same bytes


@app.command("certify", epilog=EXAMPLES)
def certify(
    game: Annotated[str, GAME],
    out: Annotated[str, typer.Option(metavar="FILE", help="A new file; compressed if its name ends with .gz.")],
    option: Annotated[list[str] | None, OPTION] = None,
    preset: Annotated[str | None, PRESET_OPTION] = None,
    after: Annotated[str, AFTER] = "",
    seed: Annotated[int | None, DRAW_SEED] = None,
    memory: Annotated[str | None, MEMORY] = None,
) -> None:
    """Write a proof of who wins: the winner's strategy.

    It holds a move of the winner for every position that can arise. If nobody can win, it holds a strategy for each
    player that never loses. scripts/check_certificate.py, in the source of Duelbook, checks it without the solver.
    """
    from duelbook.solve import solved
    from duelbook.solve.certificate import certificate_lines

    path = full_path(out)
    rules = chosen_game(game, option, preset, seed)
    names = move_list(after)
    moves = [move for move, _ in replay(rules, names)]
    if not path.parent.is_dir() or path.is_dir():
        raise RefusedError(f"Cannot write '{shorten(out)}': it must be a file in a folder that exists.")
    check_new_file(path, "remove that one first")

    def refuse() -> None:
        raise RefusedError(f"Another process is writing '{shorten(out)}'. Wait for it, or choose another file.")

    lock, temporary = (path.with_name(f".{path.name}{suffix}") for suffix in (LOCK_SUFFIX, PART_SUFFIX))
    with show_progress(f"Certifying {game}") as screen, locked(lock, while_waiting=refuse):
        lines = Counted(certificate_lines(solved(rules), moves), Meter())
        try:
            write_parts(path, encoded(lines, compress=path.suffix == ".gz"), temporary)
        except OSError as error:
            raise RefusedError(f"Cannot write '{shorten(out)}': {error.strerror}.") from error
    result, states = json.loads(lines.header)["result"], lines.count - 1
    proven = "nobody can force a win" if result == "draw" else f"the {result} player wins"
    position = f"after {', '.join(names)} " if names else ""
    found = f"{position}{proven}: {states:,} state{'' if states == 1 else 's'}."
    screen.say(f"Wrote {shorten(out)}, which proves that {found}")


class Counted:
    """Counts the lines that pass through, reports how many there are, and keeps the first one."""

    def __init__(self, lines: Iterable[str], meter: Meter) -> None:
        self._lines, self._meter = lines, meter
        self.count = 0
        self.header = ""

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.header = self.header or line
            self._meter.report(Stage.WRITING, self.count)
            self.count += 1
            yield line


def encoded(lines: Iterable[str], compress: bool) -> Iterator[bytes]:
    """Return the lines as parts of a file."""
    if not compress:
        yield from (f"{line}\n".encode() for line in lines)
        return
    compressor = zlib.compressobj(9, zlib.DEFLATED, GZIP)
    for line in lines:
        yield compressor.compress(f"{line}\n".encode())
    yield compressor.flush()
