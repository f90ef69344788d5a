"""When games that are over start again: Gymnasium's modes, also for Gymnasium 1.0, which does not name them."""

from enum import Enum
from typing import TYPE_CHECKING, Any

from duelbook.errors import RefusedError
from duelbook.text import shorten

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode as AutoresetMode
else:
    try:
        from gymnasium.vector import AutoresetMode
    except ImportError:

        class AutoresetMode(Enum):
            NEXT_STEP = "NextStep"
            SAME_STEP = "SameStep"
            DISABLED = "Disabled"


def as_autoreset_mode(mode: Any) -> AutoresetMode:
    """Return the mode, given itself or by its value, or raise RefusedError."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(str(one.value) for one in AutoresetMode)
        raise RefusedError(f"autoreset_mode must be one of {names}, not {shorten(repr(mode))}.") from None
