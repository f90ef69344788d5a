"""Errors that are meant for a person, and the checks that raise them."""


class RefusedError(ValueError):
    """Something from outside was refused; the message is one sentence for a person."""


def check_range(name: str, value: int, low: int, high: int) -> None:
    """Refuse an option outside its range."""
    if not low <= value <= high:
        raise RefusedError(f"{name} must be from {low} to {high}, not {value}")
