"""The options of Crystal Capture that tests try."""

VARIANTS: list[dict[str, str]] = [
    {},
    {"deadlock": "draw"},
    {"crystals": "5", "goal": "7"},
    {"crystals": "30", "goal": "465"},
]
