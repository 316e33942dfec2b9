"""What the JSON in a study file must hold: the field that is wrong is named, with what it must be."""

import datetime
import json

import pytest

from fairtrial.errors import StudyFileError
from fairtrial.store.checks import json as checks
from fairtrial.store.checks.json import FACTS, LEVELS, WARNINGS, a_mapping, fits, moment, read_json

IRIS = {"task": "classes", "classes": ["a", "b"], "positive": 1, "n": 10, "p": 4}


class TestReadJson:
    def test_what_fits_is_given_as_it_is(self):
        assert read_json('{"noise": 0.1}', LEVELS, "levels", "a.trial") == {"noise": 0.1}

    @pytest.mark.parametrize("text", ["", "{", None, b"\xff", "[" * 100_000])
    def test_what_is_no_json(self, text):
        with pytest.raises(StudyFileError, match=r"^a\.trial does not hold levels as a study file must \("):
            read_json(text, LEVELS, "levels", "a.trial")

    def test_the_place_is_named(self):
        definition = {"repeats": 1, "folds": -2, "scheme": "3-fold", "test_share": None}
        with pytest.raises(StudyFileError, match=r"\(folds must be a whole number of at least 0, got -2\)"):
            read_json(json.dumps(definition), checks.DEPENDENCE, "dependence", "a.trial")

    def test_a_field_that_is_missing_inside_a_list(self):
        each = checks.listed(checks.fields({"name": checks.a_text}))
        with pytest.raises(StudyFileError, match=r"\(\[1\]\.name is missing\)"):
            read_json('[{"name": "a"}, {}]', each, "names", "a.trial")


class TestChecks:
    @pytest.mark.parametrize(
        ("check", "good", "bad"),
        [
            (checks.a_whole, [0, -3], [True, 1.0, "1", None]),
            (checks.a_count, [0, 5], [-1, True, 2**53, 1.5]),
            (checks.a_number, [1, 0.5], [float("nan"), float("inf"), "x", False]),
            (checks.a_share, [0, 0.5, 1], [-0.1, 1.1, "0.5"]),
            (checks.a_level, ["low", 3, None, True], [[1], float("nan"), {}]),
            (checks.a_range, [[1, 2.5]], [[2, 1], [1], [1, True], "12", [0, float("inf")]]),
            (checks.or_none(checks.a_text), [None, "x"], [3]),
            (WARNINGS, [[], [["x", 2]]], [[["x"]], [["x", True]], [[1, 2]], {}]),
        ],
    )
    def test_by_hand(self, check, good, bad):
        assert all(fits(value, check) for value in good)
        assert not any(fits(value, check) for value in bad)

    def test_optional_fields_may_be_missing_but_not_of_another_kind(self):
        check = checks.fields({"a": checks.a_text}, {"b": checks.a_text})
        assert fits({"a": "x"}, check)
        assert fits({"a": "x", "c": 3}, check)
        assert not fits({"a": "x", "b": 3}, check)


class TestFacts:
    @pytest.mark.parametrize(
        "change", [{"classes": []}, {"task": "values"}, {"positive": 2}, {"n": "10"}, {"task": "ranks"}]
    )
    def test_parts_that_do_not_go_together(self, change):
        assert fits(IRIS, FACTS)
        assert not fits({**IRIS, **change}, FACTS)


class TestMoment:
    def test_without_a_zone_it_is_utc(self):
        assert moment("2026-01-31T12:00:00", "a.trial") == datetime.datetime(2026, 1, 31, 12, tzinfo=datetime.UTC)

    @pytest.mark.parametrize("text", ["yesterday", None, 3])
    def test_what_is_none(self, text):
        with pytest.raises(StudyFileError, match=r"a\.trial must have moments such as 2026-01-31T12:00:00, got"):
            moment(text, "a.trial")


def test_a_mapping_is_none_of_the_others():
    assert fits({}, a_mapping)
    assert not fits([], a_mapping)
