"""Write a new game: as a package of its own, or as a folder of a clone of Duelbook."""

import keyword
from pathlib import Path
from typing import NamedTuple

import duelbook.games
from duelbook.errors import RefusedError
from duelbook.games import GAMES, title
from duelbook.registry import check_name
from duelbook.text import shorten

TEMPLATES = Path(__file__).parent / "templates"
SUFFIX = ".template"  # so that no tool takes a template for what it makes
GAMES_FOLDER = Path(duelbook.games.__file__).parent
CLONE = GAMES_FOLDER.parents[2]
USED_NAMES = {  # by the templates
    *("Annotated", "Board", "Cell", "Example", "Iterator", "Limits", "Match", "Move", "NamedTuple", "Narration"),
    *("Outcome", "Player", "PlayerSide", "Position", "Row", "Seat", "Sequence", "State", "Turn"),
}


class NewGame(NamedTuple):
    """A game that was written: its folder, its files, and the module and class of its rules."""

    name: str
    folder: Path
    files: tuple[Path, ...]
    module: str
    class_name: str


def write_game(name: str, parent: Path, *, here: bool = False) -> NewGame:
    """Write a package into a new folder of `parent`, or if `here` a folder of this clone. Raise RefusedError if not."""
    class_name = "".join(map(str.capitalize, name.split("-")))
    _check(name, class_name)
    folder_name = name.replace("-", "_")
    if here:
        if not (CLONE / "pyproject.toml").is_file() or GAMES_FOLDER != CLONE / "src/duelbook/games":
            raise RefusedError(
                f"--here writes into a clone of Duelbook, but Duelbook is installed in '{GAMES_FOLDER.parent}'. "
                f"Write a package of your own instead: duelbook new-game {name}"
            )
        folder, module = GAMES_FOLDER / folder_name, f"duelbook.games.{folder_name}"
        targets = {"game": folder, "tests": folder / "tests"}
    else:
        folder, module = parent / name, f"{folder_name}_game"
        targets = {"package": folder, "game": folder / module, "tests": folder / "tests"}
    words = {
        "name": name,
        "title": title(name),
        "class": class_name,
        "module": module,
        "package": f"{name}-game",
        "folder": folder_name,
        "names": ", ".join(sorted(("State", class_name))),
    }
    return NewGame(name, folder, tuple(_write(folder, targets, words)), module, class_name)


def _check(name: str, class_name: str) -> None:
    try:
        check_name(name, GAMES.reserved_names)
    except RefusedError as error:
        raise RefusedError(f"A game cannot be named '{shorten(name)}'. {error}") from None
    if name in GAMES:
        raise RefusedError(f"There is a game named {name} already. Choose another name.")
    if keyword.iskeyword(name) or keyword.iskeyword(class_name) or class_name in USED_NAMES:
        raise RefusedError(f"A game cannot be named '{name}': its rules use that word. Choose another name.")


def _write(folder: Path, targets: dict[str, Path], words: dict[str, str]) -> list[Path]:
    written = []
    try:
        folder.mkdir(parents=True)
        for kind, target in targets.items():
            target.mkdir(exist_ok=True)
            for template in sorted((TEMPLATES / kind).iterdir()):
                file = target / template.name.removesuffix(SUFFIX).replace("GAME", words["folder"])
                file.write_text(_filled(template.read_text(encoding="utf-8"), words), encoding="utf-8")
                written.append(file)
    except FileExistsError:
        raise RefusedError(f"'{folder}' exists already. Choose another name, or remove it first.") from None
    except OSError as error:
        raise RefusedError(f"Cannot write '{error.filename or folder}': {error.strerror}.") from error
    return written


def _filled(text: str, words: dict[str, str]) -> str:
    """Return the template with the words in their places, and its imports in the order that linters want."""
    for word, value in words.items():
        text = text.replace(f"[[{word}]]", value)
    lines = text.split("\n")
    own, used = f"from {words['module']}.", "from duelbook"
    imports = [number for number, line in enumerate(lines) if line.startswith((own, used))]
    if imports and not own.startswith(used):
        last = sorted(lines[number] for number in imports if lines[number].startswith(own))
        first = sorted(lines[number] for number in imports if not lines[number].startswith(own))
        start = imports[0] - (lines[imports[0] - 2 : imports[0]] == ["import pytest", ""])  # one block with duelbook
        lines[start : imports[-1] + 1] = [*first, "", *last] if first and last else [*first, *last]
    elif imports:
        lines[imports[0] : imports[-1] + 1] = sorted(lines[number] for number in imports)
    return "\n".join(lines)
