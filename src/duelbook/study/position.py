"""What is known about a position, as a JSON value."""

import time
from typing import Any

from duelbook.game import AnyGame, canonical_form
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.records.record import state_after
from duelbook.solve import Value, solved

WINNERS = {  # by value for the player to move, and by the seat of that player
    Value.WIN: ("first", "second"),
    Value.LOSS: ("second", "first"),
    Value.DRAW: ("none", "none"),
}


def position_report(game: AnyGame, after: tuple[str, ...]) -> dict[str, Any]:
    """Return the exact values of the position after the named moves, and what it took to solve the game."""
    import resource  # not available on every system

    start = time.perf_counter()
    state = state_after(game, after)
    solution = solved(game)
    value = solution.value(state)
    return {
        "game": name_of(game),
        "options": write_options(game),
        "after": list(after),
        "states": solution.states(),
        "counted": "classes" if canonical_form(game) else "states",
        "value": value.name.lower(),
        "winner": WINNERS[value][game.mover(state)],
        "remoteness": solution.remoteness(state),
        "moves": {
            game.move_name(state, scored.move): {"value": scored.value.name.lower(), "remoteness": scored.remoteness}
            for scored in solution.moves(state)
        },
        "seconds": round(time.perf_counter() - start, 3),
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
