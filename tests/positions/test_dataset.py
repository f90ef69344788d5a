"""Datasets: exact values, strata, splits without leaks, files, and a held-out split whose seed stays secret."""

import json
import stat
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from pyarrow import parquet

from duelbook import RefusedError, make
from duelbook.agents.llm.prompt import turn_prompt
from duelbook.game import move_names
from duelbook.positions import DatasetPosition, HeldOut, load_positions, make_dataset
from duelbook.positions.generate import rules_by
from duelbook.positions.position import VALUES, strata_of
from duelbook.solve import solved
from tests.positions.conftest import SMALL
from tests.support.models import Duelbook

FILES = ("train.jsonl", "test.jsonl", "train.parquet", "test.parquet", "dataset.json", "README.md")


def both(dataset: Path) -> list[DatasetPosition]:
    return load_positions(dataset, "train") + load_positions(dataset, "test")


class TestPositions:
    def test_every_move_has_its_exact_value_and_the_decision_matters(self, dataset: Path) -> None:
        for position in both(dataset):
            match = position.played()
            solution = solved(match.game)
            exact = {match.game.move_name(match.state, one.move): one for one in solution.moves(match.state)}
            assert VALUES[position.value] == solution.value(match.state)
            assert position.remoteness == solution.remoteness(match.state)
            assert [one.move for one in position.legal] == list(move_names(match.game, match.state))
            for one in position.legal:
                assert (VALUES[one.value], one.remoteness) == (exact[one.move].value, exact[one.move].remoteness)
                assert one.regret == VALUES[position.value] - VALUES[one.value]
            assert 0 < len(position.good) < len(position.legal)
            assert position.good == [one.move for one in position.legal if one.value == position.value]
            assert position.chance_accuracy == pytest.approx(len(position.good) / len(position.legal), abs=1e-6)
            assert position.prompt == turn_prompt(match, show_legal=True)
            assert position.regret_of(None) == VALUES[position.value] + 1

    def test_they_are_stratified_and_no_cell_has_too_many(self, dataset: Path) -> None:
        cells = Counter((one.split, one.game, one.seat, one.strata) for one in both(dataset))
        most = {"train": 1, "test": 3}
        assert all(count <= most[split] for (split, *_), count in cells.items())
        for place in (1, 2, 3):
            assert len({cell[place] for cell in cells}) > 1
        for one in both(dataset):
            assert one.strata == strata_of(one.remoteness, len(one.legal), len(one.good))

    @pytest.mark.parametrize(
        ("remoteness", "legal", "good", "strata"),
        [
            (1, 2, 1, ("1", "2-7", "1/4 to 1/2")),
            (2, 7, 1, ("2-6", "2-7", "up to 1/4")),
            (6, 8, 2, ("2-6", "8-25", "up to 1/4")),
            (7, 25, 13, ("7+", "8-25", "above 1/2")),
            (None, 26, 13, ("endless", "26+", "1/4 to 1/2")),
        ],
    )
    def test_strata(self, remoteness: int | None, legal: int, good: int, strata: tuple[str, str, str]) -> None:
        assert strata_of(remoteness, legal, good) == strata

    def test_no_class_is_in_two_splits_or_twice_in_a_game(self, dataset: Path, tmp_path: Path) -> None:
        make_dataset(SMALL, tmp_path / "other", per_cell=6, seed=2, parquet=False)
        everything = both(dataset) + both(tmp_path / "other")
        splits: dict[str, set[str]] = {}
        for one in everything:
            splits.setdefault(one.group, set()).add(one.split)
        assert all(len(found) == 1 for found in splits.values())
        assert max(Counter((one.game, one.group) for one in both(dataset)).values()) == 1

    def test_it_is_said_who_wrote_the_rules(self, dataset: Path, use_games: Callable[[str], None]) -> None:
        assert {one.rules_by for one in both(dataset)} == {rules_by("flag-chase")}
        assert rules_by("flag-chase").startswith("the Duelbook authors, after the rule book")
        use_games("tests.support.games.drop_four:DropFour")
        assert rules_by("drop-four") == "not known (DUELBOOK_GAMES)"

    def test_a_game_that_is_too_large_to_solve_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("duelbook.solve.cache._too_large", {make("flag-chase"): None})
        with pytest.raises(RefusedError, match="flag-chase is too large to solve, so its moves have no exact values"):
            make_dataset(["flag-chase"], tmp_path / "out")
        assert not (tmp_path / "out").exists()

    def test_won_and_drawn_positions_are_told_apart(self, dataset: Path) -> None:
        assert {one.value for one in both(dataset)} == {"win", "draw"}
        assert {move.regret for one in both(dataset) for move in one.legal} == {0, 1, 2}


class TestFiles:
    def test_the_same_seed_gives_the_same_files_and_another_seed_others(self, dataset: Path, tmp_path: Path) -> None:
        for seed in (1, 2):
            make_dataset(SMALL, tmp_path / str(seed), per_cell=6, seed=seed)
        contents = [{name: (folder / name).read_bytes() for name in FILES} for folder in (dataset, tmp_path / "1")]
        assert contents[0] == contents[1]
        assert (tmp_path / "2/test.jsonl").read_bytes() != contents[0]["test.jsonl"]

    def test_parquet_holds_the_same_rows(self, dataset: Path) -> None:
        rows = parquet.read_table(dataset / "test.parquet").to_pylist()
        lines = [json.loads(line) for line in (dataset / "test.jsonl").read_text().splitlines()]
        assert [row | {"options": json.loads(row["options"])} for row in rows] == lines

    def test_the_card_names_the_files_of_each_split(self, dataset: Path) -> None:
        _, front, body = (dataset / "README.md").read_text().split("---\n", 2)
        files = yaml.safe_load(front)["configs"][0]["data_files"]
        assert files == [{"split": name, "path": f"{name}.parquet"} for name in ("train", "test")]
        assert f"| all | {len(load_positions(dataset, 'train'))} | {len(load_positions(dataset))} |" in body
        fields = json.loads((dataset / "test.jsonl").read_text().splitlines()[0])
        assert all(f"`{name}`" in body for name in fields)

    def test_a_changed_split_is_noticed(self, dataset: Path, tmp_path: Path) -> None:
        for name in FILES:
            (tmp_path / name).write_bytes((dataset / name).read_bytes())
        lines = (tmp_path / "test.jsonl").read_text().splitlines(keepends=True)
        (tmp_path / "test.jsonl").write_text("".join(lines[1:]))
        with pytest.raises(RefusedError, match=r"test.jsonl' was changed: its hash differs"):
            load_positions(tmp_path)
        assert len(load_positions(tmp_path / "test.jsonl")) == len(lines) - 1  # a file by itself

    def test_a_position_of_other_rules_is_refused(self, dataset: Path, tmp_path: Path) -> None:
        row = json.loads((dataset / "test.jsonl").read_text().splitlines()[0])
        row["options"]["goal"] = 17
        (tmp_path / "odd.jsonl").write_text(json.dumps(row) + "\n")
        with pytest.raises(RefusedError, match="The rules of crystal-capture changed since"):
            load_positions(tmp_path / "odd.jsonl")[0].played()


@pytest.mark.slow
class TestTheHeldOutSplit:
    def test_its_seed_is_secret_and_its_hash_is_published(self, tmp_path: Path) -> None:
        public, private, secret = (tmp_path / name for name in ("public", "private", "secret"))
        made = make_dataset(SMALL, public, per_cell=20, seed=1, held_out=HeldOut(private, secret))
        assert made.held_out
        seed = secret.read_text().strip()
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600
        for file in [*public.iterdir(), *private.iterdir()]:
            assert seed.encode() not in file.read_bytes()
        hidden = load_positions(private)
        assert {one.split for one in hidden} == {"held-out"}
        assert not {one.group for one in hidden} & {one.group for one in both(public)}
        assert made.held_out.sha256 == sha256((private / "held-out.jsonl").read_bytes()).hexdigest()
        assert made.held_out.seed_sha256 == sha256(f"duelbook-positions {seed}".encode()).hexdigest()
        assert made.held_out.sha256 in (public / "README.md").read_text()
        again = make_dataset(SMALL, tmp_path / "again", per_cell=20, seed=5, held_out=HeldOut(tmp_path / "p2", secret))
        assert again.held_out == made.held_out

    def test_another_secret_gives_other_positions(self, tmp_path: Path) -> None:
        made = []
        for name in ("one", "two"):
            (tmp_path / name).write_text(f"a long secret that is {name}")
            hidden = HeldOut(tmp_path / f"held {name}", tmp_path / name)
            made.append(make_dataset(SMALL[:1], tmp_path / f"out {name}", per_cell=5, held_out=hidden, parquet=False))
        assert made[0].held_out != made[1].held_out
        assert made[0].splits == made[1].splits


class TestTheCommand:
    def test_it_writes_a_dataset_and_says_where(self, tmp_path: Path, duelbook: Duelbook) -> None:
        done = duelbook("positions", "--games", "flag-chase", "--seed", 1, "--out", tmp_path / "out")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"train: 0 positions\ntest: 2 positions\nThe dataset is in {tmp_path / 'out'}.\n"
        assert sorted(file.name for file in (tmp_path / "out").iterdir()) == sorted(FILES)

    def test_a_secret_that_could_be_guessed_is_refused(self, tmp_path: Path, duelbook: Duelbook) -> None:
        secret = tmp_path / "secret"
        secret.write_text("1234")
        held_out = ("--held-out", tmp_path / "private", "--secret", secret)
        done = duelbook("positions", "--games", "flag-chase", *held_out, "--out", tmp_path / "out")
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert "it could be guessed from its hash" in done.stderr
        assert [*tmp_path.iterdir()] == [secret]
