"""Play a hundred thousand random games of each game, and count how they end (extra `fast`)."""

import duelbook
from duelbook.compiled import playouts


def main(games: int = 100_000) -> None:
    for name in duelbook.GAMES:
        tally = playouts(duelbook.make(name), games, seed=1)
        print(f"{name}: the first player wins {tally.first_wins / games:.1%}, {tally.moves / games:.1f} moves per game")


if __name__ == "__main__":
    main()
