"""The examples in the rule book of Flag Chase."""

from duelbook.games import Example

EXAMPLES = (
    Example("Example Scenario 1", ("2",), winner="first"),
    Example("Example Scenario 2", ("1", "2"), winner="second"),
    Example("Example Scenario 3", ("1", "1", "2"), winner="first"),
    Example("Command-Line Interaction Example", ("1", "2", "2"), winner="first", ruling="FC-2"),
)
