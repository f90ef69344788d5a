"""Questions that cannot be answered: each is refused with the code of its problem, and the refusal is not cached."""

import pytest

from duelbook.web.problems import STATUS
from tests.support.service.asking import refused
from tests.support.service.harness import RunningServer

LESSON = "/api/games/flag-chase/lesson/answer"
PICTURE = "/pictures/positions/charge.png"
LINES = ("charge?after=dance", "charge?option=goal", "word-clash?option=dictionary=/etc/passwd")
REFUSED = {
    "invalid": [
        *(f"/api/games/charge/rules?option={option}" for option in ("goal=0", "goal", "colour=red")),
        *(f"{LESSON}?step={step}&try=1" for step in ("6", "0", "9" * 20)),
        *(f"{LESSON}?{query}" for query in ("step=2", "try=1", f"step=2&try={'9' * 61}")),
        *(f"/api/{kind}/{line}" for kind in ("positions", "solve") for line in (*LINES, f"charge?after={'x' * 4001}")),
        *(f"/api/games/charge/variant?{query}" for query in ("option=goal", f"choice={'x' * 201}")),
        *(f"{PICTURE}?{query}" for query in ("after=charge+9", "option=goal=0", "afer=charge+1")),
        "/pictures/positions/word-clash.png?option=dictionary=/etc/passwd",
        "/pictures/puzzles/charge.png?seed=x",
        "/pictures/puzzles/daily.png?day=1999-01-01",
    ],
    "illegal-move": [f"{LESSON}?step=2&try=9"],
    "not-found": [
        "/api/games/nowhere/lesson",
        "/api/games/chess/variant",
        "/api/positions/chess",
        "/api/solve/chess",
        "/pictures/matches/x.png",
        f"/pictures/matches/{'0' * 24}.png",
    ],
}


@pytest.mark.parametrize(("code", "path"), [(code, path) for code, paths in REFUSED.items() for path in paths])
def test_what_cannot_be_answered_is_refused(server: RunningServer, code: str, path: str) -> None:
    answer = server.http.get(path)
    refused(answer, STATUS[code], code)
    assert answer.headers["cache-control"] == "no-store"
