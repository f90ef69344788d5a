"""The rules compiled with numba (extra `fast`). Importing this package does not load numba; using it does."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duelbook.compiled.batch import Batch, BatchTurn, Finals, new_batch, new_turn, random_moves, step
    from duelbook.compiled.intrinsics import read_state, write_state
    from duelbook.compiled.kernel import CompiledGame, jit, jit_plain
    from duelbook.compiled.playout import Tally, playouts

__all__ = [
    "Batch",
    "BatchTurn",
    "CompiledGame",
    "Finals",
    "Tally",
    "jit",
    "jit_plain",
    "new_batch",
    "new_turn",
    "playouts",
    "random_moves",
    "read_state",
    "step",
    "write_state",
]

MODULES = {"Tally": "playout", "playouts": "playout"}
MODULES |= dict.fromkeys(["CompiledGame", "jit", "jit_plain"], "kernel")
MODULES |= dict.fromkeys(["read_state", "write_state"], "intrinsics")
# All other names are in `batch`.


if not TYPE_CHECKING:  # or type checkers would accept any name

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{MODULES.get(name, 'batch')}"), name)
