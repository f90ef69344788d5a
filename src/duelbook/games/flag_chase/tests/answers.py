"""What people may type that is no move at the start of the game."""

BAD = ("", "0", "3", "-1", "one", "1.0")
