"""McNemar's test on the instances of a study."""

import json

import numpy as np
import pandas as pd
import pytest

import fairtrial as ft
from fairtrial.errors import InputError, UnknownName
from fairtrial.results import read_predictions, read_scores
from fairtrial.stats import mcnemar


@pytest.fixture(scope="module")
def repeated(tmp_path_factory):
    """Two data sets, two trivial methods and a rule, five folds twice."""
    study = ft.Study(
        datasets=["iris", "wine"], methods=["one_rule", "majority", "stratified"], resampling="2x5-fold",
        measures=["accuracy"],
    )  # fmt: skip
    return study.run(tmp_path_factory.mktemp("study") / "twice.trial", workers=0, progress=False)


def by_hand(results, dataset, method, repeat):
    """Whether a method was right on each instance, from the long table of predictions."""
    own = results.predictions.query("dataset == @dataset and method == @method and repeat == @repeat")
    return (own["truth"] == own["label"]).to_numpy()[np.argsort(own["instance"].to_numpy())]


class TestMcNemarOnAStudy:
    @pytest.mark.slow
    def test_each_instance_counts_once(self, repeated):
        test = repeated.mcnemar("one_rule", "stratified")["wine"]
        a, b = (by_hand(repeated, "wine", m, 0) for m in test.methods)
        assert len(a) == test.outcome.n == 178
        assert test.counts == ((sum(a & b), sum(a & ~b)), (sum(~a & b), sum(~a & ~b)))
        assert test.outcome.p_value == pytest.approx(mcnemar(a, b).p_value)

    @pytest.mark.slow
    def test_the_other_repeat_stands_beside_it(self, repeated):
        found = repeated.mcnemar("one_rule", "stratified", dataset="wine", repeat=1)
        pair = [[by_hand(repeated, "wine", m, r) for m in found.tests[0].methods] for r in (0, 1)]
        assert found.tests[0].outcome.p_value == pytest.approx(mcnemar(*pair[1]).p_value)
        assert found.tests[0].p_over_repeats == pytest.approx([mcnemar(*both).p_value for both in pair])
        assert found.notes[0].startswith("repeat 2 of 2 is tested: the others test instances of the same data again")
        assert "Dietterich 1998" in found.notes[1]
        with pytest.raises(InputError, match=r"repeat must be one of \[0, 1\] on 'iris', got 2"):
            repeated.mcnemar("one_rule", "majority", repeat=2)

    @pytest.mark.slow
    def test_all_pairs_on_all_data_sets_are_adjusted_together(self, repeated):
        found = repeated.mcnemar()
        assert len(found.tests) == 6
        p = [test.outcome.p_value for test in found.tests]
        assert [test.p_adjusted for test in found.tests] == pytest.approx(ft.stats.adjust(p, "holm"))
        assert repeated.table("mcnemar").rows == found.to_table().rows
        assert json.loads(found.render("json"))["answer"] == found.sentence

    @pytest.mark.slow
    def test_swapping_the_methods_only_flips_the_sign(self, repeated):
        one, other = (repeated.mcnemar(*pair)["wine"] for pair in (("one_rule", "majority"), ("majority", "one_rule")))
        assert one.outcome.p_value == other.outcome.p_value
        assert one.outcome.effect.estimate == -other.outcome.effect.estimate
        assert "one_rule is right more often than majority" in one.sentence
        assert "one_rule is right more often than majority" in other.sentence


def table(**methods):
    return read_predictions(pd.DataFrame({"y": list("aabbab") * 5, **methods}), truth="y")


class TestWithoutAStudy:
    def test_fixed_models_by_hand(self):
        # only first right on 5, only second on 5: p = 1
        results = table(first=list("aabbaa") * 5, second=list("aabbbb") * 5)
        found = results.mcnemar("first", "second")
        (test,) = found.tests
        assert test.counts == ((20, 5), (5, 0))
        assert test.outcome.p_value == 1.0
        assert "shows no difference between first and second: only first is right on 5, only second on 5" in " ".join(
            str(found).split()
        )
        assert found.notes == ("this is about these models, not about training them again (Dietterich 1998)",)

    def test_says_what_was_wrong(self):
        results = table(first=list("aabbaa") * 5, second=list("aabbbb") * 5)
        with pytest.raises(InputError, match="two or more different methods, got 'first'"):
            results.mcnemar("first")
        with pytest.raises(UnknownName, match="no method of these results is called 'frist'"):
            results.mcnemar("frist", "second")
        with pytest.raises(UnknownName, match="data set of these results"):
            results.mcnemar(dataset="iris")
        scores = pd.DataFrame({"dataset": ["d"] * 2, "method": ["a", "b"], "accuracy": [0.1, 0.2]})
        with pytest.raises(InputError, match="scores without predictions"):
            read_scores(scores, measure="accuracy").mcnemar("a", "b")

    def test_numbers_are_not_right_or_wrong(self):
        values = pd.DataFrame({"y": np.linspace(0, 1, 30), "a": np.zeros(30), "b": np.ones(30)})
        with pytest.raises(InputError, match=r"counts right and wrong answers, but the target of .* is a number"):
            read_predictions(values, truth="y").mcnemar("a", "b")
