"""Ctrl-C while numba compiles stops the work, and the next call compiles again."""

import signal
from typing import Any

import pytest

pytest.importorskip("numba", reason="numba is not installed (extra fast)")

from numba.core.registry import cpu_target

from duelbook.compiled.kernel import jit_plain


@pytest.fixture(autouse=True)
def default_handler() -> Any:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def double(number: int) -> int:
    return number * 2


def test_ctrl_c_in_a_callback_of_llvm_is_not_lost_and_leaves_no_broken_code(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """The first Python code that runs after LLVM has compiled for seconds is such a callback."""
    engine = cpu_target.target_context.codegen()._engine._ee
    keep = engine._object_cache_notify

    def interrupted(module: Any, code: bytes) -> None:
        signal.raise_signal(signal.SIGINT)
        keep(module, code)

    compiled = jit_plain(double, on_disk=False)
    with monkeypatch.context() as patched:
        patched.setattr(engine, "_object_cache_notify", interrupted)
        with pytest.raises(KeyboardInterrupt):
            compiled(21)
    assert "Traceback" not in capfd.readouterr().err
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    assert compiled(21) == 42
