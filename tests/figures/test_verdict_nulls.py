"""Null distributions of verdicts: the picture says what the verdict's own p-value says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairtrial.errors import InputError
from fairtrial.figures.comparisons.verdict_pairs import null_of
from fairtrial.results import read_predictions, read_scores


def over_datasets(k: int = 3, n: int = 9, measure: str = "accuracy"):
    random = np.random.default_rng(4)
    columns = {f"m{i}": 0.7 - 0.01 * i + random.normal(0, 0.01, n).round(3) for i in range(k)}
    return read_scores(pd.DataFrame({"dataset": [f"d{i}" for i in range(n)], **columns}), measure=measure)


def predictions(share: float = 0.75):
    random = np.random.default_rng(3)
    truth = random.integers(0, 2, 200)
    guess = {m: np.where(random.random(200) < s, truth, 1 - truth) for m, s in (("A", 0.9), ("B", share))}
    return pd.DataFrame({"y": truth, **guess})


class TestOverDatasets:
    @pytest.mark.parametrize("measure", ["accuracy", "error_rate"])
    @pytest.mark.parametrize("methods", [("m0", "m2"), ("m2", "m0")])
    def test_the_sum_is_that_of_the_first(self, measure: str, methods: tuple[str, str]) -> None:
        verdict = over_datasets(measure=measure).verdict()
        data = null_of(verdict, methods)
        details = verdict.comparisons.outcomes[1].details  # m0 minus m2
        first_is_larger = details["r_plus"] if methods[0] == "m0" else details["r_minus"]
        other = details["r_minus"] if methods[0] == "m0" else details["r_plus"]
        assert data.observed == (first_is_larger if measure == "accuracy" else other)
        assert data.rejected == (verdict.comparisons.outcomes[1].p_value < 0.05)
        assert data.p_value == verdict.comparisons.outcomes[1].p_value

    def test_says_how_the_pair_is_decided(self) -> None:
        verdict = over_datasets(n=14).verdict()
        assert verdict.winner == "m0"
        assert null_of(verdict).notes[1] == "m0 is the winner since it beats every other in such a test of its own."
        own = null_of(verdict, ["m1", "m2"]).notes[1]
        assert own == "m0 is the winner by its own tests; this one decides nothing."
        all_pairs = null_of(over_datasets(n=14).verdict(adjust="simultaneous"), ["m1", "m2"])
        assert "together with all 3 pairs, p = " in all_pairs.notes[1]

    def test_one_sided_questions_shade_one_side(self) -> None:
        verdict = over_datasets().verdict(control="m2", alternative="better")
        data = null_of(verdict)
        assert np.isnan(data.low)
        assert data.high > data.values[len(data.values) // 2]

    def test_a_margin_moves_the_scores(self) -> None:
        question = {"control": "m0", "alternative": "not worse", "smallest_difference": 0.03}
        verdict = over_datasets().verdict(**question)
        data = null_of(verdict, ["m1", "m0"])
        assert data.rejected == (verdict.comparisons.outcomes[0].p_value < 0.05)

    def test_pairs_without_a_test(self) -> None:
        with pytest.raises(InputError, match="m1 and m2 were not compared with each other, only with the control"):
            null_of(over_datasets().verdict(control="m0"), ["m1", "m2"])
        with pytest.raises(InputError, match="needs a test of two methods, but here few data sets"):
            null_of(over_datasets(n=3).verdict())


class TestOneDataset:
    def test_corrected_t_with_bonferroni(self) -> None:
        random = np.random.default_rng(2)
        rows = [
            {"dataset": "d", "method": m, "fold": f, "value": 0.7 + random.normal(0, 0.02)}
            for m in "ABC"
            for f in range(10)
        ]
        verdict = read_scores(pd.DataFrame(rows), measure="accuracy", resampling="10-fold").verdict()
        data = null_of(verdict)
        assert data.statistic == "t (9 degrees of freedom)"
        assert data.alpha == pytest.approx(0.05 / 3)
        assert "(Bonferroni)" in data.notes[1]

    @pytest.mark.parametrize("measure", ["accuracy", "error_rate"])
    def test_mcnemar_counts_where_the_first_is_right(self, measure: str) -> None:
        frame = predictions()
        verdict = read_predictions(frame, truth="y", measure=measure).verdict()
        right = {m: frame[m] == frame["y"] for m in "AB"}
        data = null_of(verdict)
        assert data.observed == (right["A"] & ~right["B"]).sum()
        assert data.rejected == (verdict.comparisons.outcomes[0].p_value < 0.05)

    def test_the_bootstrap_has_no_null_distribution(self) -> None:
        verdict = read_predictions(predictions(), truth="y", measure="f_measure", positive=1).verdict()
        with pytest.raises(
            InputError, match=r"'Paired bootstrap' has no null distribution.*draw 'differences' instead"
        ):
            null_of(verdict)
