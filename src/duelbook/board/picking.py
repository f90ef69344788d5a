"""Moves chosen by words: those that are picked so far, in any order, and what each further word would leave."""

from collections.abc import Iterable, Sequence

MAX_UNGROUPED = 6  # so few moves are easily read with their whole names


class Picking:
    """The legal moves by the words of their names, and the words that are picked."""

    def __init__(self, legal: Sequence[str], picked: Sequence[str] = ()) -> None:
        self._legal = legal
        self._by_words: dict[str, set[str]] = {}
        for name in legal:
            for words in runs(name):
                self._by_words.setdefault(words, set()).add(name)
        self.pick(picked)

    def pick(self, picked: Sequence[str]) -> None:
        """Take these words as picked, and no others. Words of no move are left out."""
        self.picked = tuple(words for words in picked if words in self._by_words)
        self.left = set(self._legal)
        for words in self.picked:
            self.left &= self._by_words[words]

    def moves(self, words: Iterable[str]) -> set[str]:
        """Return the moves that are left if one of these words is picked, too; none for words that are picked."""
        return {name for each in words if each not in self.picked for name in self._by_words.get(each, ())} & self.left

    def word(self, words: Iterable[str]) -> str:
        """Return the first of the words that leaves a move, or an empty text."""
        return next((each for each in words if self.moves((each,))), "")

    def chosen(self, words: str) -> str:
        """Return the only move that is left once these words are picked, or an empty text if there are several."""
        left = self.moves((words,))
        return left.pop() if len(left) == 1 else ""


def runs(name: str) -> Iterable[str]:
    """Return the words of a name that stand beside each other, all ways: `a b` has `a`, `b` and `a b`."""
    words = name.split()
    return (" ".join(words[at:end]) for at in range(len(words)) for end in range(at + 1, len(words) + 1))


def grouped(moves: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return the moves in groups by the words that they begin with. Few moves, or single words, are one group."""
    if len(moves) <= MAX_UNGROUPED or not any(" " in move for move in moves):
        return [("", list(moves))]
    ways = [_cut(moves, is_first=True), _cut(moves, is_first=False)]
    best = min(ways, key=lambda groups: len(groups) + max(map(len, groups.values())))
    return [("", list(moves))] if len(best) == len(moves) else list(best.items())


def _cut(moves: Sequence[str], *, is_first: bool) -> dict[str, list[str]]:
    """Return the moves by their first word, or by all but the last one."""
    groups: dict[str, list[str]] = {}
    for move in moves:
        words = move.split()
        beginning = words[: 1 if is_first else -1] if len(words) > 1 else []
        groups.setdefault(" ".join(beginning), []).append(move)
    return groups
