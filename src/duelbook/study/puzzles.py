"""Puzzles: positions with a question, found with exact values, and why an answer is right or wrong."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial

from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, Move, Outcome
from duelbook.game_folder import game_file
from duelbook.games import make
from duelbook.match import ply_limit
from duelbook.narration import Voice
from duelbook.options import draw, drawn_options
from duelbook.solve import ScoredMove, Value, solved
from duelbook.study.facts import Comment, Trap, ValueName
from duelbook.study.puzzle_kinds import Kind, Puzzle, puzzles_at
from duelbook.study.reason_wording import any_of, few_replies, short_reason
from duelbook.study.reasons import Reasons
from duelbook.study.wording import ending_text, explanation, refutation_text
from duelbook.text import sentence

BANK_FILE = "puzzles.txt"  # in the folder of a game: puzzles with the options of the rule book
MAX_GAMES_SEARCHED = 10  # for a puzzle, before one is taken from the bank
MAX_GAMES_SURVEYED = 150  # for the bank of a game that has no file
MAX_POSITIONS_SURVEYED = 1500
MAX_DRAWS_SURVEYED = 10  # of a game that starts from a draw
MAX_BANKED = 24  # puzzles of one kind and level
PUZZLE_PROBABILITY = 0.5  # of taking a position that is a puzzle
STRAY_PROBABILITY = 0.4  # of playing any move instead of the best one in those games
MAX_REFUTATION_PLIES = 8
MAX_NAMED_REPLIES = 4  # that win against a trap

Bank = dict[tuple[Kind, int], list[tuple[AnyGame, tuple[Move, ...]]]]  # games and moves, by kind and level
TASKS = {
    Kind.WIN: "Only one move wins: find it.",
    Kind.ONLY_MOVE: "Every move but one loses: find the one that does not.",
    Kind.TRAP: "A tempting move loses. Find a move that {goal}.",
}


def task_text(puzzle: Puzzle) -> str:
    """Return what is asked."""
    return TASKS[puzzle.kind].format(goal="wins" if puzzle.wins() else "holds the draw")


def find_puzzle(game: str | AnyGame, seed: str, level: int | None = None, kind: Kind | None = Kind.WIN) -> Puzzle:
    """Return a puzzle of the game, always the same one for a seed. Raise RefusedError if there is none.

    `kind` None is any kind.

    A start that is drawn is drawn by the seed. A game in hand is taken as it is.
    """
    rng = random.Random(seed)

    def fits(one: Kind, at: int) -> bool:
        return kind in (None, one) and level in (None, at)

    for start in _starts(game, seed)[:1]:
        for puzzle in candidates(start(), rng, MAX_GAMES_SEARCHED, PUZZLE_PROBABILITY):
            if fits(puzzle.kind, puzzle.level):
                return puzzle
    bank = bank_of(game)
    places = [place for (of_kind, at), found in bank.items() for place in found if fits(of_kind, at)]
    rng.shuffle(places)
    for rules, moves in places:
        for puzzle in puzzles_after(rules, moves):
            if fits(puzzle.kind, puzzle.level):
                return puzzle
    of_kind = _of_kind(kind)
    if not any(kind in (None, one) for one, _ in bank):
        raise RefusedError(f"This game has no puzzle{of_kind}. Try another {'kind' if of_kind else 'game'}.")
    levels = sorted({at for one, at in bank if kind in (None, one)})
    offered = any_of([str(at) for at in levels], "and")
    raise RefusedError(f"This game has no puzzle{of_kind} of level {level}. Levels that it has: {offered}.")


def find_any_puzzle(names: Sequence[str], seed: str, level: int | None = None, kind: Kind | None = Kind.WIN) -> Puzzle:
    """Return a puzzle of the first of these games that has one. Raise RefusedError if none has."""
    for name in names:
        with suppress(RefusedError):  # it is too large to be solved, or has no such puzzle
            return find_puzzle(name, seed, level, kind)
    wanted = f"{_of_kind(kind)}{f' of level {level}' if level else ''}"
    raise RefusedError(f"None of these games has a puzzle{wanted}: {', '.join(names)}.")


def _of_kind(kind: Kind | None) -> str:
    return f" of the kind '{kind}'" if kind not in (None, Kind.WIN) else ""


def puzzle_levels(game: str | AnyGame) -> dict[Kind, list[int]]:
    """Return the kinds of puzzles that the game has, and the levels of each."""
    cells = sorted(bank_of(game))
    return {kind: [at for one, at in cells if one is kind] for kind in Kind if any(one is kind for one, _ in cells)}


# The bank: positions with puzzles of every kind and level that a game has


@lru_cache(maxsize=32)
def bank_of(game: str | AnyGame) -> Bank:
    """Return positions with puzzles: those in the game's folder, or else found by a survey."""
    rules = make(game)
    file = game_file(rules, BANK_FILE)
    if file and rules == type(rules)():
        bank: Bank = {}
        for kind, level, *moves in (line.split() for line in file.read_text().splitlines()):
            bank.setdefault((Kind(kind), int(level)), []).append((rules, tuple(map(int, moves))))
        return bank
    return survey(game, MAX_GAMES_SURVEYED, MAX_POSITIONS_SURVEYED)


def survey(game: str | AnyGame, games: int, positions: int | None = None) -> Bank:
    """Return positions with puzzles found in some games, the same ones every time."""
    starts, bank, seen = _starts(game, "survey"), Bank(), set()
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


def puzzles_after(game: AnyGame, moves: Sequence[Move]) -> list[Puzzle]:
    """Return the puzzles in the position after these moves; none if the rules have changed and forbid the moves."""
    state = game.initial()
    for move in moves:
        if move not in game.legal_moves(state):
            return []
        state = game.play(state, move)
    if game.outcome(state) != Outcome.UNDECIDED:
        return []
    return list(puzzles_at(game, tuple(moves), state, solved(game).moves(state)))


def _starts(game: str | AnyGame, seed: str) -> list[Callable[[], AnyGame]]:
    """Return functions that return the game: as it is, or from one draw after the other."""
    rules = make(game)
    if not isinstance(game, str) or not drawn_options(type(rules)):
        return [lambda: rules]
    return [partial(draw, rules, random.Random(f"draw {number} {seed}")) for number in range(MAX_DRAWS_SURVEYED)]


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


# Why an answer is right or wrong


def why_right(puzzle: Puzzle, move: Move | None = None) -> Comment:
    """Return why a right move, by default the best one, is right."""
    chosen = puzzle.answer if move is None else move
    facts = Reasons(puzzle.game, solved(puzzle.game)).facts(puzzle.state, chosen, Voice())
    said = [explanation(facts, Voice())]
    if puzzle.trap is not None:
        said.append(_trap_text(puzzle, puzzle.trap))
    return Comment(" ".join(filter(None, said)), tuple(facts))


def _trap_text(puzzle: Puzzle, move: Move) -> str:
    game, solution = puzzle.game, solved(puzzle.game)
    after = game.play(puzzle.state, move)
    replies = solution.moves(after)
    winning = [game.move_name(after, reply.move) for reply in replies if reply.value is Value.WIN]
    trap = Trap(
        move=game.move_name(puzzle.state, move),
        player=SEAT_NAMES[game.mover(puzzle.state)],
        after=[],
        replies=len(replies),
        count=len(winning),
        winning=winning if len(winning) <= MAX_NAMED_REPLIES else [],
    )
    return sentence(f"the trap is {trap.move}: {few_replies(trap, Voice())}")


def why_wrong(puzzle: Puzzle, wrong: Move) -> Comment:
    """Return why another move is wrong."""
    game = puzzle.game
    reasons = Reasons(game, solved(game))
    facts = reasons.refutation(puzzle.state, wrong, Voice())
    name, player = game.move_name(puzzle.state, wrong), SEAT_NAMES[game.mover(puzzle.state)]
    fails = f"{name} does not win" if puzzle.wins() else f"{name} loses"
    if not facts:
        value: ValueName = "draw" if game.outcome(game.play(puzzle.state, wrong)) == Outcome.DRAW else "loss"
        effect = reasons.effect(puzzle.state, wrong, Voice())
        return Comment(f"{fails}: it {ending_text(effect, value)}.", ())
    text = f"{fails}: {refutation_text(facts, player, Voice())}."
    reason = short_reason(facts, Voice().turned()) if facts[0].player != player else ""
    return Comment(f"{text} {reason}".rstrip(), tuple(facts))


def refutation(puzzle: Puzzle, wrong: Move) -> list[str]:
    """Return the names of the moves of best play after a wrong answer, starting with the opponent's reply."""
    game, solution = puzzle.game, solved(puzzle.game)
    state = game.play(puzzle.state, wrong)
    line: list[str] = []
    while len(line) < MAX_REFUTATION_PLIES and game.outcome(state) == Outcome.UNDECIDED:
        best = solution.moves(state)[0].move
        line.append(game.move_name(state, best))
        state = game.play(state, best)
    return line
