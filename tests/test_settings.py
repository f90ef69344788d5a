"""Settings from flags and environment variables."""

from dataclasses import dataclass

import pytest

from duelbook import RefusedError
from duelbook.settings import read_settings, setting


@dataclass(frozen=True)
class Example:
    """Settings for the tests."""

    workers: int = setting(1, "worker processes", 1)
    seconds: float = setting(10.0, "time for a move", 0.5)
    public: bool = setting(False, "whether matches are listed")
    key: str = setting("", "the password", secret=True)


def test_a_flag_overrides_a_variable_and_a_variable_the_default() -> None:
    assert read_settings(Example, "X_", {}) == Example()
    variables = {"X_WORKERS": " 3 ", "X_PUBLIC": "On", "X_SECONDS": ""}
    assert read_settings(Example, "X_", variables) == Example(workers=3, public=True)
    assert read_settings(Example, "X_", variables, workers=2, seconds=None).workers == 2


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"X_WORKERS": "0"}, "X_WORKERS must be from 1 to 8, not 0."),
        ({"X_WORKERS": "9"}, "X_WORKERS must be from 1 to 8, not 9."),
        ({"X_WORKERS": "2.5"}, "X_WORKERS must be a whole number, not '2.5'."),
        ({"X_SECONDS": "nan"}, "X_SECONDS must be from 0.5 to 999999999, not nan."),
        ({"X_SECONDS": "soon"}, "X_SECONDS must be a number, not 'soon'."),
        ({"X_PUBLIC": "maybe"}, "X_PUBLIC must be yes or no, not 'maybe'."),
    ],
)
def test_a_wrong_variable_is_refused_by_name(variables: dict[str, str], message: str) -> None:
    with pytest.raises(RefusedError) as refused:
        read_settings(Example, "X_", variables, {"workers": 8})
    assert str(refused.value) == message


def test_a_wrong_flag_is_refused_by_name() -> None:
    with pytest.raises(RefusedError, match="workers must be from 1 to"):
        read_settings(Example, "X_", {}, workers=0)


def test_a_secret_is_not_in_the_text_of_the_settings() -> None:
    assert "hush" not in repr(Example(key="hush"))
