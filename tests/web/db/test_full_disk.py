"""A full disk: nothing is lost, reads still work, and writes work again when there is space."""

from pathlib import Path

from duelbook.web.db import schema
from tests.support.service.harness import RunningServer
from tests.support.service.stock import contents
from tests.support.service.stores import new, with_stores


def test_a_service_with_a_full_disk_answers_503_loses_nothing_and_recovers_when_there_is_space(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path}/matches.sqlite"
    schema.upgrade(url)
    with_stores(url, 1, lambda store: store.apply(*(new(number, options="x" * 3900) for number in range(225))))
    server = RunningServer(tmp_path, {"database_url": url, "sqlite_megabytes": 1, "idle_days": 0}).start()
    first, second = server.new_pair()
    first.play(0, "9")
    made = []
    for _ in range(500):
        answer = server.http.post("/api/matches", json={"game": "word-clash", "opponent": "friend"})
        if answer.status_code != 201:
            break
        made.append(answer.json()["id"])
    assert answer.status_code == 503, answer.text
    assert answer.headers["retry-after"] == "1"
    assert answer.json()["code"] == "unavailable"
    assert answer.json()["detail"] == "The service has no space left to store anything."
    assert answer.headers["content-type"] == "application/problem+json"
    readiness = server.http.get("/readyz")
    assert (readiness.status_code, readiness.json()["detail"]) == (503, answer.json()["detail"])
    for match in made:
        assert server.http.get(f"/api/matches/{match}").status_code == 200
    assert second.view()["moves"] == ["9"]
    server.kill()
    assert {*made, first.match} <= {row[0] for row in contents(url)["matches"]}
    server.settings["sqlite_megabytes"] = 2
    server.start()
    assert second.play(1, "8").status_code == 200
    server.new_match("word-clash")
    assert "Traceback" not in server.log.read_text()
    server.stop()
