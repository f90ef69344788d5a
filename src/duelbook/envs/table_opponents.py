"""Opponents that know exact values, in many games at once: the perfect agent and the levels, compiled."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from duelbook.agents.levels import Level
from duelbook.agents.mcts import MAX_ROLLOUT_PLIES
from duelbook.compiled.batch import UNDECIDED, Batch, Flags, Longs
from duelbook.compiled.choices import list_moves, shuffle
from duelbook.compiled.intrinsics import read_state, write_state
from duelbook.compiled.kernel import CannotCompileError, CompiledGame, jit, jit_part, jit_plain
from duelbook.compiled.random_numbers import RandomNumbers, next_bits, next_number, share_of
from duelbook.game import AnyGame, Outcome
from duelbook.solve import solved
from duelbook.solve.keyset import find
from duelbook.solve.solution import ENDLESS, KIND_BITS, KIND_MASK, LOSS
from duelbook.solve.successors import packed
from duelbook.solve.value_table import ValueTable

Doubles = npt.NDArray[np.float64]

SCORES = np.array([1.0, 0.0, 0.5, 0.5])  # of a move, by the kind of the value for the opponent after it
OWN_SCORES = np.array([0.0, 1.0, 0.5, 0.5])  # … for the same player, who moves again
DRAW = Outcome.DRAW.value
UNKNOWN = 0.5
MAX_TURNS = 1 << 20
SHARES = 1 << 16  # of winning moves that an opponent remembers, in a few MB: it meets many profiles again and again
HASH_FACTOR, HASH_SHIFT = 0x1E3779B97F4A7C15, 29


class Lines(NamedTuple):
    """The moves in one position, by their places: what is known of them, and their ranks, the lowest best."""

    keys: Longs  # of the states after them
    scores: Doubles  # for the mover: 1 for a win, 0 for a loss
    turns: Longs  # to the end; 0 if play is endless
    seen: Flags  # whether a level sees the result
    ranks: Doubles


class Shares(NamedTuple):
    """Shares of winning moves that were found before, each at a place that follows from the profile of the state."""

    rows: Longs  # the numbers of the profiles
    found: Doubles  # -1 where there is none


class TableOpponent:
    """What the opponents with a table have in common."""

    def __init__(self, batch: Batch, randoms: RandomNumbers, table: ValueTable) -> None:
        self._batch, self._randoms, self._table = batch, randoms, table
        self._shares = Shares(np.zeros((SHARES, table.packing.shape[1]), np.int64), np.full(SHARES, -1.0))

    def begin(self, games: Longs) -> None:
        pass

    def see(self, games: Longs, moves: Longs) -> None:
        pass


class PerfectOpponent(TableOpponent):
    """Plays as the agent `perfect` does: the quickest win, and in a lost position the hardest trap."""

    def choose(self, games: Longs) -> Longs:
        game, rows, words = self._batch.game, self._batch.rows, self._batch.words
        return _perfect_moves(game, game.num_moves, games, rows, words, self._table, self._shares, self._randoms)


class LevelOpponent(TableOpponent):
    """Plays as the agent of a level does: it sees near results more often than far ones."""

    def __init__(self, batch: Batch, randoms: RandomNumbers, table: ValueTable, level: Level) -> None:
        super().__init__(batch, randoms, table)
        self._level = level
        self._chances = np.array([level.chance(turns) for turns in range(1 + int(table.codes.max() >> KIND_BITS) + 1)])
        self._keys = np.zeros(batch.size, np.uint64)  # of each game: what the level sees in it follows from the key
        self._seen = np.zeros(batch.size, np.bool_)  # whether it has seen a win, and not let it go since

    def begin(self, games: Longs) -> None:
        self._seen[games] = False
        _draw_keys(games, self._randoms, self._keys)

    def choose(self, games: Longs) -> Longs:
        game, rows, words, level = self._batch.game, self._batch.rows, self._batch.words, self._level
        known = self._table, self._shares, self._randoms, self._chances, self._keys, self._seen
        return _level_moves(game, game.num_moves, games, rows, words, *known, level.candidates, level.sets_traps)


@jit_plain
def _draw_keys(games: Longs, randoms: RandomNumbers, keys: RandomNumbers) -> None:
    for number in games:
        keys[number] = next_bits(randoms, number)


@jit_plain
def new_lines(count: int) -> Lines:
    """Return room for so many moves."""
    return Lines(
        np.empty(count, np.int64),
        np.empty(count, np.float64),
        np.empty(count, np.int64),
        np.empty(count, np.bool_),
        np.empty(count, np.float64),
    )


@jit_plain
def _pick(ranks: Doubles, count: int, randoms: RandomNumbers, number: int) -> Any:
    """Return the place of a move with the lowest rank, each of them with the same probability."""
    lowest, ways, found = np.inf, 0, 0
    for place in range(count):
        if ranks[place] < lowest:
            lowest, ways = ranks[place], 0
        if ranks[place] == lowest:
            ways += 1
            if ways == 1 or next_number(randoms, number, ways) == 0:
                found = place
    return found


@jit_part
def _score(
    game: CompiledGame, state: Any, row: Longs, moves: Longs, count: int, table: ValueTable, lines: Lines
) -> None:
    """Write of each move: the key of the state after it, its score for the mover, and the turns to the end, if any."""
    classes, packing, places, codes = table  # taken apart once, which is quicker
    for place in range(count):
        after = game.play(state, moves[place])
        write_state(state, game.class_of(after, classes), row)
        key = packed(row, packing)
        code = codes[find(places, key)]
        own = game.mover(after) == game.mover(state)
        lines.keys[place] = key
        lines.scores[place] = OWN_SCORES[code & KIND_MASK] if own else SCORES[code & KIND_MASK]
        lines.turns[place] = 0 if code == ENDLESS else (code >> KIND_BITS) + 1


@jit_part
def _winning_share(game: CompiledGame, state: Any, row: Longs, table: ValueTable) -> float:
    """Return the share of the moves that win; 1 if there is no legal move. The players take turns strictly."""
    classes, packing, places, codes = table
    count, wins = 0, 0
    for move in game.legal_moves(state):
        write_state(state, game.class_of(game.play(state, move), classes), row)
        wins += codes[find(places, packed(row, packing))] & KIND_MASK == LOSS
        count += 1
    return wins / count if count else 1.0


@jit_part
def _known_share(game: CompiledGame, state: Any, row: Longs, table: ValueTable, shares: Shares) -> Any:
    """Return the share of the moves that win, from those that were found before if it is there."""
    write_state(state, game.profile_of(state, table.classes), row)
    numbers, place = table.packing.shape[1], 0
    for number in range(numbers):
        place = (place ^ row[number]) * HASH_FACTOR
        place ^= place >> HASH_SHIFT
    place &= len(shares.found) - 1
    known = shares.found[place] >= 0
    for number in range(numbers):
        known = known and shares.rows[place, number] == row[number]
    if not known:
        for number in range(numbers):
            shares.rows[place, number] = row[number]
        shares.found[place] = _winning_share(game, state, row, table)
    return shares.found[place]


@jit_part
def _rank_traps(
    game: CompiledGame,
    state: Any,
    row: Longs,
    moves: Longs,
    count: int,
    table: ValueTable,
    lines: Lines,
    shares: Shares,
    by_line: bool,
) -> None:
    """Rank the moves by how few of the opponent's replies win; of these, those that last longest come first.

    Moves that allow a win at once come last (see `duelbook.agents.perfect.trap_rank`). States that play alike may have
    different shares of winning replies. With `by_line`, as a level sees them, moves to states alike have the rank of
    the first of them.
    """
    for place in range(count):
        first = 0
        while by_line and lines.keys[first] != lines.keys[place]:
            first += 1
        if by_line and first < place:
            lines.ranks[place] = lines.ranks[first]
        else:
            share = _known_share(game, game.play(state, moves[place]), row, table, shares)
            at_once = 2 * MAX_TURNS if lines.turns[place] <= 2 else 0
            lines.ranks[place] = at_once + share * MAX_TURNS - lines.turns[place] / MAX_TURNS


@jit_part
def _random_points(game: CompiledGame, state: Any, player: int, randoms: RandomNumbers, number: int) -> float:
    """Play random moves from the state; return 1 for a win of the player, 0 for a loss, and one half otherwise."""
    for _ in range(MAX_ROLLOUT_PLIES):
        outcome = game.outcome(state).value
        if outcome == UNDECIDED:
            state = game.play(state, game.nth_legal(state, next_number(randoms, number, game.count_legal(state))))
        else:
            return 0.5 if outcome == DRAW else 1.0 if outcome == player else 0.0
    return 0.5


@jit
def _perfect_moves(
    game: CompiledGame,
    num_moves: int,
    games: Longs,
    rows: Longs,
    words: Longs,
    table: ValueTable,
    shares: Shares,
    randoms: RandomNumbers,
) -> Longs:
    """Return a best move for each of these games: the quickest win or draw, or else the hardest trap."""
    like = game.initial()
    chosen, moves, row = (
        np.empty(len(games), np.int64),
        np.empty(num_moves, np.int64),
        np.empty(rows.shape[1], np.int64),
    )
    lines = new_lines(num_moves)
    for at in range(len(games)):
        number = games[at]
        state, count = read_state(like, rows[number]), list_moves(words[number], moves)
        _score(game, state, row, moves, count, table, lines)
        if lines.scores[:count].max() == 0:
            _rank_traps(game, state, row, moves, count, table, lines, shares, False)
        else:
            for place in range(count):
                turns = lines.turns[place] if lines.turns[place] else MAX_TURNS
                lines.ranks[place] = turns - 4 * lines.scores[place] * MAX_TURNS
        chosen[at] = moves[_pick(lines.ranks, count, randoms, number)]
    return chosen


@jit
def _level_moves(
    game: CompiledGame,
    num_moves: int,
    games: Longs,
    rows: Longs,
    words: Longs,
    table: ValueTable,
    shares: Shares,
    randoms: RandomNumbers,
    chances: Doubles,
    keys: RandomNumbers,
    seen_wins: Flags,
    candidates: int,
    sets_traps: bool,
) -> Longs:
    """Return a move that a level believes to be best for each of these games (see `duelbook.agents.level_agent`)."""
    like = game.initial()
    chosen, moves, row = (
        np.empty(len(games), np.int64),
        np.empty(num_moves, np.int64),
        np.empty(rows.shape[1], np.int64),
    )
    lines, order = new_lines(num_moves), np.empty(num_moves, np.int64)
    for at in range(len(games)):
        number = games[at]
        state, count = read_state(like, rows[number]), list_moves(words[number], moves)
        _score(game, state, row, moves, count, table, lines)
        write_state(state, game.class_of(state, table.classes), row)
        drawn, hopes = share_of(keys[number], packed(row, table.packing)), 0
        for place in range(count):
            turns = lines.turns[place]
            lines.seen[place] = turns > 0 and drawn < chances[turns]
            if lines.scores[place] == 1:
                hopes = max(hopes, 2 if lines.seen[place] else 1)
        if hopes == 2 or (hopes == 1 and seen_wins[number]):
            for place in range(count):
                sure = lines.scores[place] == 1 and (hopes == 1 or lines.seen[place])
                lines.ranks[place] = lines.turns[place] if sure else np.inf
        else:
            _believe(game, state, moves, count, lines, order, randoms, number, candidates)
            if lines.ranks[:count].min() == 0:  # it sees that every move loses
                if sets_traps:
                    _rank_traps(game, state, row, moves, count, table, lines, shares, True)
                else:
                    lines.ranks[:count] = -lines.turns[:count]
        best = _pick(lines.ranks, count, randoms, number)
        seen_wins[number] = lines.scores[best] == 1 and (lines.seen[best] or seen_wins[number])
        chosen[at] = moves[best]
    return chosen


@jit_part
def _believe(
    game: CompiledGame,
    state: Any,
    moves: Longs,
    count: int,
    lines: Lines,
    order: Longs,
    randoms: RandomNumbers,
    number: int,
    candidates: int,
) -> None:
    """Rank the moves by what a level believes: what it sees, and for some of the others a random game of each."""
    unseen = compared = last = 0
    for place in range(count):
        lines.ranks[place] = -lines.scores[place] if lines.seen[place] else np.inf
        if not lines.seen[place]:
            order[unseen] = place
            unseen += 1
    shuffle(order, unseen, randoms, number)
    for place in order[:unseen]:
        if compared < candidates and lines.ranks[place] == np.inf:  # moves to the same state are one line
            points = _random_points(game, game.play(state, moves[place]), game.mover(state), randoms, number)
            _rank_line(lines, count, place, -(UNKNOWN + points) / 2)
            last = place
            compared += 1
    if compared == 1:
        _rank_line(lines, count, last, -UNKNOWN)  # there was nothing to compare


@jit_plain
def _rank_line(lines: Lines, count: int, place: int, rank: float) -> None:
    """Give this rank to all moves that lead to the same state as the one at this place."""
    for other in range(count):
        if lines.keys[other] == lines.keys[place]:
            lines.ranks[other] = rank


def can_compile(game: AnyGame) -> bool:
    """Return True if these opponents play the game: its exact values fit into a table, and its classes compile.

    The game must be one that can be solved.
    """
    solution = solved(game)
    if solution.extra_turns:
        return False
    try:
        ValueTable.of(solution)
    except (OverflowError, CannotCompileError):
        return False
    return True
