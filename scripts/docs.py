"""Write the parts of the documents that code can print: `python -m scripts.docs` (`make docs`).

A generated part stands between `<!-- generated: NAME ARGUMENT -->` and `<!-- end -->`. `BLOCKS` holds the function that
prints each. `make docs` fills them all in; a test fails while a page differs from what its functions return.
"""

import re
import tomllib
from argparse import ArgumentParser
from ast import get_docstring, parse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

from benchmarks import levels, positions
from duelbook import GAMES, make
from duelbook.agents import KINDS
from duelbook.agents.levels import LEVELS
from duelbook.agents.llm.settings import LlmSettings
from duelbook.agents.process.settings import ProcessSettings
from duelbook.cli.agent_command import AgentCommand
from duelbook.game import AnyGame
from duelbook.games import title
from duelbook.solve import Value, solved
from duelbook.solve.cache import try_solve
from duelbook.web.settings import Settings
from scripts import api_tables, game_pages, scaling
from scripts.api_tables import one_line
from scripts.breaks import read_table
from scripts.game_pages import shipped_games
from scripts.markdown import table
from scripts.variants import measured_games, measurements_file, measurements_text, variants

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src/duelbook"
PAGE = SOURCE / "web/page"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])  # those of the games are generated as a whole
BLOCK = re.compile(
    r"(<!-- generated: (?P<name>[\w-]+)(?: (?P<argument>\S+))? -->\n)(?P<text>.*?)(<!-- end -->)", re.DOTALL
)
SHOWN_TURNS = (1, 2, 3, 5, 9, 17)  # distances in the table of what the levels see
LISTED_MOVES = 12  # first moves that the table of winners names; more are counted
SETTINGS: dict[str, tuple[type[Any], str]] = {
    "service": (Settings, "DUELBOOK_"),
    "llm": (LlmSettings, "DUELBOOK_LLM_"),
    "process": (ProcessSettings, "DUELBOOK_PROCESS_"),
}


def winners() -> str:
    """Return the table of who wins each game under best play, counted in the winner's own moves."""
    rows: list[Sequence[object]] = []
    for name in shipped_games():
        if not try_solve(make(name)):
            rows.append((title(name), "not known: too large to be solved", "", ""))
            continue
        value, _, winning, legal = _start(name)
        winner = {Value.WIN: "first player", Value.LOSS: "second player", Value.DRAW: "nobody"}[value]
        own = winner_moves(make(name))
        shown = ", ".join(winning) if len(winning) <= LISTED_MOVES else f"{len(winning)} of {legal}"
        rows.append((title(name), winner, own, shown or "none"))
    return table(("game", "winner", "in how many of their moves", "first moves that win"), rows)


def winner_moves(game: AnyGame) -> int | str:
    """Return how many moves the winner makes under best play; an empty text if nobody wins."""
    solution, start = solved(game), game.initial()
    winner = {Value.WIN: 0, Value.LOSS: 1}.get(solution.value(start))
    return "" if winner is None else solution.count_moves(start, winner) or 0


def solutions() -> str:
    """Return the table of what the solver finds from the start of each game."""
    rows = []
    for name in filter(lambda name: try_solve(make(name)), shipped_games()):
        solution = solved(make(name))
        value, plies, winning, legal = _start(name)
        counted = "classes" if hasattr(GAMES[name], "canonical") else "states"
        rows.append(
            (title(name), value.name.lower(), plies, f"{len(winning)} of {legal}", f"{solution.states():,} {counted}")
        )
    return table(("game", "value for the first player", "remoteness", "first moves that win", "size"), rows)


def _start(name: str) -> tuple[Value, int, list[str], int]:
    """Return the value and remoteness of a game's start, the names of the winning moves, and how many are legal."""
    game = make(name)
    solution, start = solved(game), game.initial()
    moves = solution.moves(start)
    winning = sorted(scored.move for scored in moves if scored.value is Value.WIN)
    names = [game.move_name(start, move) for move in winning]
    return solution.value(start), solution.remoteness(start) or 0, names, len(moves)


def level_table() -> str:
    """Return the table of how often each level beats the one below."""
    return table(levels.HEADINGS, levels.rows(shipped_games()))


def level_sight() -> str:
    """Return the table of how often each level sees a result, by its distance."""
    rows = (
        (f"`{name}`", *(f"{level.chance(turns):.0%}" for turns in SHOWN_TURNS), "yes" if level.sets_traps else "no")
        for name, level in LEVELS.items()
    )
    ends = ("1 turn away: a win in one", "2: the opponent's answer wins", "3: a win in two")
    return table(("level", *ends, *map(str, SHOWN_TURNS[len(ends) :]), "sets traps"), rows)


def agents() -> str:
    """Return the table of Duelbook's agents."""
    rows = (
        (f"`{name}:{kind.parameter.name}`" if kind.parameter else f"`{name}`", kind.about)
        for name, kind in KINDS.items()
    )
    return table(("agent", "how it plays"), rows)


def settings(kind: str) -> str:
    """Return the table of the settings of one program, by environment variable."""
    settings_class, prefix = SETTINGS[kind]
    rows = []
    for setting in fields(settings_class):
        default = {"": "none", "True": "`yes`", "False": "`no`"}.get(str(setting.default), f"`{setting.default}`")
        rows.append((f"`{prefix}{setting.name.upper()}`", default, setting.metadata["about"]))
    return table(("variable", "default", "meaning"), rows)


def command_line() -> TyperGroup:
    """Return the group of all commands."""
    from duelbook.cli import load_commands
    from duelbook.cli.app import app

    load_commands([])
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    return command


def commands() -> str:
    """Return one line for each command."""
    group = command_line()
    rows = [
        (f"[`duelbook {name}`](commands.md#duelbook-{name})", _summary(command)) for name, command in _sorted(group)
    ]
    return table(("command", "what it does"), rows)


def command_reference() -> str:
    """Return every command with its arguments and options."""
    parts: list[str] = []
    for name, command in _sorted(command_line()):
        children = _sorted(command) if isinstance(command, TyperGroup) else []
        parts += [f"## duelbook {name}", _about(command), _parameters(name, command)]
        for child, inner in children:
            parts += [f"### duelbook {name} {child}", _about(inner), _parameters(f"{name} {child}", inner)]
    return "\n" + "\n\n".join(part.strip() for part in parts if part) + "\n\n"


def _sorted(group: TyperGroup) -> list[tuple[str, Any]]:
    return sorted(group.commands.items())


def _summary(command: TyperCommand | TyperGroup) -> str:
    return (command.help or "").split("\n\n")[0].replace("\n", " ").strip()


def _about(command: TyperCommand | TyperGroup) -> str:
    paragraphs = [" ".join(part.split()) for part in (command.help or "").split("\n\n") if "\b" not in part]
    if isinstance(command, AgentCommand):
        paragraphs.append("`--help` lists the agents; so does [Agents](agents.md).")
    return "\n\n".join(filter(None, paragraphs))


def _parameters(name: str, command: TyperCommand | TyperGroup) -> str:
    """Return the table of a command's arguments and options."""
    context = typer.Context(command, info_name=f"duelbook {name}")
    rows = []
    for parameter in command.get_params(context):
        if "--help" in parameter.opts:
            continue
        names = [*parameter.opts, *parameter.secondary_opts]
        if isinstance(parameter, TyperArgument):
            names = [parameter.metavar or str(parameter.name).upper()]
        elif not getattr(parameter, "is_flag", False) and parameter.metavar:
            names[0] += f" {parameter.metavar}"
        rows.append((", ".join(f"`{one}`" for one in names), getattr(parameter, "help", "") or ""))
    return f"{table(('argument', 'meaning'), rows)}" if rows else ""


def routes() -> str:
    """Return the table of the service's routes, from its OpenAPI document."""
    rows = []
    for path, operations in openapi()["paths"].items():
        rows += [
            (f"`{method.upper()} {path}`", one_line(operation.get("description", operation["summary"])))
            for method, operation in operations.items()
        ]
    return table(("route", "what it does"), rows)


def openapi() -> dict[str, Any]:
    """Return the OpenAPI document of the service."""
    from duelbook.web.app import ROUTES
    from duelbook.web.http.openapi import openapi_document

    return openapi_document(ROUTES)


def problems() -> str:
    """Return the table of problem codes."""
    from duelbook.web.problems import STATUS

    return table(("code", "status"), ((f"`{code}`", status) for code, status in STATUS.items()))


def measured() -> str:
    """Return the table of measurements that the page on growth starts from."""
    return table(("what", "measured"), scaling.measured_rows())


def needed() -> str:
    """Return the table of what many players at once need."""
    return table(("players at once", *(f"{count:,}" for count in scaling.PLAYERS)), scaling.needed_rows())


def breaks() -> str:
    """Return the list of the planted faults that the simulation must notice."""
    return "".join(f"- {one.name}\n" for one in read_table() if one.tests[0].startswith("tests/simulation/"))


def modules() -> str:
    """Return the tree of all modules with the first line of each docstring."""
    return f"```text\nsrc/duelbook/\n{_tree(SOURCE, 1)}```\n"


def page_modules() -> str:
    """Return the tree of the page's modules with the first comment of each."""
    files = sorted(PAGE.rglob("*.js"), key=lambda file: (len(file.parts), file))
    rows = [(file.relative_to(PAGE).as_posix(), comment_of(file)) for file in files]
    return f"```text\nsrc/duelbook/web/page/\n{_lines(rows, 1)}```\n"


def layers() -> str:
    """Return the layers of each import contract, one a line, from the top down."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layered = [contract for contract in contracts if contract["type"] == "layers"]
    parts = [[contract["containers"][0], *(f"  {layer}" for layer in contract["layers"])] for contract in layered]
    text = "\n\n".join("\n".join(lines) for lines in parts)
    return f"```text\n{text}\n```\n"


def _tree(folder: Path, depth: int) -> str:
    """Return the lines of a folder: its modules first, then its folders, each followed by what is in it."""
    names = sorted(file for file in folder.glob("*.py") if file.name != "__init__.py")
    text = _lines([(file.name, summary_of(file)) for file in names], depth)
    for inner in sorted(path for path in folder.iterdir() if path.name != "tests" and any(path.rglob("*.py"))):
        init = inner / "__init__.py"
        text += _lines([(f"{inner.name}/", summary_of(init) if init.exists() else "")], depth) + _tree(inner, depth + 1)
    return text


def _lines(rows: Sequence[tuple[str, str]], depth: int) -> str:
    indent = "  " * depth
    return "".join(f"{indent}{name:<{24 - len(indent)}} {about}".rstrip() + "\n" for name, about in rows)


def summary_of(file: Path) -> str:
    """Return the first line of a module's docstring, without the full stop."""
    return (get_docstring(parse(file.read_text())) or "").split("\n")[0].removesuffix(".")


def comment_of(file: Path) -> str:
    """Return the first sentence of the comment that a JavaScript module begins with."""
    line = file.read_text().split("\n")[0]
    return re.sub(r"^(//|/\*\*?)\s*|\s*\*/$", "", line).removesuffix(".")


BLOCKS: dict[str, Callable[..., str]] = {
    "games": game_pages.games,
    "rulings": game_pages.rulings,
    "option-limits": game_pages.option_limits,
    "winners": winners,
    "variants": variants,
    "solutions": solutions,
    "levels": level_table,
    "level-sight": level_sight,
    "position-agents": positions.tables,
    "agents": agents,
    "settings": settings,
    "commands": commands,
    "command-reference": command_reference,
    "routes": routes,
    "problems": problems,
    "breaks": breaks,
    "measured": measured,
    "needed": needed,
    "modules": modules,
    "page-modules": page_modules,
    "layers": layers,
    "api": api_tables.api,
    "building-blocks": api_tables.building_blocks,
    "narration-texts": api_tables.narration_texts,
}
SLOW_BLOCKS = {"levels", "position-agents"}  # some minutes each


def audit_page() -> str:
    """Return the page of the audit, which `duelbook audit` prints."""
    from duelbook.study import audit_game
    from duelbook.terminal.audit import audit_page

    return audit_page(audit_game(name) for name in shipped_games())


def filled(page: Path, leave: Iterable[str] = ()) -> str:
    """Return the page's text with every generated part filled in again, except the parts named in `leave`."""

    def replace(block: re.Match[str]) -> str:
        if block["name"] in leave:
            return block[0]
        arguments = [block["argument"]] if block["argument"] else []
        return f"{block[1]}{BLOCKS[block['name']](*arguments)}{block[5]}"

    return BLOCK.sub(replace, page.read_text())


def main() -> None:
    """Write every generated part again, and name the pages that changed."""
    parser = ArgumentParser(prog="python -m scripts.docs", description=main.__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the parts that take minutes")
    quick = parser.parse_args().quick
    texts = {page: filled(page, SLOW_BLOCKS if quick else ()) for page in PAGES}
    texts |= {game_pages.page_file(name): game_pages.game_page(name) for name in shipped_games()}
    texts |= {measurements_file(name): measurements_text(name) for name in measured_games()}
    if not quick:
        texts[ROOT / "docs/audit.md"] = audit_page()
    for page, text in texts.items():
        if not page.exists() or text != page.read_text():
            page.write_text(text)
            print(page.relative_to(ROOT))


if __name__ == "__main__":
    main()
