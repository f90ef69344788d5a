"""The final checks of a run: the store against what was acknowledged, and every watcher against the store."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from duelbook.web.db.writer import COMMIT_SECONDS
from tests.simulation.clients import Viewer, World
from tests.simulation.cluster import Cluster
from tests.simulation.database import Committed
from tests.simulation.history import History

CLOCK_SECONDS = 0.1  # by which a player may lose on time too early
LATE_SECONDS = 3.0  # for a match to be ended after its time is up, if there was no fault in the turn
AGENT_SECONDS = 40.0  # for an agent's turn, while there is no fault; many may wait for each other
UNTAKEN_SECONDS = 15.0  # the same at the end of a run, when nothing else waits
UNFINISHED = "unfinished"


def check_store(history: History, cluster: Cluster) -> None:
    """Check that acknowledged matches and moves are stored, each once, and that versions rose one by one."""
    store = cluster.store
    matches = {row["id"] for row in store.rows("matches")}
    for match in history.created:
        if match not in matches:
            history.fail("lost match", f"{match[:6]} is not in the store")
    for match, committed in store.history.items():
        if [one.version for one in committed] != list(range(1, len(committed) + 1)):
            history.fail("overwritten", f"{match[:6]} has versions {[one.version for one in committed]}")
    _check_moves(history, cluster)
    _check_series(history, cluster)


def _check_moves(history: History, cluster: Cluster) -> None:
    store = cluster.store
    kept: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in (*store.rows("moves"), *store.rows("undone")):
        if row["key"]:
            kept.setdefault((row["match"], row["key"]), []).append(row)
    for intended in history.moves:
        found = kept.get((intended.match, intended.key), [])
        if len(found) > 1:
            history.fail("doubled move", f"{intended.key} is stored {len(found)} times")
        elif intended.answers and not found:
            history.fail("lost move", f"{intended.key} was acknowledged and is not stored")
        elif intended.answers and found[0]["version"] != intended.answers[0][0]:
            history.fail("changed move", f"{intended.key} was acknowledged as {intended.answers[0]}, stored {found[0]}")
        elif intended.refused and not intended.answers and found:
            history.fail("refused move played", f"{intended.key} was refused as {intended.refused}, but is stored")


def _check_series(history: History, cluster: Cluster) -> None:
    """Check that every game that followed another has its number, and the points of both players."""
    rows = {row["id"]: row for row in cluster.store.rows("matches")}
    for before in rows.values():
        after = rows.get(before["rematch"])
        if after is None or before["outcome"] not in (0, 1, 2):
            continue
        won = {0: (1.0, 0.0), 1: (0.0, 1.0), 2: (0.5, 0.5)}[before["outcome"]]
        points = [before["second_points"] + won[1], before["first_points"] + won[0]]
        games = before["best_of"]
        if games > 1 and (before["game_number"] == games or max(points) > games / 2):
            expected = [games, 1, 0.0, 0.0]
        else:
            expected = [games, before["game_number"] + 1, *points]
        found = [after[name] for name in ("best_of", "game_number", "first_points", "second_points")]
        if found != expected:
            history.fail("series", f"after {before['id'][:6]} follows {found}, not {expected}")


def check_turns(history: History, cluster: Cluster) -> None:
    """Check that players lost on time only when it was up, and that no turn was left behind."""
    for match, committed in cluster.store.history.items():
        for before, after in pairwise(committed):
            if before.reason == UNFINISHED and before.started is not None:
                _check_turn(history, cluster, match, before, _turn_start(committed, before), after)
        last = committed[-1]
        if last.reason == UNFINISHED and last.started is not None:
            _check_turn(history, cluster, match, last, _turn_start(committed, last), None)


def _check_turn(
    history: History, cluster: Cluster, match: str, before: Committed, start: float, after: Committed | None
) -> None:
    """Check a turn that began at that time and ended with the state after it, or has not ended."""
    end = cluster.loop.time() if after is None else after.time
    waited = end - start - cluster.seconds_disturbed(start, end)
    if after and after.reason == "absence":
        _check_claim(history, cluster, match, before, after)
    if before.agent_due:
        if waited > (UNTAKEN_SECONDS if after is None else AGENT_SECONDS):
            history.fail("agent's turn left", f"{match[:6]} waited for its agent from {start:.1f} to {end:.1f} s")
    elif before.time_limit:
        used = cluster.seconds_up(start, end)
        # A process that did not see when the move was stored cannot know when the turn began.
        late = LATE_SECONDS + (COMMIT_SECONDS if cluster.seconds_disturbed(start, end) else 0.0)
        if waited > before.time_limit + late:
            history.fail("time not enforced", f"{match[:6]} waited from {start:.1f} to {end:.1f} s for its player")
        if after and after.reason == "time" and used < before.time_limit - CLOCK_SECONDS:
            history.fail("time charged", f"{match[:6]} was lost after {used:.1f} s of {before.time_limit:g} s")


def _check_claim(history: History, cluster: Cluster, match: str, before: Committed, after: Committed) -> None:
    """Check that a win was claimed by the player who had warned the mover, after the time to come back."""
    warned = next(one.time for one in cluster.store.history[match] if one.claim_at == before.claim_at)
    waited = cluster.seconds_up(warned, after.time)
    if before.claim_by != after.outcome or waited < cluster.settings.claim_seconds - CLOCK_SECONDS:
        history.fail("claim too early", f"{match[:6]} was claimed {waited:.1f} s after a warning by {before.claim_by}")


def _turn_start(committed: list[Committed], at: Committed) -> float:
    """Return when the turn began: when its ply was first committed in a row before that state."""
    start = at.time
    for one in reversed(committed[: at.version]):
        if one.ply != at.ply or one.started is None:
            break
        start = one.time
    return start


def check_views(world: World, cluster: Cluster) -> None:
    """Check that everybody who watches has the final view, and sees who is present."""
    history, store = world.history, cluster.store
    agents = {(row["match"], row["seat"]) for row in store.rows("seats") if row["agent"] != "human"}
    for viewer in world.viewers:
        if viewer.socket is None or not viewer.socket.is_open:
            history.fail("no socket", f"{viewer.name} cannot open its socket")
            continue
        version = history.version_at(viewer.match, cluster.loop.time())
        if viewer.view is None or viewer.view["version"] != version:
            seen = viewer.view and viewer.view["version"]
            history.fail("watcher left behind", f"{viewer.name} has version {seen}, the store {version}")
        here = {one.seat for one in _others(world.viewers, viewer) if one.socket}
        here |= {seat for match, seat in agents if match == viewer.match}
        truth = {"first": 0 in here, "second": 1 in here}
        if viewer.present != truth:
            history.fail("presence", f"{viewer.name} sees {viewer.present}, in truth it is {truth}")


def _others(viewers: Iterable[Viewer], viewer: Viewer) -> list[Viewer]:
    return [one for one in viewers if one.match == viewer.match]
