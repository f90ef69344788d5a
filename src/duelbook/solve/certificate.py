"""Certificates: a proof of who wins a position, which can be checked without the solver (docs/certificates.md)."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from duelbook.game import AnyGame, Move, Outcome, Player, canonical_form, outcome_name, won_by
from duelbook.games import name_of
from duelbook.options import write_options
from duelbook.solve.solution import Solution, Value

FORMAT = "duelbook-certificate 1"


def certificate_lines(solution: Solution, moves: Sequence[Move] = ()) -> Iterator[str]:
    """Return the lines of a certificate of the position after these moves, one by one: a header, then the states.

    If a player wins, the states are those that can arise while this player follows a winning strategy. Otherwise they
    are those of a strategy of each player that never loses: first the first player's, then the second's.
    """
    game = solution.game
    state = game.initial()
    for move in moves:
        state = game.play(state, move)
    result = _result(solution, state)
    header = {
        "format": FORMAT,
        "game": name_of(game),
        "options": write_options(game),
        "words": getattr(game, "digest", ""),
        "classes": has_proven_classes(game),
        "moves": list(moves),
        "result": outcome_name(result),
    }
    yield json.dumps(header, separators=(",", ":"))
    if game.outcome(state) != Outcome.UNDECIDED:
        return
    if result == Outcome.DRAW:
        for player in (0, 1):
            yield from _holding_strategy(solution, state, player)
    else:
        yield from _winning_strategy(solution, state, int(result))


def has_proven_classes(game: AnyGame) -> bool:
    """Return True if the checker can prove that the game's canonical states play alike. Otherwise none are joined."""
    return getattr(game, "proven_classes", False)


def _result(solution: Solution, state: Any) -> Outcome:
    value, mover = solution.value(state), solution.game.mover(state)
    return Outcome.DRAW if value is Value.DRAW else won_by(mover if value is Value.WIN else 1 - mover)


def _winning_strategy(solution: Solution, start: Any, player: Player) -> Iterator[str]:
    """Return the states from the most distant to the end to the nearest: each leads only to later ones."""
    key = _key(solution.game)
    top = solution.remoteness(start)
    assert top is not None
    waiting: dict[int, dict[Any, Any]] = {top: {key(start): start}}  # by plies to the end
    for rank in range(top, 0, -1):
        for state in sorted(waiting.pop(rank, {}).values()):
            move = _own_move(solution, state, player)
            for child in _children(solution.game, state, move):
                plies = solution.remoteness(child)
                assert plies is not None
                waiting.setdefault(plies, {}).setdefault(key(child), child)
            yield _line(rank, move, state)


def _holding_strategy(solution: Solution, start: Any, player: Player) -> Iterator[str]:
    """Return the states in the order in which they are found."""
    key = _key(solution.game)
    states, known = [start], {key(start)}
    for state in states:
        move = _own_move(solution, state, player)
        for child in _children(solution.game, state, move):
            if (name := key(child)) not in known:
                known.add(name)
                states.append(child)
        yield _line(None, move, state)


def _own_move(solution: Solution, state: Any, player: Player) -> Move | None:
    """Return the player's best move, or None if it is the other player's turn."""
    return solution.moves(state)[0].move if solution.game.mover(state) == player else None


def _children(game: AnyGame, state: Any, move: Move | None) -> Iterator[Any]:
    """Return the undecided states after the move, or after every legal move if none is given."""
    moves: Iterable[Move] = game.legal_moves(state) if move is None else (move,)
    for child in (game.play(state, move) for move in moves):
        if game.outcome(child) == Outcome.UNDECIDED:
            yield child


def _key(game: AnyGame) -> Callable[[Any], Any]:
    """Return a function that is equal for states of which the certificate needs only one."""
    canonical = canonical_form(game)
    if not canonical or not has_proven_classes(game):
        return lambda state: state
    return lambda state: (game.mover(state), canonical(state))  # a canonical state may have another mover


def _line(rank: int | None, move: Move | None, state: Any) -> str:
    return json.dumps([rank, move, state], separators=(",", ":"))
