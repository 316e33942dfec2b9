"""Results of some methods and data sets."""

from __future__ import annotations

from io import StringIO

import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName

WIDE = "dataset,a,b,c\n" + "".join(f"d{i},{0.9 + i / 100},{0.8 - i / 99},{0.7 + i / 98}\n" for i in range(8))
LONG = "dataset,instance,method,truth,label\n" + "".join(
    f"d{d},{i},{m},{i % 2},{int(i % k == 0)}\n" for d in range(2) for m, k in (("x", 2), ("y", 3)) for i in range(12)
)


@pytest.fixture
def scores():
    return ft.read_scores(pd.read_csv(StringIO(WIDE)), measure="accuracy")


class TestOnly:
    def test_scores(self, scores):
        part = scores.only(methods=["c", "a"], datasets=["d1", "d5"])
        assert part.method_names() == ("c", "a")
        assert part.dataset_names() == ("d1", "d5")
        assert set(part.dependence) == {"d1", "d5"}
        assert part.scores["value"].tolist() == pytest.approx([0.7 + 1 / 98, 0.7 + 5 / 98, 0.91, 0.95])

    def test_says_what_it_was_chosen_from(self, scores):
        assert "chosen from 3 methods: a and b" in scores.only(methods=["a", "b"]).notes
        assert "chosen from 8 data sets: d1" in scores.only(datasets=["d1"]).notes
        assert scores.only(methods=["a", "b", "c"]).notes == scores.notes

    def test_the_reading_counts_what_was_chosen(self, scores):
        assert str(scores.only(methods=["a", "b"], datasets=["d1", "d2", "d3"]).reading) == "3 data sets × 2 methods"
        predicted = ft.read_predictions(pd.read_csv(StringIO(LONG)), truth="truth")
        chosen = predicted.only(methods=["y"], datasets=["d1"]).reading
        assert chosen.counts == ((1, "data set"), (1, "method"), (12, "instance"))
        assert chosen.methods == ("y",)

    def test_a_control_and_a_baseline_that_are_gone(self):
        results = ft.read_scores(pd.read_csv(StringIO(WIDE)), measure="accuracy", baseline="c")
        assert results.only(methods=["a", "b"]).baseline is None
        assert results.only(methods=["a", "c"]).baseline == "c"

    def test_predictions_of_a_table(self):
        results = ft.read_predictions(pd.read_csv(StringIO(LONG)), truth="truth")
        part = results.only(methods=["y"], datasets=["d1"])
        assert set(part.predictions["method"]) == {"y"}
        assert set(part.with_measures("mcc").scores["dataset"]) == {"d1"}

    @pytest.mark.parametrize(("given", "says"), [
        ({"methods": ["z"]}, "no method of these results is called 'z'"),
        ({"datasets": ["z"]}, "no data set of these results is called 'z'"),
    ])  # fmt: skip
    def test_unknown_names(self, scores, given, says):
        with pytest.raises(UnknownName, match=says):
            scores.only(**given)

    @pytest.mark.parametrize("given", [{"methods": ["a", "a"]}, {"datasets": []}])
    def test_each_once_and_at_least_one(self, scores, given):
        with pytest.raises(InputError, match=r"must name each (method|data set) once, and at least one"):
            scores.only(**given)


@pytest.fixture(scope="module")
def study():
    methods = {"rule": "one_rule", "same": "stratified", "most": "majority"}
    factors = {"label_noise": [0, 0.2]}
    made = ft.Study(datasets=["iris", "wine"], methods=methods, resampling="2-fold", factors=factors)
    return made.run(None, workers=0, progress=False)


@pytest.mark.slow  # runs a study
class TestOfAStudy:
    def test_all_that_is_computed_later_is_of_the_part(self, study):
        part = study.only(methods=["rule", "most"], datasets=["wine"]).at(label_noise=0)
        more = part.with_measures("mcc")
        assert set(more.scores["method"]) == {"rule", "most"}
        assert set(more.scores["dataset"]) == set(part.predictions["dataset"]) == {"wine"}
        assert set(part.warnings) <= {"rule", "most"}

    def test_the_order_of_choices_does_not_matter(self, study):
        one = study.only(methods=["rule"]).at(label_noise=0.2).predictions
        other = study.at(label_noise=0.2).only(methods=["rule"]).predictions
        pd.testing.assert_frame_equal(one, other)
