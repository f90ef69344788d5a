"""How often each level beats the one below: pairs of games with the same seed from both seats, in every game.

Prints a Markdown table of win rates with 95% Wilson intervals, as in the documentation.
"""

import duelbook
from duelbook.agents import make_agent
from duelbook.intervals import wilson
from duelbook.match import Match, ply_limit

LEVELS = ("novice", "casual", "club", "expert", "perfect")
PAIRS = 400  # of games


def points(name: str, better: str, worse: str, pairs: int) -> float:
    """Return the points of the better player. A game that nobody wins gives half a point."""
    game = duelbook.make(name)
    total = 0.0
    for seed in range(pairs):
        for seat in (0, 1):
            match = Match(game, ply_limit=ply_limit(game))
            agents = {seat: make_agent(better, f"{seed} better"), 1 - seat: make_agent(worse, f"{seed} worse")}
            while not match.over:
                match.play(agents[match.mover].choose(match))
            total += 1 if match.outcome == seat else 0 if match.outcome == 1 - seat else 0.5
    return total


def main() -> None:
    steps = list(zip(LEVELS[1:], LEVELS, strict=False))
    print(f"| game | {' | '.join(f'{better} over {worse}' for better, worse in steps)} |")
    print(f"|---|{'---|' * len(steps)}")
    for name in duelbook.GAMES:
        print(row(name), flush=True)


def row(name: str) -> str:
    """Return the row of a game: the win rate of each level over the one below."""
    return f"| {name} | {' | '.join(cell(name, step) for step in range(len(LEVELS) - 1))} |"


def cell(name: str, step: int) -> str:
    """Return the win rate of level number `step + 1` over level number `step`."""
    wins = points(name, LEVELS[step + 1], LEVELS[step], PAIRS)
    low, high = wilson(wins, 2 * PAIRS)
    return f"{wins / (2 * PAIRS):.0%} ({low:.0%} to {high:.0%}){'' if low > 0.5 else ' *'}"


if __name__ == "__main__":
    main()
