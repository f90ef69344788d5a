"""The options that tests try: with golden files, for short matches, and so on (docs/write-a-game.md)."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"ending": "exhausted"},
    {"ending": "dead", "tie_break": "first-own-letter"},
]
SHORT: list[dict[str, int | str]] = [
    {"words": "BRAVE,GHOST"},
    {"words": "PLANT,QUICK", "ending": "dead"},
]
