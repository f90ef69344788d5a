"""Perfect: the time from sending a move over a live socket to seeing the perfect agent's reply there."""

import random
import time
from itertools import count
from typing import Any

from benchmarks.service.clients import Client, Seat, accepted, parse_view, wait_until_prepared
from benchmarks.service.figures import below, spread
from benchmarks.service.plan import Plan
from benchmarks.service.server import running_server
from duelbook import GAMES, make
from duelbook.game import SEAT_NAMES, has_choices
from duelbook.options import write_options

MAX_P99_MILLISECONDS = 10
WARM_UP = 20  # replies that do not count


async def run(plan: Plan) -> None:
    print(f"perfect: {plan.replies} replies in each game")
    with running_server() as server:
        await wait_until_prepared(server)
        for game in GAMES:
            seconds = await replies(Client(server.port), game, WARM_UP + plan.replies, random.Random(plan.seed))
            times = spread(seconds[WARM_UP:])
            print(f"  {game + ':':42} {times}")
            below(f"99% of replies in {game}", times.p99, MAX_P99_MILLISECONDS, "ms")


async def replies(client: Client, game: str, number: int, chance: random.Random) -> list[float]:
    """Play against the agent, and return the seconds that each of that many replies took."""
    seconds: list[float] = []
    for match in count():
        seat = await client.create(game, "perfect", seat=SEAT_NAMES[match % 2], **options(game))
        await seat.watch()
        while len(seconds) < number and await my_turn(seat):
            seconds += await reply(seat, chance)
        seat.live.close()
        if len(seconds) == number:
            break
    client.close()
    return seconds


def options(game: str) -> dict[str, Any]:
    """Return options that leave nothing to choose before the start."""
    rules = make(game)
    return {"options": {rules.chosen: write_options(rules)[rules.chosen]}} if has_choices(rules) else {}


async def my_turn(seat: Seat) -> bool:
    """Wait for the turn of the seat; return False if the match is over."""
    while (mover := parse_view(seat.live.view)[1]) not in ("", seat.name):
        await seat.live.reach(seat.live.version + 1)
    return mover == seat.name


async def reply(seat: Seat, chance: random.Random) -> list[float]:
    """Play a move, and return the seconds until the reply; nothing if it is not the agent's turn."""
    live = seat.live
    before, (ply, _, legal) = live.version, parse_view(live.view)
    start = time.perf_counter()
    accepted(await seat.say_move(ply, chance.choice(legal), f"{chance.getrandbits(64):x}"))
    await live.reach(before + 1)
    if live.version == before + 1 and parse_view(live.view)[1] in ("", seat.name):
        return []
    await live.reach(before + 2)
    return [time.perf_counter() - start]
