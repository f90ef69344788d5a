"""Checking: whether a match is as it was answered to be, by the rules and with nothing that nobody asked for."""

from benchmarks.service.people import Client, decoded
from benchmarks.service.tables import Played
from duelbook.game import PASS
from duelbook.records.document import from_json


async def lost(client: Client, played: Played) -> set[tuple[str, int]]:
    """Answer the plies of answered moves that the match has lost; what else is wrong is raised."""
    answer = await client.ask("GET", f"/api/matches/{played.match}")
    if answer.status == 404:
        return {(played.match, ply) for ply in (-1, *played.moves)}  # and the match itself
    moves = decoded(answer)["moves"]
    if played.begun:
        record = from_json(await client.get(f"/api/matches/{played.match}/record"))  # replays it by the rules
        assert list(record.moves) == moves, f"record and view of {played.match} differ"
    gone = {(played.match, ply) for ply, move in played.moves.items() if moves[ply : ply + 1] != [move]}
    for ply, move in enumerate(moves):
        assert gone or is_explained(played, ply, move), f"nobody played {move} at ply {ply} of {played.match}"
    return gone


def is_explained(played: Played, ply: int, move: str) -> bool:
    """Tell whether the move was answered, or asked for, or is a pass that the service plays by itself."""
    asked = played.asked
    if asked and (asked.ply, asked.move) == (ply, move):
        asked.stored = True
        return True
    return ply in played.moves or move == PASS
