"""The options of Word Clash that tests try."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"length": "3"},
    {"length": "3", "finishing": "own-only", "dictionary": "common"},
    {"length": "8", "finishing": "own-only"},
]
