"""Check a certificate of `duelbook certify`: python scripts/check_certificate.py FILE [GAME [KEY=VALUE …]]

It uses the five methods of a game's rules and the standard library. It reads the file from the first state to the last,
and keeps the states that were promised and have not come yet; for a draw, in which play may go in circles, all states.
"""

import gzip
import json
import sys
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

from duelbook import make

FORMAT = "duelbook-certificate 1"
FIELDS = {"format": str, "game": str, "options": dict, "words": str, "classes": bool, "moves": list, "result": str}
UNDECIDED = 3  # an outcome; 0 and 1 are the player who has won
RESULTS = {"first": [0], "second": [1], "draw": [0, 1]}  # the players whose strategies are in the file

Key = Callable[[Any], Any]  # equal for states that play alike
Lines = Iterator[tuple[int, Any]]  # numbered


class RefusedError(Exception):
    """The certificate proves nothing; the message is a sentence that names the state at fault."""


def check(file: str, *wanted: str) -> str:
    """Return what the certificate proves, or raise RefusedError. It must be of the wanted game, if one is given."""
    lines = read_lines(file)
    header: Any = next(lines, (1, None))[1]
    kinds = {name: type(value) for name, value in header.items()} if isinstance(header, dict) else None
    if kinds != FIELDS or header["format"] != FORMAT or header["result"] not in RESULTS:
        raise RefusedError(f"Line 1 is not the header of a certificate of the format '{FORMAT}'.")
    name, options, players = header["game"], header["options"], RESULTS[header["result"]]
    try:
        game = make(name, **options)
        other = make(wanted[0], **dict(pair.partition("=")[::2] for pair in wanted[1:])) if wanted else game
    except (ValueError, TypeError) as error:
        raise RefusedError(f"The game cannot be made: {error}") from error
    if other != game or getattr(game, "digest", "") != header["words"]:
        raise RefusedError(f"It is of another game or word list: {name} {options}.")
    if header["classes"] and name not in CLASSES:
        raise RefusedError(f"It joins states of {name}, but no proof is known that they play alike.")
    key: Key = CLASSES[name](game) if header["classes"] else json.dumps
    state = game.initial()
    for move in header["moves"]:
        if move not in [*game.legal_moves(state)]:
            raise RefusedError(f"Line 1: the move {move} is not legal in {state}.")
        state = game.play(state, move)
    last = max(Strategy(game, key, player, len(players) == 1).check(state, lines) for player in players)
    for number, line in lines:
        raise RefusedError(f"Line {number}: the proof is complete, but there is more: {line}.")
    proven = f"the {header['result']} player wins" if len(players) == 1 else "neither player can be made to lose"
    return f"{name} {options}, after the moves {header['moves']}: {proven} ({last - 1:,} state{'s' * (last != 2)})."


class Strategy:
    """The strategy of a player that wins, or else never loses: what it leads to, and what has not come yet."""

    def __init__(self, game: Any, key: Key, player: int, wins: bool) -> None:
        self.game, self.key, self.player, self.wins = game, key, player, wins
        self.promised: dict[str, tuple[Any, int, int]] = {}  # a state, what its rank must be below, the line before it
        self.texts: dict[Any, str] = {}  # of promised states by their keys; if it never loses, also of those that came

    def promise(self, state: Any, rank: Any, line: int) -> None:
        outcome, text = self.game.outcome(state), json.dumps(state)
        if outcome == UNDECIDED:
            first = self.texts.setdefault(self.key(state), text)
            if first is text or first in self.promised:
                known = self.promised.get(first, (state, rank, line))
                self.promised[first] = known[0], min(known[1], rank), known[2]
        elif outcome != self.player if self.wins else outcome == 1 - self.player:
            raise RefusedError(f"Line {line} leads to {state}, where the outcome is {outcome!r}.")

    def check(self, start: Any, lines: Lines) -> int:
        """Read a line about every state that it leads to. Return the number of the last one."""
        self.promise(start, sys.maxsize, number := 1)
        while self.promised:
            number, line = next(lines, (0, None))
            if not number:
                state, _, number = next(iter(self.promised.values()))
                raise RefusedError(f"Line {number} leads to {state}, but no later line has a strategy there.")
            rank, move, state = line if isinstance(line, list) and len(line) == 3 else [None, None, line]
            if (found := self.promised.pop(json.dumps(state), None)) is None:
                raise RefusedError(f"Line {number}: no line before it leads to the state {state}.")
            state, below, _ = found
            if self.wins:
                del self.texts[self.key(state)]
            if (type(rank) is not int or not 0 < rank < below) if self.wins else rank is not None:
                wanted = f"above 0 and below {below}" if self.wins else "null, as in every draw"
                raise RefusedError(f"Line {number}: the rank {rank} of {state} must be {wanted}.")
            legal = [*self.game.legal_moves(state)]
            if not legal or move not in (legal if self.game.mover(state) == self.player else [None]):
                raise RefusedError(f"Line {number}: the move {move} is not a legal move of the player in {state}.")
            for reply in legal if move is None else [move]:
                self.promise(self.game.play(state, reply), rank if self.wins else sys.maxsize, number)
        return number


def read_lines(file: str) -> Lines:
    """Return the values of the lines with their numbers. A file .gz is compressed."""
    number = 0
    try:
        with gzip.open(file) if file.endswith(".gz") else open(file, "rb") as text:
            for number, line in enumerate(text, 1):
                yield number, json.loads(line, parse_float=str)
    except (ValueError, RecursionError, EOFError, zlib.error, OSError) as error:
        raise RefusedError(f"The file cannot be read after line {number}: {error}.") from error


def letter_classes(game: Any) -> Key:
    """Return the classes of Alpha Chase: the rules only ask in which words a letter is, so letters of a kind count."""
    first, second = game.sets
    kinds = first & ~second, second & ~first, first & second, (1 << 26) - 1 & ~(first | second)
    return lambda state: (*state[::3], *((letters & kind).bit_count() for kind in kinds for letters in state[1:3]))


def board_classes(game: Any) -> Key:
    """Return the classes of Word Clash, from the words in use: boards are alike if they lead to the same classes."""
    slots, same = [255 << 8 * slot for slot in range(game.length)], dict[Any, Any]()  # equal classes are kept once
    boards = {sum(slots): dict[int, Any].fromkeys(game.codes, "valid")}  # those that a word fits, by filled slots
    dead: list[Any] = ["invalid"]  # the classes of boards that no word fits, by empty slots
    for count in range(1, game.length + 1):
        for empty in combinations(slots, count):
            filled, after = sum(slots) - sum(empty), defaultdict[int, list[Any]](list)
            for slot in empty:
                for board, kind in boards[filled + slot].items():
                    after[board & filled].append(kind)
            kinds = {board: frozenset(after[board] + dead[-1:] * (len(after[board]) < 26 * count)) for board in after}
            boards[filled] = {board: same.setdefault(kind, kind) for board, kind in kinds.items()}
        dead.append(frozenset(dead[-1:]))

    def kind_of(board: int) -> Any:
        filled = [slot for slot in slots if board & slot]
        return boards[sum(filled)].get(board, dead[len(slots) - len(filled)])

    return lambda state: (state.mover, kind_of(state.mine), kind_of(state.theirs))


CLASSES: dict[str, Callable[[Any], Key]] = {"alpha-chase": letter_classes, "word-clash": board_classes}

if __name__ == "__main__":
    try:
        sys.stdout.write(f"{check(*sys.argv[1:]) if sys.argv[1:] not in ([], ['--help']) else __doc__}\n")
    except RefusedError as error:
        sys.exit(f"{sys.argv[1]}: {error}")
