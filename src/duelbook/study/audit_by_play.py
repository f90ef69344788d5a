"""The audit of a game that is too large to be solved: what can be measured by playing it."""

from contextlib import suppress
from typing import NamedTuple

from duelbook.game import AnyGame, Outcome, Reason
from duelbook.games import label, make
from duelbook.intervals import wilson
from duelbook.solve import TooLargeError, try_solve
from duelbook.study.audit import (
    DRAWN_STARTS,
    RANDOM_GAMES,
    Audit,
    Duel,
    ReplayedExample,
    audit_game,
    duels,
    examples_of,
    play_games,
    replay_example,
    starts_count,
    starts_of,
)

DUEL_GAMES = 30  # played for each win rate: agents that search take their time
AGENT_PAIRS = (("mcts:50", "random"), ("mcts:50", "greedy"), ("greedy", "random"))


class RandomGameShare(NamedTuple):
    """A share of the random games, with the 95% interval."""

    rate: float
    low: float
    high: float


class AuditByPlay(NamedTuple):
    """What play shows about one game. `duelbook audit --json` prints these fields."""

    game: str
    measured_by: str
    shortest: int  # plies of the random games
    mean: float
    longest: int
    unfinished: int  # random games that were stopped at the ply limit
    first_wins: RandomGameShare  # of the random games
    second_wins: RandomGameShare
    draws: RandomGameShare
    first_moves: int
    duels: tuple[Duel, ...]
    examples: tuple[ReplayedExample, ...]


def audit_any_game(game: str | AnyGame, drawn_starts: int = DRAWN_STARTS) -> Audit | AuditByPlay:
    """Return the facts about the game as `audit_game` does, or from play if it is too large to be solved.

    A solution may be at hand from before where there is too little memory now for the rest of the audit: that is also
    measured by play.
    """
    with suppress(TooLargeError):
        if all(map(try_solve, starts_of(make(game), starts_count(game, drawn_starts)))):
            return audit_game(game, drawn_starts)
    return audit_by_play(game, drawn_starts)


def audit_by_play(game: str | AnyGame, drawn_starts: int = DRAWN_STARTS) -> AuditByPlay:
    """Return what random games and games between agents show about the game."""
    rules = make(game)
    starts = starts_of(rules, starts_count(game, drawn_starts))
    matches = list(play_games(starts, "random", "random", RANDOM_GAMES))
    lengths = [len(match.moves) for match in matches]
    outcomes = [match.outcome for match in matches]

    def share(outcome: Outcome) -> RandomGameShare:
        count = outcomes.count(outcome)
        return RandomGameShare(count / len(outcomes), *wilson(count, len(outcomes)))

    return AuditByPlay(
        game=label(rules),
        measured_by="play",
        shortest=min(lengths),
        mean=sum(lengths) / len(lengths),
        longest=max(lengths),
        unfinished=sum(match.reason is Reason.PLY_LIMIT for match in matches),
        first_wins=share(Outcome.FIRST_WINS),
        second_wins=share(Outcome.SECOND_WINS),
        draws=share(Outcome.DRAW),
        first_moves=sum(1 for _ in rules.legal_moves(rules.initial())),
        duels=tuple(duels(starts, AGENT_PAIRS, DUEL_GAMES)),
        examples=tuple(replay_example(rules, example) for example in examples_of(rules)),
    )
