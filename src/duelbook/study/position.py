"""What is known of a position, as JSON."""

import time
from typing import Any

from duelbook.game import AnyGame, canonical_form
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.records.record import state_after
from duelbook.solve.cache import solved
from duelbook.solve.solution import Value

WINNERS = {Value.WIN: ("first", "second"), Value.LOSS: ("second", "first"), Value.DRAW: ("none", "none")}


def solve_report(game: AnyGame, after: tuple[str, ...]) -> dict[str, Any]:
    """Answer what is known of the position after the named moves, as JSON."""
    import resource  # which not every system has

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
