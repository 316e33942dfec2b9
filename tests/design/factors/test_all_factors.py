import pytest

from fairtrial.design import (
    FACTORS,
    ClassBalance,
    LabelNoise,
    RowOrder,
    Study,
    as_factors,
    varied,
    write_levels,
)
from fairtrial.errors import InputError, UnknownName


class TestAsFactors:
    def test_from_names(self):
        made = as_factors({"class_balance": {"levels": [0.5], "hold_size": False}, "row_order": 2})
        assert made == (ClassBalance((0.5,), hold_size=False), RowOrder(2))
        assert as_factors(LabelNoise([0.1])) == as_factors([LabelNoise([0.1])]) == (LabelNoise((0.1,)),)
        assert as_factors(()) == ()

    @pytest.mark.parametrize(
        ("given", "text"),
        [
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
        assert "iris: too small for train_size 300, left out for it" in [notice.text for notice in plan.notices]

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
        assert "breast_cancer: too small for train_size 300, left out for it" in [
            notice.text for notice in plan.notices
        ]
        assert "breast_cancer: too small for class_balance 2 %, train_size 20 together, left out for it" in [
            notice.text for notice in plan.notices
        ]
        for trial in plan.trials():
            split = plan.splits[trial.split]
            rows = varied(study.datasets[0], split, study.factors, trial.levels, 1, study.datasets[0].fingerprint)
            positives = (rows.target == "malignant").sum()
            assert abs(positives - trial.levels["class_balance"] * len(rows.rows)) <= 0.5

    def test_no_level_is_left(self):
        with pytest.raises(InputError, match="no split of any data set has what the levels"):
            Study(datasets=["iris"], methods=["one_rule"], factors={"train_size": [500]}).plan()
