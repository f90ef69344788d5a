"""Toy games, which are not part of Duelbook: they test that any game gets everything."""

TOYS = ("tests.support.games.pits:Pits", "tests.support.games.drop_four:DropFour")  # extra turns; too large to solve
