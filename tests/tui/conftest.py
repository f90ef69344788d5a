"""Every test of the full screen has a data folder of its own, and does not wait to watch."""

from pathlib import Path

import pytest

from duelbook.tui.match import MatchSubject
from duelbook.tui.questions import EndingPanel


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(MatchSubject, "watch_seconds", 0.001)
    monkeypatch.setattr(EndingPanel, "settle_seconds", 0.0)
