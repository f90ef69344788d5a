"""The examples in the rule book of Word Clash."""

from duelbook.games import Example

EXAMPLES = (
    Example(
        "Example Game Playthrough",
        ("A self 1", "E opponent 2", "T self 3", "S opponent 4", "E self 5"),
        winner="second",
    ),
    Example("Sample Command-Line Interaction", ("A self 1", "E opponent 2")),
)
