"""The shipped dictionary and its loader."""

import subprocess
import sys
from pathlib import Path

from duelbook import make, words
from duelbook.words import denied, load_words, word_code


def test_the_shipped_list_has_the_expected_number_of_words_of_each_length() -> None:
    assert [len(words.load_words("standard", length).words) for length in range(3, 9)] == [
        661,
        2586,
        5110,
        8274,
        11580,
        12661,
    ]
    assert set(words.load_words("common", 5).words) < set(words.load_words("standard", 5).words)


def test_words_are_capitals_in_order_and_without_duplicates() -> None:
    found = words.load_words("standard", 6).words
    assert list(found) == sorted(set(found))
    assert all(word.isascii() and word.isupper() for word in found)


def test_codes_are_sorted_and_unique() -> None:
    found = load_words("standard", 8).codes
    assert list(found) == sorted(set(found))
    assert len(found) == 12661
    assert word_code("ABC") == ord("A") + 256 * ord("B") + 65536 * ord("C")


def test_the_hash_depends_on_the_words_but_not_on_their_order(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("abc\nxyz\n")
    two.write_text("XYZ\nABC\nabcd\n")
    assert load_words(str(one), 3).digest == load_words(str(two), 3).digest
    assert load_words("standard", 5).digest != load_words("common", 5).digest


def test_a_word_file_that_changes_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "words"
    file.write_text("abc\n")
    before = make("word-clash", length=3, dictionary=str(file))
    file.write_text("abc\nxyz\n")
    assert make("word-clash", length=3, dictionary=str(file)) != before


def test_offensive_words_are_a_list_of_valid_words_in_order() -> None:
    everything = {word for length in range(3, 9) for word in words.load_words("standard", length).words}
    lines = (Path(words.__file__).parent / "deny.txt").read_text().splitlines()
    listed = [line.upper() for line in lines if not line.startswith("#")]
    assert listed == sorted(set(listed))
    assert set(listed) == denied()
    assert denied() <= everything
    assert denied() > {"FUCK", "WANKER", "VAGINA", "CRETIN", "WETBACK", "COCAINE", "SHITHEAD", "SEX"}


def test_importing_duelbook_reads_no_dictionary() -> None:
    script = "import duelbook, duelbook.words as w; duelbook.make('charge'); print(w._data.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
