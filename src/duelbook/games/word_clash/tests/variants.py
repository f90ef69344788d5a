"""The options that tests try: with golden files, for short matches, and so on (docs/write-a-game.md)."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"length": "3"},
    {"length": "3", "finishing": "own-only", "dictionary": "common"},
    {"length": "8", "finishing": "own-only"},
]
SHORT: list[dict[str, int | str]] = [
    {"length": 3},
    {"length": 4, "dictionary": "common", "finishing": "own-only"},
]
