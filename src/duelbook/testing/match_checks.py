"""Checks of whole matches: that they end, that records and examples can be read, and that equal states play alike."""

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from duelbook.contract import Faults, long_game_faults
from duelbook.game import (
    AnyGame,
    CountsSuccessors,
    HasClassTable,
    HasOffensiveMoves,
    HasProfiles,
    IllegalMoveError,
    Outcome,
    canonical_form,
    move_names,
    offered_moves,
)
from duelbook.games import GAMES
from duelbook.match import Match
from duelbook.records import Person, from_json, to_json
from duelbook.records.record import check_result
from duelbook.study.audit import examples_of, replay_example
from duelbook.testing.fault import Fault
from duelbook.testing.sample import PositionSample

LONG_GAMES = 10  # that are played to their end
RECORDED_GAMES = 5
RECORDED_PLIES = 300
PEOPLE = (Person("Ann"), Person("Bob", "random"))


def end_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what shows that games do not end."""
    game, rng = sample.game, sample.rng
    if sample.complete and all(game.outcome(position.state) is Outcome.UNDECIDED for position in sample.positions):
        yield Fault("No game ever ends: none of the states that can be reached is decided.", None)
    for _ in range(LONG_GAMES):
        for reason, moves in long_game_faults(game, rng):
            yield Fault(reason, moves)


def record_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is wrong with the records of random matches. Only a registered game has a document."""
    game = sample.game
    registered = GAMES.find_name(type(game)) is not None
    for number in range(RECORDED_GAMES):
        match = Match(game, ply_limit=RECORDED_PLIES)
        while not match.over:
            match.play(sample.rng.choice(list(game.legal_moves(match.state))))
        record = match.record(PEOPLE, number % 2, seed=number)
        check_result(record)
        if registered and from_json(json.loads(json.dumps(to_json(record)))) != record:
            yield Fault("The record of a match is not the same when it is read again.", tuple(match.moves))


def example_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return which examples of the rule book do not follow the rules with default options. A ruling excuses it."""
    rules: Callable[[], AnyGame] = type(sample.game)
    game = rules()
    for example in examples_of(game):
        replayed = replay_example(game, example)
        if example.ruling:
            continue
        if replayed.broken_at:
            match, move = Match(game), example.moves[replayed.broken_at - 1]
            for name in example.moves[: replayed.broken_at - 1]:
                match.play(name)
            allowed = IllegalMoveError(move, move_names(game, match.state)).allowed()
            what = f"In the example '{example.title}', move {replayed.broken_at}, '{move}', is not legal. {allowed}"
            yield Fault(what, tuple(match.moves), game)
        elif example.winner and replayed.winner != example.winner:
            result = f"the moves lead to {replayed.winner}" if replayed.winner else "the game is undecided"
            yield Fault(f"In the example '{example.title}' the winner is {example.winner}, but {result}.", None, game)


def canonical_faults(game: AnyGame, state: Any) -> Faults:
    """Return what is wrong with `canonical`, its classes, `following` and `offends`, as far as the game has them."""
    if canonical := canonical_form(game):
        same = canonical(state)
        if canonical(same) != same:
            yield "canonical is not the same when it is applied twice."
        if _for_mover(game, same) != _for_mover(game, state):
            yield "The canonical state has another outcome for the player to move."
        if {*_following(game, state, canonical)} != {*_following(game, same, canonical)}:
            yield "The moves of the canonical state lead to other canonical states."
        yield from _class_faults(game, [game.play(state, move) for move in game.legal_moves(state)])
    if isinstance(game, CountsSuccessors) and game.outcome(state) is Outcome.UNDECIDED:
        if any(game.mover(game.play(state, move)) == game.mover(state) for move in game.legal_moves(state)):
            yield "following is only for games in which the players take turns strictly."
        if Counter(game.following(state)) != _following(game, state, canonical or (lambda state: state)):
            yield "following differs from what the moves lead to."
    if isinstance(game, HasOffensiveMoves) and not set(offered_moves(game, state)) <= {*game.legal_moves(state)}:
        yield "A move that is offered is not legal."


def _class_faults(game: AnyGame, states: list[Any]) -> Faults:
    """Return what is wrong with `class_of` and `profile_of` in these states, if the game has them."""
    table: Sequence[int] = array("q")
    if isinstance(game, HasClassTable):
        table = game.class_table()
        pairs = {(game.canonical(state), game.class_of(state, table)) for state in states}
        if not len(pairs) == len({form for form, _ in pairs}) == len({found for _, found in pairs}):
            yield "class_of does not tell the same states apart as canonical."
    if isinstance(game, HasProfiles):
        first: dict[Any, Any] = {}
        for state in states:
            other = first.setdefault(game.profile_of(state, table), state)
            if other != state:
                if _following(game, state, game.canonical) != _following(game, other, game.canonical):
                    yield "profile_of is the same for states from which not equally many moves lead to each class."
                return  # to compare all such states would take too long


def _for_mover(game: AnyGame, state: Any) -> object:
    outcome = game.outcome(state)
    return outcome == game.mover(state) if outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS) else outcome


def _following(game: AnyGame, state: Any, canonical: Any) -> Counter[Any]:
    return Counter(canonical(game.play(state, move)) for move in game.legal_moves(state))
