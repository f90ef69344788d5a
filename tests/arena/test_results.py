"""The results folder: damage and wrong usage are reported in one line, and nothing is overwritten."""

import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from duelbook.arena import TournamentPlan, load_manifest
from duelbook.arena.results import ResultsFolder, write_result
from duelbook.arena.results_log import LOG
from tests.arena.conftest import SMALL, Call, files


class TestDamage:
    """A folder that holds a tournament, damaged or not."""

    @pytest.fixture
    def folder(self, small: Path, tmp_path: Path) -> Path:
        """The small tournament, stopped after 50 matches."""
        folder = tmp_path / "out"
        folder.mkdir()
        for name in ("manifest.json", LOG):
            (folder / name).write_bytes((small / name).read_bytes())
        lines = (folder / LOG).read_bytes().splitlines(keepends=True)
        (folder / LOG).write_bytes(b"".join(lines[:50]))
        return folder

    def resumed(self, call: Call, folder: Path) -> str:
        """Try to resume, check that it fails and changes nothing, and return the message."""
        before = {file.name: file.read_bytes() for file in folder.iterdir()}
        said = call("tournament", "--out", folder, "--resume", "--backend", "serial")
        assert {file.name: file.read_bytes() for file in folder.iterdir()} == before
        assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
        return said.err

    @pytest.mark.parametrize("said", ["--pairs 6", "--seed 5", "--games charge", "--openings book", "--ply-limit 9"])
    def test_resuming_takes_no_part_of_a_plan(self, folder: Path, call: Call, said: str) -> None:
        done = call("tournament", "--out", folder, "--resume", *said.split())
        left_out = "Leave out --games, --pairs, --seed, --openings and --ply-limit"
        message = f"--resume continues the plan in the folder. {left_out}, or repeat the whole plan with --agents."
        assert (done.code, done.err) == (2, f"duelbook: {message}\n")

    def test_results_after_an_interrupt_are_found_where_they_are(
        self, small: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Ctrl-C comes after a result is written, and before it is known where it begins."""
        plan = load_manifest(folder / "manifest.json", TournamentPlan)
        with ResultsFolder(small, plan) as all_results:
            numbered = {result.number: write_result(result) for result in all_results}
        with ResultsFolder(folder, plan, sync=True) as results:
            results.begin()
            one, two = results.missing()[:2]
            with monkeypatch.context() as patch:
                patch.setattr(os, "fsync", Mock(side_effect=KeyboardInterrupt))
                with pytest.raises(KeyboardInterrupt):
                    results.append(one, numbered[one])
            results.append(two, numbered[two])
            assert [result.number for result in results][-1] == two
        with ResultsFolder(folder, plan) as again:
            assert one in again
            assert two in again

    def test_a_half_written_line_is_played_again(self, small: Path, folder: Path, call: Call) -> None:
        with (folder / LOG).open("ab") as file:
            file.write((small / LOG).read_bytes().splitlines()[50][:99])
        assert call("tournament", "--out", folder, "--resume", "--backend", "serial").code == 0
        assert files(folder) == files(small)

    def test_foreign_and_repeated_lines_are_reported_with_their_number(
        self, small: Path, folder: Path, call: Call
    ) -> None:
        whole = (folder / LOG).read_bytes()
        (folder / LOG).write_bytes(b"hello\n" + whole)
        assert "line 1: The line is damaged" in self.resumed(call, folder)
        (folder / LOG).write_bytes(whole + whole.splitlines(keepends=True)[0])
        assert "line 51: Match 0 appears twice." in self.resumed(call, folder)
        other = (folder / "manifest.json").read_text().replace('"seed": 5', '"seed": 6')
        (folder / "manifest.json").write_text(other)
        assert "line 1: The match is not part of this tournament." in self.resumed(call, folder)
        (folder / "manifest.json").write_text("{")
        assert "manifest.json: Line 1 is not JSON" in self.resumed(call, folder)

    def test_a_folder_that_another_process_uses_is_refused(self, folder: Path, call: Call) -> None:
        with ResultsFolder(folder, load_manifest(folder / "manifest.json", TournamentPlan)):
            assert "Another process is using the folder" in self.resumed(call, folder)

    def test_a_tournament_is_not_overwritten(self, folder: Path, call: Call) -> None:
        before = (folder / LOG).read_bytes()
        for arguments, message in (
            ([*SMALL], "already holds a tournament. Add --resume (in Python: resume=True), or give another folder."),
            ([*SMALL, "--pairs", "21", "--resume"], "holds another tournament: pairs is 20 there, not 21."),
            ([*SMALL, "--seed", "6", "--resume"], "holds another tournament: seed is 5 there, not 6."),
            (
                [*SMALL, "--games", "charge", "--resume"],
                "holds another tournament: the number of games is 1 there, not 2.",
            ),
        ):
            said = call("tournament", *arguments, "--out", folder)
            assert said.err == f"duelbook: '{folder}' {message}\n"
            assert said.code == 2
        assert (folder / LOG).read_bytes() == before

    def test_a_folder_with_other_files_is_not_used(self, tmp_path: Path, call: Call) -> None:
        (tmp_path / "thesis.tex").touch()
        said = call("tournament", *SMALL, "--out", tmp_path)
        assert said.err.endswith("holds other files (thesis.tex). Give a new or an empty folder.\n")
        assert os.listdir(tmp_path) == ["thesis.tex"]


@pytest.mark.parametrize(
    "command", ["tournament --agents greedy,random --workers 2", "eval --agent greedy --opponent random"]
)
def test_a_full_disk_is_one_line_and_loses_nothing(tmp_path: Path, command: str) -> None:
    words = [sys.executable, "-m", "duelbook", *command.split()]
    words += ["--games", "flag-chase,charge", "--pairs", "40", "--out", str(tmp_path / "out")]
    no_bytecode = "export PYTHONDONTWRITEBYTECODE=1"  # Python would keep modules that it could write in part only
    small = ["sh", "-c", f'{no_bytecode} && ulimit -f 20 && exec "$@"', "sh"]
    full = subprocess.run([*small, *words], capture_output=True, text=True, check=False)
    assert (full.returncode, full.stderr.count("\n")) == (2, 1)
    assert "results.log': File too large. " in full.stderr
    assert "--resume" in full.stderr
    done = subprocess.run([*words, "--resume"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len((tmp_path / "out/matches.jsonl").read_bytes().splitlines()) == 160
