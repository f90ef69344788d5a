"""What an evaluation shows, in numbers with intervals. Forfeits are losses, and are shown apart."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

from duelbook.agents import ForfeitKind
from duelbook.agents.llm import Exchange
from duelbook.arena.evaluation import Plan, Task
from duelbook.arena.evaluation_files import FORMAT, VERSION, Finished
from duelbook.game import SEAT_NAMES, Outcome
from duelbook.intervals import wilson
from duelbook.solve import Value, try_solve
from duelbook.study.review import JudgedMove, review_game


class Prices(NamedTuple):
    """What a million tokens cost, in whatever currency."""

    read: float
    written: float


class Judged(NamedTuple):
    """A finished match with the agent's moves judged by exact values."""

    match: Finished
    moves: tuple[JudgedMove, ...]  # the agent's
    values: tuple[Value, ...]  # of every position, to the agent

    @property
    def lost(self) -> bool:
        return self.match.record.outcome == 1 - self.match.task.seat

    @property
    def won(self) -> bool:
        return self.match.record.outcome == self.match.task.seat


def judge(match: Finished) -> Judged:
    """Answer the match with exact values, or without any where the game is too large to be solved."""
    if not try_solve(match.record.game):
        return Judged(match, (), ())
    found, seat = review_game(match.record.game, match.record.moves), match.task.seat
    own = tuple(move for move in found.moves if move.player == seat)
    return Judged(match, own, tuple(Value(-value) if seat else value for value in found.values))


def evaluation_report(
    plan: Plan, matches: Iterable[Finished], exchanges: Iterable[Exchange] = (), prices: Prices | None = None
) -> dict[str, Any]:
    """Answer the report as a JSON document."""
    judged = [judge(match) for match in matches]

    def part(**wanted: object) -> list[Judged]:
        return [one for one in judged if all(getattr(one.match.task, name) == wanted[name] for name in wanted)]

    return {
        "format": FORMAT,
        "version": VERSION,
        "plan": plan.to_json(),
        "planned": len(plan.tasks()),
        "overall": tally(judged),
        "seats": [{"seat": SEAT_NAMES[seat], **tally(part(seat=seat))} for seat in (0, 1)],
        "opponents": [
            {"opponent": opponent, "seat": SEAT_NAMES[seat], **tally(part(opponent=opponent, seat=seat))}
            for opponent, seat in product(plan.opponents, (0, 1))
        ],
        "games": [{"game": game, **tally(part(game=game))} for game in plan.games],
        "cells": [
            {"game": game, "opponent": opponent, "seat": SEAT_NAMES[seat]}
            | tally(part(game=game, opponent=opponent, seat=seat))
            for game, opponent, seat in product(plan.games, plan.opponents, (0, 1))
        ],
        "notes": [
            f"{game} is too large to solve: its matches have no accuracy and no regret."
            for game in plan.games
            if any(not one.values for one in part(game=game))
        ],
        "spent": spent(plan.tasks(), exchanges, prices),
    }


def tally(judged: Sequence[Judged]) -> dict[str, Any]:
    """Answer the results of some matches, and how well the agent decided where that mattered."""
    wins, losses = sum(one.won for one in judged), [one for one in judged if one.lost]
    known = [one.values for one in losses if one.values]
    outcomes = Counter(one.match.record.outcome for one in judged)
    decisions = [move for one in judged for move in one.moves if move.mattered]
    forfeits = Counter(one.match.forfeit.kind for one in losses if one.match.forfeit)
    return {
        "matches": len(judged),
        "wins": wins,
        "losses": len(losses),
        "draws": outcomes[Outcome.DRAW],
        "undecided": outcomes[Outcome.UNDECIDED],
        "win_rate": _share(wins, len(judged)),
        "decisions": len(decisions),
        "accuracy": _share(sum(move.regret == 0 for move in decisions), len(decisions)),
        "regret": round(sum(move.regret for move in decisions) / len(decisions), 4) if decisions else None,
        "forfeits": {str(kind): forfeits[kind] for kind in ForfeitKind},
        "opponent_forfeits": sum(one.match.forfeit is not None for one in judged if one.won),
        "lost_from_the_start": _share(sum(values[0] is Value.LOSS for values in known), len(known)),
        "never_better": _share(sum({*values} == {Value.LOSS} for values in known), len(known)),
    }


def _share(part: int, whole: int) -> dict[str, Any] | None:
    """Answer a share with its 95 % interval by Wilson's method; None of nothing."""
    if not whole:
        return None
    low, high = wilson(part, whole)
    return {"count": part, "of": whole, "rate": round(part / whole, 6), "low": round(low, 6), "high": round(high, 6)}


def spent(tasks: Iterable[Task], exchanges: Iterable[Exchange], prices: Prices | None) -> dict[str, Any] | None:
    """Answer what the agent's exchanges took, not those of an opponent; None where there were none."""
    seats = {task.key: SEAT_NAMES[task.seat] for task in tasks}
    own = [exchange for exchange in exchanges if exchange.seat == seats.get(exchange.match)]
    if not own:
        return None
    read, written = (sum(getattr(exchange.tokens, name) for exchange in own) for name in ("read", "written"))
    seconds = sorted(exchange.seconds for exchange in own if exchange.status == 200)
    return {
        "requests": len(own),
        "results": dict(sorted(Counter(exchange.result for exchange in own).items())),
        "tokens_read": read,
        "tokens_written": written,
        "estimated": any(exchange.tokens.estimated for exchange in own),
        "median_seconds": seconds[len(seconds) // 2] if seconds else None,
        "cost": round((read * prices.read + written * prices.written) / 1_000_000, 6) if prices else None,
    }
