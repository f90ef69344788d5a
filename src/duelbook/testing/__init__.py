"""The conformance kit: checks that a game keeps the contract that everything else relies on, for anybody's tests."""

from duelbook.testing.conformance import CHECKS, CheckResult, Failure, check_game, run_checks

__all__ = ["CHECKS", "CheckResult", "Failure", "check_game", "run_checks"]
