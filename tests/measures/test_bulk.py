"""Many measures of many folds at once."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial import measures
from fairtrial.errors import InputError, UnknownName
from fairtrial.measures import computable, compute, compute_on
from fairtrial.measures.bulk import losses_on
from fairtrial.measures.predictions import Predictions

OF_CLASSES = tuple(m.name for m in measures.all_measures() if m.task == "classes")
OF_VALUES = tuple(m.name for m in measures.all_measures() if m.task == "values")


def study(seed, n_classes, n=60, n_folds=5):
    """Truth, channels, folds and weights, with ties, empty folds and folds without some class."""
    rng = np.random.default_rng(seed)
    p = np.round(rng.dirichlet(np.ones(n_classes), n), 1)
    p[:, -1] = 1 - p[:, :-1].sum(axis=1)
    p = np.abs(p)
    p /= p.sum(axis=1, keepdims=True)
    channels = {"label": rng.integers(-1, n_classes, n), "probability": p}
    return rng.integers(0, n_classes, n), channels, rng.integers(0, n_folds, n), rng.exponential(size=n)


def alone(f, names, truth, channels, folds, weights, n_classes):
    here = folds == f
    part = {name: c[here] for name, c in channels.items()}
    w = None if weights is None else weights[here]
    return compute(names, truth=truth[here], channels=part, weights=w, classes=n_classes)


class TestFolds:
    @pytest.mark.slow
    @settings(max_examples=40, deadline=None)
    @given(st.integers(0, 10**6), st.integers(2, 4), st.booleans(), st.integers(1, 12))
    def test_all_at_once_is_one_by_one(self, seed, n_classes, weighted, n_folds):
        truth, channels, folds, weights = study(seed, n_classes, n_folds=n_folds)
        weights = weights if weighted else None
        found = compute(OF_CLASSES, truth=truth, channels=channels, folds=folds, weights=weights, classes=n_classes)
        for f in np.unique(folds):
            for name, value in alone(f, OF_CLASSES, truth, channels, folds, weights, n_classes).items():
                np.testing.assert_allclose(found[name][f], value[0], rtol=1e-12, atol=1e-12, err_msg=name)

    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 10**6))
    def test_of_values_too(self, seed):
        rng = np.random.default_rng(seed)
        truth, value, folds = rng.exponential(size=30), rng.exponential(size=30), rng.integers(0, 4, 30)
        std = rng.uniform(0.1, 2, 30)
        channels = {
            "value": value, "std": std, "naive_scale": std, "quantiles": np.column_stack([value - std, value]),
            "levels": np.tile([0.1, 0.5], (30, 1)), "low": value - std, "high": value,
        }  # fmt: skip
        found = compute(OF_VALUES, truth=truth, channels=channels, folds=folds)
        for f in np.unique(folds):
            here = folds == f
            single = compute(OF_VALUES, truth=truth[here], channels={name: c[here] for name, c in channels.items()})
            for name in OF_VALUES:
                np.testing.assert_allclose(found[name][f], single[name][0], rtol=1e-10, err_msg=name)

    @settings(max_examples=20, deadline=None)
    @given(st.integers(0, 10**6))
    def test_the_order_of_rows_does_not_matter(self, seed):
        truth, channels, folds, weights = study(seed, 3)
        order = np.random.default_rng(seed).permutation(len(truth))
        mixed = {name: c[order] for name, c in channels.items()}
        first = compute(OF_CLASSES, truth=truth, channels=channels, folds=folds, weights=weights, classes=3)
        second = compute(
            OF_CLASSES, truth=truth[order], channels=mixed, folds=folds[order], weights=weights[order], classes=3
        )
        for name in OF_CLASSES:
            np.testing.assert_allclose(first[name], second[name], rtol=1e-11, atol=1e-12, err_msg=name)

    def test_many_classes_are_done_in_blocks(self, monkeypatch):
        truth, channels, folds, weights = study(5, 4, n=200, n_folds=9)
        folds = np.where(folds == 4, 3, folds) * 2  # empty ones between and at the borders of blocks
        arguments = {"truth": truth, "channels": channels, "folds": folds, "weights": weights, "classes": 4}
        whole = compute(OF_CLASSES, **arguments)
        monkeypatch.setattr("fairtrial.measures.bulk.CELLS", 70)  # three folds of 4 × 5 cells
        blocks = compute(OF_CLASSES, **arguments)
        for name in OF_CLASSES:
            np.testing.assert_allclose(blocks[name], whole[name], rtol=1e-12, atol=1e-12, err_msg=name)

    def test_threads_change_nothing(self, monkeypatch):
        truth, channels, folds, weights = study(6, 3, n=300)
        arguments = {"truth": truth, "channels": channels, "folds": folds, "weights": weights, "classes": 3}
        alone = compute(OF_CLASSES, **arguments)
        monkeypatch.setattr("fairtrial.measures.bulk.MANY", 1)
        together = compute(OF_CLASSES, **arguments)
        assert list(together) == list(OF_CLASSES)
        for name in OF_CLASSES:
            np.testing.assert_array_equal(together[name], alone[name], err_msg=name)

    @pytest.mark.parametrize("first", ["macro_f1", "precision(average='micro')", "precision(prior=0.3)", "kappa"])
    def test_what_else_is_asked_for_changes_nothing(self, first):
        """What measures share must not depend on who asked for it first."""
        truth, channels, _, _ = study(7, 2)
        others = [
            "expected_cost(costs=(1, 5))",
            "expected_accuracy(prior=0.1)",
            "accuracy(prior=0.1)",
            "f2",
            "macro_f1",
        ]
        arguments = {"truth": truth, "channels": channels, "classes": 2}
        alone = {name: compute([name], **arguments)[name] for name in [*OF_CLASSES, *others]}
        beside = compute([first, *OF_CLASSES, *others], **arguments)
        for name, value in alone.items():
            np.testing.assert_array_equal(beside[name], value, err_msg=name)

    def test_a_block_of_empty_folds(self):
        found = compute(["accuracy"], truth=[0, 1], channels={"label": [0, 1]}, folds=[0, 5000], classes=400)
        assert found["accuracy"][[0, 5000]].tolist() == [1, 1]
        assert np.isnan(found["accuracy"][1:5000]).all()

    def test_an_empty_fold_is_undefined(self):
        truth, channels, _, _ = study(1, 2)
        found = compute(OF_CLASSES, truth=truth, channels=channels, folds=np.full(len(truth), 2), classes=2)
        for name in OF_CLASSES:
            assert np.isnan(found[name][:2]).all(), name
            assert found[name].shape == (3,)

    def test_one_instance(self):
        found = compute(OF_CLASSES, truth=[1], channels={"label": [1], "probability": [[0.1, 0.9]]}, classes=2)
        undefined = {name for name, value in found.items() if np.isnan(value[0])}
        assert {"average_recall", "auc", "specificity", "npv", "mcc", "kappa"} <= undefined
        assert not undefined & {"accuracy", "recall", "precision", "f_measure", "brier", "log_loss", "expected_cost"}

    def test_a_loss_of_each_instance(self):
        """A measure that says per_instance is the mean of what it is on each instance alone."""
        truth, channels, _, _ = study(2, 3)
        for name in OF_CLASSES:
            if measures.get(name).per_instance:
                arguments = {"truth": truth, "channels": channels, "classes": 3}
                each = compute([name], **arguments, folds=np.arange(len(truth)))[name]
                assert each.mean() == pytest.approx(compute([name], **arguments)[name][0])


class TestLosses:
    @pytest.mark.parametrize("k", [2, 50])
    @pytest.mark.parametrize("name", ["accuracy", "error_rate", "kappa", "recall", "brier"])
    def test_each_instance_is_a_fold_of_its_own(self, name, k):
        random, n = np.random.default_rng(1), 90
        channels = {"label": random.integers(-1, k, n), "probability": random.dirichlet(np.ones(k), n)}
        own = Predictions.checked(random.integers(0, k, n), channels, n_classes=k)
        expected = compute_on(own.with_folds(np.arange(n)), [name])[name]
        np.testing.assert_array_equal(losses_on(own, name), expected)


class TestChannels:
    def test_agrees_with_the_public_functions(self):
        truth, channels, _, weights = study(4, 3, n=200)
        label = channels["label"].clip(0)
        given = {"label": label, "probability": channels["probability"]}
        found = compute(OF_CLASSES, truth=truth, channels=given, weights=weights, classes=3)
        for name in OF_CLASSES:
            second = label if measures.get(name).needs == ("label",) else channels["probability"]
            assert getattr(measures, name)(truth, second, weights=weights) == pytest.approx(found[name][0], nan_ok=True)

    def test_a_score_goes_before_a_probability(self):
        given = {"score": [0.1, 0.2, 0.3], "probability": [[0.1, 0.9], [0.2, 0.8], [0.9, 0.1]]}
        assert compute(["auc"], truth=[0, 1, 1], channels=given, classes=2)["auc"][0] == 1.0
        del given["score"]
        assert compute(["auc"], truth=[0, 1, 1], channels=given, classes=2)["auc"][0] == 0.0

    def test_a_single_score_is_of_the_positive_class(self):
        given = {"score": [0.9, 0.2, 0.3]}
        assert compute(["auc"], truth=[0, 1, 1], channels=given, classes=2, positive=0)["auc"][0] == 1.0

    def test_the_positive_class(self):
        given = {"label": [0, 0, 1, 1]}
        assert compute(["precision"], truth=[0, 0, 0, 1], channels=given, classes=["a", "b"])["precision"][0] == 0.5
        assert compute(["precision"], truth=[0, 0, 0, 1], channels=given, classes=2, positive=0)["precision"][0] == 1.0

    def test_aliases_are_answered_as_asked(self):
        found = compute(["f1", "f_measure"], truth=[0, 1], channels={"label": [1, 1]}, classes=2)
        assert list(found) == ["f1", "f_measure"]
        assert found["f1"] == found["f_measure"]

    def test_computable(self):
        assert computable(["log_loss", "auc", "rmse", "fit_time"], ["probability"]) == ("log_loss", "auc")
        assert computable(["rmse", "accuracy"], {"value": []}) == ("rmse",)
        with pytest.raises(UnknownName, match="did you mean 'accuracy'"):
            computable(["acuracy"], ["label"])


LABEL = {"label": [0, 1]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"names": "accuracy"}, r"names must be a list of measures, got the single name 'accuracy'"),
        ({"names": ["acuracy"]}, r"no measure is called 'acuracy'; did you mean 'accuracy'"),
        ({"names": ["auc"]}, r"auc needs the channel 'score', but channels has only 'label'"),
        ({"names": ["rmse"]}, r"rmse is for a numeric target, but there are 2 classes"),
        ({"classes": None}, r"accuracy is for classes, but classes were not given"),
        ({"truth": [0, 2]}, r"truth must hold class codes from 0 to 1, but row 1 is not"),
        ({"truth": [0.0, 1.0]}, r"truth must be a list of class codes"),
        ({"truth": [0, 1, 1]}, r"truth and label must be of one length, got 3 and 2"),
        ({"channels": {"label": [0, -2]}}, r"label must hold class codes from -1 to 1, but row 1 is not"),
        ({"folds": [0, -1]}, r"folds must be 2 whole numbers from 0"),
        ({"folds": [0.0, 1.0]}, r"folds must be 2 whole numbers from 0"),
        ({"positive": 2}, r"positive must be a class code from 0 to 1, got 2"),
    ],
)
def test_says_what_was_wrong(arguments, message):
    default = {"names": ["accuracy"], "truth": [0, 1], "channels": LABEL, "classes": 2}
    with pytest.raises(InputError, match=message):
        compute(**(default | arguments))


@pytest.mark.slow
def test_no_loop_over_folds():
    """A hundred thousand folds of thirty in seconds; one by one it would take minutes."""
    n = 3 * 10**6
    rng = np.random.default_rng(0)
    truth, p = rng.integers(0, 2, n), rng.random(n)
    channels = {"label": (p > 0.5).astype(int), "probability": np.c_[1 - p, p]}
    found = compute(OF_CLASSES, truth=truth, channels=channels, folds=np.arange(n) // 30, classes=2)
    assert all(v.shape == (10**5,) for v in found.values())
