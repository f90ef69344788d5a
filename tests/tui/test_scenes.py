"""The main screens look as they did when somebody looked at them (tests/support/full_screen_scenes.py)."""

from tests.support.full_screen_scenes import SNAPSHOTS, snapshots


def test_every_main_screen_is_as_in_the_snapshots() -> None:
    assert snapshots().split("\n== ") == SNAPSHOTS.read_text().split("\n== ")
