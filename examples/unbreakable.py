"""Play every game over HTTP, with a socket watching, while the server is killed and started again."""

import atexit
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from typing import Any
from uuid import uuid4

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

ADDRESS = f"127.0.0.1:{random.randrange(20_000, 30_000)}"  # a port that is probably free
client = httpx.Client(base_url=f"http://{ADDRESS}", timeout=30)


def serve(folder: str) -> "subprocess.Popen[bytes]":
    """Start the service with its matches in a file in the folder."""
    command = [sys.executable, "-m", "duelbook", "serve", "--port", ADDRESS.split(":")[1], "--log-level", "warning"]
    server = subprocess.Popen([*command, "--database-url", f"sqlite:///{folder}/matches.sqlite"])
    atexit.register(server.kill)  # also if this script fails
    return server


def ask(method: str, path: str, **more: Any) -> Any:
    """Send a request until it is answered. A move with a key is played once, however often it is sent."""
    while True:
        try:
            answer = client.request(method, path, **more)
            if answer.status_code not in (429, 503):  # too many requests, or not available now
                return answer.raise_for_status().json()
        except httpx.TransportError:
            pass
        time.sleep(0.1)


def watch(match: str, seen: list[int]) -> None:
    """Collect every ply that the live socket shows, and connect again when it is lost."""
    while True:
        try:
            with connect(f"ws://{ADDRESS}/api/matches/{match}/live") as socket:
                for message in socket:
                    if view := json.loads(message).get("match"):  # other messages say who is present
                        seen.append(view["ply"])
                        if view["status"] == "over":
                            return
        except (OSError, WebSocketException):
            time.sleep(0.1)


def play(game: dict[str, Any], folder: str, server: "subprocess.Popen[bytes]") -> "subprocess.Popen[bytes]":
    """Play one match against the greedy agent, kill the server in the middle, and return the new one."""
    choice = {"choice": game["choice"]["valid"][0]} if game["choice"] else {}
    created = ask("POST", "/api/matches", json={"game": game["name"], "opponent": "greedy", **choice})
    path, seen = f"/api/matches/{created['id']}", list[int]()
    watcher = threading.Thread(target=watch, args=(created["id"], seen), daemon=True)
    watcher.start()
    played: dict[int, str] = {}
    while (view := ask("GET", path))["status"] != "over":
        if view["mover"] == created["seat"]:
            move = {"action": "play", "ply": view["ply"], "move": random.choice(view["legal"]), "key": uuid4().hex}
            ask("POST", f"{path}/actions", json=move, headers={"Authorization": f"Bearer {created['token']}"})
            played[move["ply"]] = move["move"]
            if len(played) == 1:
                server.kill()
                server.wait()
                server = serve(folder)
    watcher.join()
    assert all(view["moves"][ply] == move for ply, move in played.items()), "an acknowledged move is missing"
    assert seen[-1] == view["ply"], "the watcher missed the end"
    print(f"{game['name']}: {view['ply']} plies, one kill, nothing lost; the {view['outcome']} player won")
    return server


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = serve(folder)
        for game in ask("GET", "/api/games")["games"]:
            server = play(game, folder, server)
        server.kill()


if __name__ == "__main__":
    main()
