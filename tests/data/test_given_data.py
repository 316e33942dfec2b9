"""Data in memory: pairs of features and target, and errors that describe what they got."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from same_data import mixed_frame, numbers
from scipy import sparse

from fairtrial.data import Dataset, datasets
from fairtrial.data.named_datasets import is_pair
from fairtrial.errors import InputError

pa = pytest.importorskip("pyarrow")
pl = pytest.importorskip("polars")


class TestPairs:
    def test_what_is_a_pair(self):
        X, y = numbers()
        frame = pd.DataFrame(X)
        for held in ((X, y), (frame, y), (frame, pd.Series(y)), (frame, pd.DataFrame(y)), (X, y.tolist())):
            assert is_pair(held)
        assert is_pair((pl.DataFrame(X), pl.Series(y)))
        assert is_pair((X.tolist(), y.tolist()))
        assert is_pair((pa.table({"a": [1.0]}), pa.array([1])))
        for held in ((frame, frame), [X, y], ("iris", "vote"), (X, y, y), (frame, "iris"), (y, y), (frame, None)):
            assert not is_pair(held)

    def test_the_same_numbers_have_the_same_fingerprint(self):
        X, y = numbers()
        frame = pd.DataFrame(X, columns=["x0", "x1"])
        whole = frame.assign(bad=y)
        held = [
            (X, y),
            (X.tolist(), y.tolist()),
            (np.asfortranarray(X), y[:, None]),
            (X.astype(np.float32), y.astype(np.int8)),
            (frame, y),
            (frame, pd.Series(y, name="bad")),
            (pl.DataFrame(frame.to_dict("list")), pl.Series("bad", y)),
            (pa.Table.from_pandas(frame), pa.array(y)),
            whole,
            pl.DataFrame(whole.to_dict("list")),
            pa.Table.from_pandas(whole),
        ]
        assert {datasets(one)[0].fingerprint for one in held} == {Dataset.from_arrays(X, y).fingerprint}

    def test_columns_of_every_kind_and_a_target_with_a_name(self):
        frame = mixed_frame()
        X, y = frame.drop(columns="churned"), frame["churned"]
        whole = Dataset.from_frame(frame, target="churned").fingerprint
        for pair in ((X, y), (pl.from_pandas(X), pl.from_pandas(y)), (X, y.to_numpy()), (X, y.rename(None))):
            assert datasets(pair)[0].fingerprint == whole

    def test_rows_by_their_place(self):
        frame = mixed_frame()
        X, y = frame.drop(columns="churned"), frame["churned"]
        expected = datasets((X, y))[0].fingerprint
        assert datasets((X, y.set_axis(range(100, 130))))[0].fingerprint == expected
        with pytest.raises(InputError, match=r"'data' must have their rows in one order, .* give y\.loc\[X\.index\]"):
            datasets((X, y[::-1]))

    def test_a_target_among_the_features(self):
        frame = mixed_frame()
        with pytest.raises(InputError, match=r"must not hold the target, but has 'churned'; give X.drop\(columns="):
            datasets((frame, frame["churned"]))
        with pytest.raises(InputError, match="must not hold the target, but has 'churned'"):
            datasets((frame, frame["churned"].rename("left")), frame, target="churned")

    def test_says_what_was_wrong(self):
        X, y = numbers()
        with pytest.raises(InputError, match="'data' must have the same number of rows, got 30 and 29"):
            datasets((pd.DataFrame(X), y[1:]))
        with pytest.raises(InputError, match=r"must be a dense matrix, got .* of 30 rows and 2 columns, .*toarray"):
            datasets((sparse.csr_matrix(X), y))
        with pytest.raises(InputError, match=r"got an array of 30 rows and 2 columns; give features and target"):
            datasets(X)
        with pytest.raises(InputError, match=r"got an array of 30 entries; give features and target"):
            datasets(y, X)
        with pytest.raises(InputError, match=r"give its parts: \(bunch\.data, bunch\.target\)"):
            datasets({"data": X, "target": y})
