"""Write the parts of the documents that code can print: `python -m scripts.docs` (`make docs`).

A generated part stands between `<!-- generated: NAME ARGUMENT -->` and `<!-- end -->`. `BLOCKS` holds the function that
prints each. `make docs` fills them all in; a test fails while a page differs from what its functions return.
"""

import inspect
import re
import sys
import tomllib
from ast import get_docstring, parse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

import duelbook
from benchmarks import levels, positions
from duelbook import GAMES, make
from duelbook.agents import AGENTS
from duelbook.agents.levels import LEVELS
from duelbook.agents.llm.settings import LlmSettings
from duelbook.agents.process.settings import ProcessSettings
from duelbook.game import AnyGame
from duelbook.games import title
from duelbook.solve import Value, solved
from duelbook.solve.cache import try_solve
from duelbook.web.settings import Settings
from scripts import game_pages, scaling
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
API_MODULES = sorted(
    file.parent.name for file in SOURCE.glob("*/__init__.py") if re.search("^__all__ =", file.read_text(), re.MULTILINE)
)
NOTES = {  # about public names that have no docstring
    "AGENTS": "Every kind of agent by name.",
    "AnyGame": "A game of any kind.",
    "COMMON": "The name of the common words of the shipped word list.",
    "CHECKS": "Every check of the conformance kit by name, with what it says in one line.",
    "Dialogue": "What `ask` returns: it yields questions, receives answers, and returns the name of a move.",
    "GAMES": "Every game by name: the class of its rules.",
    "HUMAN": "What a record has in place of an agent's name for a person.",
    "MIN_TILE_WIDTH": "The columns that a tile takes at least.",
    "Move": "A move: a whole number from 0 to `num_moves - 1`.",
    "OnProgress": "A function that takes the `Progress` of a solve; what it raises ends the solve.",
    "PASS": "The name of a move that is legal only when nothing else is: `pass`.",
    "Player": "A seat: 0 moves first, 1 second.",
    "SEAT_LOOKS": "The looks of pieces in the colour of the first and of the second player.",
    "SEAT_TEXTS": "The looks of texts in the colour of the first and of the second player.",
    "STANDARD": "The name of the shipped word list.",
    "Seat": "The type of a state's first field: the mover's seat.",
    "TOKENS": "The tokens of the first and of the second player: ● and ◆.",
    "__version__": "The version of Duelbook.",
}
BUILDING_BLOCKS = {  # what a game imports, by module
    "game": (
        *("Move", "Player", "Outcome", "won_by", "by_seat", "each_bit", "PASS", "move_names", "outcome_name"),
        "random_choices",
    ),
    "options": ("Limits", "check_options", "Drawn", "draw", "NamesOrFile"),
    "features": ("Seat", "UpTo", "Bits", "Slots"),
    "narration": ("Narration", "Turn", "Preview", "Seating", "Voice", "Dialogue", "Question", "Refusal", "Command"),
    "text_board": ("TextBoard", "Row", "Piece", "Look", "SEAT_LOOKS", "SEAT_TEXTS", "TOKENS", "MIN_TILE_WIDTH"),
    "text": ("plural", "fold", "quote", "shorten"),
    "games": ("Example",),
    "testing": ("check_game",),
    "errors": ("RefusedError", "check_range"),
    "words": ("load_words", "STANDARD", "COMMON", "denied", "denied_codes"),
}
NARRATION_FACTS = (
    "mover",
    "who_won",
    "you",
    "moves_again",
    "before_last",
)  # for use in other texts, not to be overridden
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


def position_table() -> str:
    """Return the table of how Duelbook's own agents score on the position benchmark."""
    return table(positions.headings(), positions.rows())


def level_sight() -> str:
    """Return the table of how often each level sees a result, by its distance."""
    rows = (
        (f"`{name}`", *(f"{level.chance(turns):.0%}" for turns in SHOWN_TURNS), "yes" if level.sets_traps else "no")
        for name, level in LEVELS.items()
    )
    ends = ("1 turn away: a win in one", "2: the opponent's answer wins", "3: a win in two")
    return table(("level", *ends, *map(str, SHOWN_TURNS[len(ends) :]), "sets traps"), rows)


def agents() -> str:
    """Return the table of all agents."""
    rows = (
        (f"`{name}:{kind.parameter.name}`" if kind.parameter else f"`{name}`", kind.about)
        for name, kind in AGENTS.items()
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
            (f"`{method.upper()} {path}`", _plain(operation.get("description", operation["summary"])))
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
    """Return the table of the deliberate faults that the tests must notice."""
    from tests.support.service.broken import BREAKS

    return table(("fault", "what is broken"), ((f"`{name}`", _first_line(fault)) for name, fault in BREAKS.items()))


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
    parts = [[contract["containers"][0], *(f"  {layer}" for layer in contract["layers"])] for contract in contracts]
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


def api() -> str:
    """Return a table of the public names of the package, and of each public module."""
    text = f"\n{_names(duelbook)}\n"
    for name in API_MODULES:
        module = import_module(f"duelbook.{name}")
        text += f"## duelbook.{name}\n\n{_plain(_prose(module))}\n\n{_names(module)}\n"
    return text


def building_blocks() -> str:
    """Return the table of what a game imports, with the arguments of each."""
    rows = []
    for module, names in BUILDING_BLOCKS.items():
        found = import_module(f"duelbook.{module}")
        rows += [(f"`duelbook.{module}`", f"`{name}{_arguments(found, name)}`", note_of(found, name)) for name in names]
    return table(("from", "import", "what it is"), rows)


def narration_texts() -> str:
    """Return the table of a narration's methods."""
    from duelbook.narration import Narration

    rows: list[tuple[str, str]] = []
    for name, method in vars(Narration).items():
        if inspect.isfunction(method) and not name.startswith("_"):
            owner = "self." if name in NARRATION_FACTS else ""
            rows.append((f"`{owner}{name}{_signature(method, skip=1)}`", _first_line(method)))
    rows.sort(key=lambda row: row[0].startswith("`self."))
    return table(("method", "what it does"), rows)


def _arguments(module: ModuleType, name: str) -> str:
    thing = getattr(module, name)
    plain = name in NOTES or (inspect.isclass(thing) and issubclass(thing, Enum | Exception | str))
    return "" if plain else _signature(thing)


def _signature(function: Callable[..., Any], skip: int = 0) -> str:
    """Return the arguments by name, those that may be left out with their defaults."""
    parameters = list(inspect.signature(function).parameters.values())[skip:]
    texts = [
        one.name if one.default is one.empty else f"{one.name}={one.default!r}".replace("'", '"') for one in parameters
    ]
    return f"({', '.join(texts)})"


def _prose(module: ModuleType) -> str:
    """Return the module's docstring without its examples, which Markdown would run into the text."""
    paragraphs = (inspect.getdoc(module) or "").split("\n\n")
    return "\n\n".join(part for part in paragraphs if not part.lstrip().startswith(">>>"))


def _names(module: ModuleType) -> str:
    return table(("name", "what it is"), ((f"`{name}`", note_of(module, name)) for name in public_names(module)))


def public_names(module: ModuleType) -> list[str]:
    """Return the public names of a module, except other modules, which have sections of their own."""
    return sorted((name for name in module.__all__ if not inspect.ismodule(getattr(module, name))), key=str.lower)


def note_of(module: ModuleType, name: str) -> str:
    """Return what a public name is, in a line."""
    return NOTES.get(name) or _first_line(getattr(module, name))


def _first_line(thing: Any) -> str:
    text = vars(thing).get("__doc__") if inspect.isclass(thing) else inspect.getdoc(thing)  # not that of a base class
    return _plain((text or "").split("\n\n")[0])


def _plain(text: str) -> str:
    return " ".join(text.split())


BLOCKS: dict[str, Callable[..., str]] = {
    "games": game_pages.games,
    "rulings": game_pages.rulings,
    "option-limits": game_pages.option_limits,
    "winners": winners,
    "variants": variants,
    "solutions": solutions,
    "levels": level_table,
    "level-sight": level_sight,
    "position-agents": position_table,
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
    "api": api,
    "building-blocks": building_blocks,
    "narration-texts": narration_texts,
}
SLOW_BLOCKS = {"levels", "position-agents"}  # about three minutes each


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
    quick = "--quick" in sys.argv
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
