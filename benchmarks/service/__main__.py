"""The match service under load, from a generator of our own: `python -m benchmarks.service [part …]`."""

import argparse
import signal
from dataclasses import replace

import uvloop

from benchmarks.service import create, kills, memory, moves, perfect, sockets
from benchmarks.service.plan import SHORT, Plan

PARTS = {part.__name__.rpartition(".")[2]: part for part in (moves, create, perfect, memory, sockets, kills)}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}; all of them by default")
    parser.add_argument("--short", action="store_true", help="measure less of everything")
    parser.add_argument("--seconds", type=float, help=f"for how long moves are measured ({Plan.seconds:g})")
    parser.add_argument("--kills", type=int, help=f"how often the server is killed ({Plan.kills})")
    parser.add_argument("--seed", type=int, help="what chance depends on")
    parser.add_argument("--log-levels", nargs="+", metavar="LEVEL", help="of the servers that moves are measured on")
    given = vars(parser.parse_args())
    parts, plan = given.pop("parts") or list(PARTS), SHORT if given.pop("short") else Plan()
    for part in set(parts) - set(PARTS):
        parser.error(f"there is no part '{part}'; there are {', '.join(PARTS)}")
    plan = replace(plan, **{name: value for name, value in given.items() if value is not None})
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that nothing is left behind then either
    for part in parts:
        uvloop.run(PARTS[part].run(plan))


if __name__ == "__main__":
    main()
