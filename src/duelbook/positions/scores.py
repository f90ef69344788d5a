"""Scores of an agent on positions: accuracy, regret and rule-following, compared with chance (docs/positions.md)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import comb
from typing import Any, NamedTuple

from duelbook.intervals import Cluster, clustered
from duelbook.positions.position import STRATA, DatasetPosition

LEGAL = "legal"  # the outcome of an answer that is a legal move; other outcomes say why there is none
MAX_REGRET = 2
DIGITS = 6
PARTS: dict[str, Callable[[DatasetPosition], str]] = {  # the parts of a report, and which of them a position belongs to
    "game": lambda position: position.game,
    "seat": lambda position: position.seat,
    "distance": lambda position: position.distance,
    "choices": lambda position: position.choices,
    "share": lambda position: position.share,
}


class Reply(NamedTuple):
    """An answer to a position: a legal move, or None and the reason."""

    position: DatasetPosition
    move: str | None
    outcome: str

    @property
    def is_right(self) -> bool:
        return self.move in self.position.good

    @property
    def regret(self) -> int:
        return self.position.regret_of(self.move)


def scores(replies: Sequence[Reply]) -> dict[str, Any]:
    """Return the scores of some replies as a JSON document; only that there are none if so."""
    if not replies:
        return {"positions": 0, "answers": 0}
    chance_accuracy = _mean(reply.position.chance_accuracy for reply in replies)
    chance_regret = _mean(reply.position.chance_regret for reply in replies)
    accuracy = _share(replies, lambda reply: float(reply.is_right))
    regret = {name: value and value * MAX_REGRET for name, value in _lost(replies).items()}
    return {
        "positions": len({reply.position.id for reply in replies}),
        "answers": len(replies),
        "clusters": len({reply.position.cluster for reply in replies}),
        "accuracy": _rounded(accuracy),
        "regret": _rounded(regret),
        "legal": _rounded(_share(replies, lambda reply: float(reply.move is not None))),
        "chance": _rounded({"accuracy": chance_accuracy, "regret": chance_regret}),
        "accuracy_score": _rounded(_scaled(accuracy, chance_accuracy, 1.0)),
        "regret_score": _rounded(_scaled(regret, chance_regret, 0.0)),
        "outcomes": dict(sorted(Counter(reply.outcome for reply in replies).items())),
    }


def parts(replies: Sequence[Reply]) -> dict[str, list[dict[str, Any]]]:
    """Return the scores by game, seat and stratum. Strata are in their order, games in that of the positions."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name, part_of in PARTS.items():
        groups: dict[str, list[Reply]] = defaultdict(list)
        for reply in replies:
            groups[part_of(reply.position)].append(reply)
        order = sorted(groups, key=lambda part: STRATA.index(part) if part in STRATA else -1)
        found[name] = [{name: part, **scores(groups[part])} for part in order]
    return found


def repetition(replies: Sequence[Reply], samples: int) -> dict[str, Any] | None:
    """Return pass@k for each k, and how often two answers to the same position agree; None if each has only one.

    Only positions with all their answers count.
    """
    groups: dict[str, list[Reply]] = defaultdict(list)
    for reply in replies:
        groups[reply.position.id].append(reply)
    full = [group for group in groups.values() if len(group) == samples]
    if samples < 2 or not full:
        return None
    pairs = comb(samples, 2)
    agreeing = [
        sum(comb(number, 2) for move, number in Counter(one.move for one in group).items() if move is not None) / pairs
        for group in full
    ]
    chance = [group[0].position for group in full]
    return {
        "positions": len(full),
        "samples": samples,
        "pass_at": {
            str(k): _rounded(
                {
                    "rate": _mean(_pass_at(sum(one.is_right for one in group), samples, k) for group in full),
                    "chance": _mean(1 - (1 - one.chance_accuracy) ** k for one in chance),
                }
            )
            for k in range(1, samples + 1)
        },
        "consistency": _rounded({"rate": _mean(agreeing), "chance": _mean(1 / len(one.legal) for one in chance)}),
    }


def _pass_at(right: int, samples: int, k: int) -> float:
    """Return the probability that at least one of k of the samples is right, if these are drawn from all of them."""
    return 1 - comb(samples - right, k) / comb(samples, k)


def _share(replies: Sequence[Reply], points: Callable[[Reply], float]) -> dict[str, float | None]:
    """Return the mean of the points, each 0 to 1, with its 95% interval, in which positions of a game are a cluster."""
    groups: dict[str, list[float]] = defaultdict(list)
    for reply in replies:
        groups[reply.position.cluster].append(points(reply))
    rate = _mean(map(points, replies))
    low, high = clustered(rate, [Cluster(sum(group), len(group)) for group in groups.values()]) or (None, None)
    return {"rate": rate, "low": low, "high": high}


def _lost(replies: Sequence[Reply]) -> dict[str, float | None]:
    return _share(replies, lambda reply: reply.regret / MAX_REGRET)


def _scaled(found: dict[str, float | None], chance: float, perfect: float) -> dict[str, float | None]:
    """Return the number and its interval on the scale where chance is 0 and perfect play is 1."""
    rate, *ends = (None if one is None else (one - chance) / (perfect - chance) for one in found.values())
    low, high = ends if perfect > chance else reversed(ends)
    return {"rate": rate, "low": low, "high": high}


def _mean(numbers: Iterable[float]) -> float:
    found = list(numbers)
    return sum(found) / len(found)


def _rounded(numbers: dict[str, float | None]) -> dict[str, float | None]:
    return {name: None if one is None else round(one, DIGITS) for name, one in numbers.items()}
