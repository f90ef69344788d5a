"""The running hash of a match, stored with each move: it shows a move that was changed after it was acknowledged.

The hash of a move covers the move, those before it, and the game that they are moves of. It finds accidents, such as
a disk that returns other bytes or a statement typed by hand. Who can write to the database can write other hashes too.
"""

from collections.abc import Sequence
from hashlib import blake2b

from duelbook.errors import RefusedError
from duelbook.web.db.tables import MatchRow, MoveRow

HASH_BYTES = 8


def hash_before(match: MatchRow) -> str:
    """Return the hash before the first move."""
    return _hash(match.game, match.options, match.seed)


def hash_after(before: str, ply: int, move: str, seat: int, key: str | None, seconds: float, version: int) -> str:
    """Return the hash after the move, which follows the move with that hash."""
    return _hash(before, ply, move, seat, key, f"{seconds:.3f}", version)


def check_hashes(before: str, moves: Sequence[MoveRow]) -> None:
    """Raise RefusedError unless every move is the one that was acknowledged; `before` is the hash before the first."""
    for row in moves:
        before = hash_after(before, row.ply, row.move, row.seat, row.key, row.seconds, row.version)
        if before != row.hash:
            raise RefusedError(f"Move {row.ply}, or what comes before it, is not what was acknowledged.")


def _hash(*parts: object) -> str:
    return blake2b(repr(parts).encode(), digest_size=HASH_BYTES).hexdigest()
