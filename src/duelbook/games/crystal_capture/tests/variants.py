"""The options that tests try: with golden files, for short matches, and so on (docs/write-a-game.md)."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"deadlock": "draw"},
    {"crystals": "5", "goal": "7"},
    {"crystals": "30", "goal": "465"},
]
SHORT: list[dict[str, int | str]] = [
    {},
    {"crystals": 4, "goal": 6, "deadlock": "draw"},
    {"crystals": 3, "goal": 4},
]
LONG: dict[str, int | str] = {"crystals": 12, "goal": 40}  # at least eight moves, and quickly solved
SMALL: list[dict[str, int | str]] = [
    {"crystals": 6, "goal": 9},
    {"crystals": 6, "goal": 9, "deadlock": "draw"},
    {"crystals": 7, "goal": 20, "deadlock": "draw"},
]
