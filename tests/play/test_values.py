"""Moves that are worth the same, named together."""

from duelbook.play.values import named_together


def test_a_description_holds_for_exactly_the_moves_that_it_names() -> None:
    legal = [f"{letter} {board} {place}" for letter in "ABCDE" for board in ("x", "y") for place in "123"]
    names = [name for name in legal if name.startswith(("A", "B")) or name.endswith("x 2")] + ["C y 3"]
    text = named_together(names, legal, lambda parts: " ".join(part or "*" for part in parts))
    assert text == "A * *, B * *, * x 2, C y 3"
    described = [item.split() for item in text.split(", ")]
    fitting = [
        name
        for name in legal
        if any(all(one in ("*", part) for one, part in zip(item, name.split(), strict=True)) for item in described)
    ]
    assert sorted(fitting) == sorted(names)


def test_moves_without_anything_in_common_are_counted() -> None:
    legal = [str(number) for number in range(40)]
    assert named_together(legal[:20], legal, str).endswith("10, 11 and 8 more")
    assert named_together(legal, legal, str) == "any move"
    assert named_together(legal[:12], legal, str) == ", ".join(legal[:12])
