"""Regenerate the golden and perft files, shipped table and puzzles of a game: `make golden GAME=charge`.

Review the diff. Without a game: of all games that come with Duelbook, the transcripts of the line dialogue, and the
README's picture.
"""

import random
import sys
from pathlib import Path

from duelbook import GAMES, make, perft
from duelbook.game import AnyGame, Outcome, move_names
from duelbook.game_folder import game_file
from duelbook.solve import solve
from duelbook.solve.cache import SHIPPED_FILE
from duelbook.solve.table import write_table
from duelbook.study.puzzle_bank import BANK_FILE, bank_text
from scripts.game_pages import shipped_games
from tests.support.game_folders import file_of, tests_folder, variants_of
from tests.support.keyboard import session
from tests.support.terminal_picture import terminal_picture
from tests.support.transcripts import write_transcripts

PICTURE = Path(__file__).parents[2] / "docs/pictures/session.svg"
PICTURED = "play crystal-capture --p2 random --first 1 --seed 4"
TYPED = "crystal to capture: «8»\ncrystal to capture: «9»\ncrystal to capture: «7»\n"
GAMES_SURVEYED = 1500  # for the bank of puzzles
MAX_SEQUENCES = 150_000  # that the deepest line of a perft file counts


def perft_text(game: AnyGame) -> str:
    """Return the number of move sequences of each length, one length per line."""
    counts: list[int] = []
    while len(counts) < 8 and (not counts or 0 < counts[-1] <= MAX_SEQUENCES // 10):
        counts.append(perft(game, len(counts) + 1))
    return "".join(f"{depth} {count}\n" for depth, count in enumerate(counts, 1))


def playthrough(game: AnyGame, seed: int = 1) -> str:
    """Return a random game as text: every state, its legal moves, and the move played."""
    rng = random.Random(seed)
    state = game.initial()
    text = f"{game!r}\n"
    while game.outcome(state) is Outcome.UNDECIDED:
        names = move_names(game, state)
        name = rng.choice(list(names))
        text += f"\n{game.render(state)}\n{state!r}\nlegal: {', '.join(names)}\n> {name}\n"
        state = game.play(state, names[name])
    return f"{text}\n{game.render(state)}\n{state!r}\noutcome: {game.outcome(state).name}\n"


def picture() -> str:
    """Return a session in a colour terminal as a picture."""
    screen, _ = session(f"{PICTURED} --once", TYPED, TERM="xterm-256color")
    return terminal_picture(f"$ duelbook {PICTURED}\n{screen}")


def table(name: str) -> bytes:
    """Return the solution of a game as the content of its shipped table."""
    return write_table(solve(make(name)))


def regenerate(name: str) -> None:
    """Write the files of a game again, and remove those of variants that are no longer tested."""
    for folder, text_of in (("perft", perft_text), ("golden", playthrough)):
        texts = {file_of(folder, name, options): text_of(make(name, **options)) for options in variants_of(name)}
        place = tests_folder(name) / folder
        place.mkdir(parents=True, exist_ok=True)
        for stale in set(place.iterdir()) - set(texts):
            stale.unlink()
        for file, text in texts.items():
            file.write_text(text)
    if shipped := game_file(GAMES[name], SHIPPED_FILE):
        shipped.write_bytes(table(name))
    if bank := game_file(GAMES[name], BANK_FILE):
        bank.write_text(bank_text(make(name), GAMES_SURVEYED))
    print(f"{name}: {len(variants_of(name))} variants in {tests_folder(name)}")


def main() -> None:
    for name in sys.argv[1:] or shipped_games():
        regenerate(name)
    if not sys.argv[1:]:
        write_transcripts()
        PICTURE.write_text(picture())


if __name__ == "__main__":
    main()
