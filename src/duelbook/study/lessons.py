"""Lessons: small positions of a game, each with a task that shows one rule. A game has its own in `lesson.toml`."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field

from duelbook.agents.greedy import loses_at_once
from duelbook.documents import convert
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, Move, Outcome, offered_moves, parse_move, won_by
from duelbook.game_errors import BrokenGameError
from duelbook.game_folder import game_file
from duelbook.options import read_options
from duelbook.presets import expand_preset
from duelbook.solve import Value, solved
from duelbook.text import sanitize, shorten

FILE = "lesson.toml"
MAX_STEPS = 12
MAX_MOVES = 60  # that lead to a position
MAX_TITLE_CHARACTERS = 40
MAX_TEXT_CHARACTERS = 240
TRY_AGAIN = "That is not it. Try again."


class Condition(StrEnum):
    """What a move has to do."""

    ANY = "any"  # it is legal
    WINS_NOW = "wins-now"  # it ends the game, and the player wins
    WINS = "wins"  # the player wins with best play; by exact values
    SAFE = "safe"  # the opponent cannot win on the next move


class Step(NamedTuple):
    """A position with a task."""

    game: AnyGame
    moves: tuple[Move, ...]  # that led to the position
    state: Any
    title: str
    task: str
    accepted: tuple[Move, ...] | Condition
    then: tuple[str, ...]  # the moves that are shown after an accepted one
    right: str
    wrong: str
    why: Mapping[Move, str]  # what is said about a certain move instead

    def accepts(self, move: Move) -> bool:
        """Return True if the move does what the task asks for."""
        if isinstance(self.accepted, Condition):
            return move in moves_that(self.game, self.state, self.accepted)
        return move in self.accepted


class Lesson(NamedTuple):
    """The steps of a lesson, in order."""

    steps: tuple[Step, ...]
    general: bool  # it was found by search, since the game has no lesson of its own


class Answer(NamedTuple):
    """What is said and shown after a move was tried."""

    right: bool
    text: str
    following: tuple[str, ...]  # the moves after the one that was tried


@lru_cache(maxsize=256)
def moves_that(game: AnyGame, state: Any, condition: Condition) -> frozenset[Move]:
    """Return the legal moves that do what the condition says."""
    legal, mover = [*game.legal_moves(state)], game.mover(state)
    if condition is Condition.ANY:
        return frozenset(legal)
    if condition is Condition.SAFE:
        return frozenset(move for move in legal if not loses_at_once(game, game.play(state, move), mover))
    if condition is Condition.WINS_NOW:
        return frozenset(move for move in legal if game.outcome(game.play(state, move)) == won_by(mover))
    return frozenset(scored.move for scored in solved(game).moves(state) if scored.value is Value.WIN)


def answer(step: Step, move: Move) -> Answer:
    """Return what follows when the move is tried. The move must be legal."""
    if step.accepts(move):
        return Answer(True, step.why.get(move, step.right), step.then)
    reply = winning_reply(step.game, step.game.play(step.state, move), step.game.mover(step.state))
    if move in step.why:
        return Answer(False, step.why[move], (reply,) if reply else ())
    named = (
        f"replies {reply} and wins" if reply and reply.count(" ") < 2 else "has a reply that wins, as the board shows"
    )
    shown = f" Your opponent {named}." if reply else ""
    return Answer(False, f"{step.wrong}{shown}", (reply,) if reply else ())


def winning_reply(game: AnyGame, state: Any, player: int) -> str | None:
    """Return the name of a move with which the opponent of the player wins at once, or None."""
    if game.outcome(state) != Outcome.UNDECIDED or game.mover(state) == player:
        return None
    lost = won_by(1 - player)
    winning = (move for move in offered_moves(game, state) if game.outcome(game.play(state, move)) == lost)
    return next((game.move_name(state, move) for move in winning), None)


# The file


class _Step(Struct, kw_only=True, forbid_unknown_fields=True):
    """A step in the file."""

    title: str
    task: str
    accept: str | list[str]
    right: str
    options: dict[str, int | str] = field(default_factory=dict)
    after: list[str] = field(default_factory=list)
    then: list[str] = field(default_factory=list)
    wrong: str = TRY_AGAIN
    why: dict[str, str] = field(default_factory=dict)


class _File(Struct, forbid_unknown_fields=True):
    """The file of a lesson."""

    step: list[_Step]


@cache
def own_lesson(rules: type[AnyGame]) -> Lesson | None:
    """Return the lesson in the game's folder, or None if there is none. Raise BrokenGameError if it is wrong."""
    file = game_file(rules, FILE)
    try:
        return read_lesson(file, rules) if file else None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RefusedError) as error:
        raise BrokenGameError(f"The game {rules.__name__} is broken: {file}: {error}") from error


def read_lesson(file: Path, rules: type[AnyGame]) -> Lesson:
    """Return the lesson in the file; raise RefusedError or TOMLDecodeError if it is wrong."""
    found = convert(tomllib.loads(file.read_text(encoding="utf-8")), _File).step
    if not 1 <= len(found) <= MAX_STEPS:
        raise RefusedError(f"A lesson has 1 to {MAX_STEPS} steps, not {len(found)}.")
    return Lesson(tuple(_numbered(number, _step, rules, entry) for number, entry in enumerate(found, 1)), False)


def _numbered(number: int, read: Callable[..., Step], *arguments: Any) -> Step:
    """Return the step, or raise RefusedError with its number."""
    try:
        return read(*arguments)
    except RefusedError as error:
        raise RefusedError(f"Step {number}: {error}") from error


def _step(rules: type[AnyGame], entry: _Step) -> Step:
    """Return the step that the entry describes; raise RefusedError if it cannot be played."""
    _check_line("title", entry.title, MAX_TITLE_CHARACTERS)
    for name in ("task", "right", "wrong"):
        _check_line(name, getattr(entry, name))
    game = rules(**read_options(rules, expand_preset(rules, entry.options)))
    moves, state = _played(game, game.initial(), entry.after)
    if game.outcome(state) != Outcome.UNDECIDED:
        raise RefusedError("The game is over in this position.")
    step = Step(
        game=game,
        moves=moves,
        state=state,
        title=entry.title,
        task=entry.task,
        accepted=_accepted(game, state, entry.accept),
        then=(),
        right=entry.right,
        wrong=entry.wrong,
        why={parse_move(game, state, name): _check_line("why", text) for name, text in entry.why.items()},
    )
    return step._replace(then=_continuation(step, entry.then))


def _check_line(name: str, text: str, most: int = MAX_TEXT_CHARACTERS) -> str:
    if not 1 <= len(text) <= most or sanitize(text) != text or "\n" in text:
        raise RefusedError(f"{name} must be one printable line of at most {most} characters.")
    return text


def _played(game: AnyGame, state: Any, names: list[str]) -> tuple[tuple[Move, ...], Any]:
    if len(names) > MAX_MOVES:
        raise RefusedError(f"A position is at most {MAX_MOVES} moves away from the start, not {len(names)}.")
    moves: list[Move] = []
    for name in names:
        moves.append(parse_move(game, state, name))
        state = game.play(state, moves[-1])
    return tuple(moves), state


def _accepted(game: AnyGame, state: Any, accept: str | list[str]) -> tuple[Move, ...] | Condition:
    if isinstance(accept, str):
        return _condition(accept)
    if not accept:
        raise RefusedError("No move is accepted.")
    return tuple(parse_move(game, state, name) for name in accept)


def _condition(text: str) -> Condition:
    try:
        return Condition(text)
    except ValueError as error:
        raise RefusedError(f"Unknown condition '{shorten(text)}'; valid: {', '.join(Condition)}.") from error


def _continuation(step: Step, names: list[str]) -> tuple[str, ...]:
    """Return the names of the moves after an accepted one; they must be legal after each of these."""
    shown: tuple[str, ...] = ()
    for move in accepted_moves(step) if names else ():
        state, written = step.game.play(step.state, move), []
        for name in names:
            played = parse_move(step.game, state, name)
            written.append(step.game.move_name(state, played))
            state = step.game.play(state, played)
        shown = tuple(written)
    return shown


def accepted_moves(step: Step) -> list[Move]:
    """Return the legal moves that the step accepts."""
    return [move for move in step.game.legal_moves(step.state) if step.accepts(move)]


def lesson_faults(lesson: Lesson) -> Iterator[str]:
    """Return a sentence on each step that cannot be passed, or that cannot be failed although it lists its moves."""
    for number, step in enumerate(lesson.steps, 1):
        legal, accepted = list(step.game.legal_moves(step.state)), accepted_moves(step)
        if not accepted:
            yield f"Step {number}: no legal move does what the task asks for."
        elif len(accepted) == len(legal) and step.accepted is not Condition.ANY and len(legal) > 1:
            yield f"Step {number}: every legal move is accepted; write accept = '{Condition.ANY}'."
