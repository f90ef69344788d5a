"""Games of Hexapawn. `duelbook audit hexapawn` replays them."""

from duelbook.games import Example

EXAMPLES = (
    Example("A pawn reaches the other side", ("b1 b2", "a3 a2", "b2 c3"), winner="first"),
    Example("A player has no move", ("a1 a2", "b3 b2", "c1 c2"), winner="first"),
)
