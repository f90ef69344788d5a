"""The rule book of Charge in naive code that shares nothing with the rules, to check them against."""

from collections.abc import Mapping
from typing import Any

SEAT_NAMES = ("first", "second")


def verdict(options: Mapping[str, Any], moves: list[str]) -> tuple[list[str], str]:
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
