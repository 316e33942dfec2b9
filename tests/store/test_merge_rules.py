"""Which study files may be merged, and what is decided where they differ."""

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from store_studies import TREE, refused, scores
from study_changes import change

from fairtrial.data import Dataset
from fairtrial.design import Question
from fairtrial.resampling import from_sklearn
from fairtrial.results import read_study
from fairtrial.store import merge_studies

pytestmark = pytest.mark.slow  # runs whole studies, or reads large tables


class TestWhatIsDecided:
    def test_the_first_question_counts(self, ran, into):
        a = ran("a", question=Question("Which?", measure="auc"))
        merged = merge_studies([a, ran("b", methods=TREE)], into)
        assert read_study(into).question.measure == "auc"
        assert merged.notes == (f"the question of {a} is kept; others differ",)
        assert "note: the question of" in str(merged)

    def test_so_does_the_failure_policy(self, ran, into):
        merged = merge_studies([ran("a", failures="worst"), ran("b", methods=TREE)], into)
        assert read_study(into).policy == "worst"
        assert "the failure policy" in merged.notes[0]

    def test_one_method_under_two_names_has_the_first(self, ran, into):
        merged = merge_studies([ran("a"), ran("b", methods={"gauss": GaussianNB(), **TREE})], into)
        assert set(read_study(into).method_names()) == {"bayes", "tree", "majority"}
        assert "'gauss' of" in merged.notes[0]
        assert "is called 'bayes', as before" in merged.notes[0]

    def test_a_baseline_that_was_listed_anywhere_is_compared(self, ran, into):
        merge_studies([ran("a"), ran("b", methods=["majority"])], into)
        assert read_study(into).yardsticks == ()

    def test_nothing_is_said_where_nothing_was_to_decide(self, ran, into):
        assert merge_studies([ran("a"), ran("b", methods=TREE)], into).notes == ()


class TestWhatIsRefused:
    def test_another_seed(self, ran, into):
        refused([ran("a"), ran("b", seed=2)], into, "must have one seed, got 1 and 2")

    def test_another_resampling(self, ran, into):
        refused([ran("a"), ran("b", resampling="4-fold")], into, "same splits, got 3-fold and 4-fold")

    def test_other_splits_of_the_same_kind(self, ran, into):
        one, two = (from_sklearn(ShuffleSplit(2, test_size=0.2, random_state=seed)) for seed in (1, 2))
        a, b = ran("a", resampling=one), ran("b", resampling=two)
        refused([a, b], into, r"those of 'iris' differ \(first in repeat 0, fold 0\)")

    def test_other_data_of_one_name(self, ran, into):
        def data(n):
            return Dataset.from_arrays(np.arange(2.0 * n).reshape(n, 2), np.tile(["x", "y"], n // 2), name="d")

        a, b = ran("a", datasets=[data(30)]), ran("b", datasets=[data(60)])
        refused([a, b], into, "same data by one name, but 'd' has other content in each")

    def test_another_method_of_one_name(self, ran, into):
        a, b = ran("a", methods=TREE), ran("b", methods={"tree": DecisionTreeClassifier(max_depth=3)})
        refused([a, b], into, "'tree' is max_depth 2 in the one and 3 in the other")

    def test_other_factors(self, ran, into):
        a, b = ran("a"), ran("b", factors={"label_noise": [0.1]})
        refused([a, b], into, "must vary the same factors, got none and label_noise")

    def test_levels_that_hold_the_size_of_others(self, ran, into):
        cancer = {"datasets": ["breast_cancer"]}
        a, b = (ran(n, **cancer, factors={"class_balance": [0.5, low]}) for n, low in (("a", 0.3), ("b", 0.02)))
        refused([a, b], into, r"same levels of class_balance, got \[0.3, 0.5\] and \[0.02, 0.5\]: with hold_size")

    def test_levels_that_do_not_hold_the_size_go_together(self, ran, into):
        def balance(low):
            return {"class_balance": {"levels": [0.5, low], "hold_size": False}}

        a, b = (ran(n, datasets=["breast_cancer"], factors=balance(low)) for n, low in (("a", 0.3), ("b", 0.2)))
        merge_studies([a, b], into)
        assert read_study(into).factors == {"class_balance": (0.2, 0.3, 0.5)}
        assert not scores(into).index.duplicated().any()

    def test_other_options_of_a_factor(self, ran, into):
        factors = [{"class_balance": {"levels": [0.5, 0.3], "hold_size": hold}} for hold in (True, False)]
        a, b = (ran(n, datasets=["breast_cancer"], factors=f) for n, f in zip("ab", factors, strict=True))
        refused([a, b], into, "vary class_balance in the same way, but hold_size true in the one and false")

    def test_other_versions_unless_accepted(self, ran, into):
        a, b = ran("a"), ran("b", methods=TREE)
        change(b, "UPDATE session SET versions = json_set(versions, '$.numpy', '0.1')")
        refused([a, b], into, r"other versions \(numpy .* and 0.1\).*--accept-versions")
        merge_studies([a, b], into, accept_versions=True)
