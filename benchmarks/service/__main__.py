"""The service under load, from our own load generator: `python -m benchmarks.service [part …]`."""

import argparse
import asyncio
import gc
import signal
from dataclasses import replace

from benchmarks.service import (
    attacks,
    create,
    kills,
    latency,
    memory,
    moves,
    peers,
    perfect,
    scaling,
    soak,
    sockets,
    volume,
)
from benchmarks.service.plan import SHORT, Plan

MODULES = (moves, latency, create, perfect, memory, sockets, kills, peers, attacks, scaling, volume, soak)
LONG = ("volume", "soak")  # only if asked for
PARTS = {module.__name__.rpartition(".")[2]: module for module in MODULES}


def main() -> None:
    gc.disable()  # or the times would include the generator's own garbage collection
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.add_argument(
        "parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}; by default all but {' and '.join(LONG)}"
    )
    parser.add_argument("--short", action="store_true", help="take fewer measurements")
    parser.add_argument(
        "--seconds", type=float, help=f"how long to measure moves ({Plan.seconds:g}) or to soak ({Plan.soak_seconds:g})"
    )
    parser.add_argument("--rate", type=int, help=f"moves a second to offer for `latency` ({Plan.rate})")
    parser.add_argument("--kills", type=int, help=f"how often to kill the server ({Plan.kills})")
    parser.add_argument("--stored", type=int, help=f"matches in the store for `volume` ({Plan.stored:,})")
    parser.add_argument("--attacks", nargs="+", metavar="ATTACK", choices=attacks.ATTACKS, help="some of the attacks")
    parser.add_argument("--seed", type=int, help="seed of the random numbers")
    parser.add_argument("--log-levels", nargs="+", metavar="LEVEL", help="log levels of the servers for `moves`")
    given = vars(parser.parse_args())
    parts, plan = (
        given.pop("parts") or [part for part in PARTS if part not in LONG],
        SHORT if given.pop("short") else Plan(),
    )
    for part in set(parts) - set(PARTS):
        parser.error(f"Unknown part '{part}'. Parts: {', '.join(PARTS)}.")
    given["soak_seconds"] = given["seconds"]
    plan = replace(plan, **{name: value for name, value in given.items() if value is not None})
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that nothing is left behind
    for part in parts:
        asyncio.run(PARTS[part].run(plan))  # uvloop resolves addresses in threads, which takes more than the rest


if __name__ == "__main__":
    main()
