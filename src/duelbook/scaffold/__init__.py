"""The scaffold: a new game that plays, compiles and passes its tests as it is written, to be changed from there."""

from duelbook.scaffold.new_game import NewGame, write_game

__all__ = ["NewGame", "write_game"]
