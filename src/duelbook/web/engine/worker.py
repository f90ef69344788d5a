"""The worker process: it reads tasks and writes answers, one JSON document per line."""

import json
import os
import queue
import sys
import threading
import time
import traceback
from base64 import b64encode
from collections.abc import Callable
from dataclasses import asdict as fields_of
from datetime import date
from functools import lru_cache, partial
from typing import Any

import msgspec
from msgspec.structs import asdict

from duelbook.agents import make_built_in
from duelbook.board import card, history_of, png
from duelbook.board.picture import SEATS_AS_NAMES
from duelbook.board.png import is_drawable
from duelbook.board.svg import Drawing
from duelbook.compiled import events as compiling
from duelbook.documents import parse
from duelbook.errors import RefusedError
from duelbook.game import AnyGame, outcome_name
from duelbook.games import BUILT_IN, GAMES, broken_game, make, name_of, origin
from duelbook.match import Match
from duelbook.narration import Seating
from duelbook.options import write_options
from duelbook.records.document import from_json
from duelbook.records.record import Record, replay, state_after
from duelbook.solve import remember_too_large, solved, try_solve
from duelbook.solve.progress import Progress, watched_by
from duelbook.study.daily_puzzle import FIRST_DAY, puzzle_of_the_day
from duelbook.study.documents import ReviewView, hint_view, position_report, puzzle_view, review_view
from duelbook.study.estimated_review import best_review
from duelbook.study.general_lesson import usable_lesson
from duelbook.study.hints import hint
from duelbook.study.puzzle_bank import puzzle_levels as levels_of
from duelbook.study.puzzle_kinds import PuzzleKind
from duelbook.study.puzzles import find_puzzle
from duelbook.web.match.lessons import answered_lesson
from duelbook.web.match.positions import demonstrate, refuse_files
from duelbook.web.match.shown import shown_picture, shown_result
from duelbook.web.schemas.lessons import AnsweredLesson
from duelbook.web.schemas.matches import BySeat
from duelbook.web.schemas.studies import (
    ANY_KIND,
    Advice,
    DailyPuzzle,
    Line,
    PuzzleLevels,
    RecordReview,
    SeededPuzzle,
    SolutionView,
)

LIFE_SECONDS = 0.2  # between two signs of life during a task

_known_puzzle = lru_cache(maxsize=64)(find_puzzle)  # every attempt names its puzzle again, and a search takes a second
_known_daily_puzzle = lru_cache(maxsize=16)(puzzle_of_the_day)


def warm() -> None:
    """Load the solutions of the games of this package."""
    for name in GAMES:
        if origin(name) == BUILT_IN:
            solved(make(name))


def prepare(game: str, options: dict[str, Any]) -> bool:
    """Solve the game. Return False if it is too large."""
    return try_solve(_game(game, json.dumps(options)))


def choose(game: str, options: dict[str, Any], moves: list[int], agent: str, seed: str, solvable: bool = True) -> int:
    """Return the agent's move."""
    match = Match(_rules(game, options, solvable))
    for move in moves:
        match.play(move)
    return make_built_in(agent, seed).choose(match)


def demonstration(game: str, day: str, solvable: bool = True) -> Line:
    """Return the demonstration game of the day."""
    return demonstrate(game, day, solvable)


def solution(game: str, options: dict[str, Any], after: list[str], solvable: bool = True) -> SolutionView:
    """Return the exact values of a position and its moves, and a hint."""
    rules = _rules(game, options, solvable)
    if not try_solve(rules):
        raise RefusedError("This game is too large to be solved, so its values are not known. Hints are estimates.")
    return SolutionView(**asdict(position_report(rules, tuple(after))))


def advice(game: str, options: dict[str, Any], after: list[str], solvable: bool = True) -> Advice:
    """Return a hint in a position, exact or not."""
    rules = _rules(game, options, solvable)
    best = hint(rules, state_after(rules, after))
    return Advice(exact=try_solve(rules), hint=best and hint_view(best))


def judge(record: dict[str, Any], solvable: bool = True) -> ReviewView:
    """Return the review of a record."""
    return _judged(from_json(record), solvable)


def _judged(played: Record, solvable: bool) -> ReviewView:
    if not solvable:
        remember_too_large(played.game)
    return review_view(played, best_review(played))


def record_review(text: str, solvable: bool = True) -> RecordReview:
    """Return the players, moves, result and review of a record; raise RefusedError if it is invalid or names a file."""
    record = parse(text.encode())
    if isinstance(record, dict) and record.get("game") in [*GAMES] and isinstance(record.get("options"), dict):
        refuse_files(record["game"], record["options"])
    played = from_json(record)
    seating = Seating((played.people[0].name, played.people[1].name), played.first)
    state = state_after(played.game, played.moves)
    moves = [move for move, _ in replay(played.game, played.moves)]
    first, second = (played.people[seating.person(seat)].agent for seat in (0, 1))
    return RecordReview(
        game=name_of(played.game),
        options=write_options(played.game),
        time_limit=played.time_limit,
        names=BySeat(first=seating.name(0), second=seating.name(1)),
        seats=BySeat(first=first, second=second),
        moves=list(played.moves),
        outcome=outcome_name(played.outcome),
        reason=played.reason,
        result=shown_result(played.game, seating, state, moves, played.outcome, played.reason),
        review=_judged(played, solvable),
    )


def puzzle(
    game: str,
    seed: str,
    level: int | None,
    attempt: str | None,
    puzzle_kind: str = "win",
    solvable: bool = True,
) -> SeededPuzzle:
    """Return the puzzle of that seed, and the verdict on an attempt at it."""
    _require_solution(game, solvable)
    found = _known_puzzle(game, seed, level, None if puzzle_kind == ANY_KIND else PuzzleKind(puzzle_kind))
    return SeededPuzzle(seed=seed, **asdict(puzzle_view(found, attempt)))


def puzzle_levels(game: str, solvable: bool = True) -> PuzzleLevels:
    """Return the kinds and levels of puzzles that a game has; none if it is too large to be solved."""
    _require_solution(game, solvable)
    return PuzzleLevels(game=game, levels={kind.value: levels for kind, levels in levels_of(game).items()})


def _require_solution(game: str, solvable: bool) -> None:
    if not solvable:
        remember_too_large(make(game))
    if not try_solve(make(game)):
        raise RefusedError("This game is too large to be solved, so it has no puzzles.")


def daily_puzzle(day: str, attempt: str | None, games: list[str] | None = None) -> DailyPuzzle:
    """Return the puzzle of a day, and the verdict on an attempt at it. Without games, our own take turns."""
    found = _known_daily_puzzle(date.fromisoformat(day), tuple(games or ()))
    return DailyPuzzle(day=day, first_day=FIRST_DAY.isoformat(), **asdict(puzzle_view(found, attempt)))


def picture(title: str, text: str, boards: list[dict[str, Any]], form: str) -> str:
    """Return a card as PNG in base 64, or the first board as SVG."""
    drawn = [_board(form, **board) for board in boards]
    if form == "svg":
        return drawn[0].document(title)
    return b64encode(png(card(title, text, drawn).document())).decode()


def _board(form: str, game: str, options: dict[str, Any], moves: list[str], names: list[str]) -> Drawing:
    rules = _game(game, json.dumps(options))
    state, history = history_of(rules, (move for move, _ in replay(rules, moves)))
    if form == "png":  # the fonts of the package do not have all letters
        names = [name if is_drawable(name) else SEATS_AS_NAMES[seat] for seat, name in enumerate(names)]
    return shown_picture(rules, state, history, names)


def lesson(game: str) -> AnsweredLesson:
    """Return the lesson of a game, and what follows after every legal move of each step."""
    found, problem = usable_lesson(make(game))
    return answered_lesson(game, found, problem)


TASKS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(warm, prepare, choose, demonstration, solution, advice),
        *(judge, record_review, puzzle, puzzle_levels, daily_puzzle, picture, lesson),
    )
}


def _rules(game: str, options: dict[str, Any], solvable: bool) -> AnyGame:
    """Return the game. If it is not solvable, as another worker has found out, this one does not try to solve it."""
    rules = _game(game, json.dumps(options))
    if not solvable:
        remember_too_large(rules)
    return rules


@lru_cache(maxsize=64)
def _game(name: str, options: str) -> AnyGame:
    return make(name, **json.loads(options))


def answer(line: str) -> dict[str, Any]:
    """Return the answer to one task. Every error becomes an answer."""
    task = json.loads(line)
    try:
        return {"answer": TASKS[task.pop("task")](**task)}
    except Exception as error:
        if broken := broken_game(error):
            return {"broken": str(broken)}
        if isinstance(error, RefusedError):
            return {"refused": str(error)}
        return {"failed": traceback.format_exc()}


def _read(lines: "queue.Queue[str]") -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)  # the service is gone


def main() -> None:
    """Write `ready`, then answer tasks. Meanwhile `alive` shows that the process is running, `progress` how far it is.

    `compiling` and `compiled` enclose time that is not part of a task.
    """
    lines: queue.Queue[str] = queue.Queue()
    working = threading.Event()
    output, sys.stdout = sys.stdout, sys.stderr  # what a task prints is not an answer
    writing = threading.Lock()

    def write(line: str) -> None:
        with writing:
            try:
                output.write(f"{line}\n")
                output.flush()
            except BrokenPipeError:
                os._exit(0)  # the service is gone

    def show_life() -> None:
        while True:
            working.wait()
            time.sleep(LIFE_SECONDS)
            if working.is_set():
                write("alive")

    def report(progress: Progress) -> None:
        shown = fields_of(progress) | {"stage": progress.stage.name.lower()}
        write(f"progress {msgspec.json.encode(shown).decode()}")

    for work in (partial(_read, lines), show_life):
        threading.Thread(target=work, daemon=True).start()
    compiling.listeners.append(lambda begun: write("compiling" if begun else "compiled"))
    write("ready")
    while True:
        line = lines.get()
        working.set()
        with watched_by(report):
            found = answer(line)
        write(msgspec.json.encode(found).decode())
        working.clear()


if __name__ == "__main__":
    main()
