"""The source of a game's rules: the functions that its kernel calls, and a hash that changes when their code does."""

import ast
import hashlib
import inspect
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from duelbook.game import AnyGame

KERNEL = ("initial", "mover", "legal_moves", "play", "outcome")
# Methods that a game may have, too:
OPTIONAL = ("count_legal", "nth_legal", "mark_moves", "canonical", "class_of", "profile_of")
CACHED = type(lru_cache(len))  # the class of functions with a cache
HAS_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
IGNORED_FIELDS = ("ctx", "kind", "type_comment", "type_ignores")  # say nothing about what the code does


def kernel_methods(rules: type[AnyGame]) -> list[FunctionType]:
    """Return the methods of the kernel that the rules have."""
    return [getattr(rules, name) for name in (*KERNEL, *OPTIONAL) if name in KERNEL or hasattr(rules, name)]


def kernel_functions(rules: type[AnyGame]) -> Iterator[FunctionType]:
    """Return the kernel methods and every module-level function that they call, directly or not."""
    return called_functions(kernel_methods(rules))


def called_functions(functions: Iterable[FunctionType]) -> Iterator[FunctionType]:
    """Return these functions and every module-level function that they call, directly or not."""
    waiting = list(functions)
    seen: set[FunctionType] = set()
    while waiting:
        function = waiting.pop()
        if function not in seen:
            seen.add(function)
            yield function
            used = inspect.getclosurevars(function).globals.values()
            waiting += [value for value in used if isinstance(value, FunctionType)]
            waiting += [cached.__wrapped__ for cached in cached_functions(function)]


def cached_functions(function: FunctionType) -> list[Any]:
    """Return the functions with a cache that the function calls."""
    used = inspect.getclosurevars(function).globals.values()
    return [value for value in used if isinstance(value, CACHED) and isinstance(value.__wrapped__, FunctionType)]


def source_hash(rules: type[AnyGame], *others: str) -> str:
    """Return a hash of the files that hold the kernel, of the other files, and of the constants that the kernel uses.

    Comments, docstrings and layout do not count, and every version of Python gives the same hash. What no file holds,
    such as a class typed into a notebook, counts by its compiled code.
    """
    functions = set(kernel_functions(rules))
    files = {*others, *filter(None, (_file_of(one) for one in (rules, *functions)))}
    typed = sorted(_code_of(function.__code__) for function in functions if _file_of(function) is None)
    constants = {
        f"{name}={value!r}"
        for function in functions
        for name, value in inspect.getclosurevars(function).globals.items()
        if isinstance(value, int | tuple)
    }
    codes = [code_text(Path(file).read_bytes()) for file in sorted(files)]
    return hashlib.sha256("\0".join([*codes, *typed, repr(sorted(constants))]).encode()).hexdigest()[:16]


def imported_hash(function: Any) -> str:
    """Return a hash of the other files from which the file of the function has compiled functions, directly or not.

    The numbers that these files have at module level count as well, since compiled code contains them.
    """
    own_file = function.__code__.co_filename
    spaces, files, numbers = [function.__globals__], set[str](), set[str]()
    for space in spaces:
        for name, value in space.items():
            if isinstance(value, int | float):
                numbers.add(f"{name}={value!r}")
            elif type(value).__module__.startswith("numba."):
                other: Any = getattr(value, "py_func", getattr(value, "_defn", function))  # compiled, or an intrinsic
                if (file := other.__code__.co_filename) not in {*files, own_file}:
                    files.add(file)
                    spaces.append(other.__globals__)
    texts = [Path(file).read_text() for file in sorted(files) if Path(file).is_file()]
    return hashlib.sha256("\0".join([*texts, *sorted(numbers)]).encode()).hexdigest()[:8]


def is_importable(rules: type[AnyGame]) -> bool:
    """Return True if other processes find the class by its name. Only then can its compiled code be kept on disk."""
    found: Any = sys.modules.get(rules.__module__) if rules.__module__ != "__main__" else None
    for name in rules.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is rules


def _file_of(source: Any) -> str | None:
    """Return the file that holds the class or the function, if there is one."""
    try:
        file = inspect.getfile(source)
    except (TypeError, OSError):
        return None
    return file if Path(file).is_file() else None


def _code_of(code: CodeType) -> str:
    constants = [_code_of(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return repr((code.co_name, code.co_code, code.co_names, constants))


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
