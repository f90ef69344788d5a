"""The position benchmark: how Duelbook's own agents and a trained network score, as a scale for other scores.

`python -m benchmarks.positions [AGENT…]` prints the tables of the documentation, or those of any agents.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from duelbook.games import title
from duelbook.positions import load_positions, make_dataset
from duelbook.positions.position import DatasetPosition
from duelbook.positions.scores import Reply, parts, scores
from scripts.game_pages import shipped_games
from scripts.markdown import table

ROOT = Path(__file__).parents[1]
PER_CELL, SEED = 20, 1  # `duelbook positions --games all --per-cell 20 --seed 1`
LEVELS = ("beginner", "easy", "medium", "hard", "expert")
SEARCHES = ("search:1", "search:2", "search:4", "mcts:20", "mcts:100", "mcts:500", "mcts:2000")
NETWORK = "alphazero"  # of examples/alphazero
NETWORK_VARIABLE = {"DUELBOOK_AGENTS": f"{NETWORK}=examples.alphazero.agent:AlphaZero"}
AGENTS = ("random", "greedy", *LEVELS, *SEARCHES, NETWORK, "perfect")
DISTANCES = ("1", "2-6", "7+")

Replies = Mapping[str, Sequence[Reply]]  # by agent


def learned_games() -> list[str]:
    """Return the games that the network has learned."""
    learned = {file.stem for file in (ROOT / "examples/alphazero/trained").glob("*.npz")}
    return [game for game in shipped_games() if game in learned]


def tables(agents: Sequence[str] = AGENTS) -> str:
    """Return a table of the agents that play all games, and one of all agents in the games of the network."""
    replies, learned = ask(agents), learned_games()
    everywhere = {agent: found for agent, found in replies.items() if not _is_network(agent)}
    text = f"In all games:\n\n{score_table(everywhere, shipped_games())}\n" if everywhere else ""
    return f"{text}Only in {' and '.join(map(title, learned))}:\n\n{score_table(replies, learned)}"


def ask(agents: Iterable[str], games: Sequence[str] | None = None) -> Replies:
    """Return what each agent replies in the positions of these games, or of those that it can play.

    `duelbook eval` asks. The positions of a game and the replies to them do not depend on what other games there are.
    """
    replies: dict[str, list[Reply]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make_dataset(games or shipped_games(), folder / "dataset", per_cell=PER_CELL, seed=SEED, parquet=False)
        positions = load_positions(folder / "dataset")
        for number, agent in enumerate(agents):
            asked = [one for one in positions if not _is_network(agent) or one.game in learned_games()]
            started = time.perf_counter()
            replies[agent] = _ask(agent, asked, folder / "dataset/test.jsonl", folder / str(number))
            print(f"{agent}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    return replies


def _ask(agent: str, positions: Sequence[DatasetPosition], file: Path, folder: Path) -> list[Reply]:
    by_id = {position.id: position for position in positions}
    lines = [line for line in file.read_text().splitlines(keepends=True) if json.loads(line)["id"] in by_id]
    asked = folder.with_suffix(".jsonl")
    asked.write_text("".join(lines))
    subprocess.run(
        [sys.executable, "-m", "duelbook", "eval", "--agent", agent, "--positions", asked, "--out", folder],
        cwd=ROOT,
        env=os.environ | NETWORK_VARIABLE,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    answers = map(json.loads, (folder / "answers.jsonl").read_text().splitlines())
    return [Reply(by_id[answer["position"]], answer["move"], answer["outcome"]) for answer in answers]


def score_table(replies: Replies, games: Sequence[str]) -> str:
    """Return a row for each agent: accuracy, mean regret and score in these games, and the scores of the parts."""
    plies = [f"{distance} {'ply' if distance == '1' else 'plies'} to the end" for distance in DISTANCES]
    headings = ["agent", "positions", "accuracy", "mean regret", "score", *map(title, games), *plies]
    return table(headings, (_row(agent, found, games) for agent, found in replies.items()))


def _row(agent: str, replies: Sequence[Reply], games: Sequence[str]) -> list[str]:
    counted = [reply for reply in replies if reply.position.game in games]
    overall, found = scores(counted), parts(counted)
    accuracy, score = overall["accuracy"], overall["accuracy_score"]
    by_game = {cell["game"]: cell for cell in found["game"]}
    by_distance = {cell["distance"]: cell for cell in found["distance"]}
    return [
        f"`{agent}`",
        str(overall["positions"]),
        f"{accuracy['rate']:.0%} ({accuracy['low']:.0%} to {accuracy['high']:.0%})",
        f"{overall['regret']['rate']:.2f}",
        f"{score['rate']:z.2f} ({score['low']:z.2f} to {score['high']:z.2f})",
        *(_score(by_game.get(game)) for game in games),
        *(_score(by_distance.get(distance)) for distance in DISTANCES),
    ]


def _score(cell: dict[str, Any] | None) -> str:
    return f"{cell['accuracy_score']['rate']:z.2f}" if cell else ""


def _is_network(agent: str) -> bool:
    return agent.partition(":")[0] == NETWORK


def main() -> None:
    print(tables(sys.argv[1:] or AGENTS))


if __name__ == "__main__":
    main()
