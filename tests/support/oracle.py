"""Reference rules: the rule books in naive code that shares nothing with the package, to check it against.

Each oracle replays a list of move names with plain lists, and returns the legal moves and the winner (`first`,
`second`, `draw`, or an empty text while the game is undecided).
"""

from collections.abc import Callable, Mapping
from itertools import product
from string import ascii_uppercase
from typing import Any

Verdict = tuple[list[str], str]  # the names of the legal moves, and the winner
SEAT_NAMES = ("first", "second")


def alpha_chase(options: Mapping[str, Any], moves: list[str]) -> Verdict:
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


def word_clash(options: Mapping[str, Any], moves: list[str], words: set[str]) -> Verdict:
    length = options["length"]
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


def crystal_capture(options: Mapping[str, Any], moves: list[str]) -> Verdict:
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


def charge(options: Mapping[str, Any], moves: list[str]) -> Verdict:
    points, gained, blocked = [0, 0], [0, 0], [False, False]
    hands = [{card: options[f"{card}_cards"] for card in ("charge", "block", "steal")} for _ in (0, 1)]
    for ply, name in enumerate(moves):
        me, them = ply % 2, 1 - ply % 2
        card, _, amount = name.partition(" ")
        gain = 0
        if card == "refresh":
            hands[me]["charge"] = options["charge_cards"]
        else:
            hands[me][card] -= 1
        if card == "charge" and not blocked[me]:
            gain = int(amount)
            points[me] += gain
        if card == "steal":
            points[me] += gained[them]
            points[them] -= gained[them]
        if points[me] > options["goal"]:
            points[me], gain = 0, 0
        gained[me], blocked[me], blocked[them] = gain, False, card == "block"
        if points[me] == options["goal"]:
            return [], SEAT_NAMES[me]
    hand = hands[len(moves) % 2]
    legal = [f"charge {amount + 1}" for amount in range(options["biggest_charge"])] if hand["charge"] else []
    legal += [card for card in ("block", "steal") if hand[card]]
    if not hand["charge"] and (options["refresh"] == "no-charges" or not legal):
        legal.append("refresh")
    return legal, ""


def flag_chase(options: Mapping[str, Any], moves: list[str]) -> Verdict:
    flag = (options["cells"] + 1) // 2
    cells = [1, options["cells"]]
    for ply, name in enumerate(moves):
        me, them = ply % 2, 1 - ply % 2
        direction = 1 if me == 0 else -1
        for _ in range(int(name)):
            if cells[me] != flag and cells[me] + direction != cells[them]:
                cells[me] += direction
        if cells[me] == flag:
            return [], SEAT_NAMES[me]
    return [str(stride + 1) for stride in range(options["stride"])], ""


ORACLES: dict[str, Callable[..., Verdict]] = {
    "alpha-chase": alpha_chase,
    "word-clash": word_clash,
    "crystal-capture": crystal_capture,
    "charge": charge,
    "flag-chase": flag_chase,
}
