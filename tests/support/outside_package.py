"""`examples/packages/last-stone`, a game from outside, installed into a fresh environment."""

import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

LAST_STONE = Path(__file__).parents[2] / "examples/packages/last-stone"


def install(folder: Path) -> str:
    """Install the package, and return the Python that has it.

    Everything else in the environment is that of the tests. A wheel of pure Python is installed by unpacking it.
    """
    pytest.importorskip("hatchling", reason="hatchling is not installed (extra dev)")
    wheels = folder / "wheels"
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(wheels)]
    subprocess.run(build, cwd=LAST_STONE, check=True, capture_output=True)
    venv.create(folder / "fresh", symlinks=True)
    scheme = {"base": str(folder / "fresh"), "platbase": str(folder / "fresh")}
    packages = Path(sysconfig.get_path("purelib", "venv", scheme))
    (packages / "present.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    [wheel] = wheels.iterdir()
    ZipFile(wheel).extractall(packages)
    return str(folder / "fresh/bin/python")
