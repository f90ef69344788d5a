"""The rule book of Word Clash in naive code that shares nothing with the rules, to check them against."""

from collections.abc import Mapping
from itertools import product
from string import ascii_uppercase
from typing import Any

from duelbook.words import load_words

SEAT_NAMES = ("first", "second")


def verdict(options: Mapping[str, Any], moves: list[str]) -> tuple[list[str], str]:
    length = options["length"]
    words = load_words(options["dictionary"], length).words
    boards = [["_"] * length, ["_"] * length]
    for ply, name in enumerate(moves):
        letter, board, position = name.split()
        owner = ply % 2 if board == "self" else 1 - ply % 2
        boards[owner][int(position) - 1] = letter
    for owner in (0, 1):
        if "_" not in boards[owner]:
            return [], SEAT_NAMES[owner if "".join(boards[owner]) in words else 1 - owner]
    legal = []
    for board, slot, letter in product(("self", "opponent"), range(length), ascii_uppercase):
        slots = boards[len(moves) % 2 if board == "self" else 1 - len(moves) % 2]
        last_of_other = board == "opponent" and slots.count("_") == 1
        if slots[slot] == "_" and not (last_of_other and options["finishing"] == "own-only"):
            legal.append(f"{letter} {board} {slot + 1}")
    return legal, ""
