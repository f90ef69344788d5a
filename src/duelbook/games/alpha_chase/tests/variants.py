"""The options of Alpha Chase that tests try: VARIANTS have golden files, SHORT makes matches of few moves."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"ending": "exhausted"},
    {"ending": "dead", "tie_break": "first-own-letter"},
]
SHORT: list[dict[str, int | str]] = [
    {"words": "BRAVE,GHOST"},
    {"words": "PLANT,QUICK", "ending": "dead"},
]
