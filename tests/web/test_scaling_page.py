"""The page on growth: its partitions work, and its figures follow from the measurements."""

import re
import time
from pathlib import Path
from typing import Any

from sqlalchemy import inspect, text

from duelbook.web.db.admin.check import check
from duelbook.web.db.admin.copy import TABLES, copy
from duelbook.web.db.database import database_url, open_database
from duelbook.web.db.schema import upgrade
from tests.support.service.backends import Postgres
from tests.support.service.faults import Playing, audit, more_moves
from tests.support.service.harness import PATIENCE
from tests.support.service.proxy import Nginx
from tests.support.service.stock import Stock, contents
from tests.web.conftest import Start

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "scaling.md").read_text()
PAGES = ("operate.md", "scaling.md")
SEED = 20261116


def shape(url: str) -> dict[str, Any]:
    """Return the columns, keys and indexes of every table, without the names of keys and indexes."""
    with open_database(database_url(url)) as connection:
        seen = inspect(connection)
        return {
            table.name: (
                sorted((column["name"], str(column["type"]), column["nullable"]) for column in columns),
                seen.get_pk_constraint(table.name)["constrained_columns"],
                {(*key["constrained_columns"], *key["options"].items()) for key in seen.get_foreign_keys(table.name)},
                sorted(index["column_names"] for index in seen.get_indexes(table.name)),
            )
            for table in TABLES
            if (columns := seen.get_columns(table.name))
        }


def test_a_store_is_copied_into_the_partitions_of_the_page_and_played_on(
    postgres: Postgres, stock: Stock, start: Start
) -> None:
    plain, url = postgres.new_database(), postgres.new_database()
    for database in (plain, url):
        upgrade(database)
    found = re.search(r"<!-- drill: partitions -->\n```sql\n(.*?)```", PAGE, re.DOTALL)
    assert found
    with open_database(database_url(url), writing=True) as connection:
        connection.execute(text(found[1]))
    assert shape(url) == shape(plain)
    assert not copy(stock.url, url).report.findings
    assert contents(url) == contents(stock.url)
    server = start(database_url=url)
    with Playing([server], SEED) as playing:
        more_moves(playing, 30)
    audit(playing, server)
    assert not check(url).findings


def test_the_proxy_of_the_page_sends_every_request_of_a_match_to_the_same_server(start: Start) -> None:
    servers = [start(allowed_hosts="play.example", log_level="debug") for _ in range(2)]
    operate, growth = ((DOCS / name).read_text().split("```nginx\n")[1].split("```")[0] for name in PAGES)
    single = re.search(r"upstream duelbook {.*?}", operate, re.DOTALL)
    assert single
    addresses = {"10.0.0.11:8000": servers[0].port, "10.0.0.12:8000": servers[1].port}
    with Nginx.running(operate.replace(single[0], growth), addresses) as proxy, proxy.client() as browser:
        wish = {"game": "charge", "opponent": "friend"}
        ids = [browser.post("/api/matches", json=wish).json()["id"] for _ in range(12)]
        for _ in range(3):
            assert {browser.get(f"/api/matches/{match}").status_code for match in ids} == {200}
    deadline = time.monotonic() + PATIENCE
    asked: list[set[str]] = [set(), set()]
    while asked[0] | asked[1] != {*ids} and time.monotonic() < deadline:  # a line is written a moment later
        asked = [{match for match in ids if f'"/api/matches/{match}"' in server.log.read_text()} for server in servers]
    assert asked[0] | asked[1] == {*ids}
    assert not asked[0] & asked[1]
    assert all(asked), "one server gets all matches"
