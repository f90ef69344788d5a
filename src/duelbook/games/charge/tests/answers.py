"""What people may type that is no move at the start of the game."""

BAD = ("", "charge", "charge 6", "charge -1", "play", "refresh")
