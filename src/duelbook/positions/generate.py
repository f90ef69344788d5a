"""Draw the positions of a dataset: random games of every strength, in which the decisions that matter are collected."""

import random
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, metadata
from typing import Any, NamedTuple

from duelbook import __version__
from duelbook.agents.llm.prompt import turn_prompt
from duelbook.arena.entries import GameEntry
from duelbook.compiled.source_hash import source_hash
from duelbook.errors import RefusedError
from duelbook.game import SEAT_NAMES, AnyGame, Move, Outcome, offered_moves, uses_word_list
from duelbook.games import BUILT_IN, name_of, origin
from duelbook.match import Match, named_moves, ply_limit
from duelbook.options import draw, write_options
from duelbook.positions.classes import Classes, quota, split_of
from duelbook.positions.position import VALUE_NAMES, DatasetPosition, LegalMove, Split, Strata, strata_of
from duelbook.solve import ScoredMove, solved, try_solve

WALKS = 600  # random games of each game
DRAWS = 20  # starts of a game whose start is drawn, which share these games
DIGITS = 6


class FoundDecision(NamedTuple):
    """A decision that matters, where a random game met it."""

    game: AnyGame
    moves: tuple[Move, ...]
    state: Any
    scored: tuple[ScoredMove, ...]  # best first
    remoteness: int | None
    group: str  # its class
    cluster: str

    @property
    def good(self) -> int:
        """The number of moves that keep the value."""
        return sum(move.value == self.scored[0].value for move in self.scored)

    @property
    def strata(self) -> Strata:
        return strata_of(self.remoteness, len(self.scored), self.good)


def draw_positions(entry: GameEntry, per_cell: int, seed: str, splits: Collection[Split]) -> list[DatasetPosition]:
    """Return positions of a game in these splits, no two of a class, always the same ones for a seed.

    A cell is a seat, a range of distances, one of numbers of legal moves, and one of shares of good moves. A split has
    its part of at most `per_cell` positions in each, and fewer if the game has fewer.
    """
    if not try_solve(entry.game):
        raise RefusedError(f"{entry.label} is too large to solve, so its moves have no exact values. Leave it out.")
    rng = random.Random(f"positions {entry.label} {seed}")
    seen, kept = Counter[str](), dict[str, FoundDecision]()
    for found in _decisions(entry, rng):
        seen[found.group] += 1
        if rng.randrange(seen[found.group]) == 0:  # each position of a class with the same probability
            kept[found.group] = found
    order = sorted(kept.values(), key=lambda found: found.group)
    rng.shuffle(order)
    taken, positions = Counter[tuple[object, ...]](), []
    for found in order:
        split = split_of(found.group)
        place = (split, found.game.mover(found.state), *found.strata)
        if split in splits and taken[place] < quota(split, per_cell):
            taken[place] += 1
            positions.append(_position(found, split))
    return sorted(positions, key=lambda one: one.id)


def _decisions(entry: GameEntry, rng: random.Random) -> Iterator[FoundDecision]:
    starts = [draw(entry.game, rng, entry.drawn) for _ in range(DRAWS)] if entry.drawn else [entry.game]
    for game in dict.fromkeys(starts):
        solution = solved(game)
        classes = Classes(solution)
        for _ in range(WALKS * starts.count(game) // len(starts)):
            cluster = f"{entry.label}-{rng.getrandbits(32):08x}"
            for moves, state, scored in _walk(game, rng):
                if _matters(game, state, scored):
                    yield FoundDecision(
                        game, moves, state, scored, solution.remoteness(state), classes.of(state), cluster
                    )


def _walk(game: AnyGame, rng: random.Random) -> Iterator[tuple[tuple[Move, ...], Any, tuple[ScoredMove, ...]]]:
    """Play a random game whose moves keep the value with a probability that is drawn for it; yield its positions."""
    solution, state, skill = solved(game), game.initial(), rng.random()
    moves: tuple[Move, ...] = ()
    while game.outcome(state) is Outcome.UNDECIDED and len(moves) < ply_limit(game):
        scored = solution.moves(state)
        yield moves, state, tuple(scored)
        offered = offered_moves(game, state)
        keeping = {move.move for move in scored if move.value == scored[0].value}
        good = [move for move in offered if move in keeping]
        moves = (*moves, rng.choice(good if good and rng.random() < skill else offered))
        state = game.play(state, moves[-1])


def _matters(game: AnyGame, state: Any, scored: Sequence[ScoredMove]) -> bool:
    """Return True if some moves keep the value and some do not, and the computer may name one that does."""
    if scored[0].value == scored[-1].value:
        return False
    offered = set(offered_moves(game, state))
    return any(move.value == scored[0].value and move.move in offered for move in scored)


def _position(found: FoundDecision, split: Split) -> DatasetPosition:
    game, state, best = found.game, found.state, found.scored[0]
    match = Match(game)
    for move in found.moves:
        match.play(move)
    legal = [
        LegalMove(game.move_name(state, one.move), VALUE_NAMES[one.value], one.remoteness, best.value - one.value)
        for one in sorted(found.scored)
    ]
    name, options = name_of(game), write_options(game)
    moves = [one for _, one in named_moves(match)]
    identity = sha256(repr((name, sorted(options.items()), moves)).encode()).hexdigest()[:12]
    return DatasetPosition(
        id=f"{name}-{identity}",
        split=split,
        game=name,
        options=options,
        dictionary=game.digest if uses_word_list(game) else "",
        rules=source_hash(type(game)),
        rules_by=rules_by(name),
        moves=moves,
        seat=SEAT_NAMES[game.mover(state)],
        ply=len(moves),
        text=game.render(state),
        value=VALUE_NAMES[best.value],
        remoteness=found.remoteness,
        legal=legal,
        good=[one.move for one in legal if not one.regret],
        **found.strata._asdict(),
        chance_accuracy=round(found.good / len(legal), DIGITS),
        chance_regret=round(sum(one.regret for one in legal) / len(legal), DIGITS),
        group=found.group,
        cluster=found.cluster,
        prompt=turn_prompt(match, show_legal=True),
    )


@cache
def rules_by(name: str) -> str:
    """Return who wrote the rules of the game, as far as the package that it comes from says so."""
    source = origin(name)
    if source == BUILT_IN:
        return f"the Duelbook authors, after the rule book of the game (duelbook {__version__})"
    try:
        about = metadata(source.rpartition(" ")[0])
    except (PackageNotFoundError, ValueError):
        return f"not known ({source})"
    authors = [about[field] for field in ("Author", "Author-email") if field in about]
    return f"{authors[0] if authors else 'not known'} ({source})"
