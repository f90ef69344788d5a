"""Tests keep out of the user's folders, and skips are failures where `DUELBOOK_FORBID_SKIPS` is set, as in CI."""

import os
import signal
import tempfile

import pytest

signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it is ignored, also by what tests start
if "PYTEST_XDIST_WORKER" not in os.environ:  # workers share the folders of who started them
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME"):
        os.environ[name] = tempfile.mkdtemp(prefix="duelbook-test-")


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None:  # a worker, whose reports go to who started it
        return
    skipped = reporter.stats.get("skipped", [])
    if skipped and os.environ.get("DUELBOOK_FORBID_SKIPS"):
        names = ", ".join(report.nodeid for report in skipped)
        reporter.write_line(f"\nskipped, which is forbidden here: {names}", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
