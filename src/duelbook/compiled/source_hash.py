"""The source of a game's rules: the functions that its kernel calls, and a hash that changes when their code does."""

import ast
import hashlib
import inspect
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

from duelbook.game import AnyGame

KERNEL = ("initial", "mover", "legal_moves", "play", "outcome")
HAS_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
IGNORED_FIELDS = ("ctx", "kind", "type_comment", "type_ignores")  # say nothing about what the code does


def kernel_functions(rules: type[AnyGame]) -> Iterator[FunctionType]:
    """Return the kernel methods and every module-level function that they call, directly or not."""
    waiting: list[FunctionType] = [getattr(rules, name) for name in KERNEL]
    seen: set[FunctionType] = set()
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.add(function)
            yield function
            used = inspect.getclosurevars(function).globals.values()
            waiting += [value for value in used if isinstance(value, FunctionType)]


def source_hash(rules: type[AnyGame], *others: str) -> str:
    """Return a hash of the files that hold the kernel, of the other files, and of the constants that the kernel uses.

    Comments, docstrings and layout do not count, and every version of Python gives the same hash.
    """
    functions = set(kernel_functions(rules))
    files = {*others, inspect.getfile(rules)} | {inspect.getfile(function) for function in functions}
    constants = {
        f"{name}={value!r}"
        for function in functions
        for name, value in inspect.getclosurevars(function).globals.items()
        if isinstance(value, int | tuple)
    }
    codes = [code_text(Path(file).read_bytes()) for file in sorted(files)]
    return hashlib.sha256("\0".join([*codes, repr(sorted(constants))]).encode()).hexdigest()[:16]


@lru_cache(maxsize=64)
def code_text(source: bytes) -> str:
    """Return the code of a module as text, without its comments, docstrings and layout."""
    return _text(ast.parse(source))


def _text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{' '.join(map(_text, value))}]"
    if not isinstance(value, ast.AST):
        return repr(value)
    if isinstance(value, ast.Constant):
        return repr(value.value)
    fields = dict(ast.iter_fields(value))
    if isinstance(value, HAS_DOCSTRING) and ast.get_docstring(value, clean=False) is not None:
        fields["body"] = fields["body"][1:]
    if isinstance(value, ast.JoinedStr):  # Python 3.12 has empty texts in some f-strings
        fields["values"] = [part for part in value.values if not (isinstance(part, ast.Constant) and part.value == "")]
    # A later Python may add fields, which are empty in code that an earlier one can read.
    parts = (f"{name}={_text(part)}" for name, part in fields.items() if name not in IGNORED_FIELDS and part)
    return f"{type(value).__name__}({' '.join(parts)})"
