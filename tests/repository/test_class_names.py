"""A name means one class: whoever searches for it finds what it is, and a type in a signature needs no second look."""

import ast
from collections.abc import Iterator
from pathlib import Path

from scripts.game_pages import shipped_games

SOURCE = Path(__file__).parents[2] / "src/duelbook"
GAMES = SOURCE / "games"
PARTS_OF_A_GAME = {"State", "Narration"}  # what every game's folder calls its own


def classes(folder: Path) -> Iterator[tuple[str, str]]:
    """Return the classes below a folder: the name of each, and where it is. Those inside a class have names, too."""
    for file in sorted(folder.rglob("*.py")):
        place = file.relative_to(folder)
        if "tests" in place.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef) and not is_part_of_a_game(node.name, file):
                yield node.name, f"{place}:{node.lineno}"


def is_part_of_a_game(name: str, file: Path) -> bool:
    """Return True for what a game is made of: it is found by its name in the game's folder (docs/write-a-game.md)."""
    folders = [GAMES / game.replace("-", "_") for game in shipped_games()]
    return name in PARTS_OF_A_GAME and file.parent in folders


def shared_names(folder: Path) -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for name, place in classes(folder):
        places.setdefault(name, []).append(place)
    return {name: found for name, found in places.items() if len(found) > 1}


def test_no_two_classes_share_a_name() -> None:
    assert shared_names(SOURCE) == {}
