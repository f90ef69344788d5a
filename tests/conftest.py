"""Skips are failures where `DUELBOOK_FORBID_SKIPS` is set, as it is in CI."""

import os

import pytest


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    assert reporter
    skipped = reporter.stats.get("skipped", [])
    if skipped and os.environ.get("DUELBOOK_FORBID_SKIPS"):
        names = ", ".join(report.nodeid for report in skipped)
        reporter.write_line(f"\nskipped, which is forbidden here: {names}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
