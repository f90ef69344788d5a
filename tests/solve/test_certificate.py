"""Certificates: `duelbook certify` writes them, and `scripts/check_certificate.py` accepts them and nothing else."""

import ast
import gzip
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from duelbook import GAMES, make
from duelbook.cli.certify import certify
from duelbook.games.alpha_chase.words import BOOK_WORDS
from duelbook.solve import Progress, Stage, progress, solved, watched_by
from duelbook.solve.certificate import certificate_lines
from scripts.check_certificate import RefusedError, check
from tests.support.game_folders import small_variants
from tests.support.keyboard import run

UseGames = Callable[[str], None]
Change = Callable[[list[Any]], object]
CHECKER = Path(__file__).parents[2] / "scripts/check_certificate.py"
TOYS = (
    *("pits:Pits", "number_row:NumberRow", "grid:Grid", "drop_four:DropFour", "numbered_stones:NumberedStones"),
    *("broken:Carousel", "broken:WrongTwins"),
)


@pytest.fixture
def toys(use_games: UseGames) -> None:
    use_games(",".join(f"tests.support.games.{toy}" for toy in TOYS))


def certified(file: Path, game: str, /, *arguments: str, **options: object) -> Path:
    pairs = [part for name, value in options.items() for part in ("--option", f"{name}={value}")]
    done = run(["certify", game, *pairs, *arguments, "--out", str(file)])
    assert (done.stderr, done.returncode) == ("", 0)
    return file


def changed(file: Path, change: Change) -> str:
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    change(lines)
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return str(file)


def refusal(file: Path | str, *wanted: str) -> str:
    with pytest.raises(RefusedError) as refused:
        check(str(file), *wanted)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_certificate_of_who_wins(name: str, tmp_path: Path) -> None:
    assert "the first player wins" in check(str(certified(tmp_path / "book", name)))


@pytest.mark.parametrize(("name", "options"), small_variants())
def test_every_small_variant_has_one(name: str, options: dict[str, int | str], tmp_path: Path) -> None:
    game, file = make(name, **options), tmp_path / "variant"
    result = {1: "the first player wins", -1: "the second player wins", 0: "neither player"}
    assert result[solved(game).value(game.initial())] in check(str(certified(file, name, **options)))


PAIRS = {len({*first, *second}): f"{first},{second}" for first, second in product(BOOK_WORDS, repeat=2)}


@pytest.mark.parametrize(
    ("game", "options"),
    [
        *(pytest.param("alpha-chase", {"words": words}, marks=pytest.mark.slow) for words in PAIRS.values()),
        ("word-clash", {"length": 3}),
        ("word-clash", {"finishing": "own-only"}),
        ("word-clash", {"length": 4, "dictionary": "common"}),
    ],
)
def test_games_with_other_words_have_one(game: str, options: dict[str, object], tmp_path: Path) -> None:
    assert "player wins" in check(str(certified(tmp_path / "words", game, **options)))


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("game", "options", "proven"),
    [
        ("pits", {"pits": 6}, "the first player wins"),  # with extra turns
        ("carousel", {"stones": 5}, "neither player can be made to lose"),  # by endless play
        ("grid", {"size": 3}, "neither player can be made to lose"),
        ("drop-four", {"columns": 3, "rows": 3}, "neither player can be made to lose"),
        ("numbered-stones", {"stones": 8}, "the second player wins"),  # its states are not joined
    ],
)
def test_games_from_outside_have_one(game: str, options: dict[str, object], proven: str, tmp_path: Path) -> None:
    assert proven in check(str(certified(tmp_path / "toy", game, **options)))


@pytest.mark.usefixtures("toys")
def test_a_drawn_start_and_a_later_position_are_certified(tmp_path: Path) -> None:
    drawn = check(str(certified(tmp_path / "row", "number-row", "--seed", "3", length=6)))
    assert "'row': '1,2,3,4,5,6'" not in drawn
    later = check(str(certified(tmp_path / "later", "crystal-capture", "--after", "1,2")))
    assert "after the moves [0, 1]: the second player wins" in later
    over = certified(tmp_path / "over", "flag-chase", "--after", "2")
    assert "the first player wins (0 states)" in check(str(over))


def test_the_same_position_gives_the_same_bytes_compressed_or_not(tmp_path: Path) -> None:
    plain, one, other = (certified(tmp_path / name, "crystal-capture") for name in ("plain", "one.gz", "other.gz"))
    assert one.read_bytes() == other.read_bytes()
    assert gzip.decompress(one.read_bytes()) == plain.read_bytes()
    assert check(str(one)) == check(str(plain))


def test_ranks_are_the_plies_to_the_end_and_fall_along_the_file() -> None:
    game = make("crystal-capture")
    header, *states = map(json.loads, certificate_lines(solved(game)))
    ranks = [rank for rank, _, _ in states]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] == solved(game).remoteness(game.initial())
    assert header["result"] == "first"


def put(line: int, place: int, value: object) -> Change:
    return lambda lines: lines[line].__setitem__(place, value)


def play_another_move(lines: list[Any]) -> None:
    line = next(line for line in lines[1:] if line[0] == 3)
    line[1] = next(move for move in range(9) if line[2][1] >> move & 1 and move != line[1])


def raise_a_rank(lines: list[Any]) -> None:
    """Three states lead to the one with four stones, and the first of them has the lowest rank."""
    by_stones = {line[2][1]: line for line in lines[1:]}
    for stones, rank in {8: 9, 5: 3, 6: 5, 7: 5, 4: 4}.items():
        by_stones[stones][0] = rank


def claim_a_win_of_a_draw(lines: list[Any]) -> None:
    lines[0]["result"] = "first"
    del lines[3:]  # the second player's strategy
    lines[1][0], lines[2][0] = 2, 1


def drop_the_second_strategy(lines: list[Any]) -> None:
    del lines[next(number for number, line in enumerate(lines) if number > 1 and line[2] == [0, 0, 0]) :]


CRYSTALS, DRAW, GRID = "crystal-capture", "crystal-capture crystals=2 goal=3 deadlock=draw", "grid size=3"
ODD_RANKS: tuple[object, ...] = (1, 0, "9", [], False)
ODD_LINES = (7, [3, 4], [3, 4, {}], [3, 4, [0, 511, 0, 0.0]], [3, 4, [0, True, 0, 0]], [3, 4, [0, 511]])
START = r"State\(mover=0, pool=511, mine=0, theirs=0\)"
MISSING = r"but no later line has a strategy there\."
UNREACHED = "no line before it leads to the state"


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize(
    ("game", "change", "message"),
    [
        (CRYSTALS, play_another_move, rf"Line \d+: {UNREACHED} \[1, .*\]\."),
        (CRYSTALS, put(-1, 1, 1), rf"Line 16 leads to State\(mover=1, .*\), {MISSING}"),
        (CRYSTALS, put(1, 1, 77), rf"Line 2: the move 77 is not a legal move of the player in {START}\."),
        (CRYSTALS, put(2, 0, 5), r"Line 3: the rank 5 of State\(mover=1, .* must be above 0 and below 5\."),
        (CRYSTALS, list.pop, rf"Line 3 leads to State\(mover=0, .* {MISSING}"),
        (
            CRYSTALS,
            lambda lines: lines.insert(2, [2, None, [1, 511, 0, 0]]),
            rf"Line 3: {UNREACHED} \[1, 511, 0, 0\]\.",
        ),
        (CRYSTALS, lambda lines: lines.append([1]), r"Line 17: the proof is complete, but there is more: \[1\]\."),
        (CRYSTALS, lambda lines: lines[0].update(result="second"), r"Line 2: the move 5 is not a legal move of .*"),
        (CRYSTALS, lambda lines: lines[0]["options"].update(goal=16), r".*State\(mover=.*"),
        (CRYSTALS, lambda lines: lines[0].update(classes=True), "It joins states of crystal-capture, but no proof .*"),
        *(
            (CRYSTALS, lambda lines, line=line: lines.__setitem__(1, line), rf"Line 2: {UNREACHED} .*")
            for line in ODD_LINES
        ),
        (DRAW, claim_a_win_of_a_draw, r"Line 3 leads to State\(.*\), where the outcome is <Outcome.DRAW: 2>\."),
        (GRID, list.pop, rf"Line \d+ leads to State\(mover=.*\), {MISSING}"),
        (GRID, drop_the_second_strategy, rf"Line 1 leads to State\(mover=0, mine=0, theirs=0\), {MISSING}"),
        *(
            (GRID, put(2, 0, rank), r"Line 3: the rank .* of State\(.*\) must be null, as in every draw\.")
            for rank in ODD_RANKS
        ),
        # without the class of a living board, a reply is missing: the checker finds the classes from the words
        ("word-clash length=3", list.pop, r".*leads to State\(mover=.*"),
        # the solver believes a wrong `canonical`; the checker uses none
        ("wrong-twins stones=8", list, r"Line 9 leads to State\(mover=0, stones=0\), .* is <Outcome.SECOND_WINS: 1>\."),
        (
            "numbered-stones stones=8",
            raise_a_rank,
            r".* the rank 4 of State\(.*stones=4\) must be above 0 and below 3\.",
        ),
    ],
)
def test_a_certificate_that_proves_something_else_is_refused(
    game: str, change: Change, message: str, tmp_path: Path
) -> None:
    name, *options = game.split()
    file = certified(tmp_path / "certificate", name, **dict(option.split("=") for option in options))
    assert re.fullmatch(message, refusal(changed(file, change)))


class TestRefusals:
    @pytest.fixture
    def file(self, tmp_path: Path) -> Path:
        return certified(tmp_path / "certificate", "crystal-capture")

    def test_another_game(self, file: Path) -> None:
        assert check(str(file), "crystal-capture", "goal=15")
        assert refusal(file, "crystal-capture", "goal=14").startswith("It is of another game or word list: crystal-")
        assert refusal(file, "chess").startswith("The game cannot be made: Unknown game 'chess'.")

    def test_another_word_list(self, tmp_path: Path) -> None:
        words = tmp_path / "words"
        words.write_text("CAT\nDOG\n")
        file = certified(tmp_path / "certificate", "word-clash", length=3, dictionary=words)
        words.write_text("CAT\nCOG\n")
        assert refusal(file).startswith("It is of another game or word list: word-clash {'length': 3, ")

    def test_a_file_that_is_cut_off(self, tmp_path: Path) -> None:
        file = certified(tmp_path / "certificate.gz", "crystal-capture")
        file.write_bytes(file.read_bytes()[:-20])
        assert refusal(file).startswith("The file cannot be read after line ")

    def test_a_file_that_is_damaged(self, file: Path) -> None:
        file.write_bytes(file.read_bytes()[:-4])
        assert refusal(file).startswith("The file cannot be read after line 16: ")

    @pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense", "[" * 100_000, "null\n", '{"format": 1}'])
    def test_a_file_that_is_no_certificate(self, text: str, tmp_path: Path) -> None:
        file = tmp_path / "certificate"
        file.write_text(text)
        assert refusal(file)


def test_a_refusal_is_one_sentence_and_the_exit_code_is_1(tmp_path: Path) -> None:
    file = tmp_path / "certificate"
    command = [sys.executable, str(CHECKER), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(f"{file}: The file cannot be read after line 0: ")
    assert len(done.stderr.splitlines()) == 1


def test_the_command_says_what_is_proven(tmp_path: Path) -> None:
    file = tmp_path / "certificate"
    done = run(["certify", "flag-chase", "--out", str(file)])
    assert done.stdout.endswith(", which proves that the first player wins: 1 state.\n")
    later = run(["certify", "crystal-capture", "--after", "6,1", "--out", str(tmp_path / "later")])
    assert later.stdout.endswith(", which proves that after 6, 1 the first player wins: 1 state.\n")


WRITING = """
import sys, time
from duelbook.__main__ import run
from duelbook.solve import certificate
plain = certificate.certificate_lines

def stay(*arguments):
    yield next(plain(*arguments))
    print("writing", flush=True)
    time.sleep(60)

certificate.certificate_lines = stay
sys.argv = ["duelbook", "certify", "crystal-capture", "--out", sys.argv[1]]
run()
"""


@contextmanager
def writing(file: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a command that is writing a certificate to the file, and kill it at the end."""
    process = subprocess.Popen([sys.executable, "-c", WRITING, str(file)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout
        assert process.stdout.readline() == "writing\n"
        yield process
    finally:
        process.kill()
        process.communicate(timeout=30)


def test_what_a_killed_command_left_is_removed_by_the_next_one(tmp_path: Path) -> None:
    file, other = tmp_path / "proof.jsonl", tmp_path / "other.lock"
    other.write_text("of another program")
    with writing(file):
        pass
    assert sorted(tmp_path.iterdir()) == sorted([tmp_path / ".proof.jsonl.lock", tmp_path / ".proof.jsonl.part", other])
    certified(file, "crystal-capture")
    assert sorted(tmp_path.iterdir()) == sorted([file, other])


def test_a_file_that_another_command_is_writing_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "proof.jsonl"
    with writing(file):
        before = sorted(tmp_path.iterdir())
        done = run(["certify", "crystal-capture", "--out", str(file)])
        assert done.returncode == 2
        assert done.stderr.startswith("duelbook: Another process is writing ")
        assert done.stderr.endswith("Wait for it, or choose another file.\n")
        assert sorted(tmp_path.iterdir()) == before != []
        certified(tmp_path / "other.jsonl", "crystal-capture")


def test_the_command_reports_how_many_states_it_has_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "REPORT_SECONDS", 0)
    seen: list[Progress] = []
    with watched_by(seen.append):
        certify("crystal-capture", str(tmp_path / "proof"))
    written = [report.states for report in seen if report.stage is Stage.WRITING]
    assert written == list(range(len((tmp_path / "proof").read_text().splitlines())))


def test_a_wanted_option_without_a_value_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = certified(tmp_path / "flag", "flag-chase")
    assert refusal(file, "flag-chase", "cells") == "The game cannot be made: cells must be a whole number, not ''."


def test_neither_is_a_file_replaced_nor_is_a_game_certified_that_is_too_large(toys: None) -> None:
    for arguments, message in (
        (["charge", "--out", __file__], f"'{__file__}' already exists. Choose another file, or remove that one first."),
        (["drop-four", "--memory", "1M", "--out", "x"], "This game is too large to be solved."),
    ):
        done = run(["certify", *arguments])
        assert done.stderr.startswith(f"duelbook: {message}")
        assert (len(done.stderr.splitlines()), done.returncode) == (1, 2)


def test_the_checker_is_short_and_uses_only_five_methods_and_the_standard_library() -> None:
    source = CHECKER.read_text()
    assert len(source.splitlines()) <= 150
    imported = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = [node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imported]
    assert {str(name).partition(".")[0] for name in names} - sys.stdlib_module_names == {"duelbook"}
    assert [alias.name for node in imported if getattr(node, "module", "") == "duelbook" for alias in node.names] == [
        "make"
    ]
    assert not {"canonical", "following", "count_legal"} & {
        node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)
    }
