"""Guards of columns: each finds its planted column, and hardly ever one where there is none."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pytest
from clean_data import LETTERS, clean, continuous, discrete, make, mixed, share_found, sorted_by_class, values

from fairtrial.data import Dataset, bundled_names, datasets
from fairtrial.data.column_guards import date_columns, identifier_columns, revealing_feature, undeclared_groups

GUARDS = (revealing_feature, date_columns, identifier_columns, undeclared_groups)


def noise(seed, n=100, p=4):
    return np.random.default_rng(seed).normal(size=(n, p))


def found_in(guard, frame, **parts):
    return [(n.severity, n.text) for n in guard(Dataset.from_frame(frame, target="y", name="d", **parts))]


def framed(n=100, **columns):
    """Two features of noise, further columns, and classes in turn."""
    X = noise(1, n, 2)
    return pd.DataFrame({"a": X[:, 0], "b": X[:, 1], **columns, "y": LETTERS[np.arange(n) % 2]})


class TestRevealingFeature:
    @staticmethod
    def with_copy(rng, X, y):
        """A column that is the target, with other numbers for its classes."""
        codes = np.unique(y, return_inverse=True)[1]
        return np.insert(X, 1, rng.permutation(3)[codes], axis=1), y

    @staticmethod
    def with_function(rng, X, y):
        """A column that rises with the target, with noise that never hides it."""
        codes = np.unique(y, return_inverse=True)[1] if y.dtype.kind == "U" else 3 * y
        return np.insert(X, 1, np.exp((codes + 0.01 * rng.random(len(y))) / 10), axis=1), y

    @pytest.mark.parametrize("maker", [continuous, discrete, mixed, sorted_by_class])
    def test_a_copy_is_found(self, maker):
        sets = [make(maker, seed, self.with_copy) for seed in range(200)]
        found = [[notice.severity for notice in revealing_feature(data)] for data in sets]
        assert sum(f == ["grave"] for f in found) >= 190

    @pytest.mark.parametrize("maker", [continuous, values])
    def test_a_function_is_found(self, maker):
        assert share_found(revealing_feature, (make(maker, seed, self.with_function) for seed in range(200))) >= 0.95

    def test_hardly_ever_elsewhere(self):
        assert share_found(revealing_feature, clean()) <= 0.01

    def test_by_hand(self):
        frame = framed(churned=np.arange(100) % 2)
        assert found_in(revealing_feature, frame) == [
            (
                "grave",
                "d: the feature 'churned' alone predicts the target (100 % correct; no other feature comes near), as "
                "if made from it; leave it out, unless the value is known before the target is",
            )
        ]

    def test_a_category_and_missing_values_can_give_it_away(self):
        reason = np.where(np.arange(100) % 2, "moved", None)
        assert [s for s, _ in found_in(revealing_feature, framed(reason=reason))] == ["grave"]
        end = np.where(np.arange(100) % 2, np.arange(100.0), np.nan)
        assert [s for s, _ in found_in(revealing_feature, framed(end=end))] == ["warning"]

    def test_values(self):
        X, y = noise(1), noise(2)[:, 0]
        X[:, 2] = y**3
        (found,) = revealing_feature(Dataset.from_arrays(X, y, name="d"))
        assert found.severity == "grave"
        assert "'x2' alone predicts the target (rank correlation 1.000; the best other has 0.07982)" in found.text

    def test_easy_data_are_not_meant(self):
        iris = datasets("iris")[0]
        setosa = Dataset.from_arrays(iris.X, iris.target == "setosa")  # two of four features separate it
        assert list(revealing_feature(setosa)) == []

    def test_few_instances_may_be_chance(self):
        X = noise(1, 10, 3)
        X[:, 1] = np.arange(10) % 2
        assert list(revealing_feature(Dataset.from_arrays(X, LETTERS[np.arange(10) % 2]))) == []


class TestDateColumns:
    def test_dates_of_a_reader(self):
        days = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.random.default_rng(1).integers(0, 900, 100), "D")
        expected = (
            "warning",
            "d: column 'when' is a date and used as a feature, and no order is declared: random splits train on the "
            "future; declare it (order='when') and test forward in time, or leave it out",
        )
        assert found_in(date_columns, framed(when=days)) == [expected]
        assert found_in(date_columns, framed(when=days.strftime("%Y-%m-%d"))) == [expected]
        assert found_in(date_columns, framed(when=days), order="when") == []
        ((_, text),) = found_in(date_columns, framed(when=days), order=np.arange(100))
        assert text == "d: column 'when' is a date and used as a feature; leave it out"

    def test_planted(self):
        def dated(seed):
            rng = np.random.default_rng(seed)
            month, day = rng.integers(1, 13, 100), rng.integers(1, 29, 100)
            X = np.column_stack([noise(seed), 10_000 * rng.integers(1990, 2030, 100) + 100 * month + day])
            return Dataset.from_arrays(X, LETTERS[np.arange(100) % 2])

        assert share_found(date_columns, map(dated, range(200))) >= 0.95

    def test_seconds_by_name(self):
        seconds = 1.7e9 + np.arange(100) * 60.0
        assert len(found_in(date_columns, framed(createdTime=seconds))) == 1
        assert found_in(date_columns, framed(income=seconds[::-1])) == []

    @pytest.mark.parametrize("name", ["model_year", "age", "time_in_hospital"])
    def test_years_and_spans_are_features(self, name):
        years = 1980 + np.random.default_rng(1).integers(0, 30, 100)
        assert found_in(date_columns, framed(**{name: years})) == []


class TestIdentifierColumns:
    @pytest.mark.parametrize("kind", ["row number", "identifier"])
    def test_planted(self, kind):
        def numbered(seed):
            rng = np.random.default_rng(seed)
            n = int(rng.integers(30, 300))
            numbers = np.cumsum(rng.integers(1, 9, n)) if kind == "row number" else 1000 + rng.permutation(n)
            return Dataset.from_arrays(np.column_stack([noise(seed, n), numbers]), LETTERS[np.arange(n) % 2])

        assert share_found(identifier_columns, map(numbered, range(200))) >= 0.95

    def test_by_hand(self):
        numbers = np.random.default_rng(1).choice(10**9, 100, replace=False)
        assert found_in(identifier_columns, framed(CustomerID=numbers)) == [
            ("warning", "d: feature 'CustomerID' is an identifier; leave it out")
        ]
        assert found_in(identifier_columns, framed(income=numbers)) == []
        assert found_in(identifier_columns, framed(step=np.arange(100) / 10)) == [
            ("warning", "d: feature 'step' is a row number; leave it out")
        ]
        assert found_in(identifier_columns, framed(tag=pd.Categorical([f"t{i}" for i in range(100)]))) == [
            ("warning", "d: feature 'tag' is an identifier; leave it out")
        ]

    def test_grave_where_the_target_follows_the_rows(self):
        frame = framed(at=np.arange(100)).assign(y=np.repeat(["a", "b"], 50))
        assert found_in(identifier_columns, frame) == [
            (
                "grave",
                "d: feature 'at' is a row number, and the target follows it; leave it out",
            )
        ]

    def test_sorted_measurements_are_features(self):
        assert found_in(identifier_columns, framed(size=np.sort(noise(3)[:, 0]))) == []


class TestUndeclaredGroups:
    @pytest.mark.parametrize("name", ["patient", "subject_id", "UserID", "household", "speaker-name"])
    def test_planted(self, name):
        def grouped(seed):
            rng = np.random.default_rng(seed)
            who = rng.integers(0, 40, 200)
            frame = pd.DataFrame(noise(seed, 200)).assign(**{name: who, "y": LETTERS[rng.integers(0, 2, 200)]})
            return Dataset.from_frame(frame, target="y")

        assert share_found(undeclared_groups, map(grouped, range(40))) >= 0.95

    def test_by_hand(self):
        who = np.arange(100) // 4
        assert found_in(undeclared_groups, framed(patient=who)) == [
            (
                "warning",
                "d: column 'patient' has 25 values for 100 rows, and looks like groups that are not declared: methods "
                "that know a group from training look good on its other rows; declare it (groups='patient') and use "
                "grouped folds; leave it out only if its rows are independent",
            )
        ]
        assert found_in(undeclared_groups, framed(patient=who), groups="patient") == []
        ((severity, text),) = found_in(undeclared_groups, framed(patient=who).assign(y=LETTERS[who % 2]))
        assert (severity, "(within a value nearly all rows have the same target)" in text) == ("grave", True)

    @pytest.mark.parametrize(
        "column",
        [
            {"age": np.arange(100) // 4},
            {"group": np.arange(100) % 3},
            {"patient": np.arange(100)},
            {"site": noise(1)[:, 0]},
        ],
    )
    def test_other_columns_are_none(self, column):
        assert found_in(undeclared_groups, framed(**column)) == []


@pytest.mark.parametrize("guard", [date_columns, identifier_columns, undeclared_groups])
def test_hardly_ever_elsewhere(guard):
    assert share_found(guard, clean()) <= 0.01


@pytest.mark.parametrize("guard", GUARDS)
def test_bundled_data_are_clean(guard):
    assert [d.name for d in datasets(*bundled_names()) if list(guard(d))] == []


def test_large_data_take_no_time():
    rng = np.random.default_rng(1)
    data = Dataset.from_arrays(rng.normal(size=(100_000, 50)), rng.integers(0, 2, 100_000))
    start = time.perf_counter()
    assert [notice for guard in GUARDS for notice in guard(data)] == []
    assert time.perf_counter() - start < 2
