"""What people may type that is no move at the start of the game."""

BAD = ("", "5", "EE", "E me", "E self 9", "E self 3 4 5")
