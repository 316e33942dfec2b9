import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.data import Dataset, datasets
from fairtrial.design import (
    FACTORS,
    ClassBalance,
    Factor,
    FeatureCount,
    FeatureNoise,
    LabelNoise,
    RowOrder,
    Study,
    Training,
    TrainingSize,
    as_factors,
    narrowed,
    varied,
    write_levels,
)
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import KFold, Split


def data_set(n: int = 60, classes: str = "aab", values: bool = False) -> Dataset:
    X = np.column_stack([np.arange(n), 1000 + np.arange(n), 2000 + np.arange(n)]).astype(float)
    target = 10.0 * np.arange(n) if values else np.array([classes[i % len(classes)] for i in range(n)])
    return Dataset.from_arrays(X, target, name="made")


def halves(data: Dataset) -> Split:
    return next(iter(KFold(folds=2).splits(data, 1)))


def training(data: Dataset, factor: Factor, level: float, seed: int = 1) -> Training:
    return varied(data, halves(data), (factor,), {factor.name: level}, seed)


class TestTrainingSize:
    def test_each_class_in_proportion(self):
        found = training(data_set(), TrainingSize([15]), 15)  # of 30: 20 a and 10 b
        assert dict(zip(*np.unique(found.target, return_counts=True), strict=True)) == {"a": 10, "b": 5}

    def test_one_of_each_class_first(self):
        assert set(training(data_set(classes="aaaaaaab"), TrainingSize([2]), 2).target) == {"a", "b"}

    @given(st.integers(2, 30), st.integers(2, 30), st.booleans(), st.integers(0, 5))
    def test_smaller_is_part_of_larger(self, m, n, values, seed):
        data, factor = data_set(values=values), TrainingSize([2])
        small, large = (training(data, factor, size, seed) for size in sorted((m, n)))
        assert len(small.rows) == min(m, n)
        assert set(small.rows) <= set(large.rows) <= set(halves(data).train_rows())
        assert (np.diff(large.rows) > 0).all()
        assert (large.target == data.target[large.rows]).all()

    def test_shares_and_all(self):
        data = data_set()
        assert len(training(data, TrainingSize([0.1]), 0.1).rows) == 3
        assert (training(data, TrainingSize([1]), 1).rows == halves(data).train_rows()).all()

    def test_another_split_another_draw(self):
        data, factor = data_set(), TrainingSize([10])
        first, second = KFold(folds=2).splits(data, 1)
        a, b = (varied(data, s, (factor,), {"train_size": 10}, 1).rows for s in (first, second))
        assert not set(a) & set(b)

    def test_repeated_rows_of_a_bootstrap(self):
        data = data_set(6)
        split = Split(0, 0, 6, np.array([5], dtype=np.int32), np.array([0, 0, 1, 2, 2, 3], dtype=np.int32))
        found = varied(data, split, (TrainingSize([4]),), {"train_size": 4}, 1)
        assert len(found.rows) == 4
        assert (found.target == data.target[found.rows]).all()


class TestLabelNoise:
    @pytest.mark.parametrize(("level", "wrong"), [(0, 0), (0.05, 2), (0.1, 3), (0.2, 6), (0.99, 30)])
    def test_so_many_are_wrong(self, level, wrong):
        data = data_set(classes="abc")
        found = training(data, LabelNoise([level]), level)
        assert (found.target != data.target[found.rows]).sum() == wrong  # of 30, halves to the even

    def test_more_noise_spoils_the_same_and_more(self):
        data = data_set(classes="abc")
        some, more = (training(data, LabelNoise([x]), x) for x in (0.1, 0.3))
        flipped = some.target != data.target[some.rows]
        assert (more.target[flipped] == some.target[flipped]).all()

    def test_other_classes_are_as_likely(self):
        data = data_set(6000, classes="abc")
        found = training(data, LabelNoise([0.5]), 0.5)
        was, now = data.target[found.rows], found.target
        counts = [((was == x) & (now == y)).sum() for x in "abc" for y in "abc" if x != y]
        assert sum(counts) == 1500
        assert np.ptp(counts) < 5 * np.sqrt(250)

    def test_values_are_those_of_other_rows(self):
        data = data_set(values=True)
        found = training(data, LabelNoise([0.2]), 0.2)
        own = data.target[found.rows]
        wrong = found.target != own
        assert wrong.sum() == 6
        assert set(found.target[wrong]) <= set(own)

    def test_the_test_rows_stay(self):
        data = data_set()
        before = data.target.copy()
        training(data, LabelNoise([0.9]), 0.9)
        assert (data.target == before).all()


class TestFeatureNoise:
    def test_replaces_this_share_within_columns(self):
        data = data_set(2000)
        found = training(data, FeatureNoise([0.3]), 0.3)
        replaced = found.donors != found.rows[:, None]
        assert 0.27 < replaced.mean() < 0.33
        assert set(np.unique(found.donors)) <= set(found.rows)
        assert (found.target == data.target[found.rows]).all()

    def test_nested(self):
        some, more = (training(data_set(), FeatureNoise([x]), x) for x in (0.2, 0.5))
        replaced = some.donors != some.rows[:, None]
        assert (more.donors[replaced] == some.donors[replaced]).all()

    def test_after_a_smaller_size_donors_are_among_its_rows(self):
        data, split = data_set(), halves(data_set())
        factors = (TrainingSize([8]), FeatureNoise([0.5]))
        found = varied(data, split, factors, {"train_size": 8, "feature_noise": 0.5}, 1)
        assert found.donors.shape == (8, 3)
        assert set(found.donors.ravel()) <= set(found.rows)
        other = varied(data, split, factors[::-1], {"train_size": 8, "feature_noise": 0.5}, 1)
        assert other.donors.shape == (8, 3)
        assert set(other.donors.ravel()) - set(other.rows)  # noise first: from rows that were left out later


class TestClassBalance:
    def test_same_size_at_every_level(self):
        data = data_set(120)  # of 60 training rows: 40 a, 20 b, and b is positive
        factor = ClassBalance([0.5, 0.2, 0.1])
        found = {x: training(data, factor, x).target for x in factor.levels}
        assert {x: (len(t), int((t == "b").sum())) for x, t in found.items()} == {
            0.5: (40, 20),
            0.2: (40, 8),
            0.1: (40, 4),
        }

    def test_as_many_as_there_are(self):
        found = training(data_set(120), ClassBalance([0.5, 0.2], hold_size=False), 0.2)
        assert (len(found.target), int((found.target == "b").sum())) == (50, 10)

    def test_what_else_is_varied_matters_to_the_key_only_where_it_matters(self):
        assert ClassBalance([0.5, 0.2]).part(0.5) != ClassBalance([0.5, 0.1]).part(0.5)
        assert ClassBalance([0.5, 0.2], hold_size=False).part(0.5) == 0.5

    def test_needs_two_classes(self):
        with pytest.raises(InputError, match="class_balance needs data sets with two classes, but 'iris' has not"):
            Study(datasets=["iris"], methods=["one_rule"], factors={"class_balance": [0.5]})


class TestRowOrder:
    def test_counterbalanced(self):
        data = data_set()
        orders = [training(data, RowOrder(4), level).rows for level in range(4)]
        assert (orders[0] == halves(data).train_rows()).all()
        assert (orders[1] == orders[0][::-1]).all()
        assert (orders[3] == orders[2][::-1]).all()
        assert (orders[2] != orders[0]).any()
        places = np.array([np.argsort(order) for order in orders])
        assert (places.mean(axis=0) == (len(orders[0]) - 1) / 2).all()

    @pytest.mark.parametrize("bad", [0, 1, 3, -2, True, "4", [0, -1], [0.5], 2.0])
    def test_refuses(self, bad):
        with pytest.raises(InputError, match="levels of row_order must be"):
            RowOrder(bad)


class TestFeatureCount:
    def test_nested_and_of_the_data_set(self):
        (data,) = datasets("iris")
        factor = FeatureCount([2, 3, 1])
        two, three = (narrowed(data, (factor,), {"feature_count": m}, 1) for m in (2, 3))
        names = [{f.name for f in d.features} for d in (two, three, data)]
        assert [len(n) for n in names] == [2, 3, 4]
        assert names[0] < names[1] < names[2]
        assert two.X.shape == (150, 2)
        assert narrowed(data, (factor,), {"feature_count": 1}, 1) is data


class TestAsFactors:
    def test_from_names(self):
        made = as_factors({"class_balance": {"levels": [0.5], "hold_size": False}, "row_order": 2})
        assert made == (ClassBalance((0.5,), hold_size=False), RowOrder(2))
        assert as_factors(LabelNoise([0.1])) == as_factors([LabelNoise([0.1])]) == (LabelNoise((0.1,)),)
        assert as_factors(()) == ()

    @pytest.mark.parametrize(
        ("given", "text"),
        [
            ({"label_nois": [0]}, "no factor is called 'label_nois'; did you mean 'label_noise'"),
            ({"label_noise": []}, "levels of label_noise must be one or more, each once"),
            ({"label_noise": [0.1, 0.1]}, "each once, got"),
            ({"label_noise": [1]}, "levels of label_noise must be shares from 0"),
            ({"label_noise": [-0.1]}, "got -0.1"),
            ({"label_noise": [float("nan")]}, "got nan"),
            ({"label_noise": "0.1"}, "must be a list of shares"),
            ({"label_noise": 0.1}, "must be a list of shares"),
            ({"label_noise": [True]}, "got True"),
            ({"label_noise": [None]}, "got None"),
            ({"train_size": [0]}, "whole numbers from 2, got 0"),
            ({"train_size": [10.5]}, "got 10.5"),
            ({"train_size": [float("inf")]}, "got inf"),
            ({"class_balance": [1.0]}, "levels of class_balance must be shares between 0 and 1"),
            ({"class_balance": {"levels": [0.5], "size": 1}}, "no key of the factor class_balance is called 'size'"),
            ({"class_balance": {"hold_size": True}}, "must have levels"),
            (
                {"class_balance": {"levels": [0.5], "hold_size": "no"}},
                "hold_size of class_balance must be true or false",
            ),
            ({"row_order": 10_000_000}, "below 1000"),
            ([LabelNoise([0]), LabelNoise([0.1])], "each factor must be there once"),
            ([0.1], "factors must be a table such as"),
            (0.1, "factors must be a table such as"),
        ],
    )
    def test_bad_input(self, given, text):
        with pytest.raises((InputError, UnknownName)) as raised:
            as_factors(given)
        assert text in str(raised.value)

    def test_all_say_what_they_are(self):
        assert all(kind.title and kind.__doc__ for kind in FACTORS.values())
        assert write_levels({"label_noise": 0.125, "class_balance": 0.02, "row_order": 3, "other": 2.5}) == (
            "label_noise 12.5 %, class_balance 2 %, row_order 3, other 2.5"
        )


class TestPlan:
    def test_all_combinations_in_random_order_within_blocks(self):
        study = Study(
            datasets=["iris"], methods=["majority", "one_rule"], resampling="5-fold",
            factors={"label_noise": [0, 0.1], "train_size": [20, 1]},
        )  # fmt: skip
        plan = study.plan()
        trials = list(plan.trials())
        assert len(trials) == len({t.key for t in trials}) == 5 * 2 * 4
        blocks = [trials[i : i + 8] for i in range(0, 40, 8)]
        assert all(len({t.split for t in block}) == 1 for block in blocks)
        orders = [tuple((t.method, *t.levels.values()) for t in block) for block in blocks]
        assert len({frozenset(order) for order in orders}) == 1
        assert len(set(orders)) == 5
        assert "2 levels of train_size × 2 levels of label_noise = 40 trials" in plan.headline()

    def test_a_level_that_changes_nothing_is_the_trial_without_the_factor(self):
        def keys(**factors: list[float]) -> set[bytes]:
            study = Study(datasets=["iris"], methods=["one_rule"], resampling="5-fold", factors=factors)
            return {t.key for t in study.plan().trials()}

        assert keys() == keys(label_noise=[0]) == keys(train_size=[1.0], row_order=[0])
        assert keys() < keys(label_noise=[0, 0.1])
        assert not keys() & keys(label_noise=[0.1])
        assert not keys(label_noise=[0.1]) & keys(feature_noise=[0.1])

    def test_levels_that_a_data_set_lacks_are_left_out_and_said(self):
        plan = Study(
            datasets=["iris", "breast_cancer"], methods=["one_rule"], resampling="5-fold",
            factors={"train_size": [20, 300]},
        ).plan()  # fmt: skip
        there = {(t.dataset, t.levels["train_size"]) for t in plan.trials()}
        assert there == {(0, 20), (1, 20), (1, 300)}
        assert "iris: too small for train_size 300, left out for it" in plan.warnings

    def test_the_order_in_which_factors_are_given_does_not_matter(self):
        def study(*names: str) -> Study:
            levels = {"label_noise": [0, 0.3], "train_size": [20, 1], "class_balance": [0.5, 0.4]}
            factors = {name: levels[name] for name in names}
            return Study(datasets=["breast_cancer"], methods=["one_rule"], resampling="2-fold", factors=factors)

        one, other = (
            study("label_noise", "train_size", "class_balance"),
            study("class_balance", "train_size", "label_noise"),
        )
        assert one.factors == other.factors
        assert [t.key for t in one.plan().trials()] == [t.key for t in other.plan().trials()]
        assert [f.name for f in one.factors] == ["class_balance", "train_size", "label_noise"]

    def test_combinations_that_are_not_what_they_say_are_left_out(self):
        study = Study(
            datasets=["breast_cancer"], methods=["one_rule"], resampling="3-fold",
            factors={"class_balance": [0.5, 0.02], "train_size": [20, 300, 1]},
        )  # fmt: skip
        plan = study.plan()
        there = {(t.levels["class_balance"], t.levels["train_size"]) for t in plan.trials()}
        assert there == {(0.5, 20), (0.5, 1), (0.02, 1)}  # 242 rows are left; 2 % of 20 is none
        assert "breast_cancer: too small for train_size 300, left out for it" in plan.warnings
        assert (
            "breast_cancer: too small for class_balance 2 %, train_size 20 together, left out for it" in plan.warnings
        )
        for trial in plan.trials():
            split = plan.splits[trial.split]
            rows = varied(study.datasets[0], split, study.factors, trial.levels, 1, study.datasets[0].fingerprint)
            positives = (rows.target == "malignant").sum()
            assert abs(positives - trial.levels["class_balance"] * len(rows.rows)) <= 0.5

    def test_whole_numbers_are_one_level(self):
        assert TrainingSize([50.0, 1.0]) == TrainingSize([50, 1])
        assert [type(v) for v in LabelNoise([0.0, 0.5]).levels] == [int, float]
        with pytest.raises(InputError, match="each once"):
            TrainingSize([50, 50.0])

    def test_no_level_is_left(self):
        with pytest.raises(InputError, match="no split of any data set has what the levels"):
            Study(datasets=["iris"], methods=["one_rule"], factors={"train_size": [500]}).plan()
