"""Speeds in words: the table that `duelbook bench` prints."""

from collections.abc import Sequence
from typing import Any

HEADING = f"{'':24} {'':18} {'cores':>5} {'moves a second':>15}   times the speed of"


def line(figure: dict[str, Any]) -> str:
    """Answer one figure as a line: the speed, the ratios to the peers, and the goal where there is one."""
    ratios = [f"{peer.split()[0]} {times(ratio)}" for peer, ratio in figure["ratios"].items()]
    if figure["scaling"]:
        ratios.append(f"one core {figure['scaling']:.2f}")
    goal = f"   (goal {figure['goal']:,.0f})" if figure["goal"] else ""
    head = f"{figure['name']:24} {figure['way']:18} {figure['cores']:5} {figure['speed']:15,.0f}"
    return f"{head}   {', '.join(ratios)}{goal}".rstrip()


def times(ratio: float) -> str:
    """Answer the ratio with what tells something of it."""
    return f"{ratio:,.1f}" if ratio >= 1 else f"{ratio:.2g}"


def note(missing: Sequence[str]) -> str:
    """Answer what is not among the figures, and how it would be."""
    if not missing:
        return ""
    return f"\nNot installed, so not measured: {', '.join(missing)} (extra `bench`)."
