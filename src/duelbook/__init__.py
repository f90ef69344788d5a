"""Duelbook: two-player strategy games, exactly as their rule books say.

This is the public API. Names are imported when they are first used, so that `import duelbook` is quick, and so that the
program can handle Ctrl-C before it loads anything.
"""

TYPE_CHECKING = False  # as type checkers know it, without loading `typing`

if TYPE_CHECKING:
    from duelbook import agents as agents
    from duelbook import arena as arena
    from duelbook import board as board
    from duelbook import envs as envs
    from duelbook import lab as lab
    from duelbook import solve as solve
    from duelbook import study as study
    from duelbook.agents import Agent, Forfeit, make_agent
    from duelbook.arena import play_match
    from duelbook.arena.calls import evaluate, tournament
    from duelbook.board import picture_of
    from duelbook.errors import MissingExtraError, RefusedError
    from duelbook.game import Game, IllegalMoveError, Move, Outcome, Player, parse_move, perft
    from duelbook.games import GAMES, make
    from duelbook.match import Match, ReadOnlyMatch
    from duelbook.records import Record, load_record, save_record
    from duelbook.study import audit_game, find_puzzle, hint, puzzle_of_the_day, regret, review_game

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Agent",
    "Forfeit",
    "Game",
    "IllegalMoveError",
    "Match",
    "MissingExtraError",
    "Move",
    "Outcome",
    "Player",
    "ReadOnlyMatch",
    "Record",
    "RefusedError",
    "audit_game",
    "evaluate",
    "find_puzzle",
    "hint",
    "load_record",
    "make",
    "make_agent",
    "parse_move",
    "perft",
    "picture_of",
    "play_match",
    "puzzle_of_the_day",
    "regret",
    "review_game",
    "save_record",
    "tournament",
]

MODULES = ("agents", "arena", "board", "envs", "lab", "solve", "study")  # imported when they are first used

LAZY = {  # the module of each name
    "GAMES": "games",
    "Agent": "agents",
    "Forfeit": "agents",
    "Game": "game",
    "IllegalMoveError": "game",
    "Match": "match",
    "MissingExtraError": "errors",
    "Move": "game",
    "Outcome": "game",
    "Player": "game",
    "ReadOnlyMatch": "match",
    "Record": "records",
    "RefusedError": "errors",
    "audit_game": "study",
    "evaluate": "arena.calls",
    "find_puzzle": "study",
    "hint": "study",
    "load_record": "records",
    "make": "games",
    "make_agent": "agents",
    "parse_move": "game",
    "perft": "game",
    "picture_of": "board",
    "play_match": "arena",
    "puzzle_of_the_day": "study",
    "regret": "study",
    "review_game": "study",
    "save_record": "records",
    "tournament": "arena.calls",
}


if not TYPE_CHECKING:  # or type checkers would accept any name

    def __getattr__(name: str) -> object:
        from importlib import import_module

        if name in LAZY:
            found = globals()[name] = getattr(import_module(f"duelbook.{LAZY[name]}"), name)
            return found
        if name in MODULES:
            return import_module(f"duelbook.{name}")
        raise AttributeError(f"module 'duelbook' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, *MODULES, "__version__"]
