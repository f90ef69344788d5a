"""The options of Word Clash that tests try: VARIANTS have golden files, SHORT makes matches of few moves."""

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
