"""The lab's results with a row for each world."""

from click.testing import CliRunner

from fairtrial.cli import cli
from fairtrial.lab.lab_runs import Limit, Row, wide_tables

FEW = Limit("at most", 0.05)
ROWS = [
    Row("g", "first", "plain", 30, 100, Limit()),
    Row("g", "first", "careful", 4, 100, FEW),
    Row("g", "second", "plain", 50, 100, Limit()),
    Row("g", "second", "careful", 12, 100, FEW),
    Row("g", "third", "careful", 1, 400, FEW),
]


def test_worlds_with_the_same_claims_share_a_table():
    both, alone = wide_tables(ROWS)
    assert [c.title for c in both.columns] == ["world", "careful (≤ 5 %)", "plain", "runs"]
    assert both.rows == (("first", "4.0 %", "30.0 %", 100), ("second", "12.0 % ✗", "50.0 %", 100))
    assert alone.rows == (("third", "0.2 %", 400),)


def test_limits_that_differ_stand_in_the_cells():
    (table,) = wide_tables([ROWS[1], Row("g", "other", "careful", 12, 100, Limit("at least", 0.9))])
    assert [c.title for c in table.columns] == ["world", "careful", "runs"]
    assert table.rows == (("first", "4.0 % (≤ 5 %)", 100), ("other", "12.0 % ✗ (≥ 90 %)", 100))


def test_a_limit_that_is_not_kept_is_explained():
    both, alone = wide_tables(ROWS)
    assert both.notes == (
        "share of runs; the Monte Carlo error is at most 5.0 %, and 2.2 % where the share is 5 %",
        "✗ the limit is not kept, allowing for two Monte Carlo errors",
    )
    assert len(alone.notes) == 1


def test_the_command_prints_them_with_a_line_between(tmp_path):
    into = ("--into", str(tmp_path / "lab.jsonl"))
    made = CliRunner().invoke(
        cli, ["lab", "fixed-models", "--only", "500", "--runs", "1", "--wide", "--format", "md", *into]
    )
    first, second = made.stdout.split("\n\nlab: fixed models\n\n")
    assert "| world | McNemar (mid-p): a false difference (≤ 5 %) |" in first
    assert second.startswith("| world | paired t over instances: a false difference |")


def test_the_command_leaves_out_what_has_no_limit(tmp_path):
    into = ("--into", str(tmp_path / "lab.jsonl"))
    made = CliRunner().invoke(cli, ["lab", "families", "--only", "50 %", "--runs", "1", "--limited", *into])
    assert "each family one unit" in made.output
    assert "each version one unit" not in made.output
