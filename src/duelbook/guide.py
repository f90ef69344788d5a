"""The guide to a game: played examples and tips, in `guide.toml` beside its rules. `duelbook check` proves them."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, SeatName, parse_move
from duelbook.game_errors import BrokenGameError
from duelbook.game_folder import game_file
from duelbook.options import drawn_options, read_options, write_options

FILE = "guide.toml"


@dataclass(frozen=True)
class PlayedExample:
    """A game, or the beginning of one, with a remark on every move."""

    title: str
    moves: list[str]
    says: list[str]  # one remark for each move
    winner: SeatName | None = None
    options: dict[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Tip:
    """Advice, and the position that proves it: its right moves keep the win, its wrong ones give it away."""

    text: str
    right: list[str]
    wrong: list[str]
    after: list[str] = field(default_factory=list)
    options: dict[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True)
class Guide:
    """The examples and tips of a game, in the order of its file."""

    example: list[PlayedExample] = field(default_factory=list)
    tip: list[Tip] = field(default_factory=list)


def read_guide(rules: type[AnyGame]) -> Guide | None:
    """Return the guide to a game, or None if it has none. Raise BrokenGameError if the file cannot be read."""
    from duelbook.documents import convert  # loads msgspec, which few commands need

    file = game_file(rules, FILE)
    if file is None:
        return None
    try:
        return convert(tomllib.loads(file.read_text(encoding="utf-8")), Guide)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RefusedError) as error:
        raise BrokenGameError(f"The game {rules.__name__} is broken: {file}: {error}") from error


def game_of(rules: type[AnyGame], entry: PlayedExample | Tip) -> AnyGame:
    """Return the game that an example or a tip is about: with the rules of the book, apart from its options."""
    return rules(**read_options(rules, entry.options))


def guide_text(game: AnyGame) -> str:
    """Return the examples and tips of a game as Markdown; an empty text if it has none.

    Raise BrokenGameError if something in them is wrong.
    """
    rules = type(game)
    guide = read_guide(rules)
    if guide is None:
        return ""
    lines = ["## Examples", "", *_note(game)]
    try:
        for example in guide.example:
            lines += _example(game_of(rules, example), example)
    except RefusedError as error:
        raise BrokenGameError(f"The game {rules.__name__} is broken: {FILE}: {error}") from error
    lines += ["## Tips", "", *(f"- {tip.text}{_with(tip.options)}" for tip in guide.tip), ""]
    return "\n".join(lines)


def _note(game: AnyGame) -> Iterator[str]:
    book: Any = type(game)
    drawn, chosen, standard = drawn_options(type(game)), write_options(game), write_options(book())
    if any(chosen[name] != standard[name] for name in chosen.keys() - {*drawn}):
        yield "The examples and tips are about the rules of the book, not about the options that you have chosen."
        yield ""


def _example(game: AnyGame, example: PlayedExample) -> Iterator[str]:
    """Return the lines of an example: its moves with the remarks, and the position at its end."""
    state = game.initial()
    yield f"### {example.title}{_with(example.options)}"
    yield ""
    for number, (name, remark) in enumerate(zip(example.moves, example.says, strict=False), 1):
        yield f"{number}. {SEAT_NAMES[game.mover(state)].capitalize()} player, `{name}`: {remark}"
        state = game.play(state, parse_move(game, state, name))
    yield ""
    yield "The position at the end:"  # between a list and a block, which would else belong to the list
    yield ""
    yield from (f"    {line}" for line in game.render(state).splitlines())
    yield ""


def _with(options: dict[str, int | str]) -> str:
    return f" (with {', '.join(f'{name}={value}' for name, value in options.items())})" if options else ""
