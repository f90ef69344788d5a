"""The options of Alpha Chase that tests try."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"ending": "exhausted"},
    {"ending": "dead", "tie_break": "first-own-letter"},
]
