"""The modules of the page, for tests that call one of their functions."""

from pathlib import Path

import duelbook.web
from duelbook.web.http.module_groups import group_of, variable_of

FOLDER = Path(duelbook.web.__file__).parent / "page"


def loading(module: str) -> str:
    """Return an expression in JavaScript for the promise of what a module exports, alone or in its group."""
    texts = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.js")}
    file = group_of(texts).get(module, module)
    found = f"found.{variable_of(module)}" if file != module else "found"
    return f"import(new URL('{file}', document.querySelector('script[type=module]').src)).then((found) => {found})"
