"""Toy games, which are not part of Duelbook: they test that any game gets everything."""

MODULES = {"last_stone": "LastStone", "pits": "Pits", "drop_four": "DropFour", "number_row": "NumberRow"}
TOYS = ",".join(f"tests.support.games.{module}:{rules}" for module, rules in MODULES.items())  # for DUELBOOK_GAMES
