"""The source of a game's rules: which functions its kernel reaches, and a hash that changes when they do."""

import hashlib
import inspect
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

from duelbook.game import AnyGame

KERNEL = ("initial", "mover", "legal_moves", "play", "outcome")


def kernel_functions(rules: type[AnyGame]) -> Iterator[FunctionType]:
    """Answer the kernel methods and every module-level function that they reach."""
    todo: list[FunctionType] = [getattr(rules, name) for name in KERNEL]
    seen: set[FunctionType] = set()
    while todo:
        function = todo.pop()
        if function not in seen:
            seen.add(function)
            yield function
            used = inspect.getclosurevars(function).globals.values()
            todo += [value for value in used if isinstance(value, FunctionType)]


def source_hash(rules: type[AnyGame], *others: str) -> str:
    """Answer a hash of all files that hold the kernel, of those given, and of the constants that it uses."""
    functions = set(kernel_functions(rules))
    files = {*others, inspect.getfile(rules)} | {inspect.getfile(function) for function in functions}
    constants = {
        f"{name}={value!r}"
        for function in functions
        for name, value in inspect.getclosurevars(function).globals.items()
        if isinstance(value, int | tuple)
    }
    texts = [Path(file).read_bytes() for file in sorted(files)]
    return hashlib.sha256(b"\0".join([*texts, repr(sorted(constants)).encode()])).hexdigest()[:16]
