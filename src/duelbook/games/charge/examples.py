"""The examples in the rule book of Charge, without the amounts of 6 that its worked game calls invalid."""

from duelbook.games import Example

EXAMPLES = (
    Example(
        "Example Game Play",
        (
            *("charge 4", "charge 5"),
            *("steal", "block"),
            *("charge 5", "charge 5"),
            *("charge 4", "steal"),
            *("charge 5", "block"),
            *("charge 1", "charge 5"),
            "charge 1",
        ),
        winner="first",
        ruling="CH-6",
    ),
    Example(
        "Sample Turn Sequence",
        (
            *("charge 3", "charge 5"),
            *("steal", "block"),
            *("charge 5", "charge 4"),
            *("charge 5", "steal"),
            *("charge 5", "block"),
        ),
    ),
)
