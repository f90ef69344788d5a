"""Rulings: each has a book, a ruling and a test, and is named by the prefix of its game.

Those of a game stand in its folder, in `rulings.md`. The page `docs/rulings.md` shows them all.
"""

import re
from pathlib import Path

from duelbook import GAMES
from scripts.game_pages import own_text

ROOT = Path(__file__).parents[2]
SOURCES = [*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]
ALL_GAMES = (ROOT / "docs/rulings.md").read_text().partition("<!-- generated: rulings -->")[0]


def rulings_in(text: str) -> dict[str, str]:
    parts = re.split(r"^##+ ([A-Z]+-\d+): ", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


BY_GAME = {"": rulings_in(ALL_GAMES)} | {name: rulings_in(own_text(name, "rulings.md")) for name in GAMES}
RULINGS = {ruling: text for found in BY_GAME.values() for ruling, text in found.items()}


def test_every_ruling_has_a_book_a_ruling_and_tests_that_exist() -> None:
    assert RULINGS
    for ruling, text in RULINGS.items():
        assert re.findall(r"^- (The book|Ruling): ", text, re.MULTILINE) == ["The book", "Ruling"], ruling
        tests = text.split("\n- Test: ")[1]
        named, transcripts = re.findall(r"`([\w/]+\.py)::(\w+)`", tests), re.findall(r"`([\w/-]+\.txt)`", tests)
        assert named or transcripts, ruling
        for transcript in transcripts:
            assert re.search(rf"\b{ruling}\b", (ROOT / "tests" / transcript).read_text()), (ruling, transcript)
        for file, test in named:
            found = [*(ROOT / "tests").glob(file), *(ROOT / "src/duelbook/games").glob(f"*/tests/{file}")]
            assert found, (ruling, file)
            assert re.search(rf"^(def|class) {test}\b", found[0].read_text(), re.MULTILINE), (ruling, test)


def test_the_rulings_of_a_game_have_a_prefix_of_their_own_and_are_numbered_without_gaps() -> None:
    prefixes = []
    for found in filter(None, BY_GAME.values()):
        prefix = next(iter(found)).partition("-")[0]
        assert list(found) == [f"{prefix}-{number}" for number in range(1, len(found) + 1)]
        prefixes.append(prefix)
    assert len(prefixes) == len(set(prefixes))


def test_every_ruling_that_the_code_and_the_tests_name_exists() -> None:
    prefixes = "|".join(sorted({ruling.partition("-")[0] for ruling in RULINGS}))
    for file in SOURCES:
        for ruling in re.findall(rf"\b(?:{prefixes})-\d+\b", file.read_text()):
            assert ruling in RULINGS, (file, ruling)
