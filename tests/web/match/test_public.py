"""Public matches: listed for everybody while they are played, if a player wants that."""

from typing import Any

from alembic import command
from alembic.config import Config
from msgspec.structs import asdict
from sqlalchemy import ColumnClause, column, insert, select, table, text

from duelbook.web.db import schema
from duelbook.web.db.database import database_url, open_database
from duelbook.web.db.store import PUBLIC, Store
from duelbook.web.db.tables import matches
from duelbook.web.schemas.matches import MAX_LISTED_MATCHES
from tests.support.service.asking import get
from tests.support.service.harness import RunningServer
from tests.support.service.stores import LONG_AGO, new, with_stores


def listed(server: RunningServer) -> dict[str, dict[str, Any]]:
    return {match["id"]: match for match in get(server, "/api/matches")["matches"]}


def test_a_public_match_is_listed_while_it_is_played(server: RunningServer) -> None:
    one = server.new_match("charge", name="Red", public=True)
    assert one.view()["public"] is True
    assert one.match not in listed(server)  # it waits for a friend
    two = one.friend()
    one.play(0, "block")
    assert listed(server)[one.match] == {
        "id": one.match,
        "game": "charge",
        "ply": 1,
        "names": {"first": "Red", "second": "Player 2"},
        "seats": {"first": "human", "second": "human"},
        "mover": "second",
    }
    two.post("resign")
    assert one.match not in listed(server)


def test_a_match_is_not_listed_unless_its_creator_wants_that(server: RunningServer) -> None:
    first, _ = server.new_pair()
    assert first.view()["public"] is False
    assert first.match not in listed(server)


def test_a_match_against_an_agent_can_be_public(server: RunningServer) -> None:
    player = server.new_match("charge", "greedy", public=True)
    assert listed(server)[player.match]["seats"] == {"first": "human", "second": "greedy"}


def test_a_match_whose_time_is_up_is_not_listed(server: RunningServer) -> None:
    first, _ = server.new_pair(time_limit=0.001, public=True)
    first.until_over()
    assert first.match not in listed(server)


def test_a_rematch_is_as_public_as_the_match_before(server: RunningServer) -> None:
    for public in (True, False):
        player = server.new_match("charge", "greedy", public=public)
        player.post("resign")
        again = player.post("rematch").json()
        assert again["match"]["public"] is public
        assert (again["id"] in listed(server)) is public


def test_the_number_of_listed_matches_is_limited(server: RunningServer) -> None:
    pairs = [server.new_pair("charge", public=True) for _ in range(MAX_LISTED_MATCHES + 1)]
    assert len(listed(server)) == MAX_LISTED_MATCHES
    for first, _ in pairs:
        first.post("resign")


def test_the_most_recently_active_matches_are_listed_first(url: str) -> None:
    made = [
        new(1, public=True, turn_started=9.0),
        new(2, public=True, active_at=LONG_AGO + 60),
        new(3, public=True, turn_started=10.0),
        new(4, active_at=LONG_AGO + 60),
        new(5, public=True, started=None),
        new(6, public=True, reason="rules", active_at=LONG_AGO + 60),
    ]

    async def ask(store: Store) -> list[int]:
        await store.apply(*made)
        return [int(match) for match in await store.public_matches(MAX_LISTED_MATCHES)]

    assert with_stores(url, 1, ask) == [2, 3, 1]


def test_matches_of_the_schema_without_public_ones_are_kept_and_not_public(empty: str) -> None:
    with open_database(database_url(empty), writing=True) as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(schema.MIGRATIONS))
        command.upgrade(config, "0001")
        row = {
            name: value for name, value in asdict(new(1).match).items() if name not in ("public", "due", "active_at")
        }
        columns: list[ColumnClause[Any]] = [column(name) for name in (*row, "touched")]
        connection.execute(insert(table("matches", *columns)), [{**row, "touched": LONG_AGO}])
    assert schema.upgrade(empty) == "0001"
    with open_database(database_url(empty)) as connection:
        kept = connection.execute(select(matches)).mappings().one()
    assert dict(kept) == {**row, "public": False, "due": None, "active_at": 0}  # there was no uptime yet


def test_the_list_is_served_by_an_index(url: str) -> None:
    with open_database(database_url(url)) as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SET enable_seqscan = off"))
        explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
        words = PUBLIC.limit(MAX_LISTED_MATCHES).compile(connection, compile_kwargs={"literal_binds": True})
        plan = [" ".join(map(str, row)) for row in connection.execute(text(f"{explain} {words}"))]
    assert any("matches_public" in line for line in plan), plan
