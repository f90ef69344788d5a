"""How sure a share is that was found in some games."""

import math

DEVIATIONS = 1.959964  # standard deviations to each side that hold 95 %


def wilson(points: float, games: int) -> tuple[float, float]:
    """Answer the 95 % interval of Wilson for the share of points, a draw being half a point."""
    share, square = points / games, DEVIATIONS**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    spread = DEVIATIONS * math.sqrt(share * (1 - share) / games + square / (4 * games**2)) / (1 + square / games)
    return max(0.0, middle - spread), min(1.0, middle + spread)
