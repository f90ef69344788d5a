"""Tokens: the secret of a seat. Only their hashes are stored."""

import hmac
import random
from base64 import urlsafe_b64encode
from hashlib import sha256

randomness: random.Random = random.SystemRandom()  # of tokens, ids and seeds; the simulation has its own


def new_token() -> str:
    return urlsafe_b64encode(randomness.randbytes(32)).rstrip(b"=").decode()


def new_id() -> str:
    """Return an id that cannot be guessed: anybody who knows it may watch the match."""
    return randomness.randbytes(12).hex()


def derived_id(secret: str) -> str:
    """Return the id of the match that a client creates with a secret, so that a retry finds it."""
    return derived_token(secret, "match")[:24]


def new_seed() -> int:
    """Return the seed of a match, from which the moves of its agents follow."""
    return randomness.getrandbits(62)


def random_seat() -> int:
    return randomness.getrandbits(1)


def token_hash(token: str) -> str:
    """Return the hash of a token, as it is stored."""
    return sha256(token.encode()).hexdigest()


def is_token(token: str, stored: str | None) -> bool:
    """Return True if the stored hash is that of the token."""
    return stored is not None and hmac.compare_digest(token_hash(token), stored)


def derived_token(secret: str, purpose: str) -> str:
    """Return a token that follows from a client's secret, so that a retry gets the same one."""
    return hmac.new(secret.encode(), purpose.encode(), sha256).hexdigest()
