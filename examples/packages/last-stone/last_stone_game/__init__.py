"""Last Stone, a game from outside Duelbook."""
