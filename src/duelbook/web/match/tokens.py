"""Tokens: the secret of a seat. Only hashes of them are kept."""

import hmac
import secrets
from hashlib import sha256


def new_token() -> str:
    return secrets.token_urlsafe(32)


def new_id() -> str:
    """Answer an id that cannot be guessed: whoever is given it may watch the match."""
    return secrets.token_hex(12)


def hashed(token: str) -> str:
    """Answer what is kept of a token."""
    return sha256(token.encode()).hexdigest()


def is_token(token: str, kept: str | None) -> bool:
    """Tell whether this is the token that the hash was made of."""
    return kept is not None and hmac.compare_digest(hashed(token), kept)


def derived(secret: str, purpose: str) -> str:
    """Answer a token that follows from a secret of a client's: asked again, it is the same."""
    return hmac.new(secret.encode(), purpose.encode(), sha256).hexdigest()
