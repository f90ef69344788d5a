"""Reference values by plain fixed-point iteration over all states, to check the solver against."""

from typing import Any

from duelbook.game import AnyGame, Outcome

Known = dict[Any, tuple[int, int | None]]  # for each state: the value for the mover, and the remoteness


def naive_values(game: AnyGame) -> Known:
    """Return the value and the remoteness of every reachable state. Nothing is shared with `duelbook.solve`."""
    after = reachable(game)
    known: Known = {}
    for state in after:
        outcome = game.outcome(state)
        if outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS):
            known[state] = (1 if outcome == game.mover(state) else -1, 0)
    plies = 0
    while True:
        plies += 1
        found: Known = {}
        for state, following in after.items():
            if state not in known and following:
                seen = [from_mover(game, state, child, known) for child in following]
                if any(answer and answer[0] == 1 for answer in seen):
                    found[state] = (1, plies)
                elif all(answer and answer[0] == -1 for answer in seen):
                    found[state] = (-1, plies)
        if not found:
            break
        known |= found
    return known | drawn_states(game, after, known)


def reachable(game: AnyGame) -> dict[Any, list[Any]]:
    after: dict[Any, list[Any]] = {}
    todo = [game.initial()]
    while todo:
        state = todo.pop()
        if state not in after:
            after[state] = [game.play(state, move) for move in game.legal_moves(state)]
            todo += after[state]
    return after


def from_mover(game: AnyGame, state: Any, child: Any, known: Known) -> tuple[int, int | None] | None:
    """Return the value of the child for the mover of the state, with its remoteness, or None if it is unknown."""
    if child not in known:
        return None
    value, plies = known[child]
    return (value if game.mover(child) == game.mover(state) else -value), plies


def drawn_states(game: AnyGame, after: dict[Any, list[Any]], known: Known) -> Known:
    """Return the rest, which are draws, with the distance to the nearest drawn end, or None if no end is in reach."""
    rest = {state: following for state, following in after.items() if state not in known}
    distance = {state: 0 for state in rest if game.outcome(state) == Outcome.DRAW}
    for _ in rest:
        for state, following in rest.items():
            near = [distance[child] + 1 for child in following if child in distance]
            if (near and state not in distance) or (near and min(near) < distance[state]):
                distance[state] = min(near)
    return {state: (0, distance.get(state)) for state in rest}
