"""The examples in the rule book of Alpha Chase."""

from duelbook.games import Example

EXAMPLES = (
    Example("Sample Game Play", tuple("PGTALHNSO"), winner="first", ruling="AC-4"),
    Example("Command-Line Interaction Example", ("P", "G")),
)
