"""Guards of rows: copies and neighbours are found where they were planted, and hardly ever elsewhere."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from clean_data import LETTERS, clean, continuous, dependent, discrete, kinds, make, mixed, share_found, small, values

from fairtrial.data import Dataset, bundled_names, datasets
from fairtrial.data.row_guards import repeated_rows, undeclared_order


def three_times(rng, X, y):
    rows = rng.permutation(3 * len(X)) % len(X)
    return X[rows], y[rows]


def a_fifth_twice(rng, X, y):
    rows = rng.permutation(np.r_[np.arange(len(X)), rng.choice(len(X), len(X) // 5, replace=False)])
    return X[rows], y[rows]


def a_fifth_nearly_twice(rng, X, y):
    X, y = a_fifth_twice(rng, X, y)
    return X + 1e-6 * X.std(axis=0) * rng.normal(size=X.shape), y


def noise(seed, n=100, p=4, name="noise"):
    rng = np.random.default_rng(seed)
    return Dataset.from_arrays(rng.normal(size=(n, p)), LETTERS[np.arange(n) % 2], name=name)


class TestRepeatedRows:
    @pytest.mark.parametrize("spoil", [three_times, a_fifth_twice, a_fifth_nearly_twice])
    def test_copies_are_found(self, spoil):
        assert share_found(repeated_rows, (make(continuous, seed, spoil) for seed in range(200))) >= 0.95

    @pytest.mark.parametrize("maker", [dependent, values])
    def test_also_among_dependent_columns_and_values(self, maker):
        assert share_found(repeated_rows, (make(maker, seed, a_fifth_twice) for seed in range(200))) >= 0.95

    def test_also_among_mixed_columns(self):
        assert share_found(repeated_rows, (make(mixed, seed, three_times) for seed in range(200))) >= 0.95

    @pytest.mark.slow
    def test_also_among_discrete_columns_where_chance_has_few(self):
        def many_columns(rng, X, y):
            y = LETTERS[np.arange(200) % 2]
            return three_times(rng, rng.integers(0, 3, (200, 16)).astype(float), y)

        assert share_found(repeated_rows, (make(discrete, seed, many_columns) for seed in range(200))) >= 0.95

    @pytest.mark.parametrize("maker", [discrete, kinds, small])
    def test_a_whole_table_that_was_copied_is_found_where_many_rows_are_equal_by_chance(self, maker):
        assert share_found(repeated_rows, (make(maker, seed, three_times) for seed in range(200))) >= 0.95

    @pytest.mark.slow
    def test_rounded_measurements_and_answers_on_a_scale_are_no_copies(self):
        def scale(seed):
            rng = np.random.default_rng([seed, 77])
            attitude, p = rng.normal(size=(300, 1)), int(rng.integers(3, 10))
            X = np.clip(np.round(3 + rng.uniform(0.5, 3) * attitude + rng.normal(0, 0.7, (300, p))), 1, 5)
            return Dataset.from_arrays(X, LETTERS[(attitude[:, 0] + rng.normal(size=300) > 0).astype(int)])

        def rounded(seed):
            rng = np.random.default_rng([seed, 78])
            size = np.exp(rng.normal(size=300))
            X = np.column_stack([np.round(size, 1), np.round(2 * size, 1)])  # the second follows from the first
            return Dataset.from_arrays(X, LETTERS[rng.integers(0, 2, 300)])

        assert share_found(repeated_rows, map(scale, range(200))) <= 0.01
        assert share_found(repeated_rows, map(rounded, range(200))) <= 0.01

    def test_says_how_often_the_table_was_copied(self):
        rng = np.random.default_rng(1)
        X = np.tile(rng.integers(0, 2, (100, 5)).astype(float), (2, 1))
        (found,) = repeated_rows(Dataset.from_arrays(X, np.tile(rng.integers(0, 2, 100), 2), name="d"))
        assert "; each different row occurs 2 times or a multiple of it: methods that" in found.sentence
        assert found.evidence["times"] == 2

    def test_hardly_ever_elsewhere(self):
        assert share_found(repeated_rows, clean()) <= 0.01

    def test_by_hand(self):
        data = noise(1)
        rows = np.r_[np.arange(100), np.arange(10)]
        (found,) = repeated_rows(Dataset.from_arrays(data.X[rows], data.target[rows], name="d"))
        assert found.text == (
            "d: 20 of 110 rows (18 %) have an equal row elsewhere, with the same target: methods that learn by heart "
            "look good where a copy is trained on; leave the copies out, or declare what belongs together (groups=…) "
            "and use grouped folds"
        )
        assert found.severity == "grave"
        assert found.evidence == {"rows": 20, "by_chance": 0, "share": 20 / 110, "looked_at": 110, "exact": True}

    def test_few_copies_are_a_warning_and_a_pair_is_nothing(self):
        data = noise(1, n=300)
        severities = []
        for copies in (1, 4):
            rows = np.r_[np.arange(300), np.arange(copies)]
            found = repeated_rows(Dataset.from_arrays(data.X[rows], data.target[rows]))
            severities.append([notice.severity for notice in found])
        assert severities == [[], ["warning"]]

    def test_groups_that_keep_copies_together_make_them_harmless(self):
        data, rows = noise(1), np.arange(300) % 100
        tripled = Dataset.from_arrays(data.X[rows], data.target[rows], groups=rows)
        assert list(repeated_rows(tripled)) == []
        assert len(list(repeated_rows(replace(tripled, groups=np.arange(300) // 100)))) == 1

    def test_copies_with_another_target_are_none(self):
        X = np.tile(noise(1).X, (2, 1))
        assert list(repeated_rows(Dataset.from_arrays(X, np.repeat(["a", "b"], 100)))) == []

    def test_says_how_many_rows_were_looked_at(self):
        rng = np.random.default_rng(1)
        half = rng.normal(size=(20_000, 3))
        X = np.concatenate([half, half + 1e-7 * rng.normal(size=half.shape)])
        (found,) = repeated_rows(Dataset.from_arrays(X, LETTERS[np.arange(40_000) % 2]))
        assert "have a nearly equal row" in found.text
        assert "(of 40,000 rows, 20,000 were looked at)" in found.text
        assert found.evidence["share"] == pytest.approx(1.0, abs=0.05)


class TestUndeclaredOrder:
    @staticmethod
    def series(seed, task):
        """Features and target of an autoregressive process."""
        rng, n = np.random.default_rng(seed), 300
        Z = rng.normal(size=(n, 4))
        for i in range(1, n):
            Z[i] += 0.8 * Z[i - 1]
        y = Z[:, 3] if task == "values" else cut_at(Z[:, 3])
        return Dataset.from_arrays(Z[:, :3], y, task=task, name="series")

    @pytest.mark.parametrize("task", ["classes", "values"])
    def test_a_series_is_found(self, task):
        assert share_found(undeclared_order, (self.series(seed, task) for seed in range(200))) >= 0.95

    def test_also_where_only_features_drift(self):
        def spoilt(seed):
            return replace(self.series(seed, "values"), target=np.random.default_rng(seed).normal(size=300))

        assert share_found(undeclared_order, map(spoilt, range(200))) >= 0.95
        (found,) = undeclared_order(spoilt(1))
        assert (
            "series: 3 of 3 numeric features of a row resemble those of the row before it (correlation 0." in found.text
        )

    def test_hardly_ever_elsewhere(self):
        assert share_found(undeclared_order, clean()) <= 0.01

    def test_by_hand(self):
        (found,) = undeclared_order(self.series(1, "values"))
        assert found.text == (
            "series: the target and most features of a row resemble those of the row before it (correlation 0.7557), "
            "as in a time series, and no order is declared: random splits train on the neighbours of what they test; "
            "declare the column of the time (order=…) and test forward in time, or what belongs together (groups=…)"
        )
        assert (found.severity, found.evidence["features"], found.evidence["numeric"]) == ("grave", 3, 3)

    def test_where_only_the_target_resembles_its_neighbour_it_is_a_warning(self):
        data = self.series(1, "values")
        (found,) = undeclared_order(replace(data, X=np.random.default_rng(1).normal(size=data.X.shape)))
        assert "series: the target of a row resembles that of the row before it (correlation 0.7557)" in found.text
        assert (found.severity, found.evidence["features"]) == ("warning", 0)

    @pytest.mark.parametrize("part", ["order", "groups"])
    def test_nothing_to_say_where_it_is_declared(self, part):
        assert list(undeclared_order(replace(self.series(1, "values"), **{part: np.arange(300.0)}))) == []

    def test_sorted_files_and_copies_side_by_side_are_no_series(self):
        data = noise(1, n=200)
        by_feature, by_target = np.argsort(data.X[:, 0]), np.argsort(data.X[:, 1])
        assert list(undeclared_order(replace(data, X=data.X[by_feature], target=data.target[by_feature]))) == []
        assert list(undeclared_order(Dataset.from_arrays(data.X[by_target][:, [0, 2]], np.sort(data.X[:, 1])))) == []
        assert (
            list(undeclared_order(Dataset.from_arrays(np.repeat(data.X, 3, axis=0), np.repeat(data.target, 3)))) == []
        )


def cut_at(values):
    return np.where(values > np.median(values), "up", "down")


@pytest.mark.parametrize("guard", [repeated_rows, undeclared_order])
def test_bundled_data_are_clean(guard):
    assert [d.name for d in datasets(*bundled_names()) if list(guard(d))] == []


def test_large_data_take_no_time():
    rng = np.random.default_rng(1)
    data = Dataset.from_arrays(rng.normal(size=(100_000, 50)), rng.integers(0, 2, 100_000))
    start = time.perf_counter()
    assert not [*repeated_rows(data), *undeclared_order(data)]
    assert time.perf_counter() - start < 2
