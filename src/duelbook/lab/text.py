"""What the lab found, as plain text for the terminal: the front, best balance of the three scores first."""

from collections.abc import Sequence

from duelbook.lab.front import front
from duelbook.lab.measure import Variant
from duelbook.lab.plan import LabPlan
from duelbook.text import plural

MAX_ROWS = 12
HEADS = ("variant", "first seat", "depth", "moves", "fair", "deep", "brief")


def lab_text(plan: LabPlan, variants: Sequence[Variant]) -> str:
    """Return the variants on the front as a table, and how many are too large or not allowed by the rules."""
    best = front(variants)
    about = f"On the front (no other variant is fairer, deeper and briefer): {len(best)} of {len(variants)}.\n"
    shown = sorted((one for one in variants if one.number in best), key=_balance, reverse=True)
    rows = [HEADS, *map(_row, shown[:MAX_ROWS])]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
    more = [f"… and {len(shown) - MAX_ROWS} more on the front"] if len(shown) > MAX_ROWS else []
    left = sum(one.too_large is not None for one in variants)
    large = [f"{plural(left, 'variant')} too large to be solved within {plan.megabytes:,} MB."] if left else []
    refused = plan.variants.refused
    not_allowed = [f"The rules do not allow {plural(refused, 'other combination')}."] if refused else []
    return "\n".join([about, *lines, *more, *large, *not_allowed])


def _balance(one: Variant) -> float:
    """Return the product of the scores: one that is poor in anything comes late."""
    assert one.scores
    return one.scores.fairness * one.scores.depth * one.scores.brevity


def _row(one: Variant) -> tuple[str, ...]:
    assert one.played
    assert one.scores
    scores = (one.scores.fairness, one.scores.depth, one.scores.brevity)
    return (
        one.label,
        f"{one.played.first_score:.0%}",
        f"{one.played.depth:.0f}",
        f"{one.played.moves:.1f}",
        *(f"{score:.0%}" for score in scores),
    )
