"""The examples of Alpha Chase's book."""

from duelbook.games import Example

EXAMPLES = (
    Example("Sample Game Play", tuple("PGTALHNSO"), winner="first", ruling="AC-4"),
    Example("Command-Line Interaction Example", ("P", "G")),
)
