"""The rule book of Alpha Chase in naive code that shares nothing with the rules, to check them against."""

from collections.abc import Mapping
from string import ascii_uppercase
from typing import Any

SEAT_NAMES = ("first", "second")


def verdict(options: Mapping[str, Any], moves: list[str]) -> tuple[list[str], str]:
    words = options["words"].split(",")
    taken: list[list[str]] = [[], []]
    first_own = None
    for ply, letter in enumerate(moves):
        taken[ply % 2].append(letter)
        if letter in words[ply % 2] and first_own is None:
            first_own = ply % 2
    pool = [letter for letter in ascii_uppercase if letter not in moves]
    for seat in (0, 1):
        if set(words[seat]) <= set(taken[seat]):
            return [], SEAT_NAMES[seat]
    over = {
        "settled": not set(pool) & set("".join(words)),
        "exhausted": not pool,
        "dead": all(set(words[seat]) & set(taken[1 - seat]) for seat in (0, 1)),
    }[options["ending"]]
    if not over:
        return pool, ""
    counts = [len(set(words[seat]) & set(taken[seat])) for seat in (0, 1)]
    if counts[0] != counts[1]:
        return [], SEAT_NAMES[counts.index(max(counts))]
    return [], SEAT_NAMES[(first_own or 0) if options["tie_break"] == "first-own-letter" else 0]
