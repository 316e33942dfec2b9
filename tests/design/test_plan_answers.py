"""What a plan can tell: the questions that its design can answer."""

from __future__ import annotations

import numpy as np
import pytest
from factor_plans import HALF, tree_plan
from scipy.stats import wilcoxon
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from fairtrial.data import Dataset
from fairtrial.design import Question, Study, smallest_p
from fairtrial.stats import minimum_detectable


def toy(name: str, n: int = 40, seed: int = 0, share: float = 0.5, **parts) -> Dataset:
    random = np.random.default_rng(seed)
    target = np.where(np.arange(n) < share * n, "a", "b")
    return Dataset.from_arrays(random.normal(size=(n, 2)), target, name=name, **parts)


def study(n_datasets=2, k=2, question=None, resampling="2-fold", **changes):
    sets = changes.pop("datasets", None) or [toy(f"d{i}", seed=i) for i in range(n_datasets)]
    methods = changes.pop("methods", None) or {f"m{i}": KNeighborsClassifier(i + 1) for i in range(k)}
    return Study(question, datasets=sets, methods=methods, resampling=resampling, **changes)


class TestSmallestP:
    @pytest.mark.parametrize("n", [5, 6, 10])
    def test_against_scipy(self, n):
        # scipy.stats.wilcoxon(x, method="exact") of the same version, all differences positive
        assert smallest_p(n) == pytest.approx(wilcoxon(np.arange(1.0, n + 1), method="exact").pvalue)


class TestCanTell:
    @pytest.mark.parametrize("n", [1, 5])
    def test_few_data_sets(self, n):
        text = study(n).plan().can_tell()
        few = "fewer than 6 data sets: one verdict on each data set, but none that generalises to similar data sets"
        assert text == few

    def test_asked_about_these(self):
        text = study(7, question=Question(domains="these")).plan().can_tell()
        assert text.startswith("asked about these data sets: one verdict on each data set")

    def test_one_method(self):
        assert study(7, 1).plan().can_tell().startswith("one method: its mean score")
        for n, where in ((7, "over data sets"), (3, "on each data set")):
            claimed = study(n, 1, question=Question(claim=0.9)).plan().can_tell()
            assert claimed == f"one method: whether its accuracy is better than 0.9 {where}, with an interval"

    def test_nothing_by_hand(self):
        # 6 data sets, 3 methods: 2^(1−6) · 3 = 0.09375 > 0.05; the yardstick is in no pair
        text = study(6, 3).plan().can_tell()
        assert text == (
            "only whether one method beats every other: no difference between two methods over data sets, since with 6 "
            "data sets and 3 pairs the intervals of all pairs together are unbounded; add data sets, drop methods or "
            "name a control"
        )
        with_control = study(6, 3, question=Question(control="m0")).plan().can_tell()
        assert with_control.endswith("; add data sets or drop methods")

    @pytest.mark.parametrize(
        ("n", "k", "question", "possible"),
        [
            (6, 2, None, True),  # 0.031 · 1
            (6, 3, Question(control="m0"), False),  # 0.031 · 2
            (7, 3, None, True),  # 0.0156 · 3 = 0.047
            (7, 3, Question(level=0.99), False),
            (6, 3, Question(level=0.9), True),  # 0.094 < 0.1
            (7, 3, Question(control="majority"), True),  # the yardstick has become a method: 3 pairs, 0.047
            (6, 2, Question(control="majority"), False),  # 2 pairs, 0.063
        ],
    )
    def test_where_the_line_is(self, n, k, question, possible):
        text = study(n, k, question).plan().can_tell()
        assert text.startswith("questions over data sets") == possible
        assert ("no difference between two methods over data sets" in text) != possible

    @pytest.mark.parametrize(("n", "k"), [(6, 2), (8, 2), (12, 4)])
    def test_detectable_difference_is_that_of_stats(self, n, k):
        pairs = k * (k - 1) // 2
        expected = minimum_detectable("wilcoxon", n=n, level=1 - 0.05 / pairs).effect
        text = study(n, k).plan().can_tell()
        assert f"a mean difference of about {expected:.2g} standard deviations" in text
        assert text.endswith(f"(power 0.8, {n} data sets, {'1 pair' if pairs == 1 else f'{pairs} pairs'})")

    def test_six_data_sets_by_hand(self):
        # noncentral t with 6 · 3/π − 1 degrees of freedom, not normal: 1.5, where the normal approximation has 1.17
        assert "about 1.5 standard deviations" in study(6, 2).plan().can_tell()

    def test_a_p_that_only_reaches_the_level_tells_nothing(self):
        # 2^(1−6) = 0.03125 is not below 1 − 0.96875
        text = study(6, 2, Question(level=0.96875)).plan().can_tell()
        assert "no difference between two methods over data sets" in text


class TestEffects:
    def test_over_data_sets(self):
        # 6 effects: level 1 − 0.05 / 6
        expected = minimum_detectable("wilcoxon", n=12, level=1 - 0.05 / 6).effect
        assert tree_plan(12).can_tell() == (
            f"effects of factors on tree over data sets: it detects an effect of about {expected:.2g} standard "
            "deviations of the effects between data sets (power 0.8, 12 data sets, 6 effects)"
        )

    def test_too_few_data_sets_for_so_many_effects(self):
        # 2^(1 − 7) · 6 = 0.094: 8 data sets are needed
        plan = tree_plan(7)
        assert plan.can_tell() == (
            "no effects of factors on tree over data sets, since with 7 data sets and 6 effects the intervals of all "
            "effects together are unbounded, unless some effects are zero or equal everywhere: it takes at least 8 "
            "data sets, or fewer effects"
        )
        assert not plan.can_tell_anything()
        assert tree_plan(7, plan=HALF).can_tell_anything()  # 3 effects: 0.047

    def test_few_data_sets_are_judged_one_by_one(self):
        assert tree_plan(3).can_tell() == (
            "effects of factors on tree, on each data set by itself, and none that generalises to similar data sets: "
            "for 6 effects that takes at least 8 data sets"
        )
        these = tree_plan(9, question=Question(domains="these")).can_tell()
        assert these.endswith("none that generalises to similar data sets")

    def test_methods_are_compared_as_well(self):
        methods = {"tree": DecisionTreeClassifier(), "near": KNeighborsClassifier()}
        text = tree_plan(12, methods=methods).can_tell()
        assert text.startswith("effects of factors on tree over data sets: it detects")
        assert "; between methods: questions over data sets" in text

    def test_a_claim_about_the_method_stays(self):
        text = tree_plan(12, question=Question(claim=0.9)).can_tell()
        assert text.endswith("; one method: whether its accuracy is better than 0.9 over data sets, with an interval")

    def test_settings_that_determine_nothing(self):
        plan = tree_plan(9)
        one = plan.only(np.flatnonzero(plan.method == 0)[:1])
        assert one.can_tell() == "no effects of factors on tree: these settings do not determine any; add settings"
