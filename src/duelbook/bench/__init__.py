"""The speed of the rules, interpreted and compiled, compared with other libraries in the same run.

This is part of the package because `duelbook bench` also works where `benchmarks/` is not installed, and because
its ratios to other libraries are only fair within one run.
"""

from duelbook.bench.speed import Figure, bench_json, measure, missing_peers

__all__ = ["Figure", "bench_json", "measure", "missing_peers"]
