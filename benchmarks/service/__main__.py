"""`python -m benchmarks.service [part …]`: the match service under load, from a generator of our own."""

import argparse
from dataclasses import replace

import uvloop

from benchmarks.service import moves
from benchmarks.service.plan import Plan

PARTS = {"moves": moves.run}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="part", help=f"{', '.join(PARTS)}; all of them by default")
    parser.add_argument("--seconds", type=float, default=Plan.seconds, help="for how long moves are measured")
    given = parser.parse_args()
    for part in given.parts or PARTS:
        if part not in PARTS:
            parser.error(f"there is no part '{part}'")
    plan = replace(Plan(), seconds=given.seconds)
    for part in given.parts or PARTS:
        uvloop.run(PARTS[part](plan))


if __name__ == "__main__":
    main()
