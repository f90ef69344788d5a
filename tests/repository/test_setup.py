"""The first run: finding a Python, and naming in one line what is missing."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOOLS = ("sh", "cat", "cksum", "cp", "grep", "make", "mktemp", "rm", "tr")
BROKEN = "#!/bin/sh\necho 'pyenv: no such version' >&2\nexit 127\n"
TOO_OLD = "#!/bin/sh\nexit 1\n"  # the exit code of an older Python when it checks its version
WORKING = f'#!/bin/sh\nexec {sys.executable} "$@"\n'
WITHOUT_PIP = f"""#!/bin/sh
case "$*" in
    "-m venv .venv" | "-m pip "*) exit 1 ;;
    *) exec {sys.executable} "$@" ;;
esac
"""  # as on Debian without python3-venv and python3-pip, where `venv` works only without pip
NO_PYTHON = "Python 3.11 or newer is required, but none was found on the PATH."
NO_NETWORK = "The packages could not be downloaded. Check the network connection;"
NO_PIP = "python3 has no pip. Install it (on Debian: python3-pip and python3-venv), or install uv."


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """Return a folder with the project's files and a `bin` that has only the most basic tools."""
    for name in ("pyproject.toml", "constraints.txt", "Makefile"):
        shutil.copy(ROOT / name, tmp_path)
    for name in ("scripts", "src"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "README.md").touch()
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        found = shutil.which(tool)
        assert found, tool
        (tmp_path / "bin" / tool).symlink_to(found)
    return tmp_path


def put(machine: Path, name: str, script: str) -> None:
    file = machine / "bin" / name
    file.write_text(script)
    file.chmod(0o755)


def make(machine: Path, target: str) -> subprocess.CompletedProcess[str]:
    """Run make without access to a package index."""
    environment = {
        "PATH": str(machine / "bin"),
        "HOME": str(machine),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_INDEX_URL": "http://127.0.0.1:9/",
        "PIP_RETRIES": "0",
        "PIP_NO_CACHE_DIR": "1",
    }
    return subprocess.run(
        ["make", target], cwd=machine, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.mark.parametrize(
    ("target", "pythons", "message"),
    [
        *((target, {"python3": TOO_OLD}, f"{NO_PYTHON} Install it and try again.") for target in ("play", "test")),
        ("play", {"python3": TOO_OLD, "python3.11": WORKING}, f"{NO_NETWORK} .venv/setup.log has the details."),
        ("play", {"python3": WITHOUT_PIP}, NO_PIP),
    ],
)
def test_what_is_missing_is_named_in_one_line(
    machine: Path, target: str, pythons: dict[str, str], message: str
) -> None:
    for name, script in {"python3.13": BROKEN, **pythons}.items():
        put(machine, name, script)
    done = make(machine, target)
    printed = [line for line in done.stderr.splitlines() if not line.startswith("make: ")]
    if not message.startswith(NO_PYTHON):
        assert printed.pop(0).startswith("Setting up .venv with Python 3.")
    assert printed == [f"duelbook: {message}"]
    assert done.returncode != 0
    if "setup.log" in message:
        assert done.stdout == ""
        assert (machine / ".venv/setup.log").read_text()


def test_a_python_whose_venv_lacks_pip_fills_it_with_its_own(machine: Path) -> None:
    script = f"""#!/bin/sh
case "$*" in
    "-m venv .venv") exit 1 ;;
    "-m pip --version") exit 0 ;;
    "-m pip --python .venv/bin/python install "*) echo "$*" >{machine}/asked; exit 0 ;;
    *) exec {sys.executable} "$@" ;;
esac
"""
    put(machine, "python3", script)
    make(machine, "play")
    assert "--constraint constraints.txt --editable ." in (machine / "asked").read_text()
    assert (machine / ".venv/ready").exists()


def test_uv_is_used_where_it_starts(machine: Path) -> None:
    put(machine, "python3", WORKING)
    put(machine, "uv", f'#!/bin/sh\necho "$*" >>{machine}/asked\n')
    make(machine, "test")
    asked = (machine / "asked").read_text()
    assert "venv --quiet --no-project --python python3 .venv\n" in asked
    assert "pip install --python .venv/bin/python --constraint constraints.txt --editable .[fast,web," in asked


def test_a_second_run_starts_at_once_and_prints_nothing(machine: Path) -> None:
    put(machine, "python", BROKEN)
    (machine / ".venv/bin").mkdir(parents=True)
    (machine / ".venv/bin/python").symlink_to(sys.executable)
    sum_up = "cat pyproject.toml constraints.txt | cksum"
    checksum = subprocess.run(["sh", "-c", sum_up], cwd=machine, capture_output=True, text=True, check=True).stdout
    (machine / ".venv/ready").write_text(f"{machine}\n{checksum}")
    command = [str(machine / "scripts/setup")]
    environment = {"PATH": str(machine / "bin")}
    done = subprocess.run(command, cwd=machine, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    done = subprocess.run([*command, "dev"], cwd=machine, env=environment, capture_output=True, text=True, check=False)
    assert NO_PYTHON in done.stderr
