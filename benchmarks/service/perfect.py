"""Perfect: how long its reply takes, from sending one's move over a live socket to seeing the reply there."""

import random
import time
from itertools import count
from typing import Any

from benchmarks.service.figures import below, spread
from benchmarks.service.people import Client, Seat, accepted, standing
from benchmarks.service.plan import Plan
from benchmarks.service.readying import ready
from benchmarks.service.serving import serving
from duelbook import GAMES, make
from duelbook.game import SEAT_NAMES, has_choices
from duelbook.options import write_options

SLOWEST = 10  # milliseconds, for 99 of 100
WARM_UP = 20  # replies that are not counted


async def run(plan: Plan) -> None:
    print(f"perfect: {plan.replies} replies in each game")
    with serving() as server:
        await ready(server)
        for game in GAMES:
            seconds = await replies(Client(server.port), game, WARM_UP + plan.replies, random.Random(plan.seed))
            times = spread(seconds[WARM_UP:])
            print(f"  {game + ':':42} {times}")
            below(f"99 % of replies in {game}", times.p99, SLOWEST, "ms")


async def replies(client: Client, game: str, number: int, chance: random.Random) -> list[float]:
    """Play against the agent until it has replied so often, and answer the seconds that each reply took."""
    seconds: list[float] = []
    for match in count():
        seat = await client.create(game, "perfect", seat=SEAT_NAMES[match % 2], **wish(game))
        await seat.watch()
        while len(seconds) < number and await my_turn(seat):
            seconds += await reply(seat, chance)
        seat.live.close()
        if len(seconds) == number:
            break
    client.close()
    return seconds


def wish(game: str) -> dict[str, Any]:
    """Answer the default game where there would be something to choose before the start."""
    rules = make(game)
    return {"options": {rules.chosen: write_options(rules)[rules.chosen]}} if has_choices(rules) else {}


async def my_turn(seat: Seat) -> bool:
    """Wait for one's turn; tell whether it comes before the match is over."""
    while (mover := standing(seat.live.view)[1]) not in ("", seat.name):
        await seat.live.reach(seat.live.version + 1)
    return mover == seat.name


async def reply(seat: Seat, chance: random.Random) -> list[float]:
    """Play a move, and answer the seconds until the reply; none where the agent is not to move then."""
    live = seat.live
    before, (ply, _, legal) = live.version, standing(live.view)
    start = time.perf_counter()
    accepted(await seat.say_move(ply, chance.choice(legal), f"{chance.getrandbits(64):x}"))
    await live.reach(before + 1)
    if live.version == before + 1 and standing(live.view)[1] in ("", seat.name):
        return []
    await live.reach(before + 2)
    return [time.perf_counter() - start]
