"""The options of Crystal Capture that tests try: VARIANTS have golden files, SHORT makes matches of few moves."""

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
