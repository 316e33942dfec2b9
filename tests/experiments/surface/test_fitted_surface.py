"""The answer of results.surface(): text, tables, formats."""

import json

import pytest
from made_surfaces import slope, surface_results

from fairtrial.errors import InputError
from fairtrial.tables.output_formats import FORMATS


@pytest.fixture(scope="module")
def found():
    return surface_results().surface()


class TestFittedSurface:
    def test_sentence_first_then_tables_checks_and_next(self, found):
        text = str(found.full)
        assert text.startswith("accuracy is highest at C ≈ ")
        places = [text.index(part) for part in ("factor ", "coefficient ", "lack of fit", "path of", "Checked", "Next")]
        assert places == sorted(places)

    @pytest.mark.parametrize("how", FORMATS)
    def test_every_format(self, found, how):
        made = found.render(how)
        assert "gamma" in made
        if how == "json":
            assert json.loads(made)["setting"] == found.setting

    def test_table(self, found):
        rows = found.to_table().rows
        assert [row[0] for row in rows] == ["C", "gamma"]
        assert rows[0][4] == found.setting["C"]
        assert rows[1][5][0] < found.setting["gamma"] < rows[1][5][1]

    def test_at_the_border_the_table_has_no_region(self):
        rows = surface_results(slope).surface().to_table().rows
        assert (rows[0][5], rows[0][6]) == (None, "at the high end")

    def test_all_of_it_as_data(self, found):
        made = found.to_dict()
        assert made["answer"] == found.sentence
        assert made["surface"]["coefficients"][0]["quantity"] == "middle"
        assert made["stationary"]["nature"] == "maximum"
        assert len(made["scores"]) == 8

    def test_repr_and_html(self, found):
        assert repr(found).startswith("FittedSurface(C and gamma: accuracy is highest")
        assert "<table" in found._repr_html_()

    def test_a_figure_that_is_not_there(self, found):
        with pytest.raises(InputError, match="'contour' or 'slices'"):
            found.figure("roc")
