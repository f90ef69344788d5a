"""Worker processes that are killed and stopped at random: nothing is answered with a fault, and every turn is taken."""

import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable

import httpx

from tests.support.service.harness import PATIENCE, Player, RunningServer
from tests.support.service.raw import Log
from tests.support.service.workers import signal_worker, worker_processes

SEED = 20261116
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGSTOP, signal.SIGKILL) * 3
AGENTS = ("greedy", "perfect", "mcts:40", "mcts:60", "search:3")
STUDIES = (
    "/api/solve/charge",
    "/api/solve/charge?option=goal%3D12",
    "/api/puzzles/crystal-capture?seed=7",
    "/api/puzzles/daily",
    "/api/games/{}/demonstration",
)
DEMONSTRATED = ("alpha-chase", "charge", "word-clash")


def attack(server: RunningServer, rng: random.Random) -> int:
    """Kill workers, and stop some; return how many."""
    done = 0
    deadline = time.monotonic() + PATIENCE
    while done < len(SIGNALS) and time.monotonic() < deadline:
        if workers := worker_processes(server):
            signal_worker(rng.choice(workers), SIGNALS[done])
            done += 1
        time.sleep(rng.uniform(0, 0.2))
    return done


def study(server: RunningServer, rng: random.Random, over: threading.Event, found: Counter[int]) -> None:
    while not over.is_set():
        path = rng.choice(STUDIES).format(rng.choice(DEMONSTRATED))
        answer = server.http.get(path)
        found[answer.status_code] += 1
        assert answer.status_code == 200 or answer.headers["retry-after"], answer.text


def play(player: Player, rng: random.Random, over: threading.Event) -> None:
    """Play against the agent until the attack or the match is over."""
    view = player.view()
    while not over.is_set() and view["status"] == "playing":
        if view["mover"] == player.seat:
            answer = player.play(view["ply"], rng.choice(view["legal"]))
            assert answer.status_code == 200, answer.text
        time.sleep(0.02)
        view = player.view()


def agents_turn(player: Player) -> bool:
    view = player.view()
    return bool(view["status"] == "playing" and view["mover"] != player.seat)


def test_workers_that_fail_cost_no_fault_and_no_turn(server: RunningServer) -> None:
    rng = random.Random(SEED)
    log = Log(server)
    players = [server.new_match("crystal-capture", agent, seat=rng.choice(("first", "second"))) for agent in AGENTS * 2]
    over = threading.Event()
    found: Counter[int] = Counter()
    errors: list[BaseException] = []

    def run(work: Callable[[], None]) -> None:
        try:
            work()
        except (AssertionError, KeyError, httpx.HTTPError) as error:
            errors.append(error)

    works: list[Callable[[], None]] = [lambda: study(server, random.Random(SEED), over, found) for _ in range(3)]
    works += [lambda player=player: play(player, random.Random(player.match), over) for player in players]  # type: ignore[misc]
    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    done = attack(server, rng)
    over.set()
    for thread in threads:
        thread.join()
    deadline = time.monotonic() + PATIENCE
    while (waiting := [player for player in players if agents_turn(player)]) and time.monotonic() < deadline:
        time.sleep(0.1)
    for worker in worker_processes(server):
        signal_worker(worker, signal.SIGKILL)  # some are stopped: other tests would wait for them
    assert not waiting, "turns were not taken"
    assert not errors
    assert set(found) <= {200, 503}
    assert done == len(SIGNALS)
    assert '"event": "fault"' not in log.text()
    assert "raceback" not in log.text()
