"""The rules again, written naively, to compare with: `duelbook check hexapawn --oracle tests.oracle:verdict`."""

from collections.abc import Mapping


def verdict(options: Mapping[str, int | str], moves: list[str]) -> tuple[list[str], str]:
    """Return the names of the legal moves after these, and the winner."""
    size = int(options["size"])
    pawns = {
        (column, row): row != 1 for column in "abcd"[:size] for row in (1, size)
    }  # the cell: whether it is the second's
    second = False
    for move in moves:
        start, end = move.split()
        pawns[end[0], int(end[1])] = pawns.pop((start[0], int(start[1])))
        second = not second
    if any(row == (1 if owner else size) for (_, row), owner in pawns.items()):
        return [], "first" if second else "second"
    legal = []
    for (column, row), owner in pawns.items():
        ahead = row - 1 if owner else row + 1
        for other in "abcd"[:size]:
            there = pawns.get((other, ahead))
            distance = abs(ord(other) - ord(column))
            if owner == second and (there is None and distance == 0 or there == (not second) and distance == 1):
                legal.append(f"{column}{row} {other}{ahead}")
    if legal:
        return legal, ""
    return [], "draw" if options["stuck"] == "draws" else "first" if second else "second"
