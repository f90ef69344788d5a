"""The position benchmark: how Duelbook's own agents score on it, so that the score of a model means something.

`python -m benchmarks.positions [AGENT…]` prints the table of the documentation, or that of any agents.
"""

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from duelbook.games import title
from duelbook.positions import load_positions, make_dataset, plan_positions, run_positions
from scripts.game_pages import shipped_games
from scripts.markdown import table

PER_CELL, SEED = 20, 1  # `duelbook positions --games all --per-cell 20 --seed 1`
LEVELS = ("beginner", "easy", "medium", "hard", "expert")
SEARCHES = ("search:1", "search:2", "search:4", "mcts:20", "mcts:100", "mcts:500", "mcts:2000")
AGENTS = ("random", "greedy", *LEVELS, *SEARCHES, "perfect")
DISTANCES = ("1", "2-6", "7+")


def headings() -> list[str]:
    """Return the headings of the table: all positions, each game, and each distance to the end."""
    plies = [f"{distance} {'ply' if distance == '1' else 'plies'} to the end" for distance in DISTANCES]
    return ["agent", "accuracy", "mean regret", "score", *map(title, shipped_games()), *plies]


def rows(agents: Sequence[str] = AGENTS, games: Sequence[str] | None = None) -> Iterator[list[str]]:
    """Return a row for each agent: accuracy, mean regret and score, with 95% intervals, and the scores of the parts.

    The positions of a game do not depend on what other games there are.
    """
    with tempfile.TemporaryDirectory() as folder:
        make_dataset(games or shipped_games(), Path(folder) / "dataset", per_cell=PER_CELL, seed=SEED, parquet=False)
        positions = load_positions(Path(folder) / "dataset")
        for number, agent in enumerate(agents):
            started = time.perf_counter()
            report = run_positions(plan_positions(agent, positions), Path(folder) / str(number))
            print(f"{agent}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
            yield _row(agent, report)


def _row(agent: str, report: dict[str, Any]) -> list[str]:
    overall = report["overall"]
    accuracy, score = overall["accuracy"], overall["accuracy_score"]
    games = {cell["game"]: cell for cell in report["parts"]["game"]}
    distances = {cell["distance"]: cell for cell in report["parts"]["distance"]}
    return [
        f"`{agent}`",
        f"{accuracy['rate']:.0%} ({accuracy['low']:.0%} to {accuracy['high']:.0%})",
        f"{overall['regret']['rate']:.2f}",
        f"{score['rate']:z.2f} ({score['low']:z.2f} to {score['high']:z.2f})",
        *(_score(games.get(game)) for game in shipped_games()),
        *(_score(distances.get(distance)) for distance in DISTANCES),
    ]


def _score(cell: dict[str, Any] | None) -> str:
    return f"{cell['accuracy_score']['rate']:z.2f}" if cell else ""


def main() -> None:
    print(table(headings(), rows(sys.argv[1:] or AGENTS)))


if __name__ == "__main__":
    main()
