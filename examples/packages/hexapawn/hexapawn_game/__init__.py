"""Hexapawn: the folder of the game."""
