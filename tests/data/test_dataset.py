"""Dataset: what is made of frames and arrays, what the user is told, fingerprints, messages."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from small_data import small

from fairtrial.data import Dataset
from fairtrial.errors import InputError

nan = np.nan


class TestDataset:
    def test_properties(self):
        data = small()
        assert (data.n, data.p, data.missing, data.needs_encoding) == (4, 2, 0.25, True)
        assert data.balance == {"no": 0.5, "yes": 0.5}
        assert data.codes.tolist() == [0, 1, 0, 1]
        assert data.codes.dtype == np.int64
        assert data.raw is data.X

    def test_frame(self):
        frame = small().frame()
        assert frame["colour"].tolist()[:3] == ["blue", "grün", "red"]
        assert frame["colour"].isna().tolist() == [False] * 3 + [True]
        assert frame["size"].dtype == np.float64
        back = Dataset.from_frame(frame.assign(y=small().target), positive="yes")
        np.testing.assert_array_equal(back.X, small().X)

    def test_can_not_be_changed(self):
        with pytest.raises(ValueError, match="read-only"):
            small().X[0, 0] = 1

    def test_pickles(self):
        data = small()
        assert pickle.loads(pickle.dumps(data)).fingerprint == data.fingerprint

    def test_prints(self):
        text = str(small())
        assert "1 numeric, 1 nominal" in text
        assert "2 classes: no 50 % and yes 50 %" in text
        assert "groups, order, weights" in text
        assert "<table" in small()._repr_html_()
        assert repr(small()) == "Dataset('small', 4 × 2, 2 classes)"
        assert "values from 0.5000 to 2.500" in str(Dataset.from_arrays([[1.0], [2.0]], [0.5, 2.5]))

    def test_with_positive(self):
        assert small().with_positive("no").positive == "no"
        with pytest.raises(InputError, match="one of the classes 'no' and 'yes' of 'small', got 'maybe'"):
            small().with_positive("maybe")
