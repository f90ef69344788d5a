"""The examples in the rule book of Last Stone. `duelbook audit last-stone` replays them."""

from duelbook.games import Example

EXAMPLES = (
    Example("Keep a multiple of four", ("take 1", "take 3", "take 1", "take 2", "take 2", "take 1", "take 3"), "first"),
    Example("The second player takes over", ("take 3", "take 2", "take 3", "take 1", "take 1", "take 3"), "second"),
)
