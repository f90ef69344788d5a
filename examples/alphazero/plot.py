"""The learning curve as an SVG picture: regret on a logarithmic scale, and accuracy."""

import math
from collections.abc import Callable, Sequence
from typing import Any

WIDTH, HEIGHT = 400, 230  # of each of the two parts
LEFT, RIGHT, TOP, BOTTOM = 64, 20, 36, 44  # the margins of a part
LEAST_REGRET = 1e-4  # at the bottom; a logarithmic scale has no place for 0
REGRET_TICKS = {1.0: "1", 0.1: "0.1", 0.01: "0.01", 0.001: "0.001", LEAST_REGRET: "≤ 0.0001"}
ACCURACY_TICKS = {share / 4: f"{25 * share} %" for share in range(5)}
STEPS = [unit * 10**power for power in range(3, 9) for unit in (1, 2, 5)]  # between the labels of positions
STYLE = (
    "text{font:12px system-ui,sans-serif;fill:#57606a}.title{font-weight:600;font-size:13px;fill:#24292f}"
    ".grid{stroke:#d0d7de}.line{fill:none;stroke:#0969da;stroke-width:2}.dot{fill:#0969da}"
    "@media(prefers-color-scheme:dark){text{fill:#9198a1}.title{fill:#f0f6fc}.grid{stroke:#3d444d}"
    ".line{stroke:#4493f8}.dot{fill:#4493f8}}"
)


def learning_curve(curve: Sequence[dict[str, Any]]) -> str:
    """Return regret and accuracy over the positions of self-play, side by side."""
    positions = [point["positions"] for point in curve]
    regrets, accuracies = ([point[key] for point in curve] for key in ("regret", "accuracy"))
    left = part("Exact regret", positions, regrets, REGRET_TICKS, lambda regret: math.log10(max(regret, LEAST_REGRET)))
    right = part("Accuracy", positions, accuracies, ACCURACY_TICKS, lambda accuracy: accuracy)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * WIDTH} {HEIGHT}" role="img" '
        f'aria-label="Exact regret and accuracy over training"><style>{STYLE}</style>'
        f'{left}<g transform="translate({WIDTH} 0)">{right}</g></svg>\n'
    )


def part(
    title: str,
    positions: Sequence[int],
    figures: Sequence[float],
    ticks: dict[float, str],
    scale: Callable[[float], float],
) -> str:
    """Return the plot of one figure."""
    low, high = scale(min(ticks)), scale(max(ticks))

    def across(count: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * count / max(positions), 1)

    def down(figure: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - scale(figure)) / (high - low), 1)

    parts = [f'<text class="title" x="{LEFT}" y="20">{title}</text>']
    for tick, name in ticks.items():
        parts.append(f'<path class="grid" d="M{LEFT} {down(tick)}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{down(tick) + 4}" text-anchor="end">{name}</text>')
    last = max(positions)
    for count in range(0, last + 1, next(step for step in STEPS if step * 6 > last)):
        parts.append(f'<text x="{across(count)}" y="{HEIGHT - 26}" text-anchor="middle">{count // 1000}k</text>')
    parts.append(f'<text x="{across(last / 2)}" y="{HEIGHT - 7}" text-anchor="middle">positions played</text>')
    places = [(across(count), down(figure)) for count, figure in zip(positions, figures, strict=True)]
    parts.append(f'<polyline class="line" points="{" ".join(f"{x},{y}" for x, y in places)}"/>')
    parts += [f'<circle class="dot" cx="{x}" cy="{y}" r="3"/>' for x, y in places]
    return "".join(parts)
