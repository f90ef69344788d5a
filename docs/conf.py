"""The documentation site: `make site` builds it from the Markdown files of the repository, with a search and the API.

The files read the same on a code host. What only the site needs is added while a page is read: the navigation, which
follows the sections of the README, and the full reference in place of the tables of public names.
"""

import inspect
import re
import shutil
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from sphinx.application import Sphinx

import duelbook
from scripts.api_tables import API_MODULES, NOTES, public_names
from scripts.docs import BLOCK

ROOT = Path(__file__).parents[1]

project = "Duelbook"
release = duelbook.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "README"
include_patterns = ["*.md", "docs/*.md", "docs/games/*.md", "examples/alphazero/*.md"]
exclude_patterns = ["build", ".venv"]
myst_heading_anchors = 4  # headings are linked to as on a code host
suppress_warnings = ["misc.highlighting_failure"]  # examples in JSON leave something out with an ellipsis

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints_format = "short"
default_role = "code"  # `x` in a docstring is code

html_theme = "furo"
html_title = "Duelbook"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False


def navigation(text: str) -> str:
    """Return the README with its links as a table of contents, a part for each section, and one for the games."""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    sections = {"Games": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}
    for caption, section in sections.items():
        pages = dict.fromkeys(re.findall(r"\]\(([\w/-]+)\.md\)", section))
        if pages:
            text += "\n" + toctree(pages, caption)
    return text


def toctree(pages: Any, caption: str = "") -> str:
    head = f":caption: {caption}\n" if caption else ""
    listed = "\n".join(f"/{page}" for page in pages)
    return f"```{{toctree}}\n:hidden:\n{head}\n{listed}\n```\n"


def reference() -> str:
    """Return the directives that print the docstrings of every public name."""
    text = f"{members(duelbook)}\n"
    for name in API_MODULES:
        module = import_module(f"duelbook.{name}")
        text += f"\n## duelbook.{name}\n\n{inspect.getdoc(module)}\n\n{members(module)}\n"
    return text


def members(module: ModuleType) -> str:
    lines = [directive(module, name) for name in public_names(module)]
    return "```{eval-rst}\n" + "\n".join(lines) + "\n```\n"


def directive(module: ModuleType, name: str) -> str:
    thing = getattr(module, name)
    indexed = "   :no-index:\n" if module is not duelbook and name in duelbook.__all__ else ""
    if name in NOTES:
        return f".. py:data:: {module.__name__}.{name}\n{indexed}\n   {NOTES[name]}\n"
    kind = "class" if inspect.isclass(thing) else "function"
    if inspect.isclass(thing) and issubclass(thing, Exception):
        kind = "exception"
    return f".. auto{kind}:: {module.__name__}.{name}\n{indexed}"


def read_page(_: Sphinx, page: str, source: list[str]) -> None:
    """Add to a page what only the site needs."""
    if page == root_doc:
        source[0] = navigation(source[0])
    if page == "docs/api":
        source[0] = BLOCK.sub(lambda block: reference() if block["name"] == "api" else block[0], source[0])
    if linked := re.search(r"\.\./\.\./(src/duelbook/games/\w+/rules)\.md", source[0]):
        source[0] += "\n" + toctree([linked[1]])


def add_index(app: Sphinx, failed: Exception | None) -> None:
    """Make the README the page that the site opens with."""
    if failed is None and app.builder.format == "html":
        shutil.copy(Path(app.outdir) / f"{root_doc}.html", Path(app.outdir) / "index.html")


def setup(app: Sphinx) -> None:
    app.connect("source-read", read_page)
    app.connect("build-finished", add_index)
