"""The examples in the rule book of Crystal Capture, without the move that its scenario calls illegal."""

from duelbook.games import Example

EXAMPLES = (
    Example("Example Scenario", ("8", "7", "6", "4", "1"), winner="first"),
    Example("Command-Line Interaction", ("8", "7", "6", "4", "1"), winner="first"),
)
