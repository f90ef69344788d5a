"""Matches of a service in the terminal: the same session as at one keyboard, with the other player elsewhere."""
