"""The examples of Crystal Capture's book; what its scenario itself calls illegal is left out."""

from duelbook.games import Example

EXAMPLES = (
    Example("Example Scenario", ("8", "7", "6", "4", "1"), winner="first"),
    Example("Command-Line Interaction", ("8", "7", "6", "4", "1"), winner="first"),
)
