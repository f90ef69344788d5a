"""Extras that are missing: the error has the command that installs one here."""

import json
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest

from duelbook import MissingExtraError
from duelbook.extras import EXTRAS, install_command, require_extra

ROOT = Path(__file__).parents[1]
PIP = f"{shlex.quote(sys.executable)} -m pip install"
UV = f"uv pip install --python {shlex.quote(sys.executable)}"


@pytest.fixture
def prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of an environment that is not the one of a clone."""
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    return tmp_path


def came_from(prefix: Path, monkeypatch: pytest.MonkeyPatch, **origin: object) -> None:
    """Let Duelbook be installed from there, as installers note it in `direct_url.json`; without, from an index."""
    note = prefix / "duelbook-0.dist-info"
    note.mkdir()
    (note / "METADATA").write_text("Name: duelbook\nVersion: 0\n")
    if origin:
        (note / "direct_url.json").write_text(json.dumps(origin))
    monkeypatch.syspath_prepend(prefix)


def test_a_missing_extra_is_named_with_the_command_that_installs_it(
    prefix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    came_from(prefix, monkeypatch)
    require_extra("fast", "json")
    with pytest.raises(MissingExtraError) as missing:
        require_extra("fast", "json", "no_such_package")
    assert str(missing.value) == (
        f"The extra 'fast' is not installed (no_such_package is missing). Install it with: {install_command('fast')}"
    )


def test_in_a_clone_the_set_up_script_installs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", str(ROOT / ".venv"))
    assert install_command("arena") == f"{shlex.quote(str(ROOT / 'scripts/setup'))} arena"
    assert (ROOT / "scripts/setup").exists()


@pytest.mark.parametrize(
    ("note", "has_pip", "command"),
    [
        ("pipx_metadata.json", True, "pipx install --force 'duelbook[arena]'"),
        ("uv-receipt.toml", False, "uv tool install 'duelbook[arena]'"),
        ("pyvenv.cfg", True, f"{PIP} 'duelbook[arena]'"),
        ("pyvenv.cfg", False, f"{UV} 'duelbook[arena]'"),
    ],
)
def test_what_installed_duelbook_installs_the_extra(
    prefix: Path, monkeypatch: pytest.MonkeyPatch, note: str, has_pip: bool, command: str
) -> None:
    came_from(prefix, monkeypatch)
    monkeypatch.setattr("duelbook.extras.find_spec", lambda package: package if has_pip else None)
    (prefix / note).touch()
    assert install_command("arena") == command


@pytest.mark.parametrize(
    ("origin", "source"),
    [
        ({"url": "file:///srv/my%20games", "dir_info": {}}, "'/srv/my games[arena]'"),
        ({"url": "file:///games", "dir_info": {"editable": True}}, "--editable '/games[arena]'"),
        ({"url": "file:///d.whl", "archive_info": {}}, "'/d.whl[arena]'"),
        (
            {"url": "https://example.org/duelbook", "vcs_info": {"vcs": "git", "commit_id": "1"}},
            "'duelbook[arena] @ git+https://example.org/duelbook'",
        ),
    ],
)
def test_the_extra_comes_from_where_duelbook_came_from(
    prefix: Path, monkeypatch: pytest.MonkeyPatch, origin: dict[str, object], source: str
) -> None:
    came_from(prefix, monkeypatch, **origin)
    monkeypatch.setattr("duelbook.extras.find_spec", lambda package: package)
    assert install_command("arena") == f"{PIP} {source}"


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_looks_only_for_packages_that_it_declares(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {re.split(r"[\[><=~]", one)[0].replace("-", "_") for one in project["optional-dependencies"][extra]}
    assert {*EXTRAS[extra]} <= declared
