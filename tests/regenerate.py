"""Write the perft files and golden playthroughs anew: `make golden`, then review the diff."""

import random

from duelbook import make, perft
from duelbook.game import AnyGame, Outcome, move_names
from tests.variants import file_of, variants

MOST_LINES = 150_000  # of the deepest perft count that is kept


def perft_text(game: AnyGame) -> str:
    """Answer how many lines of each length there are, a line a depth."""
    counts: list[int] = []
    while len(counts) < 8 and (not counts or 0 < counts[-1] <= MOST_LINES // 10):
        counts.append(perft(game, len(counts) + 1))
    return "".join(f"{depth} {count}\n" for depth, count in enumerate(counts, 1))


def playthrough(game: AnyGame, seed: int = 1) -> str:
    """Answer a random game in full: every state, what was legal in it, and what was played."""
    rng = random.Random(seed)
    state = game.initial()
    text = f"{game!r}\n"
    while game.outcome(state) is Outcome.UNDECIDED:
        names = move_names(game, state)
        name = rng.choice(list(names))
        text += f"\n{game.render(state)}\n{state!r}\nlegal: {', '.join(names)}\n> {name}\n"
        state = game.play(state, names[name])
    return f"{text}\n{game.render(state)}\n{state!r}\noutcome: {game.outcome(state).name}\n"


def main() -> None:
    for name, options in variants():
        game = make(name, **options)
        for folder, text in (("perft", perft_text(game)), ("golden", playthrough(game))):
            file_of(folder, name, options).write_text(text)
        print(f"{name} {options}")


if __name__ == "__main__":
    main()
