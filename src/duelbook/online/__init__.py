"""A client of the service: its matches, live updates, and the tokens of this person's seats. Nothing here prints."""
