"""The rule book of Flag Chase in naive code that shares nothing with the rules, to check them against."""

from collections.abc import Mapping
from typing import Any

SEAT_NAMES = ("first", "second")


def verdict(options: Mapping[str, Any], moves: list[str]) -> tuple[list[str], str]:
    flag = (options["cells"] + 1) // 2
    cells = [1, options["cells"]]
    for ply, name in enumerate(moves):
        me, them = ply % 2, 1 - ply % 2
        direction = 1 if me == 0 else -1
        for _ in range(int(name)):
            if cells[me] != flag and cells[me] + direction != cells[them]:
                cells[me] += direction
        if cells[me] == flag:
            return [], SEAT_NAMES[me]
    return [str(stride + 1) for stride in range(options["stride"])], ""
