"""The checks that everybody uses."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from duelbook import MissingExtraError, RefusedError
from duelbook.errors import EXTRAS, check_range, install_command, require_extra

ROOT = Path(__file__).parents[1]


def test_a_number_outside_its_range_is_refused_with_the_range() -> None:
    check_range("goal", 1, 1, 60)
    check_range("goal", 60, 1, 60)
    for value in (0, 61, float("nan")):
        with pytest.raises(RefusedError, match=rf"^goal must be from 1 to 60, not {value}\.$"):
            check_range("goal", value, 1, 60)


def test_a_missing_extra_is_named_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", "/usr")
    require_extra("fast", "json")
    with pytest.raises(MissingExtraError) as missing:
        require_extra("fast", "json", "no_such_package")
    assert str(missing.value) == (
        "The extra 'fast' is not installed (no_such_package is missing). Install it with: pip install 'duelbook[fast]'"
    )


def test_in_a_clone_the_set_up_script_installs_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", str(ROOT / ".venv"))
    assert install_command("arena") == f"{shlex.quote(str(ROOT / 'scripts/setup'))} arena"
    assert (ROOT / "scripts/setup").exists()


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_looks_only_for_packages_that_it_declares(extra: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {re.split(r"[\[><=~]", one)[0].replace("-", "_") for one in project["optional-dependencies"][extra]}
    assert {*EXTRAS[extra]} <= declared
