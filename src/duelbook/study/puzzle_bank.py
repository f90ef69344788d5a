"""The bank of puzzles: positions of every kind and level that a game has. So it is known which levels there are.

A game has a bank in its folder, or one is found by a survey and kept in the cache folder.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from duelbook.documents import read
from duelbook.errors import RefusedError
from duelbook.files import write_atomic
from duelbook.game import AnyGame, Move, Outcome
from duelbook.game_folder import game_file
from duelbook.games import is_registered, make, name_of
from duelbook.match import ply_limit
from duelbook.options import draw, drawn_options, write_options
from duelbook.solve import ScoredMove, Value, solved
from duelbook.solve.cache import puzzles_file
from duelbook.study import puzzle_kinds
from duelbook.study.puzzle_kinds import KIND_TEXTS, Puzzle, PuzzleKind, puzzles_at

BANK_FILE = "puzzles.txt"  # in the folder of a game: puzzles with the options of the rule book
MAX_GAMES_SURVEYED = 150  # for the bank of a game that has no file
MAX_POSITIONS_SURVEYED = 1500
MAX_DRAWS_SURVEYED = 10  # of a game that starts from a draw
MAX_BANKED = 24  # puzzles of one kind and level
STRAY_PROBABILITY = 0.4  # of playing any move instead of the best one in the games of a survey

Place = tuple[AnyGame, tuple[Move, ...]]
Bank = dict[tuple[PuzzleKind, int], list[Place]]  # games and moves, by kind and level


def puzzle_levels(game: str | AnyGame) -> dict[PuzzleKind, list[int]]:
    """Return the kinds of puzzles that the game has, and the levels of each."""
    cells = sorted(bank_of(game))
    return {
        kind: [at for one, at in cells if one is kind] for kind in PuzzleKind if any(one is kind for one, _ in cells)
    }


def check_available(game: str | AnyGame, level: int | None, kind: PuzzleKind | None) -> None:
    """Raise RefusedError, with what there is, if the game has no puzzle of this level and kind. None is any."""
    known = puzzle_levels(game)
    if any(kind in (None, one) and (level is None or level in levels) for one, levels in known.items()):
        return
    if not known:
        raise RefusedError("This game has no puzzle. Try another game.")
    of_other_kinds = level is not None and any(level in levels for levels in known.values())
    wanted = wanted_text(level, kind, usual=None if of_other_kinds else PuzzleKind.WIN)
    raise RefusedError(f"This game has no puzzle{wanted}. It has: {levels_text(known)}.")


def wanted_text(level: int | None, kind: PuzzleKind | None, *, usual: PuzzleKind | None = PuzzleKind.WIN) -> str:
    """Return ` of the kind 'trap' (a tempting move loses) of level 5`, as far as that is wanted. None is any.

    The usual kind is not named.
    """
    of_kind = f" of the kind '{kind}' ({KIND_TEXTS[kind]})" if kind not in (None, usual) else ""
    return f"{of_kind}{f' of level {level}' if level is not None else ''}"


def levels_text(levels: dict[PuzzleKind, list[int]]) -> str:
    """Return `win (level 1), trap (levels 2, 3)`."""
    return ", ".join(
        f"{kind} (level{'s' if len(known) > 1 else ''} {', '.join(map(str, known))})" for kind, known in levels.items()
    )


@lru_cache(maxsize=32)
def bank_of(game: str | AnyGame) -> Bank:
    """Return positions with puzzles: those in the game's folder, those of a kept survey, or those found now."""
    found = known_bank(game)
    if found is None:
        found = survey(game, MAX_GAMES_SURVEYED, MAX_POSITIONS_SURVEYED)
        if kept := _kept_file(game):
            _keep(kept, found)
    return found


def known_bank(game: str | AnyGame) -> Bank | None:
    """Return the bank if it needs no survey, which may take long."""
    rules = make(game)
    file = game_file(rules, BANK_FILE)
    if file and rules == type(rules)():
        bank: Bank = {}
        for kind, level, *moves in (line.split() for line in file.read_text().splitlines()):
            bank.setdefault((PuzzleKind(kind), int(level)), []).append((rules, tuple(map(int, moves))))
        return bank
    kept = _kept_file(game)
    return _read_kept(kept, name_of(rules)) if kept else None


def _kept_file(game: str | AnyGame) -> Path | None:
    """Return the file for a survey of the game, if it is registered."""
    rules = make(game)
    return puzzles_file(rules, drawn=_is_drawn(game)) if is_registered(rules) else None


def listed_places(game: str | AnyGame, level: int | None, kind: PuzzleKind | None) -> list[Place]:
    """Return the positions in the bank that have a puzzle of this level and kind. None is any."""
    cells = bank_of(game).items()
    return [place for (one, at), found in cells if kind in (None, one) and level in (None, at) for place in found]


# A survey: some games that are good but not perfect


def survey(game: str | AnyGame, games: int, positions: int | None = None) -> Bank:
    """Return positions with puzzles found in some games, the same ones every time."""
    starts, bank, seen = starts_of(game, "survey"), Bank(), set()
    most = None if positions is None else positions // len(starts)
    for start in starts:
        for puzzle in candidates(start(), random.Random("survey"), games // len(starts), 1.0, most):
            known = bank.setdefault((puzzle.kind, puzzle.level), [])
            place = puzzle.kind, puzzle.game, puzzle.state
            if len(known) < MAX_BANKED and place not in seen:
                seen.add(place)
                known.append((puzzle.game, puzzle.moves))
    return bank


def bank_text(game: str | AnyGame, games: int) -> str:
    """Return the content of a game's bank file: a kind, a level and moves in each line."""
    cells = sorted(survey(game, games).items())
    lines = [f"{kind} {level} {' '.join(map(str, moves))}" for (kind, level), found in cells for _, moves in found]
    return "\n".join(lines) + "\n"


def position_after(game: AnyGame, moves: Sequence[Move]) -> Any:
    """Return the state after these moves; None if the rules have changed and forbid the moves, or it is decided."""
    state = game.initial()
    for move in moves:
        if move not in game.legal_moves(state):
            return None
        state = game.play(state, move)
    return state if game.outcome(state) == Outcome.UNDECIDED else None


def puzzles_after(game: AnyGame, moves: Sequence[Move]) -> list[Puzzle]:
    """Return the puzzles in the position after these moves; none if the rules have changed and forbid the moves."""
    state = position_after(game, moves)
    if state is None:
        return []
    return list(puzzles_at(game, tuple(moves), state, solved(game).moves(state)))


def starts_of(game: str | AnyGame, seed: str) -> list[Callable[[], AnyGame]]:
    """Return functions that return the game: as it is, or from one draw after the other."""
    rules = make(game)
    if not _is_drawn(game):
        return [lambda: rules]
    return [partial(draw, rules, random.Random(f"draw {number} {seed}")) for number in range(MAX_DRAWS_SURVEYED)]


def _is_drawn(game: str | AnyGame) -> bool:
    """Return True if the start is drawn: a game by its name, which has something to draw."""
    return isinstance(game, str) and bool(drawn_options(type(make(game))))


def candidates(
    game: AnyGame, rng: random.Random, games: int, probability: float, positions: int | None = None
) -> Iterator[Puzzle]:
    """Play games that are good but not perfect, and yield the puzzles in them, each with this probability."""
    solution, most = solved(game), ply_limit(game)  # play may be endless
    if not solution.can_end():
        return
    visited = 0
    for _ in range(games):
        state = game.initial()
        moves: list[Move] = []
        while game.outcome(state) == Outcome.UNDECIDED and len(moves) < most:
            visited += 1
            if positions is not None and visited > positions:
                return
            scored = solution.moves(state)
            for puzzle in puzzles_at(game, tuple(moves), state, scored):
                if probability == 1 or rng.random() < probability:
                    yield puzzle
            moves.append(_good_move(scored, rng))
            state = game.play(state, moves[-1])


def _good_move(scored: Sequence[ScoredMove], rng: random.Random) -> Move:
    """Return the best move, or sometimes any. Each result has the same chance, however many moves lead to it."""
    if rng.random() >= STRAY_PROBABILITY:
        return scored[0].move
    result = rng.choice(sorted({_result(move) for move in scored}))
    return rng.choice([move.move for move in scored if _result(move) == result])


def _result(scored: ScoredMove) -> tuple[Value, int]:
    return scored.value, scored.remoteness or 0


# Surveys that are kept


class _KeptPlace(msgspec.Struct, forbid_unknown_fields=True):
    """A position with a puzzle."""

    kind: PuzzleKind
    level: int
    options: dict[str, int | str]
    moves: list[int]


class _KeptBank(msgspec.Struct, forbid_unknown_fields=True):
    """The content of a kept file; `code` is a hash of the code that finds puzzles."""

    code: str
    places: list[_KeptPlace]


def _read_kept(file: Path, name: str) -> Bank | None:
    """Return the kept bank, or None if there is none, it is damaged, or puzzles are found by other code now."""
    with suppress(OSError, RefusedError):
        kept, bank, games = read(file.read_bytes(), _KeptBank), Bank(), dict[str, AnyGame]()
        if kept.code == _code_hash():
            for place in kept.places:
                options = repr(place.options)
                if options not in games:
                    games[options] = make(name, **place.options)
                bank.setdefault((place.kind, place.level), []).append((games[options], tuple(place.moves)))
            return bank
    return None


def _keep(file: Path, bank: Bank) -> None:
    places = [
        _KeptPlace(kind, level, write_options(game), list(moves))
        for (kind, level), found in bank.items()
        for game, moves in found
    ]
    with suppress(OSError):  # the survey is valid even if it cannot be kept
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, msgspec.json.encode(_KeptBank(_code_hash(), places)))


@lru_cache(maxsize=1)
def _code_hash() -> str:
    files = (Path(__file__), Path(puzzle_kinds.__file__))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
