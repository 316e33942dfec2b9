import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.data import Dataset
from fairtrial.errors import InputError, UnknownName
from fairtrial.resampling import NestedKFold
from fairtrial.stats import cv_interval, mean_interval, nested_cv_interval

FOLDS = [0, 0, 0, 1, 1, 1, 2, 2, 2]
LOSSES = [1.0, 2.0, 3.0, 2.0, 2.0, 5.0, 0.0, 1.0, 2.0]


class TestCvInterval:
    def test_by_hand(self):
        # mean 2; squares about it 1 0 1 0 0 9 4 1 0: variance 16/9; standard error 4/9
        found = cv_interval(LOSSES, folds=FOLDS)
        assert (found.estimate, found.high) == pytest.approx((2, 2 + 1.959963984540054 * 4 / 9))
        # within: variances 1, 3, 1: mean 5/3
        inside = cv_interval(LOSSES, folds=FOLDS, spread="within")
        assert inside.high == pytest.approx(2 + 1.959963984540054 * math.sqrt(5 / 27))
        assert any("few for the central limit theorem" in note for note in found.notes)
        assert any("about the mean error of the models fitted on these folds" in note for note in found.notes)

    def test_scores_of_folds_get_the_corrected_t(self):
        x = [0.70, 0.80, 0.75, 0.85]
        found, same = cv_interval(x, test_share=0.25), mean_interval(x, test_share=0.25)
        assert (found.low, found.high, found.method) == (same.low, same.high, same.method)

    @given(st.lists(st.integers(0, 1), min_size=10, max_size=40), st.sampled_from(["all", "within"]))
    def test_names_and_order_of_folds_do_not_matter(self, losses, spread):
        folds = np.arange(len(losses)) % 3
        found = cv_interval(losses, folds=folds, spread=spread)
        named = cv_interval(losses[::-1], folds=np.array(["c", "a", "b"])[folds][::-1], spread=spread)
        assert (found.low, found.high) == pytest.approx((named.low, named.high), nan_ok=True)

    def test_edges_and_errors(self):
        equal = cv_interval([1, 1, 1, 1], folds=[0, 0, 1, 1])
        assert math.isnan(equal.low)
        assert equal.notes
        with pytest.raises(InputError, match=r"needs either test_share .* or folds .*, got neither"):
            cv_interval(LOSSES)
        with pytest.raises(InputError, match="at least two different folds, got one"):
            cv_interval(LOSSES, folds=[0] * 9)
        with pytest.raises(InputError, match="at least two instances in each fold"):
            cv_interval([1, 2, 3], folds=[0, 0, 1], spread="within")
        with pytest.raises(InputError, match="fold of each of the 9 instances"):
            cv_interval(LOSSES, folds=[0, 1])
        with pytest.raises(UnknownName, match="did you mean 'within'"):
            cv_interval(LOSSES, folds=FOLDS, spread="witin")


class TestNestedCvInterval:
    ROWS = (0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 0, 1, 4, 5, 2, 3, 4, 5)
    SPLITS = (0, 0, 1, 1, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5)

    def test_by_hand(self):
        losses = [1, 2, 3, 4, 2, 2, 2, 2, 4, 4, 1, 3, 2, 2, 3, 5, 3, 3]
        found = nested_cv_interval(losses, repeats=[0] * 18, splits=self.SPLITS, rows=self.ROWS, folds=3)
        # inside 0: 4 4 2 2 (mean 3), inside 1: 2 2 3 3 (5/2), inside 2: 1 3 3 5 (3); outside 3/2, 7/2, 2
        # bias (1 + 1/3) (17/6 − 7/3) = 2/3; MSE (2 + 3/4 + 1)/3 = 5/4, times 2/3; naive 41/33, over 6; at most 3 times
        assert found.estimate == pytest.approx(17 / 6 - 2 / 3)
        assert (41 / 33 / 6 * 3) < 5 / 6
        assert found.high - found.estimate == pytest.approx(1.959963984540054 * math.sqrt(41 / 66))
        assert "largest" in found.notes[0]

    def test_against_a_plain_loop_over_the_schemes_splits(self):
        # the algorithm as the paper prints it, with every inner cross-validation on its own
        random = np.random.default_rng(1)
        n, folds = 40, 5
        data = Dataset.from_arrays(random.normal(size=(n, 2)), np.repeat(["a", "b"], n // 2))
        splits = list(NestedKFold(folds=folds, repeats=3).splits(data, seed=1))
        table = {(s.repeat, s.fold, int(r)): random.random() for s in splits for r in s.test}
        repeat, fold, row = (np.array(c) for c in zip(*table, strict=True))
        losses = np.array(list(table.values()))
        found = nested_cv_interval(losses, repeats=repeat, splits=fold, rows=row, folds=folds)
        pairs, a, b, inner, outer = NestedKFold(folds=folds).pairs(), [], [], [], []
        for r in range(3):
            test = {s.fold: s.test for s in splits if s.repeat == r}
            for i in range(folds):
                e_out = np.array([table[r, i, int(x)] for x in test[i]])
                e_in = []
                for j in range(folds):
                    if j != i:
                        place = folds + pairs.index((min(i, j), max(i, j)))
                        e_in += [table[r, place, int(x)] for x in test[j]]
                a.append((np.mean(e_in) - e_out.mean()) ** 2)
                b.append(e_out.var(ddof=1) / len(e_out))
                inner += e_in
                outer += e_out.tolist()
        naive = np.std(inner, ddof=1) / math.sqrt(n)
        error = math.sqrt(max(0, (folds - 1) / folds * (np.mean(a) - np.mean(b))))
        error = max(naive, min(error, math.sqrt(folds) * naive))
        estimate = np.mean(inner) - (1 + (folds - 2) / folds) * (np.mean(inner) - np.mean(outer))
        assert found.estimate == pytest.approx(estimate)
        assert found.low == pytest.approx(estimate - 1.959963984540054 * error)

    @pytest.mark.slow
    def test_holds_its_level_where_the_naive_interval_does_not(self):
        # least squares with 20 features on 40 instances; the error of the model is known: 1 + |b − β|²
        random = np.random.default_rng(3)
        n, p, folds = 40, 20, 5
        scheme, held = NestedKFold(folds=folds, repeats=4, stratify=False), [0, 0]
        for _ in range(60):
            X = random.normal(size=(n, p))
            y = random.normal(size=n)
            data = Dataset.from_arrays(X, y)
            parts = []
            for split in scheme.splits(data, seed=1):
                train, test = split.train_rows(), split.test
                b = np.linalg.lstsq(X[train], y[train], rcond=None)[0]
                squares = (y[test] - X[test] @ b) ** 2
                parts.append(np.column_stack([squares, np.full((len(test), 2), (split.repeat, split.fold)), test]))
            losses, repeat, fold, row = np.concatenate(parts).T
            repeat, fold = repeat.astype(int), fold.astype(int)
            b = np.linalg.lstsq(X, y, rcond=None)[0]
            truth = 1 + b @ b
            nested = nested_cv_interval(losses, repeats=repeat, splits=fold, rows=row, folds=folds, level=0.9)
            first = (repeat == 0) & (fold < folds)
            naive = cv_interval(losses[first], folds=fold[first], level=0.9)
            held[0] += truth in nested
            held[1] += truth in naive
        assert held[0] >= 48
        assert held[0] > held[1]

    def test_edges_and_errors(self):
        equal = nested_cv_interval([1.0] * 18, repeats=[0] * 18, splits=self.SPLITS, rows=self.ROWS, folds=3)
        assert math.isnan(equal.low)
        with pytest.raises(InputError, match="one entry for each of the 2 losses, got 1, 2 and 2"):
            nested_cv_interval([1, 2], repeats=[0], splits=[0, 1], rows=[0, 1], folds=3)
        with pytest.raises(InputError, match="from 0 to 5 for 3 folds"):
            nested_cv_interval([1, 2], repeats=[0, 0], splits=[0, 6], rows=[0, 1], folds=3)
        wrong = (*self.ROWS[:-1], 0)
        with pytest.raises(InputError, match="must test each row once in an outer fold"):
            nested_cv_interval(range(18), repeats=[0] * 18, splits=self.SPLITS, rows=wrong, folds=3)


def test_more_folds_than_losses_are_refused_before_their_pairs_are_made():
    """100,000 folds of 12 losses took 21 GB."""
    rows = {"repeats": [0] * 12, "splits": list(range(12)), "rows": list(range(12))}
    with pytest.raises(InputError, match="folds must be at most the number of losses, 12, got 100000"):
        nested_cv_interval([0.0, 1.0] * 6, folds=100_000, **rows)
