"""The keys of trials: what is the same trial, and what is not."""

import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

from fairtrial import Factor, Study
from fairtrial.errors import InputError


def study(**changes) -> Study:
    given = {"datasets": ["iris"], "methods": {"forest": RandomForestClassifier()}, "resampling": "2-fold"}
    return Study(**{**given, **changes})


def keys(made: Study, method: int = 0, **levels) -> set[bytes]:
    trials = made.plan().trials()
    return {t.key for t in trials if t.method == method and all(t.levels.get(n) == v for n, v in levels.items())}


class TestTrialKeys:
    def test_a_level_and_a_method_of_its_own_are_one_trial(self):
        factor = study(factors=[Factor("depth", [3, None], of="forest.max_depth")])
        own = study(methods={"small": RandomForestClassifier(max_depth=3), "large": RandomForestClassifier()})
        assert keys(factor, depth=3) == keys(own, 0)
        assert keys(factor, depth=None) == keys(own, 1) == keys(study())
        assert not keys(factor, depth=3) & keys(factor, depth=None)

    def test_names_of_factors_and_levels_do_not_matter(self):
        pipe = Pipeline([("model", SVC())])
        one, two = (
            study(methods={"p": pipe}, factors=[Factor(name, {level: SVC(C=3)}, of="model")])
            for name, level in (("a", "x"), ("b", "y"))
        )
        assert keys(one) == keys(two)

    def test_training_data_stay_in_the_levels(self):
        noisy = study(factors={"label_noise": [0, 0.1], "max_depth": [3]})
        assert keys(noisy, label_noise=0) == keys(study(methods={"x": RandomForestClassifier(max_depth=3)}))
        assert keys(noisy, label_noise=0.1) == keys(
            study(methods={"x": RandomForestClassifier(max_depth=3)}, factors={"label_noise": [0.1]})
        )

    def test_replicates_have_keys_of_their_own_and_the_first_is_the_trial_without(self):
        once, thrice = study().plan(), study(replicates=3).plan()
        by_number = [{t.key for t in thrice.trials() if t.replicate == r} for r in range(3)]
        assert by_number[0] == {t.key for t in once.trials()}
        assert len(set.union(*by_number)) == len(thrice) == 3 * len(once)

    def test_two_settings_that_are_the_same_are_refused(self):
        with pytest.raises(InputError) as raised:
            study(
                methods={"small": RandomForestClassifier(max_depth=3), "any": RandomForestClassifier()},
                factors=[Factor("any.max_depth", [3, 6])],
            ).plan()
        assert "'small' and 'any (max_depth 3)' are the same class with the same parameters" in str(raised.value)
        with pytest.raises(InputError, match=r"'forest \(depth a\)' and 'forest \(depth b\)' are the same"):
            study(factors=[Factor("depth", {"a": 3, "b": 3}, of="max_depth")]).plan()
        study(
            methods={"small": RandomForestClassifier(max_depth=3), "any": RandomForestClassifier()},
            factors=[Factor("any.max_depth", [4, 6])],
        ).plan()

    def test_with_another_seed_and_replicate_too(self):
        made = study(factors=[Factor("depth", [3], of="forest.max_depth")], replicates=2, seed=5).plan()
        first = next(t for t in made.trials() if t.method == 0 and t.replicate == 1 and t.split == 0)
        plain = study(methods={"x": RandomForestClassifier(max_depth=3)}, replicates=2, seed=5).plan()
        assert first.key in {t.key for t in plain.trials()}
