"""A deterministic simulation: the real service on a virtual event loop, with faults from a seed, and a checker.

`python -m tests.simulation --seeds 2000` runs many seeds; a failure prints its seed and a shortened schedule.
"""
