"""Play, replay and study games in a terminal, line by line."""


class QuitError(Exception):
    """The person leaves before the match has begun."""
