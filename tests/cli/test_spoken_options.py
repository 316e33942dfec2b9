"""Errors on the command line name options."""

import pytest

from fairtrial.cli import cli
from fairtrial.cli.reading import in_options

CASES = [
    ("compare", "say rows='datasets' or rows='methods' (--rows)", "say --rows datasets or --rows methods"),
    ("compare", "say so: dataset='case' (--columns dataset=case)", "say so: --columns dataset=case"),
    ("compare", "name them: methods=['a', 'b'] (--methods a,b)", "name them: --methods a,b"),
    ("compare", "name one (baseline='…', --baseline)", "name one (--baseline)"),
    ("compare", "say measure='accuracy', higher_is_better=True or higher_is_better=False",
     "say --measure accuracy, --higher-is-better or --lower-is-better"),
    ("compare", "alternative='not worse' needs smallest_difference, got None",
     "--alternative 'not worse' needs --smallest-difference, got None"),
    ("compare", "take results.mcnemar(), which tests each", "take `fairtrial table FILE mcnemar`, which tests each"),
    ("compare", "choose: results.only(methods=['a']) (command line: --methods a)", "choose: --methods a"),
    ("draw", "name it (dataset=…), since there are 3", "name it (--dataset …), since there are 3"),
    ("status", "a.csv can't be opened; say control='…'", "a.csv can't be opened; say control='…'"),
    ("run", "study.toml: factors={…} must be a table", "study.toml: factors={…} must be a table"),
    ("compare", "no method is called 'control=x'; the column 'smallest_difference' is there",
     "no method is called 'control=x'; the column 'smallest_difference' is there"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "text", "spoken"), CASES)
def test_by_hand(command, text, spoken):
    assert in_options(text, cli.commands[command].params) == spoken
