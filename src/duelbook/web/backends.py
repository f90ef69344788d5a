"""What the service uses outside its process. The simulation passes its own."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from duelbook.web.clock import utc_now
from duelbook.web.db.database import Databases, open_databases
from duelbook.web.engine.process import Start, start_process
from duelbook.web.live.channel import Channel, RedisChannel


@dataclass(frozen=True)
class Backends:
    """How to reach the database, the other processes, the workers and the time of day; the real ones by default.

    Monotonic time is that of the event loop; requests and sockets come in through ASGI.
    """

    open_databases: Callable[[str, int], Databases] = open_databases
    open_channel: Callable[[str], Channel] = RedisChannel
    start_worker: Start = start_process
    now: Callable[[], datetime] = utc_now
