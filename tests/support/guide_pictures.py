"""Take the pictures of the guide "Write a game": `python -m tests.support.guide_pictures` (part of `make pictures`)."""

import sys
import tempfile
from pathlib import Path

import pexpect

from tests.support.browser import open_browser
from tests.support.keyboard import environment
from tests.support.pictures import FOLDER, open_page, save
from tests.support.service.harness import RunningServer
from tests.support.terminal_picture import terminal_picture

GAME = {"DUELBOOK_GAMES": "tower_game.rules:Tower"}
WIDTH = 100
PROGRAM = str(Path(sys.executable).parent / "duelbook")
BREAK = ("self.goal - state.total", "self.goal + 1 - state.total")  # a mistake for the check to find


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "tower"
        take("new", "duelbook new-game tower", Path(name))
        take("play", "duelbook play tower --p2 greedy --seed 1", folder, {"move: ": ["add 2", "add 1", "quit"]})
        take("check", "duelbook check tower", folder)
        take("games", "duelbook games", folder)
        board(folder)
        rules = folder / "tower_game/rules.py"
        rules.write_text(rules.read_text().replace(*BREAK))
        take("broken", "duelbook check tower", folder)


def take(name: str, command: str, folder: Path, typed: dict[str, list[str]] | None = None) -> None:
    """Save the picture of a command that runs in the folder. `typed` holds the answers to a prompt."""
    (FOLDER / f"write-a-game-{name}.svg").write_text(picture(command, folder, typed or {}))


def picture(command: str, folder: Path, typed: dict[str, list[str]]) -> str:
    own = {"XDG_DATA_HOME": str(folder / "data"), **(GAME if folder.name == "tower" else {})}  # with no history yet
    variables = environment(TERM="xterm-256color", COLUMNS=str(WIDTH), **own)
    child = pexpect.spawn(
        PROGRAM, command.split()[1:], cwd=folder, env=variables, encoding="utf-8", timeout=300, dimensions=(40, WIDTH)
    )
    screen = f"$ {command}\n"
    for prompt, answers in typed.items():
        for answer in answers:
            child.expect_exact(prompt)
            screen += str(child.before) + str(child.after)
            child.sendline(answer)
    child.expect(pexpect.EOF)
    return terminal_picture(f"{screen}{child.before}".replace("\r\n", "\n"), WIDTH)


def board(folder: Path) -> None:
    """Save the picture of a match in the browser."""
    settings = {"database_url": f"sqlite:///{folder}/matches.sqlite"}
    server = RunningServer(folder, settings, environment=GAME | {"PYTHONPATH": str(folder)}).start()
    try:
        with open_browser() as browser:
            page = open_page(browser, server.url, {"width": 1120, "height": 620}, values=True)
            page.get_by_role("button", name="Play Tower").click()
            for move in ("add 2", "add 1"):
                page.locator(f'[data-move="{move}"]:not([aria-disabled])').click()
            page.get_by_label("Values").check()
            page.locator('[data-move="add 1"]:not([aria-disabled]) .mark').wait_for()
            save(page, "write-a-game-board")
    finally:
        server.stop()


if __name__ == "__main__":
    main()
