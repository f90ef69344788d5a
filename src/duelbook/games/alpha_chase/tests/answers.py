"""What people may type that is no move at the start of the game."""

BAD = ("", "5", "PLANT", "é", "\x1b[31m", "pass")
