"""Metrics and the reference: closed, or open at an address of their own, for any number of processes."""

import httpx

from duelbook.web.db.schema import upgrade
from duelbook.web.settings import Settings
from tests.support.service.asking import wait_until
from tests.support.service.backends import Postgres, Redis
from tests.support.service.server import ReservedPort
from tests.web.conftest import Start

PATHS = ("/metrics", "/api/docs", "/api/openapi.json")


def test_metrics_and_the_reference_are_closed_unless_the_operator_opens_them(start: Start) -> None:
    defaults = Settings()
    server = start(metrics=defaults.metrics, reference=defaults.reference)
    assert [server.http.get(path).status_code for path in PATHS] == [404] * 3
    assert server.http.get("/readyz").status_code == 200
    assert Settings.metrics == Settings.reference == "off"


def test_metrics_of_all_processes_and_the_reference_have_an_address_of_their_own(
    start: Start, postgres: Postgres, redis_server: Redis
) -> None:
    ports = ReservedPort(), ReservedPort()
    addresses = [f"127.0.0.1:{port.number}" for port in ports]
    settings = {"database_url": postgres.new_database(), "redis_url": redis_server.url, "workers": 2}
    upgrade(str(settings["database_url"]))
    server = start(**settings, metrics=addresses[0], reference=addresses[1])
    assert [server.http.get(path).status_code for path in PATHS] == [404] * 3
    for _ in range(20):
        server.new_match()
    counted = 'duelbook_requests_total{method="POST",route="/api/matches",status="201"} 20.0'
    wait_until(lambda: counted in httpx.get(f"http://{addresses[0]}/metrics").text)  # a request counts after its answer
    assert "The live socket" in httpx.get(f"http://{addresses[1]}/api/docs").text
    assert "/api/matches" in httpx.get(f"http://{addresses[1]}/api/openapi.json").json()["paths"]
    for address, path in zip(addresses, ("/api/docs", "/metrics"), strict=True):
        assert httpx.get(f"http://{address}{path}").status_code == 404
