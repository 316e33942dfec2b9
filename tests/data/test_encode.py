"""The default preprocessing: by hand, against scikit-learn, no leakage."""

from __future__ import annotations

import time
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import check_estimator

from fairtrial.data import datasets
from fairtrial.data.encode import Encoder, encoder_for
from fairtrial.errors import InputError

nan = np.nan


class TestEncoder:
    def test_by_hand(self):
        # column 0: nominal of 3, column 1: numbers with median (1 + 5) / 2, column 2: two categories, nothing missing
        train = np.array([[0, 1.0, 0], [2, nan, 1], [2, 5.0, 1]])
        encoder = Encoder(nominal=(0, 2), categories=(3, 2)).fit(train)
        np.testing.assert_array_equal(encoder.transform(train), [[1, 0, 1, 0], [0, 1, 3, 1], [0, 1, 5, 1]])
        assert encoder.get_feature_names_out().tolist() == ["x0=0", "x0=2", "x1", "x2=1"]

    def test_unseen_and_missing_categories_are_zero_everywhere(self):
        encoder = Encoder(nominal=(0,), categories=(4,)).fit([[0.0], [1.0], [2.0]])
        np.testing.assert_array_equal(encoder.transform([[3.0], [nan], [1.0]]), [[0, 0, 0], [0, 0, 0], [0, 1, 0]])

    def test_two_categories_keep_two_columns_where_some_are_missing(self):
        # otherwise a missing value would look like the first category
        encoder = Encoder(nominal=(0,), categories=(2,)).fit([[0.0], [1.0], [nan]])
        np.testing.assert_array_equal(encoder.transform([[0.0], [1.0], [nan]]), [[1, 0], [0, 1], [0, 0]])

    def test_number_that_is_always_missing_in_training(self):
        encoder = Encoder().fit([[nan, 1.0], [nan, 3.0]])
        np.testing.assert_array_equal(encoder.transform([[7.0, nan], [nan, 4.0]]), [[7, 2], [0, 4]])

    @pytest.mark.parametrize("name", ["vote", "credit-g", "labor", "breast-cancer"])
    def test_against_scikit_learn(self, name):
        # OneHotEncoder(drop="if_binary") of the same version; a missing value is its own category there: dropped by us
        data = datasets(name)[0]
        rows = np.random.default_rng(1).permutation(data.n)
        train, test = data.X[rows[::2]], data.X[rows[1::2]]
        ours = encoder_for(data).fit(train).transform(test)
        expected = []
        for j, feature in enumerate(data.features):
            if feature.kind == "numeric":
                expected.append(SimpleImputer(strategy="median").fit(train[:, [j]]).transform(test[:, [j]]))
                continue
            onehot = OneHotEncoder(drop="if_binary", handle_unknown="ignore", sparse_output=False)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                columns = onehot.fit(train[:, [j]]).transform(test[:, [j]])
            known = ~np.isnan(onehot.categories_[0])
            expected.append(columns if columns.shape[1] < known.size else columns[:, known])
        np.testing.assert_array_equal(ours, np.hstack(expected))

    def test_same_predictions_as_the_usual_pipeline(self):
        data = datasets("credit-g")[0]
        nominal = [j for j, f in enumerate(data.features) if f.kind == "nominal"]
        usual = ColumnTransformer([("n", OneHotEncoder(drop="if_binary"), nominal)], remainder="passthrough")
        a = make_pipeline(encoder_for(data), LogisticRegression(solver="newton-cholesky")).fit(data.X, data.codes)
        b = make_pipeline(usual, LogisticRegression(solver="newton-cholesky")).fit(data.X, data.codes)
        np.testing.assert_allclose(a.predict_proba(data.X), b.predict_proba(data.X), atol=1e-4)

    @given(arrays(np.float64, (12, 3), elements=st.sampled_from([0.0, 1.0, 2.0, nan])), st.permutations(range(6)))
    def test_a_test_row_does_not_see_the_others(self, X, order):
        train, test = X[:6], X[6:]
        encoder = Encoder(nominal=(0, 2), categories=(3, 3)).fit(train)
        together = encoder.transform(test)
        assert together.flags.c_contiguous
        assert not np.isnan(together).any()
        np.testing.assert_array_equal(together, np.vstack([encoder.transform(row[None]) for row in test]))
        np.testing.assert_array_equal(encoder.transform(test[list(order)]), together[list(order)])
        np.testing.assert_array_equal(clone(encoder).fit(train).transform(test), together)

    def test_transforming_does_not_change_what_was_fitted_nor_the_data(self):
        X = np.array([[1.0, nan], [3.0, 1.0]])
        X.flags.writeable = False
        encoder = Encoder(nominal=(1,), categories=(2,)).fit(X)
        before = encoder.transform([[nan, 1.0]])
        encoder.transform([[100.0, 0.0]] * 50)
        np.testing.assert_array_equal(encoder.transform([[nan, 1.0]]), before)

    def test_scikit_learn_contract(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            checks = check_estimator(Encoder())
        assert sum(check["status"] == "passed" for check in checks) > 25
        assert {check["status"] for check in checks} <= {"passed", "skipped"}

    def test_is_fast(self):
        data = datasets("credit-g")[0]
        encoder, X = encoder_for(data), data.X[:500]
        times = []
        for _ in range(20):
            start = time.perf_counter()
            encoder.fit(X).transform(X)
            times.append(time.perf_counter() - start)
        assert min(times) < 0.005  # about 0.5 ms; generous for a busy machine

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"nominal must be columns of a matrix with 2.*got \(5,\) and \(2,\)"):
            Encoder((5,), (2,)).fit([[1.0, 2.0]])
        with pytest.raises(InputError, match="X has 1 features, but Encoder is expecting 2 features"):
            Encoder().fit([[1.0, 2.0]]).transform([[1.0]])


class TestEncoderFor:
    def test_only_where_needed(self):
        iris, labor, credit = datasets("iris", "labor", "credit-g")
        assert encoder_for(iris) is None
        assert encoder_for(labor).nominal == tuple(j for j, f in enumerate(labor.features) if f.kind == "nominal")
        assert encoder_for(credit).categories[0] == 4
