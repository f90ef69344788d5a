"""The line dialogue is as it was when somebody read its transcripts (tests/support/transcripts.py)."""

from pathlib import Path

import pytest

from tests.support.transcripts import FOLDER, transcript


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.txt")), ids=lambda file: file.stem)
def test_a_dialogue_is_as_in_its_transcript(file: Path) -> None:
    assert transcript(file.read_text()) == file.read_text()
