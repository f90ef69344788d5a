"""Checks of what must hold when things go wrong. Each takes a seed, and raises AssertionError if it does not hold."""

import asyncio
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from duelbook import make
from duelbook.records.record import replay
from tests.support.service.harness import Player, RunningServer
from tests.support.service.raw import Log
from tests.support.service.sockets import next_view

PATIENCE = 60.0
GAME = "crystal-capture"
DOWN_SECONDS = 1.0
SKEW_SECONDS = 0.3  # by which the clocks of two processes may differ


@dataclass
class Ledger:
    """The acknowledged moves, and what went wrong meanwhile."""

    moves: dict[tuple[str, int], str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    retried: int = 0
    refused: int = 0
    stop: threading.Event = field(default_factory=threading.Event)

    def check(self, condition: bool, what: str) -> None:
        if not condition:
            self.wrong.append(what)
            self.stop.set()


def patient(ledger: Ledger, servers: Sequence[RunningServer], seed: int) -> Callable[..., httpx.Response]:
    """Return a function that sends a request to any of the servers until it is answered."""
    rng = random.Random(seed)
    clients = [server.http for server in servers]

    def ask(method: str, path: str, **more: Any) -> httpx.Response:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                answer = rng.choice(clients).request(method, path, **more)
            except httpx.TransportError:
                ledger.retried += 1
                time.sleep(0.05)
                continue
            if answer.status_code != 503:
                return answer
            ledger.check("retry-after" in answer.headers, f"a 503 without Retry-After: {answer.text}")
            ledger.refused += 1
            time.sleep(0.1)
        raise AssertionError(f"no answer to {method} {path}")

    return ask


def keep_playing(ledger: Ledger, servers: Sequence[RunningServer], seed: int) -> None:
    """Play match after match, both seats, with keys and retries, and record what is acknowledged."""
    rng = random.Random(seed)
    ask = patient(ledger, servers, seed)
    while not ledger.stop.is_set():
        made = ask("POST", "/api/matches", json={"game": GAME, "opponent": "friend"}).json()
        joined = ask("POST", f"/api/matches/{made['id']}/join", json={"key": f"{rng.getrandbits(200):050x}"}).json()
        tokens = {"first": made["token"], "second": joined["token"]}
        view = joined["match"]
        while view["status"] == "playing" and not ledger.stop.is_set():
            move, key = rng.choice(view["legal"]), f"{rng.getrandbits(120):x}"
            body = {"action": "play", "ply": view["ply"], "move": move, "key": key}
            headers = {"Authorization": f"Bearer {tokens[view['mover']]}"}
            answer = ask("POST", f"/api/matches/{made['id']}/actions", json=body, headers=headers)
            ledger.check(answer.status_code == 200, f"the answer to {body} was {answer.text}")
            if answer.status_code == 200:
                ledger.moves[made["id"], view["ply"]] = move
                view = answer.json()


def audit(ledger: Ledger, server: RunningServer, since: int = 0) -> None:
    """Check that every acknowledged move is there, and that every match follows from its moves."""
    assert not ledger.wrong, ledger.wrong
    acknowledged = dict(list(ledger.moves.copy().items())[since:])  # players may still play
    for match in {match for match, _ in acknowledged}:
        view = Player(server, match, "", "").view()
        game = make(GAME)
        assert len(list(replay(game, view["moves"]))) == view["ply"]
        for ply, move in enumerate(view["moves"]):
            assert acknowledged.get((match, ply), move) == move
        missing = [ply for known, ply in acknowledged if known == match and ply >= view["ply"]]
        assert not missing, f"match {match} lost the acknowledged plies {missing}"


class Playing:
    """Threads that keep playing while something is done to the servers."""

    def __init__(
        self, servers: Sequence[RunningServer], seed: int, players: int = 6, ledger: Ledger | None = None
    ) -> None:
        self.ledger = ledger or Ledger()
        self._threads = [
            threading.Thread(target=self._play, args=(servers, seed * 1000 + number)) for number in range(players)
        ]

    def _play(self, servers: Sequence[RunningServer], seed: int) -> None:
        try:
            keep_playing(self.ledger, servers, seed)
        except Exception as error:
            self.ledger.check(False, repr(error))

    def __enter__(self) -> Ledger:
        for thread in self._threads:
            thread.start()
        return self.ledger

    def __exit__(self, *_: object) -> None:
        self.ledger.stop.set()
        for thread in self._threads:
            thread.join(PATIENCE)


def check_kills(server: RunningServer, seed: int, kills: int) -> Ledger:
    """Kill the server during play, again and again: no acknowledged move is lost, and play continues."""
    rng = random.Random(seed)
    with Playing([server], seed) as ledger:
        for _ in range(kills):
            known = len(ledger.moves)
            more_moves(ledger, known + 10)
            time.sleep(rng.uniform(0.0, 0.3))
            server.kill()
            server.start()
            audit(ledger, server, known)
    audit(ledger, server)
    return ledger


def check_restarts(servers: Sequence[RunningServer], restart: Callable[[], None], seed: int, times: int) -> Ledger:
    """Restart something that the servers need during play: no acknowledged move is lost, and play continues."""
    rng = random.Random(seed)
    with Playing(servers, seed) as ledger:
        for _ in range(times):
            known = len(ledger.moves)
            more_moves(ledger, known + 30)
            if ledger.stop.is_set():
                break  # something is already wrong
            time.sleep(rng.uniform(0.0, 0.3))
            restart()
    for server in servers:
        audit(ledger, server)
    return ledger


def check_outages(
    servers: Sequence[RunningServer],
    stop: Callable[[], None],
    start: Callable[[], None],
    seed: int,
    times: int,
) -> Ledger:
    """Stop something during play that moves do not need: play continues without it, and no move is refused."""
    with Playing(servers, seed) as ledger:
        for _ in range(times):
            more_moves(ledger, len(ledger.moves) + 30)
            stop()
            try:
                more_moves(ledger, len(ledger.moves) + 60)
            finally:
                start()
    for server in servers:
        audit(ledger, server)
    assert not ledger.refused
    return ledger


def more_moves(ledger: Ledger, number: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while len(ledger.moves) <= number and not ledger.stop.is_set():
        assert time.monotonic() < deadline, "play does not continue"
        time.sleep(0.01)


def check_races(servers: Sequence[RunningServer], seed: int, requests: int) -> None:
    """Send many moves for the same plies at once, from both seats and from strangers: one per ply is accepted."""
    rng = random.Random(seed)
    sent = 0
    while sent < requests:
        first, second = servers[0].new_pair(GAME)
        view = first.view()
        while view["status"] == "playing" and sent < requests:
            tries = [(rng.choice([first, second, None]), rng.choice(view["legal"])) for _ in range(100)]
            answers = asyncio.run(_all_at_once(servers, first.match, view["ply"], tries))
            sent += len(tries)
            accepted = {
                (player.seat if player else "stranger", move)
                for (player, move), status in zip(tries, answers, strict=True)
                if status == 200
            }
            before, view = view, first.view()
            assert len(accepted) == 1, f"accepted for ply {before['ply']}: {accepted}"
            assert accepted == {(before["mover"], view["moves"][before["ply"]])}
            assert set(answers) <= {200, 401, 403, 409}, set(answers)


async def _all_at_once(
    servers: Sequence[RunningServer], match: str, ply: int, tries: Sequence[tuple[Player | None, str]]
) -> list[int]:
    async with httpx.AsyncClient(timeout=PATIENCE, verify=False) as client:

        async def send(number: int, player: Player | None, move: str) -> int:
            url = f"{servers[number % len(servers)].url}/api/matches/{match}/actions"
            body = {"action": "play", "ply": ply, "move": move, "key": f"{ply}-{number}"}
            answer = await client.post(url, json=body, headers=player.headers if player else {})
            return answer.status_code

        return await asyncio.gather(*(send(number, *one) for number, one in enumerate(tries)))


def check_retries(servers: Sequence[RunningServer], seed: int, moves: int) -> None:
    """Send every move again, at once and later, to any of the servers: it is played once and gets the same answer."""
    rng = random.Random(seed)
    players = dict(zip(("first", "second"), servers[0].new_pair(GAME), strict=True))
    view = players["first"].view()
    asked: list[tuple[str, dict[str, Any], Any]] = []
    while view["status"] == "playing" and len(asked) < moves:
        body = {"ply": view["ply"], "move": rng.choice(view["legal"]), "key": f"{rng.getrandbits(120):x}"}
        asked.append((view["mover"], body, view := _sent(rng.choice(servers), players[view["mover"]], body)))
        for seat, again, answer in asked:
            assert _sent(rng.choice(servers), players[seat], again) == answer
    assert players["first"].view()["ply"] == view["ply"]


def _sent(server: RunningServer, player: Player, body: dict[str, Any]) -> Any:
    answer = Player(server, player.match, player.seat, player.token).act("play", **body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def check_pending_turns(server: RunningServer, seed: int, matches: int) -> None:
    """Kill the server right after moves against an agent: each of its turns is taken once after the restart."""
    rng = random.Random(seed)
    players = [server.new_match("charge", "mcts:300", seat="first") for _ in range(matches)]
    for player in players:
        assert player.play(0, f"charge {rng.randint(1, 5)}").status_code == 200
    server.kill()
    server.start()
    for player in players:
        view = player.until(2)
        assert view["ply"] == 2, view
        assert view["mover"] == "first"


def check_down_time(server: RunningServer) -> None:
    """Kill the server during a turn and start it again later: only the time in which it was up is charged."""
    first, _ = server.new_pair(GAME, time_limit=3600)
    begun = time.monotonic()
    before = first.view()["clocks"]["left"]
    server.kill()
    killed = time.monotonic()
    time.sleep(DOWN_SECONDS)
    down = time.monotonic() - killed
    server.start()
    charged = before - first.view()["clocks"]["left"]
    up = time.monotonic() - begun - down
    assert charged <= up + SKEW_SECONDS, f"charged {charged:.2f} s of {up:.2f}; the service was down for {down:.2f} s"


def check_watchers(
    servers: Sequence[RunningServer],
    stop: Callable[[], None],
    start: Callable[[], None],
    seed: int,
) -> None:
    """Play while the processes cannot reach each other: a watcher on another one gets the move soon afterwards."""
    first, second = servers[0].new_pair(GAME)
    with Player(servers[1], first.match, second.seat, second.token).live() as socket:
        stop()
        move = random.Random(seed).choice(first.view()["legal"])
        log = Log(servers[0])
        assert first.play(0, move).status_code == 200
        log.until("cannot publish to Redis", times=2)  # so the message is lost, and not sent when Redis is back
        start()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                if next_view(socket, 1)["match"]["moves"] == [move]:
                    return
            except TimeoutError:
                continue
    raise AssertionError("the watcher was not sent the move")
