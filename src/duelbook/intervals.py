"""Wilson score interval for a proportion."""

import math

STANDARD_DEVIATIONS = 1.959964  # on each side, for 95%


def wilson(points: float, games: int) -> tuple[float, float]:
    """Return the 95% interval for the share of points in some games; a draw is half a point."""
    share, square = points / games, STANDARD_DEVIATIONS**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    spread = share * (1 - share) / games + square / (4 * games**2)
    margin = STANDARD_DEVIATIONS * math.sqrt(spread) / (1 + square / games)
    return max(0.0, middle - margin), min(1.0, middle + margin)
