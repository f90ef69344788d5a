"""What `make play` installs is enough: every command of the guides runs, or has the command that installs its extra."""

import json
import re
import shlex
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.support.keyboard import environment

ROOT = Path(__file__).parents[2]
GUIDES = ("README.md", "docs/terminal.md")
LAUNCHER = """
import json, os, runpy, sys, duelbook.cli.play, duelbook.terminal.start, pydantic.types
for arguments, answers in json.load(sys.stdin):
    print(answers, end="", file=open("typed", "w"))
    child = os.fork()
    if not child:
        for number, name in enumerate(("typed", "printed", "errors")):
            os.dup2(os.open(name, os.O_RDWR | os.O_CREAT | (os.O_TRUNC if number else 0)), number)
        sys.argv = ["duelbook", *arguments]
        runpy.run_module("duelbook", run_name="__main__")
        sys.exit()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(json.dumps([arguments, code, open("printed").read(), open("errors").read()]), flush=True)
"""  # to start Python for each command would take twice as long
BEYOND_BASE = {  # the only ones among them
    "tournament": "arena",
    "eval --agent llm:MODEL": "llm",
    "positions": "lab",
    "play (?:.* )?--(?:server|join|watch)": "online",
}
OTHERS = {"serve": "web", "db upgrade": "web", "lab charge --sweep goal=15,21 --out lab": "lab"}


def base_packages(name: str, found: set[str]) -> set[str]:
    """Add this distribution, and those that it needs without extras, to those that are found."""
    found.add(name)
    for requirement in distribution(name).requires or ():
        needed, _, marker = requirement.partition(";")
        package = re.split(r"[\[><=~! ]", needed)[0]
        if not re.search("extra|python_version|sys_platform|platform_system", marker) and package not in found:
            base_packages(package, found)
    return found


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clone after `make play`: its `.venv` has links to the packages that the base needs, and no others."""
    clone = tmp_path_factory.mktemp("clone")
    (clone / "src").symlink_to(ROOT / "src")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", clone / ".venv"], check=True)
    [packages] = (clone / ".venv/lib").glob("python*/site-packages")
    (packages / "clone.pth").write_text(str(clone / "src"))
    for name in base_packages("duelbook", set()) - {"duelbook"}:
        for file in distribution(name).files or ():
            top = file.parts[0]
            if top not in ("..", "__pycache__") and not (packages / top).exists():
                (packages / top).symlink_to(str(distribution(name).locate_file(top)))
    return clone


def duelbook(clone: Path, *commands: str, answers: str = "") -> list["subprocess.CompletedProcess[str]"]:
    done = subprocess.run(
        [clone / ".venv/bin/python", "-c", LAUNCHER],
        input=json.dumps([[shlex.split(command), answers] for command in commands]),
        cwd=clone,
        env=environment(XDG_DATA_HOME=str(clone / "data"), PYTHONPATH=""),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [subprocess.CompletedProcess(*json.loads(line)) for line in done.stdout.splitlines()]


def commands() -> list[str]:
    """Return the commands that the guides show, without comments and without what they are piped into."""
    text = "\n".join((ROOT / guide).read_text() for guide in GUIDES)
    shown = re.findall(r"^    (?:\$ )?duelbook (.+)$", text, re.MULTILINE)
    return [*dict.fromkeys(re.split(r" +#| \| ", line)[0].strip() for line in shown)]


def needs(extra: str, done: "subprocess.CompletedProcess[str]", clone: Path) -> bool:
    """Return True if the command says in a sentence that it needs the extra, and how to install it here."""
    message = rf"duelbook: The extra '{extra}' is not installed \(\w+ is missing\)\. Install it with: (.+)\n"
    found = re.fullmatch(message, done.stderr)
    return bool(found and found[1] == f"{shlex.quote(str(clone / 'scripts/setup'))} {extra}" and done.returncode == 2)


def test_the_environment_has_no_extra(clone: Path) -> None:
    script = (
        "import importlib.util as u, sys; sys.exit(any(map(u.find_spec, ('numpy', 'numba', 'starlette', 'pexpect'))))"
    )
    assert subprocess.run([clone / ".venv/bin/python", "-c", script], check=False).returncode == 0


def test_every_command_of_the_guides_runs_or_says_how_to_install_what_it_needs(clone: Path) -> None:
    games = duelbook(clone, "play flag-chase", "play flag-chase --record game.json", answers="1\n2\n")  # to review
    assert [game.returncode for game in games] == [0, 0]
    shown = commands()
    assert len(shown) > 30
    for command, done in zip(shown, duelbook(clone, *shown), strict=True):
        extra = next((extra for words, extra in BEYOND_BASE.items() if re.search(rf"^{words}\b", command)), None)
        if extra:
            assert needs(extra, done, clone), (command, done.stderr)
        else:
            assert "not installed" not in done.stderr, command
            assert done.returncode == 0 or re.fullmatch(r"duelbook: .+\n", done.stderr), (command, done.stderr)


def test_other_commands_that_need_an_extra_say_so(clone: Path) -> None:
    for extra, done in zip(OTHERS.values(), duelbook(clone, *OTHERS), strict=True):
        assert needs(extra, done, clone), done


def test_names_of_the_python_api_that_need_an_extra_say_so(clone: Path) -> None:
    for code in ("duelbook.regret", "duelbook.solve.solve(duelbook.make('flag-chase')).arrays()"):
        script = f"import duelbook\ntry:\n    {code}\nexcept duelbook.MissingExtraError as error:\n    print(error)"
        done = subprocess.run([clone / ".venv/bin/python", "-c", script], capture_output=True, text=True, check=True)
        assert "The extra 'arena' is not installed (numpy is missing). Install it with: " in done.stdout


def test_what_notebooks_show_needs_no_extra(clone: Path) -> None:
    script = (
        "import duelbook; game = duelbook.make('flag-chase'); played = duelbook.play_match(game, ('greedy', 'random'));"
        "print(played.table(), played._repr_html_(), duelbook.Match(game)._repr_svg_());"
        "print(duelbook.solve.solve(game).table())"
    )
    done = subprocess.run([clone / ".venv/bin/python", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[{'ply': 1, ")


def test_two_agents_play_and_are_measured_without_an_extra(clone: Path) -> None:
    for done in duelbook(
        clone,
        "match --p1 greedy --p2 random --games flag-chase --matches 2",
        "eval --agent random --games flag-chase --pairs 1 --opponent greedy --out eval",
        "positions --games flag-chase --no-parquet --out positions",
        "eval --agent random --positions positions --out answers",
    ):
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
