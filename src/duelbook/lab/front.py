"""The Pareto front: the variants that no other one beats in everything."""

from collections.abc import Sequence

from duelbook.lab.measure import Scores, Variant


def front(variants: Sequence[Variant]) -> set[int]:
    """Return the numbers of the measured variants that no other one dominates in fairness, depth and brevity."""
    scored = [(variant.number, variant.scores) for variant in variants if variant.scores]
    return {number for number, own in scored if not any(dominates(other, own) for _, other in scored)}


def dominates(one: Scores, other: Scores) -> bool:
    """Return True if the first is at least as good in everything, and better in something."""
    ours, theirs = ((scores.fairness, scores.depth, scores.brevity) for scores in (one, other))
    return ours != theirs and all(a >= b for a, b in zip(ours, theirs, strict=True))
