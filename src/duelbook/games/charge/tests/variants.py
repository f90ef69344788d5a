"""The options that tests try: with golden files, for short matches, and so on (docs/write-a-game.md)."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"refresh": "empty-hand", "charge_cards": "1"},
    {"goal": "4", "biggest_charge": "2"},
    {"goal": "60", "biggest_charge": "9", "charge_cards": "9", "block_cards": "0", "steal_cards": "9"},
]
SHORT: list[dict[str, int | str]] = [{"goal": 6}, {"goal": 5, "steal_cards": 3}]
SMALL: list[dict[str, int | str]] = [
    {"goal": 4, "biggest_charge": 2, "charge_cards": 2, "block_cards": 1, "steal_cards": 1},
    {"goal": 5, "biggest_charge": 3, "charge_cards": 1, "block_cards": 0, "steal_cards": 0},
    {"goal": 7, "biggest_charge": 2, "charge_cards": 2, "block_cards": 1, "refresh": "empty-hand"},
]
