"""Checks of what people read and type: options, names of moves, boards as text and as JSON, and the narration."""

import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import is_dataclass
from enum import IntEnum
from functools import partial
from itertools import islice, product
from typing import Any
from xml.etree import ElementTree

from duelbook.board import Position, board_of, history_of, position_svg
from duelbook.board.general import MAX_CELLS
from duelbook.board.model import cells_of
from duelbook.board.picking import Picking, runs
from duelbook.contract import NOT_HASHABLE, Faults, legal_list, names_of_one
from duelbook.errors import RefusedError
from duelbook.features import features_of
from duelbook.game import PASS, AnyGame, Outcome, Reason, parse_move, state_view
from duelbook.game_errors import raised_text
from duelbook.game_folder import game_file
from duelbook.games.registry import check_rules
from duelbook.narration import AnyNarration, Seating, Turn, Voice, narration_for
from duelbook.options import draw, drawn_options, options_of, pairs_text, read_options, write_options
from duelbook.presets import presets_of
from duelbook.rules_text import FILE as RULES_FILE
from duelbook.rules_text import Medium, check_rules_text, fill_rules
from duelbook.study.lessons import lesson_faults, own_lesson
from duelbook.testing.fault import Fault
from duelbook.testing.sample import PositionSample
from duelbook.text import fold, quote, sanitize, shorten

MAX_EXACT = 2**53  # a browser reads smaller whole numbers exactly
DRAWN_POSITIONS = 40  # whose boards are drawn
PICTURED_NAMES = ("Ann & <b>", "W" * 32)
NARRATED_POSITIONS = 200
DRAWS = 5


def option_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is wrong with the options."""
    rules, games = type(sample.game), [sample.game]
    check_rules(rules)
    assert is_dataclass(rules)
    games += [draw(sample.game, sample.rng) for _ in range(DRAWS)]
    for game in games:
        try:
            hash(game)
        except TypeError:
            yield Fault(NOT_HASHABLE, None)
            continue
        texts = {name: str(value) for name, value in write_options(game).items()}
        same = rules(**read_options(rules, texts))
        if same != game or hash(same) != hash(game):
            yield Fault(f"The options {shorten(str(texts))} written as text make another game: {same!r}.", None)


def preset_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is wrong with the presets: options that the rules refuse, or two presets with the same ones."""
    rules = type(sample.game)
    made: dict[AnyGame, str] = {}
    for name, preset in presets_of(rules).items():
        try:
            game = rules(**read_options(rules, preset.options))
        except RefusedError as error:
            yield Fault(f"The preset '{name}' cannot be played: {error}", None)
            continue
        if game in made:
            yield Fault(f"The presets '{made[game]}' and '{name}' have the same options.", None)
        made[game] = name


def rules_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is wrong with the rules page: placeholders that cannot be filled in, whatever the options are."""
    page = game_file(sample.game, RULES_FILE)
    if page is None:
        return
    rules: Callable[[], AnyGame] = type(sample.game)
    source = page.read_text(encoding="utf-8", errors="replace")
    check_rules_text(source, rules())
    for game in _with_other_options(sample.game):
        for medium, unknown in product(Medium, ((), drawn_options(type(game)))):
            try:
                fill_rules(source, game, medium, unknown)
            except RefusedError as error:
                yield Fault(str(error), None, game)


def _with_other_options(game: AnyGame) -> Iterator[AnyGame]:
    """Return the game with the lowest and highest value of each number, and every member of each choice."""
    rules = type(game)
    for option in options_of(rules):
        values = [*option.type] if issubclass(option.type, IntEnum) else [*(option.limits or ())]
        for value in values if option.items is None else ():
            with suppress(RefusedError):  # not every combination is a game
                yield rules(**(read_options(rules, write_options(game)) | {option.name: value}))


def step_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is wrong with the game's own lesson."""
    lesson = own_lesson(type(sample.game))
    for reason in lesson_faults(lesson) if lesson else ():
        yield Fault(reason, None)


def draw_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is wrong with the options that are drawn: chance, or another number of moves or observations."""
    names = drawn_options(type(sample.game))
    layout = [feature.elements for feature in features_of(sample.game)]
    for seed in range(DRAWS if names else 0):
        one, again = (draw(sample.game, random.Random(seed)) for _ in range(2))
        texts = [pairs_text(game, names) for game in (one, again)]
        if one != again:
            yield Fault(f"The same seed draws {' and then '.join(texts)}. Use only the generator that is given.", None)
        if one.num_moves != sample.game.num_moves:
            yield Fault(f"With {texts[0]} num_moves is {one.num_moves}, not {sample.game.num_moves}.", None)
        elif [feature.elements for feature in features_of(one)] != layout:
            yield Fault(f"With {texts[0]} observations have other elements than with the default start.", None)


def name_faults(game: AnyGame, state: Any) -> Faults:
    """Return what is wrong with the names of the moves."""
    names: dict[str, int] = {}
    for move in legal_list(game, state):
        name = game.move_name(state, move)
        if not isinstance(name, str) or not name or name != sanitize(" ".join(name.split())):
            yield f"The move number {move} has the name {name!r}; it must be printable text with single spaces."
            return
        if fold(name) in names:
            yield f"The moves number {names[fold(name)]} and {move} have the same name '{name}'. Case does not matter."
        names[fold(name)] = move
    if PASS in names and len(names) > 1:
        yield "A move is named 'pass', which the program plays when nothing else is legal, but other moves are legal."
    for name in (*names,)[:1] + (*names,)[-1:]:  # parse_move reads the names of all legal moves
        if parse_move(game, state, f"  {name.upper().replace(' ', '   ')} ") != names[name]:
            yield f"The name '{name}' of the move number {names[name]} is read as another move."


def show_faults(game: AnyGame, state: Any) -> Faults:
    """Return what is wrong with the text and the view of a state."""
    text = game.render(state)
    if not isinstance(text, str) or text != "\n".join(line.rstrip() for line in text.strip().splitlines()):
        yield f"render must return text without spaces at the ends of its lines, not {shorten(repr(text))}."
    elif text != sanitize(text):
        yield f"render returns characters that cannot be printed: {shorten(repr(text))}."
    view = state_view(game, state)
    shown = json.dumps(view)
    if json.loads(shown) != view:
        yield f"The view is not the same when it is read from JSON: {shorten(repr(view))}."
    wide = [number for number in re.findall(r"(?<![\"\w.])-?\d+", shown) if abs(int(number)) >= MAX_EXACT]
    if wide and hasattr(game, "view"):
        yield f"The view holds {wide[0]}; a browser reads only whole numbers below 2**53 exactly."


def narration_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is wrong with the narration."""
    for seating in (Seating(), Seating(("Ann", "Bob"), 1, (True, False))):
        narration = narration_for(sample.game, seating)
        for moves, state in sample.some(NARRATED_POSITIONS):
            for name, about, say in _texts(sample.game, narration, state, moves):
                try:
                    text = say()
                except Exception as error:
                    yield Fault(f"The narration fails{about}: {raised_text(error, type(sample.game))}", moves)
                    continue
                if not isinstance(text, str):
                    what = f"The narration's {name}{about} is {shorten(repr(text))}; it must be text."
                    yield Fault(what, moves)


def board_faults(sample: PositionSample) -> Iterator[Fault]:
    """Return what is wrong with the board of the game: it cannot be drawn, or a move cannot be pressed on it."""
    for moves, _ in sample.some(DRAWN_POSITIONS):
        try:
            state, history = history_of(sample.game, moves)
            for known in (history, []):  # a notebook knows only the state
                ElementTree.fromstring(position_svg(sample.game, state, known, PICTURED_NAMES))
            position = Position(sample.game, state, history)
            words = {each for cell in cells_of(board_of(position)) for each in cell.words}
            legal = list(islice(position.legal, MAX_CELLS))
        except Exception as error:
            yield Fault(f"The board fails: {raised_text(error, type(sample.game))}", moves)
            continue
        picking = Picking(legal)
        for name in legal:
            picking.pick([each for each in runs(name) if each in words])
            if picking.left != {name} or not picking.picked:
                yield Fault(f"The move {quote(name)} cannot be pressed on the board.", moves)
                break


Said = tuple[str, str, Callable[[], object]]  # the method, what it is about if there are several, and how to call it


def _texts(game: AnyGame, narration: AnyNarration, state: Any, moves: tuple[int, ...]) -> Iterator[Said]:
    """Return what the narration says about a position."""
    yield "board", "", partial(narration.board, state)
    if game.outcome(state) is Outcome.UNDECIDED:
        yield "heading", "", partial(narration.heading, state, moves)
        yield "legal", "", partial(narration.legal, state)
        yield "ask", "", lambda: next(narration.ask(state))
        yield "why", "", partial(narration.why, state, "?")
        for reason in (Reason.RESIGNATION, Reason.TIME, Reason.FORFEIT, Reason.ABSENCE):
            yield "ending", "", partial(narration.ending, state, moves, Outcome.FIRST_WINS, reason)
        legal = legal_list(game, state)
        for move in (legal[0], legal[-1]):
            turn = Turn(state, move, game.play(state, move), moves)
            yield "short_name", "", partial(narration.short_name, state, move)
            told = partial(narration.tell_move, game.move_name(state, move), Voice("Player 2", "you"))
            yield "tell_move", f" for the move {names_of_one(game, state, move)}", told
            yield (
                "explain",
                f" for the move {names_of_one(game, state, move)}",
                partial(narration.explain, state, move, Voice()),
            )
            yield "announce", f" for the move {names_of_one(game, state, move)}", partial(narration.announce, turn)
    else:
        outcome = game.outcome(state)
        yield "ending", "", partial(narration.ending, state, moves, outcome, Reason.RULES)
        yield "result", "", partial(narration.result, state, moves, outcome, Reason.RULES)
    if not moves:
        yield "greeting", "", narration.greeting
