"""Lessons in the terminal: the progress that is kept."""

from pathlib import Path

from tests.support.keyboard import lines, run


def test_a_damaged_file_is_a_fresh_start(tmp_path: Path) -> None:
    file = tmp_path / "duelbook" / "lessons.json"
    file.parent.mkdir()
    for damage in ("", "[]", '{"lessons": {"charge": 3}}', '{"lessons": {"charge": {"step": "x"}}}'):
        file.write_text(damage)
        done = run(["learn", "charge"], lines("charge 1"), XDG_DATA_HOME=str(tmp_path))
        assert "Step 1 of 6" in done.stdout
        assert done.stderr == ""
