"""The contract of measures catches what breaks it."""

import numpy as np
import pytest

from fairtrial import measures
from fairtrial.errors import ContractError, InputError, UnknownName
from fairtrial.measures import Confusion, PerClass, Residuals, measure, ratio
from fairtrial.testing import check_measure


def broken(of, formula, **facts):
    """What the contract says of a formula."""
    formula.__name__ = "mine"
    formula.__doc__ = facts.pop("doc", "Mine.")
    given = {"worst": 0.0, "best": 1.0} | facts
    public = measure("Mine", of=of, **given)(formula)
    try:
        check_measure(public)
    except ContractError as error:
        return str(error)
    finally:
        measures.forget("mine")
    return ""


class TestCheckMeasure:
    def test_a_good_one_passes(self):
        assert broken(PerClass, lambda c: ratio(c.tp, c.tp + c.fp + c.fn)) == ""

    @pytest.mark.parametrize(
        ("of", "formula", "facts", "message"),
        [
            (Confusion, lambda c: c.correct, {"best": np.inf}, "equal weights must change nothing"),
            (
                Confusion,
                lambda c: ratio(c.correct, c.total),
                {"worst": 1.0, "best": 0.0},
                "perfect predictions must not",
            ),
            (Confusion, lambda c: 2 * ratio(c.correct, c.total), {}, r"between worst \(0\) and best \(1\), got 2"),
            (Confusion, lambda c: np.nan_to_num(ratio(c.correct, c.total)), {}, "an empty fold must be nan, got 0"),
            (Confusion, lambda c: ratio(c.correct, c.total)[:1], {}, "one value for each of 3 folds"),
            (Confusion, lambda c: c.correct / c.total, {}, "may raise or warn, got RuntimeWarning"),
            (Confusion, lambda c: ratio(c.correct, c.total), {"worst": 1.0}, "worst and best must differ"),
            (Confusion, lambda c: ratio(c.correct, c.total), {"doc": ""}, "a docstring must say"),
            (
                Residuals,
                lambda r: r.mean(np.abs(r.residuals) * np.arange(len(r.residuals))),
                {"worst": np.inf, "best": 0.0},
                "the order of the rows must not matter",
            ),
            (
                Residuals,
                lambda r: np.full(r.predictions.folds.count, np.abs(r.residuals).max()),
                {"worst": np.inf, "best": 0.0},
                "a fold must be the same alone and among others",
            ),
        ],
    )
    def test_a_broken_one_is_found(self, of, formula, facts, message):
        with pytest.raises(AssertionError, match=message):
            raise AssertionError(broken(of, formula, **facts))

    def test_by_name(self):
        assert check_measure("f_measure(beta=2)") is None
        assert check_measure("precision(average='weighted')") is None
        with pytest.raises(InputError, match="beta"):
            check_measure("f_measure(beta=-2)")

    def test_resources_too(self):
        assert check_measure("fit_time") is None
        with pytest.raises(UnknownName, match="did you mean 'fit_time'"):
            check_measure("fit_tim")
