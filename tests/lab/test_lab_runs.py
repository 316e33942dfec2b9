"""The lab runs experiments in blocks, keeps them, and goes on where it stopped."""

import json

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.lab import Experiment, Limit, run_lab, to_table
from fairtrial.lab.lab_runs import Journal


def coin(generator, runs):
    return {"heads": (int((generator.random(runs) < 0.5).sum()), runs)}


def experiments():
    found = [Experiment("coins", name, coin, {"heads": Limit("at most", 0.05)}, block=50) for name in ("a", "b")]
    return {e.key: e for e in found}


class TestRunLab:
    def test_runs_every_block_once_and_goes_on(self, tmp_path):
        path = tmp_path / "lab.jsonl"
        first = run_lab(experiments(), 100, path=path)
        assert [(r.world, r.runs) for r in first] == [("a", 100), ("b", 100)]
        lines = path.read_text().splitlines()
        more = run_lab(experiments(), 200, path=path)
        assert path.read_text().splitlines()[: len(lines)] == lines
        assert [r.runs for r in more] == [200, 200]

    def test_gives_the_same_in_one_piece_and_after_a_stop(self, tmp_path):
        whole = run_lab(experiments(), 300)
        path = tmp_path / "lab.jsonl"
        run_lab(experiments(), 100, path=path)
        with path.open("a") as file:
            file.write('{"experiment": "coins: a", "blo')  # killed here
        path.write_text(path.read_text() + "\n")
        assert run_lab(experiments(), 300, path=path) == whole

    @pytest.mark.slow
    def test_workers_do_not_change_the_numbers(self):
        assert run_lab(experiments(), 200, workers=2, find=experiments) == run_lab(experiments(), 200)

    def test_reports_how_far_it_is(self):
        said = []
        run_lab(experiments(), 100, report=lambda done, total: said.append((done, total)))
        assert said == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="runs must be a whole number above 0, got 0"):
            run_lab(experiments(), 0)


class TestJournal:
    def test_adds_up_the_blocks_of_an_experiment(self, tmp_path):
        journal = Journal(tmp_path / "lab.jsonl")
        journal.add("x", 0, {"c": (1, 10)})
        journal.add("x", 1, {"c": (2, 10), "d": (5, 10)})
        journal.add("y", 0, {"c": (9, 10)})
        assert Journal(tmp_path / "lab.jsonl").counts("x") == {"c": (3, 20), "d": (5, 10)}

    @pytest.mark.parametrize("line", ["", "{", "[]", '{"experiment": "x"}', json.dumps({"counts": {"c": 1}})])
    def test_leaves_out_lines_that_are_not_whole(self, tmp_path, line):
        (tmp_path / "lab.jsonl").write_text(line + "\n")
        assert Journal(tmp_path / "lab.jsonl").blocks == {}


class TestTable:
    def test_marks_limits_that_are_not_kept(self):
        text = str(to_table(run_lab(experiments(), 100)))
        assert "✗ not kept" in text
        assert "0 of 2 limits kept, allowing for two Monte Carlo errors" in text

    def test_shares_have_their_errors(self):
        (row, _) = run_lab(experiments(), 100)
        assert row.error == pytest.approx(np.sqrt(row.share * (1 - row.share) / 100))
