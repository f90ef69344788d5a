"""Matches of the service in the terminal: the same dialogue as at one keyboard, with the other player elsewhere."""
