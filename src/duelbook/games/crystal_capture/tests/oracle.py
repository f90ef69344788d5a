"""The rule book of Crystal Capture in naive code that shares nothing with the rules, to check them against."""

from collections.abc import Mapping
from typing import Any

SEAT_NAMES = ("first", "second")


def verdict(options: Mapping[str, Any], moves: list[str]) -> tuple[list[str], str]:
    pool = list(range(1, options["crystals"] + 1))
    points = [0, 0]
    for ply, name in enumerate(moves):
        if name != "pass":
            pool.remove(int(name))
            points[ply % 2] += int(name)
    if options["goal"] in points:
        return [], SEAT_NAMES[points.index(options["goal"])]
    captures = [[str(crystal) for crystal in pool if crystal + points[seat] <= options["goal"]] for seat in (0, 1)]
    if not captures[0] and not captures[1]:
        if options["deadlock"] == "draw":
            return [], "draw"
        return [], SEAT_NAMES[0 if points[0] > points[1] else 1]
    return captures[len(moves) % 2] or ["pass"], ""
