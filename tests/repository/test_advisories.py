"""Known faults of the pinned packages: the list is complete, and the answer of an index is understood."""

import tomllib
from datetime import date
from pathlib import Path

import pytest

from scripts import advisories

ROOT = Path(__file__).parents[2]
FAULTY = """{"dependencies": [
    {"name": "one", "version": "1.0", "vulns": [{"id": "CVE-2026-1", "fix_versions": ["1.1"], "description": ""}]},
    {"name": "two", "version": "2.0", "vulns": []},
    {"name": "three", "skip_reason": "Dependency not found"}], "fixes": []}"""


def test_every_direct_dependency_is_listed_with_its_pinned_version() -> None:
    assert advisories.outdated() == []


def test_a_changed_pin_is_found_until_the_list_is_updated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / "constraints.txt"
    pins = advisories.CONSTRAINTS.read_text()
    version = tomllib.loads(advisories.LIST.read_text())["starlette"]["version"]
    changed.write_text(pins.replace(f"starlette=={version}", "starlette==0.1"))
    monkeypatch.setattr(advisories, "CONSTRAINTS", changed)
    assert advisories.outdated() == [f"starlette is listed with version {version}, but 0.1 is pinned."]


def test_what_the_service_needs_was_looked_up() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = tomllib.loads(advisories.LIST.read_text())
    for asked in [*project["dependencies"], *project["optional-dependencies"]["web"]]:
        name = advisories.package_name(asked)
        assert isinstance(listed[name]["checked"], date), name
        assert listed[name]["newest"], name


def test_faults_are_read_from_the_answer_of_an_index_and_a_skipped_package_counts_as_unknown() -> None:
    answer = advisories.read_answer(FAULTY)
    assert answer.faults == ["one 1.0: CVE-2026-1, fixed in 1.1."]
    assert answer.known == 2


@pytest.mark.parametrize(
    ("printed", "errors", "why"),
    [
        ("", "Traceback\nConnectionError: no route to host\n", "cannot be asked: ConnectionError: no route to host"),
        (
            '{"dependencies": [{"name": "three", "skip_reason": "not found"}], "fixes": []}',
            "",
            "has advisories of none",
        ),
    ],
)
def test_an_index_that_says_nothing_is_no_good_news(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], printed: str, errors: str, why: str
) -> None:
    monkeypatch.setattr(advisories, "ask_index", lambda: advisories.read_answer(printed, errors))
    assert advisories.main() == 1
    shown = capsys.readouterr().out
    assert "Nobody was asked for advisories" in shown
    assert why in shown
