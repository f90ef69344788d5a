"""Checks of a game's guide: its examples are played by the rules, and its tips agree with exact values."""

import re
from collections.abc import Iterator
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import AnyGame, outcome_name, parse_move
from duelbook.guide import PlayedExample, Tip, game_of, read_guide
from duelbook.solve import solved, try_solve
from duelbook.testing.fault import Fault
from duelbook.testing.sample import PositionSample
from duelbook.text import shorten

NUMBER = re.compile(r"\d+")


def guide_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is wrong with the examples and tips of the game."""
    rules = type(sample.game)
    guide = read_guide(rules)
    if guide is None:
        return
    for example in guide.example:
        yield from _faults(f"The example '{shorten(example.title)}'", example_problems(rules, example))
    for tip in guide.tip:
        yield from _faults(f"The tip '{shorten(tip.text)}'", tip_problems(rules, tip))


def _faults(which: str, problems: Iterator[str]) -> Iterator[Fault]:
    try:
        for problem in problems:
            yield Fault(f"{which} is wrong: {problem}", None)
    except RefusedError as error:
        yield Fault(f"{which} cannot be played: {error}", None)


def example_problems(rules: type[AnyGame], example: PlayedExample) -> Iterator[str]:
    """Return what is wrong with an example: its remarks, the numbers in them, or its winner."""
    if len(example.says) != len(example.moves):
        yield f"it has {len(example.moves)} moves and {len(example.says)} remarks."
        return
    game = game_of(rules, example)
    state = game.initial()
    for name, remark in zip(example.moves, example.says, strict=True):
        after = game.play(state, parse_move(game, state, name))
        known = NUMBER.findall(f"{name} {game.render(state)} {game.render(after)}")
        for number in NUMBER.findall(remark):
            if number not in known and not _is_difference(int(number), [*map(int, known)]):
                yield f"'{shorten(remark)}' names {number}, which is not in the position."
        state = after
    winner = outcome_name(game.outcome(state))
    if winner != (example.winner or "none"):
        yield f"its winner is '{winner}', not '{example.winner or 'none'}'."


def _is_difference(number: int, known: list[int]) -> bool:
    """Return True if so much is missing from one number to another, as in `2 more are needed`."""
    return any(low + number in known for low in known)


def tip_problems(rules: type[AnyGame], tip: Tip) -> Iterator[str]:
    """Return what exact values say against a tip. Of a game that is too large to be solved, nothing is known."""
    game = game_of(rules, tip)
    state: Any = game.initial()
    for name in tip.after:
        state = game.play(state, parse_move(game, state, name))
    right, wrong = ([parse_move(game, state, name) for name in names] for names in (tip.right, tip.wrong))
    if not right or not wrong:
        yield "it needs moves that are right and moves that are wrong."
    if not try_solve(game):
        return
    values = {one.move: one.value for one in solved(game).moves(state)}
    best = max(values.values())
    yield from (f"{game.move_name(state, move)} gives value away." for move in right if values[move] != best)
    yield from (f"{game.move_name(state, move)} is as good as any." for move in wrong if values[move] == best)
