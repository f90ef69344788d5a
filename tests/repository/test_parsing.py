"""Garbage collection during a test run does not disturb the parser that formats tracebacks."""

import ast
import gc


def test_source_is_parsed_though_a_finalizer_parses_too() -> None:
    def parse_deeper(*_: object, depth: int = 5) -> None:
        if depth:
            parse_deeper(depth=depth - 1)
        else:
            ast.parse("a + b")

    source = "+".join(f"f({number})" for number in range(500))
    gc.callbacks.append(parse_deeper)
    try:
        ast.parse(f"[{','.join([source] * 10)}]")
    finally:
        gc.callbacks.remove(parse_deeper)
