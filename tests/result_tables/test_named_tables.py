"""Tables by name."""

from __future__ import annotations

import pytest

from fairtrial.errors import InputError, UnknownName
from fairtrial.result_tables import KINDS, table_of_results, tables_table
from fairtrial.results import read_scores


@pytest.fixture
def results(tmp_path):
    file = tmp_path / "wide.csv"
    file.write_text("dataset,x,y\na,0.5,0.75\nb,0.25,1\n")
    return read_scores(file, measure="auc")


def test_says_how_it_was_made(results):
    table = results.table("scores", measure="auc")
    assert table.call == "results.table('scores', measure='auc')"
    assert table.label == "tab:scores"


def test_unknown_table(results):
    with pytest.raises(UnknownName, match=r"no table is called 'scors'; did you mean 'scores'"):
        table_of_results(results, "scors")


def test_an_option_of_other_tables_is_refused(results):
    with pytest.raises(InputError, match=r"factor is for .*, not for the table 'scores'; leave it out"):
        results.table("scores", factor="x")


def test_the_list_has_every_kind():
    assert [row[0] for row in tables_table().rows] == list(KINDS)


@pytest.mark.parametrize("name", ["scores", "winners"])
def test_captions_can_be_left_out_of_every_table(results, name):
    whole, bare = results.table(name), results.table(name, caption=False)
    assert whole.caption
    assert bare.caption == ""
    assert (bare.cells(), bare.notes) == (whole.cells(), whole.notes)
    assert bare.call == f"results.table('{name}', caption=False)"
