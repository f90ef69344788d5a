"""Modules of the page served together, so that a first visit needs few requests.

A group is one file with the modules that are loaded together anyway, each in a function of its own, so that their
private names stay private. Whoever writes a module need not know: modules import each other by their own names, and
the imports are changed here when the files are read. What a module may look like, so that this works, is what the
linter and a test accept: imports at the start of a line, `export` before a declaration, and no cycle of imports.
"""

import re
from collections.abc import Iterable, Mapping

GROUPS = {  # by file: the modules that it begins with. What they import belongs to it, too, unless it is in one before
    "group-start.js": ("main.js", "home.js"),
    "group-boards.js": ("picture.js",),
    "group-new-match.js": ("start-dialog.js",),
    "group-viewer.js": ("viewer.js", "share.js"),
    "group-board-play.js": ("board-play.js",),
    "group-played-games.js": ("played-games.js",),
    "group-settings.js": ("settings.js",),
    "group-match.js": ("match.js",),
    "group-not-found.js": ("not-found.js",),
    "group-puzzles.js": ("puzzle.js", "puzzle-calendar.js", "puzzle-run.js"),
    "group-games.js": ("games.js",),
}
IMPORT = re.compile(r'^import (?:(?P<what>\{[^}]*\}|\* as \w+) from )?"\./(?P<module>[\w-]+\.js)";$', re.MULTILINE)
LOAD = re.compile(r'\bimport\("\./(?P<module>[\w-]+\.js)"\)')
EXPORT = re.compile(r"^export (?P<rest>(?:async function\*?|function\*?|class|const) (?P<name>\w+))", re.MULTILINE)


def group_of(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the group of each module that belongs to one, in the order in which the modules are loaded."""
    groups: dict[str, str] = {}
    for group, starts in GROUPS.items():
        for module in in_order(starts, texts):
            groups.setdefault(module, group)
    return groups


def grouped(texts: Mapping[str, str]) -> dict[str, str]:
    """Return the modules as they are served: by group, or alone, with imports that name the file each one is in."""
    place = group_of(texts)
    served = {group: _group(group, [one for one in place if place[one] == group], texts, place) for group in GROUPS}
    return served | {name: _alone(text, place) for name, text in texts.items() if name not in place}


def imports(text: str) -> list[str]:
    """Return the modules that a module imports when it is loaded."""
    return [found["module"] for found in IMPORT.finditer(text)]


def in_order(starts: Iterable[str], texts: Mapping[str, str]) -> list[str]:
    """Return these modules and all that they import, each after those that it imports."""
    found: list[str] = []
    visiting: set[str] = set()

    def visit(module: str) -> None:
        if module in found or module not in texts:
            return
        if module in visiting:
            raise ValueError(f"The module {module} imports itself through others.")
        visiting.add(module)
        for one in imports(texts[module]):
            visit(one)
        found.append(module)

    for start in starts:
        visit(start)
    return found


def _group(group: str, names: list[str], texts: Mapping[str, str], place: Mapping[str, str]) -> str:
    needed = {one for name in names for one in imports(texts[name]) if place[one] != group}
    heads = [f'import {{ {variable_of(one)} }} from "./{place[one]}";' for one in sorted(needed)]
    parts = [_wrapped(name, texts[name], place) for name in names]
    exported = f"export {{ {', '.join(map(variable_of, names))} }};"
    return "\n".join([*heads, *parts, exported, ""])


def _wrapped(name: str, text: str, place: Mapping[str, str]) -> str:
    """Return a module as a variable that holds what it exports."""
    exported = [found["name"] for found in EXPORT.finditer(text)]
    body = IMPORT.sub(lambda found: _taken(found["what"], found["module"]), EXPORT.sub(r"\g<rest>", text))
    body = LOAD.sub(lambda found: _loaded(found["module"], place), body)
    return f"// {name}\nconst {variable_of(name)} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _alone(text: str, place: Mapping[str, str]) -> str:
    """Return a module that belongs to no group."""

    def imported(found: re.Match[str]) -> str:
        module = found["module"]
        if module not in place:
            return found[0]
        return f'import {{ {variable_of(module)} }} from "./{place[module]}"; {_taken(found["what"], module)}'.rstrip()

    return LOAD.sub(lambda found: _loaded(found["module"], place), IMPORT.sub(imported, text))


def _taken(what: str | None, module: str) -> str:
    """Return the declaration of what an import names, from the variable of the module."""
    if what is None:
        return ""
    if what.startswith("*"):
        return f"const {what.split()[-1]} = {variable_of(module)};"
    return f"const {re.sub(r' as ', ': ', what)} = {variable_of(module)};"


def _loaded(module: str, place: Mapping[str, str]) -> str:
    if module not in place:
        return f'import("./{module}")'
    return f'import("./{place[module]}").then((group) => group.{variable_of(module)})'


def variable_of(module: str) -> str:
    """Return the variable that holds what a module of a group exports."""
    return "$" + module.removesuffix(".js").replace("-", "_")
