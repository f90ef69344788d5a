"""The perfect agent: how soon it moves, and whether it ever gives value away.

`python -m benchmarks.perfect_agent 10000` plays 10,000 games from each seat of each game and of each of its presets,
half of them against the random agent and half against the greedy one. Without a number it plays 500.
"""

import statistics
import subprocess
import sys
import time

import duelbook
from duelbook.agents import make_agent
from duelbook.game import AnyGame
from duelbook.match import Match, ply_limit
from duelbook.presets import presets_of
from duelbook.solve import solved

FIRST_MOVE_SCRIPT = """
import sys, time
start = time.perf_counter()
sys.modules["numba"] = None  # as if the extra were not installed
from duelbook import make
from duelbook.agents import make_agent
from duelbook.match import Match
match = Match(make(sys.argv[1]))
make_agent("perfect", 1).choose(match)
print(time.perf_counter() - start)
"""


def seconds_to_first_move(name: str) -> float:
    """Return the seconds from the import to the first perfect move, without compiled code."""
    done = subprocess.run([sys.executable, "-c", FIRST_MOVE_SCRIPT, name], capture_output=True, text=True, check=True)
    return float(done.stdout)


def play(game: AnyGame, games: int) -> tuple[int, int, list[float]]:
    """Return the number of perfect moves, how many of them gave value away, and the seconds that each took."""
    solution, lost, seconds = solved(game), 0, []
    for number in range(games):
        match = Match(game, ply_limit=ply_limit(game))
        perfect = make_agent("perfect", f"{number} perfect")
        other = make_agent("greedy" if number % 2 else "random", f"{number} other")
        while not match.over:
            if match.mover != number // 2 % 2:
                match.play(other.choose(match))
                continue
            start = time.perf_counter()
            move = perfect.choose(match)
            seconds.append(time.perf_counter() - start)
            scored = solution.moves(match.state)
            lost += next(found.value for found in scored if found.move == move) != scored[0].value
            match.play(move)
    return len(seconds), lost, seconds


def main() -> None:
    games = 2 * int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for name in duelbook.GAMES:
        print(f"{name:16} first move {seconds_to_first_move(name):.2f} s (goal 1)", flush=True)
        for preset in presets_of(duelbook.GAMES[name]):
            moves, lost, seconds = play(duelbook.make(name, preset=preset), games)
            typical, slow = statistics.median(seconds), statistics.quantiles(seconds, n=100)[98]
            print(
                f"  {preset:14} {typical * 1000:.2f} ms, 99% within {slow * 1000:.1f} ms (goal 5); "
                f"{games:,} games, {moves:,} moves, {lost} gave value away",
                flush=True,
            )


if __name__ == "__main__":
    main()
