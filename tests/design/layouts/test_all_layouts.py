from pathlib import Path

import pytest

from fairtrial.design.layouts import LAYOUTS, Fractional, FullFactorial, LatinHypercube, layouts_table, parse_layout
from fairtrial.design.layouts.layout import option_fields
from fairtrial.errors import InputError, UnknownName


class TestParseLayout:
    @pytest.mark.parametrize("text", ["full factorial", "Full-Factorial", "full_factorial", " FULL  factorial "])
    def test_a_kind_in_any_spelling(self, text):
        assert parse_layout(text) == FullFactorial()

    def test_a_layout_is_itself(self):
        layout = Fractional(resolution=5)
        assert parse_layout(layout) is layout

    def test_a_table_of_a_file(self):
        found = parse_layout({"kind": "fractional factorial", "generators": {"D": "AB"}, "blocks": ["ABC"]})
        assert found == Fractional(generators={"D": "AB"}, blocks=("ABC",))
        assert hash(found) == hash(Fractional(blocks=("ABC",)))

    def test_dashes_of_names(self):
        assert parse_layout("box-behnken").kind == parse_layout("Box–Behnken").kind == "Box–Behnken"

    def test_unknown_names_come_with_near_ones(self):
        with pytest.raises(UnknownName, match="did you mean 'full factorial'"):
            parse_layout("full factorail")
        with pytest.raises(UnknownName, match=r"option of a fractional factorial layout .* did you mean 'resolution'"):
            parse_layout({"kind": "fractional factorial", "resolutoin": 4})

    @pytest.mark.parametrize("given", [{}, {"runs": 4}, {"kind": 3}])
    def test_a_table_without_a_kind(self, given):
        with pytest.raises(InputError, match="needs a kind"):
            parse_layout(given)

    def test_missing_options(self):
        with pytest.raises(InputError, match="a Latin hypercube layout needs runs, got no options"):
            parse_layout("Latin hypercube")

    @pytest.mark.parametrize("given", [None, 3, ["full factorial"]])
    def test_other_things(self, given):
        with pytest.raises(InputError, match="must be a layout, its name or a table"):
            parse_layout(given)

    @pytest.mark.parametrize(
        "given",
        [
            {"kind": "full factorial", "levels": 1},
            {"kind": "full factorial", "levels": "2"},
            {"kind": "full factorial", "center": -1},
            {"kind": "full factorial", "blocks": "AB"},
            {"kind": "full factorial", "blocks": True},
            {"kind": "fractional factorial", "resolution": 2},
            {"kind": "fractional factorial", "runs": 12},
            {"kind": "fractional factorial", "generators": "E=ABC"},
            {"kind": "fractional factorial", "runs": 8, "resolution": 3},
            {"kind": "Plackett–Burman", "runs": 10},
            {"kind": "Latin hypercube", "runs": 0},
            {"kind": "Halton", "runs": 2.5},
            {"kind": "central composite", "alpha": "round"},
            {"kind": "central composite", "alpha": 0},
            {"kind": "central composite", "blocks": 2},
            {"kind": "Box–Behnken", "center": "three"},
            {"kind": "definitive screening", "center": 0},
            {"kind": "D-optimal", "runs": 1},
            {"kind": "D-optimal", "runs": 9, "model": "cubic"},
            {"kind": "D-optimal", "runs": 9, "costs": {"A": [1, -2]}},
            {"kind": "D-optimal", "runs": 9, "costs": [1, 2]},
            {"kind": "one at a time", "base": [0]},
            {"kind": "best guess", "rows": []},
            {"kind": "best guess", "rows": [["high"]]},
            {"kind": "best guess", "rows": [[1], [1, 2]]},
        ],
    )
    def test_wrong_values_say_what_was_given(self, given):
        option = [value for key, value in given.items() if key != "kind"][-1]
        with pytest.raises(InputError, match=r"must|at most one") as caught:
            parse_layout(given)
        if not isinstance(option, (list, dict)) and len(given) < 4:
            assert repr(option) in str(caught.value) or "at most one" in str(caught.value)


def test_the_page_has_every_layout_and_option():
    page = (Path(__file__).parents[3] / "docs" / "layouts.md").read_text(encoding="utf-8")
    for kind, layout in LAYOUTS.items():
        assert f"`{kind}`" in page
        for option in option_fields(layout):
            assert f"`{option}`" in page, f"{option} of {kind}"


def test_the_table_has_every_layout():
    assert [row[0] for row in layouts_table().rows] == list(LAYOUTS)
    assert LatinHypercube.kind in str(layouts_table())
