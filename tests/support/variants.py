"""The games and options that have a perft file and a golden file."""

from pathlib import Path

VARIANTS: dict[str, list[dict[str, str]]] = {
    "alpha-chase": [{}, {"ending": "exhausted"}, {"ending": "dead", "tie_break": "first-own-letter"}],
    "word-clash": [
        {},
        {"length": "3"},
        {"length": "3", "finishing": "own-only", "dictionary": "common"},
        {"length": "8", "finishing": "own-only"},
    ],
    "crystal-capture": [{}, {"deadlock": "draw"}, {"crystals": "5", "goal": "7"}, {"crystals": "30", "goal": "465"}],
    "charge": [
        {},
        {"refresh": "empty-hand", "charge_cards": "1"},
        {"goal": "4", "biggest_charge": "2"},
        {"goal": "60", "biggest_charge": "9", "charge_cards": "9", "block_cards": "0", "steal_cards": "9"},
    ],
    "flag-chase": [{}, {"cells": "9"}, {"cells": "11", "stride": "4"}, {"cells": "99", "stride": "9"}],
}
FOLDER = Path(__file__).parents[1] / "games"


def variants() -> list[tuple[str, dict[str, str]]]:
    """Return the name and the options of every variant."""
    return [(name, options) for name, several in VARIANTS.items() for options in several]


def file_of(folder: str, name: str, options: dict[str, str]) -> Path:
    """Return the file of a variant in this folder."""
    parts = [name, *(f"{key}={value}" for key, value in options.items())]
    return FOLDER / folder / f"{','.join(parts)}.txt"
