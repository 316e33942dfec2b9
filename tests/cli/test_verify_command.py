"""`fairtrial verify`: exit codes, and what is printed."""

from __future__ import annotations

import json

import pytest
from calling import fairtrial


class TestVerify:
    @pytest.mark.slow
    def test_equal_different_and_bad_input(self, tmp_path):
        rows = [f"d{i},{0.7 + i / 100},{0.6 + i / 90}" for i in range(8)]
        (tmp_path / "scores.csv").write_text("dataset,forest,tree\n" + "\n".join(rows))
        made = fairtrial(tmp_path, "compare", "scores.csv", "--measure", "accuracy", "--format", "json")
        (tmp_path / "verdict.json").write_text(made.stdout, encoding="utf-8")
        done = fairtrial(tmp_path, "verify", "verdict.json")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("verdict.json is confirmed")

        (tmp_path / "scores.csv").write_text("dataset,forest,tree\n" + "\n".join([*rows[:-1], "d7,0.9,0.5"]))
        done = fairtrial(tmp_path, "verify", "verdict.json", "scores.csv", "--format", "json")
        assert done.returncode == 1
        assert json.loads(done.stdout)["differences"][1]["place"] == "scores.d7.forest"

        whole = json.loads(made.stdout)
        whole["versions"]["fairtrial"], whole["answer"] = "0.0", "tree is best"
        (tmp_path / "verdict.json").write_text(json.dumps(whole))
        (tmp_path / "scores.csv").write_text("dataset,forest,tree\n" + "\n".join(rows))
        done = fairtrial(tmp_path, "verify", "verdict.json")
        assert done.returncode == 3
        assert "confirmed in part" in done.stdout

        (tmp_path / "verdict.json").write_text("[" * 100_000)
        done = fairtrial(tmp_path, "verify", "verdict.json")
        assert done.returncode == 2
        assert done.stderr.startswith("fairtrial: verdict.json must be a verdict as JSON")
        assert len(done.stderr.splitlines()) == 1
