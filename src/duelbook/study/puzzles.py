"""Puzzles: positions with a question, found with exact values, and why an answer is right or wrong."""

import random
from collections.abc import Sequence
from contextlib import suppress

from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, Move, Outcome, inoffensive_moves, offered_moves
from duelbook.narration import Voice
from duelbook.solve import Value, solved
from duelbook.study.facts import Comment, Trap, ValueName
from duelbook.study.hints import HintStep, hint
from duelbook.study.knowledge import Knowledge
from duelbook.study.puzzle_bank import (
    candidates,
    check_available,
    levels_text,
    listed_places,
    puzzle_levels,
    puzzles_after,
    starts_of,
    wanted_text,
)
from duelbook.study.puzzle_kinds import Puzzle, PuzzleKind
from duelbook.study.reason_wording import few_replies, short_reason
from duelbook.study.reasons import Reasons
from duelbook.study.wording import ending_text, explanation, refutation_text
from duelbook.text import plural, sentence

MAX_GAMES_SEARCHED = 10  # for a puzzle, before one is taken from the bank
PUZZLE_PROBABILITY = 0.5  # of taking a position that is a puzzle
MAX_REFUTATION_PLIES = 8
MAX_NAMED_REPLIES = 4  # that win against a trap
MIN_LISTED_MOVES = 5  # legal moves in a position in which some of them are a hint

TASKS = {
    PuzzleKind.WIN: "Only one move wins: find it.",
    PuzzleKind.ONLY_MOVE: "Every move but one loses: find the one that does not.",
    PuzzleKind.TRAP: "A tempting move loses. Find a move that {goal}.",
}


def task_text(puzzle: Puzzle) -> str:
    """Return what is asked."""
    return TASKS[puzzle.kind].format(goal="wins" if puzzle.wins() else "holds the draw")


def find_puzzle(
    game: str | AnyGame, seed: str, level: int | None = None, kind: PuzzleKind | None = PuzzleKind.WIN
) -> Puzzle:
    """Return a puzzle of the game, always the same one for a seed. Raise RefusedError if there is none.

    `kind` None is any kind.

    A start that is drawn is drawn by the seed. A game in hand is taken as it is.
    """
    if level is not None or kind not in (None, PuzzleKind.WIN):
        check_available(game, level, kind)  # before any search
    rng = random.Random(seed)

    def fits(one: PuzzleKind, at: int) -> bool:
        return kind in (None, one) and level in (None, at)

    for start in starts_of(game, seed)[:1]:
        for puzzle in candidates(start(), rng, MAX_GAMES_SEARCHED, PUZZLE_PROBABILITY):
            if fits(puzzle.kind, puzzle.level):
                return puzzle
    places = listed_places(game, level, kind)
    rng.shuffle(places)
    for rules, moves in places:
        for puzzle in puzzles_after(rules, moves):
            if fits(puzzle.kind, puzzle.level):
                return puzzle
    check_available(game, level, kind)
    raise RefusedError("This game has no such puzzle.")  # its bank is older than its rules


def listed_puzzle(game: str, number: int, level: int | None = None, kind: PuzzleKind | None = PuzzleKind.WIN) -> Puzzle:
    """Return the puzzle with this number in the game's list of such puzzles. Raise RefusedError if there is none."""
    check_available(game, level, kind)
    places = listed_places(game, level, kind)
    if not 1 <= number <= len(places):
        listed = f"{plural(len(places), 'puzzle')}{wanted_text(level, kind)}"
        raise RefusedError(f"This game lists {listed}, so there is no number {number}.")
    for puzzle in puzzles_after(*places[number - 1]):
        if kind in (None, puzzle.kind) and level in (None, puzzle.level):
            return puzzle
    raise RefusedError("This game has no such puzzle.")  # its bank is older than its rules


def find_any_puzzle(
    names: Sequence[str], seed: str, level: int | None = None, kind: PuzzleKind | None = PuzzleKind.WIN
) -> Puzzle:
    """Return a puzzle of the first of these games that has one. Raise RefusedError if none has."""
    for name in names:
        with suppress(RefusedError):  # it is too large to be solved, or has no such puzzle
            return find_puzzle(name, seed, level, kind)
    known: dict[PuzzleKind, list[int]] = {}
    for name in names:
        with suppress(RefusedError):
            for one, levels in puzzle_levels(name).items():
                known[one] = sorted({*known.get(one, []), *levels})
    has = f" They have: {levels_text(known)}." if known else ""
    raise RefusedError(f"None of these games has a puzzle{wanted_text(level, kind)}: {', '.join(names)}.{has}")


# Help in steps


def hint_steps(puzzle: Puzzle) -> list[HintStep]:
    """Return the steps of help: a nudge, a few moves with a right one among them, the move, and the reason."""
    found = hint(puzzle.game, puzzle.state)
    assert found
    nudge, move, reason = found.steps()
    texts = {"": nudge, "some moves": _some_moves(puzzle, found.move), "the move": move, "the reason": reason}
    kept = [(what, text) for what, text in texts.items() if text]
    notes = [f"(Type hint again for {what}.)" for what, _ in kept[1:]]
    return [
        HintStep(number, text, note) for number, ((_, text), note) in enumerate(zip(kept, [*notes, ""], strict=True))
    ]


def _some_moves(puzzle: Puzzle, answer: str) -> str:
    """Return a few moves with the answer among them, or an empty text if there are few anyway."""
    game, state = puzzle.game, puzzle.state
    legal = [game.move_name(state, move) for move in offered_moves(game, state)]
    if len(legal) < MIN_LISTED_MOVES:
        return ""
    others = [name for name in legal if name != answer]
    step = len(others) // 2
    shown = {answer, others[step], others[2 * step % len(others)]}
    return f"A right move is among these: {', '.join(name for name in legal if name in shown)}."


# Why an answer is right or wrong


def why_right(puzzle: Puzzle, move: Move | None = None) -> Comment:
    """Return why a right move, by default the best one, is right."""
    chosen = puzzle.answer if move is None else move
    reasons = Reasons(puzzle.game, solved(puzzle.game))
    voice = reasons.narration.voice()
    facts = reasons.facts(puzzle.state, chosen, voice)
    said = [explanation(facts, voice)]
    if puzzle.trap is not None:
        said.append(_trap_text(puzzle, puzzle.trap, voice))
    return Comment(" ".join(filter(None, said)), tuple(facts))


def _trap_text(puzzle: Puzzle, move: Move, voice: Voice) -> str:
    game, solution = puzzle.game, solved(puzzle.game)
    after = game.play(puzzle.state, move)
    replies = solution.moves(after)
    winning = [reply.move for reply in replies if reply.value is Value.WIN]
    told = inoffensive_moves(game, after, winning) if len(winning) <= MAX_NAMED_REPLIES else []
    trap = Trap(
        move=game.move_name(puzzle.state, move),
        player=SEAT_NAMES[game.mover(puzzle.state)],
        after=[],
        replies=len(replies),
        count=len(winning),
        winning=[game.move_name(after, one) for one in told] if len(told) == len(winning) else [],
    )
    return sentence(f"the trap is {trap.move}: {few_replies(trap, voice)}")


def why_wrong(puzzle: Puzzle, wrong: Move) -> Comment:
    """Return why another move is wrong."""
    game = puzzle.game
    reasons = Reasons(game, solved(game))
    voice = reasons.narration.voice()
    facts = reasons.refutation(puzzle.state, wrong, voice)
    name, player = game.move_name(puzzle.state, wrong), SEAT_NAMES[game.mover(puzzle.state)]
    loses = puzzle.kind is PuzzleKind.ONLY_MOVE or not puzzle.wins()
    fails = f"{name} loses" if loses else f"{name} does not win"
    if not facts:
        value: ValueName = "draw" if game.outcome(game.play(puzzle.state, wrong)) == Outcome.DRAW else "loss"
        effect = reasons.effect(puzzle.state, wrong, voice)
        return Comment(f"{fails}: it {ending_text(effect, value)}.", ())
    text = f"{fails}: {refutation_text(facts, player, voice)}."
    reason = short_reason(facts, voice.turned()) if facts[0].player != player else ""
    return Comment(f"{text} {reason}".rstrip(), tuple(facts))


def refutation(puzzle: Puzzle, wrong: Move) -> list[str]:
    """Return the names of the moves of best play after a wrong answer, starting with the opponent's reply."""
    game = puzzle.game
    known, state = Knowledge(game, solved(game)), game.play(puzzle.state, wrong)
    line: list[str] = []
    while len(line) < MAX_REFUTATION_PLIES and game.outcome(state) == Outcome.UNDECIDED:
        best = known.best(state)
        line.append(game.move_name(state, best))
        state = game.play(state, best)
    return line
