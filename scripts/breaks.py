"""Plant breaks in the code, one at a time, and see whether the tests catch them: python -m scripts.breaks [WORDS …]

`breaks.toml` lists the breaks: what is wrong, the function, the text in it that is replaced, and the tests that should
fail. Every break has its own copy of the repository, with its own caches. WORDS choose the breaks whose names hold one
of them.
"""

import argparse
import ast
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
TABLE = Path(__file__).with_suffix(".toml")
LIMIT_SECONDS = 900  # for the tests of one break
TEST_SECONDS = 200  # for one test: a break may make it wait for ever
COMPILED = ("src/duelbook/compiled", "src/duelbook/envs", "src/duelbook/games", "src/duelbook/solve")
FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", re.MULTILINE)
TESTS_PASSED, TESTS_FAILED, INTERRUPTED = 0, 1, 2  # exit codes of pytest; what fails on import interrupts it


class BreakError(Exception):
    """The table, or what it names, is not as it should be; the message is a sentence."""


@dataclass(frozen=True)
class Break:
    """A change that makes the code wrong, and the tests that should fail with it."""

    name: str
    target: str  # a file and, in Python, a function of it: `path.py:Class.method`
    text: str
    instead: str
    tests: list[str]

    @property
    def file(self) -> str:
        return self.target.partition(":")[0]

    def source(self, root: Path) -> str:
        """Return the file with the break in it. Raise BreakError if the text is not in the function exactly once."""
        file, _, function = self.target.partition(":")
        if not (root / file).is_file():
            raise BreakError(f"{self.name}: the target is gone: there is no {file}.")
        whole = (root / file).read_text(encoding="utf-8")
        start, end = function_span(whole, function) if function else (0, len(whole))
        if start == end:
            raise BreakError(f"{self.name}: the target is gone: {file} has no {function}.")
        if (count := whole.count(self.text, start, end)) != 1:
            raise BreakError(f"{self.name}: the target is gone: its text occurs {count} times in {self.target}.")
        return whole[:start] + whole[start:end].replace(self.text, self.instead) + whole[end:]


def function_span(source: str, name: str) -> tuple[int, int]:
    """Return where a function or method begins and ends in the source; twice the same place if there is none."""
    body: Sequence[ast.stmt] = ast.parse(source).body
    node: ast.stmt | None = None
    for part in name.split("."):
        kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        node = next((one for one in body if isinstance(one, kinds) and one.name == part), None)
        body = node.body if isinstance(node, kinds) else []
    lines = source.splitlines(keepends=True)
    if node is None or node.end_lineno is None:
        return 0, 0
    return sum(map(len, lines[: node.lineno - 1])), sum(map(len, lines[: node.end_lineno]))


def read_table() -> list[Break]:
    """Return the breaks."""
    return [Break(**entry) for entry in tomllib.loads(TABLE.read_text(encoding="utf-8"))["break"]]


def copy_repository(folder: Path) -> None:
    """Copy all files that git knows or would add, and let the copy use the same environment."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / ".venv").symlink_to(ROOT / ".venv")


def environment(folder: Path) -> dict[str, str]:
    """Return variables with which Python, also in child processes, imports the copy and leaves nothing elsewhere."""
    (folder / "tmp").mkdir(exist_ok=True)
    unset = ("PYTHONDONTWRITEBYTECODE", "PYTEST_ADDOPTS", "NUMBA_CACHE_DIR")
    kept = {name: value for name, value in os.environ.items() if name not in unset}
    return kept | {"PYTHONPATH": f"{folder / 'src'}:{folder}", "TMPDIR": str(folder / "tmp")}


def check_imports(folder: Path) -> None:
    """Raise BreakError unless the copy is what is imported: the editable installation must not win."""
    command = [sys.executable, "-c", "import duelbook; print(duelbook.__file__)"]
    found = subprocess.run(command, cwd=folder / "tmp", env=environment(folder), capture_output=True, text=True)
    if not found.stdout.startswith(str(folder)):
        raise BreakError(f"The copy is not imported, but {found.stdout or found.stderr}")


def run_tests(folder: Path, tests: Iterable[str], *options: str, seconds: float) -> tuple[int | None, str]:
    """Run the tests in the folder. Return the exit code of pytest, or None if they take too long, and the output."""
    command = [sys.executable, "-m", "pytest", *tests, "-p", "no:cacheprovider", "-rfE", "--tb=short", *options]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment(folder),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def plant(clean: Path, one: Break) -> tuple[bool, str, float]:
    """Return whether the tests catch the break, the first test that does, and how many seconds that took."""
    began = time.monotonic()
    with TemporaryDirectory(prefix="b", dir=clean.parent) as name:
        folder = Path(name) / "r"
        shutil.copytree(clean, folder, symlinks=True, ignore=shutil.ignore_patterns("tmp"))
        (folder / one.file).write_text(one.source(folder), encoding="utf-8")
        if one.file.startswith(COMPILED):  # numba does not notice an edit in a function that a kept one calls
            for kept in folder.rglob("*.nb[ic]"):
                kept.unlink()
        options = ("-x", "--timeout", str(TEST_SECONDS))
        code, output = run_tests(folder, one.tests, *options, seconds=LIMIT_SECONDS)
    how = f"pytest fails: {output[-500:]}"
    if code in (TESTS_FAILED, INTERRUPTED):
        how = next(iter(FAILED.findall(output)), output[-500:])
    elif code == TESTS_PASSED:
        how = f"not caught by {' '.join(one.tests)}"
    elif code is None:
        how = f"the tests took more than {LIMIT_SECONDS} s"
    return code in (TESTS_FAILED, INTERRUPTED), how, time.monotonic() - began


def chosen(table: Sequence[Break], words: Sequence[str]) -> list[Break]:
    """Return the breaks whose names hold one of the words; all if there are none."""
    return [one for one in table if not words or any(word.casefold() in one.name.casefold() for word in words)]


def main(arguments: Sequence[str] | None = None) -> str | None:
    """Plant the chosen breaks and print what becomes of each. Return what is wrong, if anything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", metavar="WORDS", help="part of the name of a break")
    parser.add_argument("--jobs", type=int, default=2, help="breaks that are tried side by side (default: 2)")
    given = parser.parse_args(arguments)
    began, breaks = time.monotonic(), chosen(read_table(), given.words)
    with TemporaryDirectory(prefix="breaks-") as name:
        clean = Path(name).resolve() / "clean"
        copy_repository(clean)
        check_imports(clean)
        for one in breaks:
            one.source(clean)  # before anything takes long
        tests = sorted({path for one in breaks for path in one.tests})
        print(f"{len(breaks)} breaks. First, {len(tests)} files and folders of tests without any.", flush=True)
        code, output = run_tests(clean, tests, "--numprocesses", str(given.jobs), "--dist", "loadfile", seconds=3600)
        if code != TESTS_PASSED:
            return f"Without a break, these tests do not pass:\n{output[-3000:]}"
        caught = 0
        with ThreadPoolExecutor(given.jobs) as threads:
            tried = threads.map(partial(plant, clean), breaks)
            for one, (is_caught, how, seconds) in zip(breaks, tried, strict=True):
                caught += is_caught
                print(
                    f"{'caught  ' if is_caught else 'SURVIVED'}  {one.name}\n          {how} ({seconds:.0f} s)",
                    flush=True,
                )
    print(f"{caught} of {len(breaks)} caught, in {time.monotonic() - began:.0f} s.")
    return None if caught == len(breaks) else "The tests let some breaks through."


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BreakError as error:
        sys.exit(str(error))
