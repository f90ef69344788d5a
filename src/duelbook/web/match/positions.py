"""Games and positions that requests ask for: lines of moves as the page draws them, and demonstration games."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict

from duelbook.agents import make_built_in
from duelbook.board import Played, Position, history_of
from duelbook.contract import verify_once
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, HasOffensiveMoves, Move, Outcome, move_names, outcome_name
from duelbook.game_errors import BrokenGameError
from duelbook.games import find_rules, make, name_of, read_rules, rules_text
from duelbook.match import Match
from duelbook.options import draw, options_of, write_options
from duelbook.presets import expand_preset, presets_of
from duelbook.records.record import replay
from duelbook.rules_text import Medium
from duelbook.text import shorten
from duelbook.web.match.shown import log_once, shown_board, shown_short_name, shown_text, shown_view
from duelbook.web.schemas.lessons import PlayedBy, RulesPicture, RulesView, Snapshot
from duelbook.web.schemas.studies import Line, PositionView

DEMONSTRATION_AGENT = "expert"
QUICK_AGENT = "hard"  # in a game that is too large to be solved: it searches, and expert would search longer
DEMONSTRATION_TRIES = 8
QUICK_TRIES = 1
MIN_DEMONSTRATION_PLIES = 4
MAX_DEMONSTRATION_PLIES = 24


def requested_game(name: str, options: Mapping[str, Any]) -> AnyGame:
    """Return the game that a request asks for. Raise RefusedError if it is invalid, names a file, or is broken."""
    options = expand_preset(find_rules(name), options)
    refuse_files(name, options)
    game = make(name, **options)
    verify_once(game)
    return game


def refuse_files(name: str, options: Mapping[str, Any]) -> None:
    """Raise RefusedError if an option of the request names a file: no file is read for a request."""
    for option in options_of(find_rules(name)):
        if option.names_or_file and option.name in options:
            value, names = options[option.name], option.names_or_file.names
            if value not in names:
                raise RefusedError(f"{option.name} cannot be '{shorten(str(value))}'; valid: {', '.join(names)}.")


def line_of(game: AnyGame, names: Iterable[str]) -> Line:
    """Return the positions from the start to the one after the named moves; raise on the first illegal move."""
    history, short, states = list[Played](), [], [game.initial()]
    for move, state in replay(game, names):
        history.append(Played(game.mover(states[-1]), game.move_name(states[-1], move)))
        short.append(shown_short_name(game, states[-1], move))
        states.append(state)
    return Line(
        game=name_of(game),
        options=write_options(game),
        moves=[played.move for played in history],
        short=short,
        positions=[_position(game, state, history[:ply]) for ply, state in enumerate(states)],
    )


def snapshot_of(game: AnyGame, moves: Iterable[Move]) -> Snapshot:
    """Return the position after these moves, which must be legal, and who made them."""
    state, history = history_of(game, moves)
    made = [PlayedBy(move=played.move, seat=SEAT_NAMES[played.seat]) for played in history]
    return Snapshot(history=made, position=_position(game, state, history))


def shown_rules(game: AnyGame, unknown: Collection[str]) -> RulesView:
    """Return the rules with the options of the game, for the page. `unknown` names those that are not known yet."""
    try:
        text, pictures = read_rules(game, Medium.PAGE, unknown)
    except BrokenGameError as error:
        log_once(str(error))
        text, pictures = rules_text(game), ()
    return RulesView(
        game=name_of(game),
        options=write_options(game),
        text=text,
        pictures=[
            RulesPicture(caption=picture.caption, **asdict(snapshot_of(game, picture.moves))) for picture in pictures
        ],
    )


def replayed(game: AnyGame, names: Iterable[str]) -> tuple[list[Move], Any]:
    """Return the named moves, and the state after them; raise on the first illegal move."""
    steps = list(replay(game, names))
    return [move for move, _ in steps], steps[-1][1] if steps else game.initial()


def _position(game: AnyGame, state: Any, history: Sequence[Played]) -> PositionView:
    outcome = game.outcome(state)
    return PositionView(
        ply=len(history),
        mover=SEAT_NAMES[game.mover(state)] if outcome == Outcome.UNDECIDED else None,
        outcome=outcome_name(outcome),
        legal=list(move_names(game, state)),
        text=shown_text(game, state),
        view=shown_view(game, state),
        board=shown_board(Position(game, state, history)),
    )


def demonstrate(game: str, day: str, solvable: bool = True) -> Line:
    """Return the demonstration game of the day, played well and up to a win: the longest of several.

    It has the rule book's options, unless these make a game too short to be worth looking at. A preset is taken then.
    """
    agent, tries = (DEMONSTRATION_AGENT, DEMONSTRATION_TRIES) if solvable else (QUICK_AGENT, QUICK_TRIES)
    played: list[Match] = []
    for preset in presets_of(find_rules(game)):
        rules = draw(make(game, preset=preset), random.Random(f"draw {day}"))
        seeds = [f"{game} {day} {number}" for number in range(tries)]
        played += [_self_play(rules, agent, seed) for seed in seeds]
        if not solvable or any(not match.over or len(match.moves) >= MIN_DEMONSTRATION_PLIES for match in played):
            break
    best = max(played, key=_rank)
    names = [best.game.move_name(state, move) for state, move in zip(best.states, best.moves, strict=False)]
    return line_of(best.game, names)


def _rank(match: Match) -> tuple[bool, bool, int]:
    """Return how good a match is to look at: that it ended, that somebody won, and its length."""
    return match.over, match.outcome in (Outcome.FIRST_WINS, Outcome.SECOND_WINS), len(match.moves)


def _self_play(game: AnyGame, agent_name: str, seed: str) -> Match:
    """Return a game of an agent against itself, up to its end, the limit, or an offensive word (WC-4)."""
    match = Match(game)
    agent = make_built_in(agent_name, seed)
    while not match.over and len(match.moves) < MAX_DEMONSTRATION_PLIES:
        move = agent.choose(match)
        if isinstance(match.game, HasOffensiveMoves) and match.game.offends(match.state, move):
            break
        match.play(move)
    return match
