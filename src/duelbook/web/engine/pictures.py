"""Pictures for links that are shared: drawn by a worker, once for all who ask, and kept as long as there is room."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from typing import Literal

from msgspec import Struct, to_builtins

from duelbook.web.engine.pool import WorkerPool
from duelbook.web.tasks import cancel_all

MAX_KEPT_BYTES = 16_000_000
Form = Literal["png", "svg"]


class BoardTask(Struct, frozen=True, kw_only=True):
    """A board to draw: the position after some moves."""

    game: str
    options: dict[str, int | str]
    moves: list[str]
    names: tuple[str, str]


class PictureTask(Struct, frozen=True, kw_only=True):
    """A picture to draw: a card with a title, a text and some boards; or one board alone, as SVG."""

    title: str
    text: str
    boards: list[BoardTask]
    form: Form = "png"


class Pictures:
    """The pictures of this process."""

    def __init__(self, engine: WorkerPool) -> None:
        self._engine = engine
        self._kept: OrderedDict[Hashable, bytes] = OrderedDict()
        self._kept_bytes = 0
        self._drawing: dict[Hashable, asyncio.Task[bytes]] = {}

    def is_known(self, key: Hashable) -> bool:
        """Return True if the picture is kept or being drawn, so that asking for it costs next to nothing."""
        return key in self._kept or key in self._drawing

    async def draw(self, key: Hashable, find: Callable[[], Awaitable[PictureTask]]) -> bytes:
        """Return the picture with this key; `find` returns what to draw if it is not known."""
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        if key not in self._drawing:
            self._drawing[key] = asyncio.get_running_loop().create_task(self._draw(key, find))
            self._drawing[key].add_done_callback(lambda task: self._done(key, task))
        return await asyncio.shield(self._drawing[key])  # others may wait for it, too

    async def _draw(self, key: Hashable, find: Callable[[], Awaitable[PictureTask]]) -> bytes:
        task = await find()
        picture = await self._engine.draw(**to_builtins(task))
        self._kept[key] = picture
        self._kept_bytes += len(picture)
        while self._kept_bytes > MAX_KEPT_BYTES:
            _, oldest = self._kept.popitem(last=False)
            self._kept_bytes -= len(oldest)
        return picture

    def _done(self, key: Hashable, task: "asyncio.Task[bytes]") -> None:
        self._drawing.pop(key, None)
        if not task.cancelled():
            task.exception()  # whoever waits for it gets it, and there may be nobody

    async def close(self) -> None:
        """Cancel what is being drawn."""
        await cancel_all([*self._drawing.values()])
