"""How much the order of the training rows matters."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2
from sklearn.linear_model import Perceptron
from sklearn.naive_bayes import GaussianNB

import fairtrial as ft
from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.resampling import Dependence
from fairtrial.results import Results


def made(values, replicates=1, datasets=("wine",), yardsticks=()):
    """Results at row orders; ``values`` maps methods to arrays split × order (× replicate), on each data set alike."""
    rows = [
        (d, m, order, r, 0, split, "accuracy", value, 90, 10, "ok")
        for d in datasets
        for m, array in values.items()
        for (split, order, r), value in np.ndenumerate(np.reshape(array, (*np.shape(array)[:2], replicates)))
    ]
    columns = ["dataset", "method", "row_order", "replicate", "repeat", "fold"]
    columns += ["measure", "value", "n_train", "n_test", "status"]
    frame = pd.DataFrame(rows, columns=columns)
    return Results(
        scores=frame,
        question=Question(measure="accuracy"),
        dependence={d: Dependence("3-fold", folds=3, test_share=1 / 3, disjoint=True) for d in datasets},
        measures={"accuracy": ft.measures.get("accuracy")},
        failures=pd.DataFrame(columns=["dataset", "method", "row_order", "repeat", "fold", "error"]),
        factors={"row_order": tuple(range(int(frame["row_order"].max()) + 1))},
        yardsticks=yardsticks,
    )


A = [[0.80, 0.84], [0.70, 0.70], [0.90, 0.82]]


class TestOrderEffects:
    def test_by_hand(self):
        # variances within splits: 0.0008, 0, 0.0032, mean 0.004/3; means of splits 0.82, 0.70, 0.86, variance 0.0208/3
        (effect,) = made({"a": A}).order_effects().methods
        within = 0.004 / 3
        assert effect.orders.estimate == pytest.approx(math.sqrt(within))
        assert effect.splits == pytest.approx(math.sqrt(0.0208 / 3 - within / 2))
        assert effect.share == pytest.approx(within / (0.0208 / 3 + within / 2))
        expected = [math.sqrt(3 * within / chi2.ppf(p, 3)) for p in (0.975, 0.025)]
        assert (effect.orders.low, effect.orders.high) == pytest.approx(tuple(expected))
        assert math.isnan(effect.seeds)

    def test_seeds_are_told_apart_by_replicates(self):
        noise = np.random.default_rng(3).normal(0.8, 0.05, (5, 4, 2))  # orders do nothing
        effects = made({"a": noise}, replicates=2).order_effects()
        (effect,) = effects.methods
        assert effect.orders.estimate == 0
        assert effect.seeds == pytest.approx(math.sqrt(noise.var(axis=2, ddof=1).mean()))
        assert effects.sentence.startswith("Order is not seen to matter for accuracy: for a (at most 0.")
        assert effects.sentence.endswith("it is not seen beyond seeds.")
        assert not any("replicates=2" in note for note in effects.notes)

    def test_several_data_sets_do_not_count_as_splits(self):
        one, two = (made({"a": A}, datasets=names).order_effects().methods[0] for names in (("d",), ("d", "e")))
        assert two.orders.estimate == pytest.approx(one.orders.estimate)
        assert two.splits == pytest.approx(one.splits)
        assert two.orders.high < one.orders.high  # twice as many splits

    def test_the_sentence(self):
        equal = [[0.8, 0.8], [0.7, 0.7], [0.9, 0.9]]
        effects = made({"a": A, "b": equal, "most": A}, yardsticks=("most",)).order_effects()
        assert effects.sentence == (
            "Order matters by 0.037 [0.021, 0.14] for a (standard deviation of accuracy over orders of the same "
            "training rows); over splits it is 0.079 for a. But for b no score depends on it."
        )
        assert json.loads(effects.render("json"))["answer"] == effects.sentence
        assert [row[0] for row in effects.to_table().rows] == ["a", "b"]
        assert made({"b": equal}).order_effects().sentence == (
            "Order is not seen to matter for accuracy: for b no score depends on it."
        )

    def test_missing_scores_leave_no_interval(self):
        array = np.array(A)
        array[1, 1] = np.nan
        effects = made({"a": array}).order_effects()
        assert math.isnan(effects.methods[0].orders.low)
        assert effects.methods[0].orders.estimate == pytest.approx(math.sqrt(0.004 / 2))
        assert "failed trials have no score here" in effects.notes[-1]

    def test_says_what_was_wrong(self):
        results = made({"a": A})
        with pytest.raises(InputError, match=r"needs a study at several orders: factors=\{'row_order': 4\}"):
            results.at(row_order=0).order_effects()
        with pytest.raises(InputError, match="no method has scores at two orders of the same split"):
            made({"a": [[0.8], [0.7]]}).order_effects()

    @pytest.mark.slow
    def test_verdicts_say_it(self):
        study = ft.Study(
            datasets=["breast_cancer"], resampling="3-fold", factors={"row_order": 4}, measures=["accuracy"],
            methods={"bayes": GaussianNB(), "perceptron": Perceptron(max_iter=1, tol=None, shuffle=False)},
        )  # fmt: skip
        verdicts = study.run(workers=0, progress=False).verdicts()
        assert "Order matters by 0." in verdicts.sentence
        assert "But for bayes no score depends on it." in verdicts.sentence
        assert "sd over orders" in str(verdicts.full)
        assert verdicts.to_dict()["order_effects"]["measure"] == "accuracy"
