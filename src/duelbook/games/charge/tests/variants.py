"""The options of Charge that tests try: VARIANTS have golden files, SHORT makes matches of few moves."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"refresh": "empty-hand", "charge_cards": "1"},
    {"goal": "4", "biggest_charge": "2"},
    {"goal": "60", "biggest_charge": "9", "charge_cards": "9", "block_cards": "0", "steal_cards": "9"},
]
SHORT: list[dict[str, int | str]] = [{"goal": 6}, {"goal": 5, "steal_cards": 3}]
