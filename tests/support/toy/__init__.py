"""A toy game in one folder, to test that a new game gets everything."""

STAIRCASE = {"DUELBOOK_GAMES": "tests.support.toy.rules:Staircase"}  # the environment in which it has a name
