"""The check that everybody uses."""

import pytest

from duelbook import RefusedError
from duelbook.errors import check_range


def test_a_number_outside_its_range_is_refused_with_the_range() -> None:
    check_range("goal", 1, 1, 60)
    check_range("goal", 60, 1, 60)
    for value in (0, 61, float("nan")):
        with pytest.raises(RefusedError, match=rf"^goal must be from 1 to 60, not {value}\.$"):
            check_range("goal", value, 1, 60)
