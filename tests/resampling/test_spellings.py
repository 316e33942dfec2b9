"""Schemes as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial import resampling as rs
from fairtrial.errors import InputError


class TestParse:
    @pytest.mark.parametrize(
        ("text", "scheme"),
        [
            ("10-fold", rs.KFold(10)),
            ("10 fold", rs.KFold(10)),
            (" 5-Folds ", rs.KFold(5)),
            ("10fold CV", rs.KFold(10)),
            ("10-fold cross-validation", rs.KFold(10)),
            ("1x10-fold", rs.KFold(10)),
            ("10x10-fold", rs.RepeatedKFold(10, 10)),
            ("5×2-fold", rs.RepeatedKFold(2, 5)),
            ("3 x 10-fold cv", rs.RepeatedKFold(10, 3)),
            ("holdout", rs.Holdout()),
            ("holdout 0.3", rs.Holdout(0.3)),
            ("holdout of 25 %", rs.Holdout(0.25)),
            ("holdout 25%", rs.Holdout(0.25)),
            ("30x holdout .5", rs.Holdout(0.5, 30)),
            ("60/20/20", rs.TrainValidationTest()),
            ("5x 0.5/0.25/0.25", rs.TrainValidationTest(0.25, 0.25, 5)),
            ("5x2", rs.FiveByTwo()),
            ("5×2 cv", rs.FiveByTwo()),
            ("leave-one-out", rs.LeaveOneOut()),
            ("Leave one out", rs.LeaveOneOut()),
            ("loo", rs.LeaveOneOut()),
            ("LOOCV", rs.LeaveOneOut()),
            ("resubstitution", rs.Resubstitution()),
            ("bootstrap", rs.Bootstrap(200)),
            ("bootstrap 50", rs.Bootstrap(50)),
            (".632 bootstrap 50", rs.Bootstrap(50, apparent=True)),
            ("grouped 5-fold", rs.GroupKFold(5)),
            ("group 10 fold", rs.GroupKFold(10)),
            ("10x grouped 5-fold", rs.GroupKFold(5, 10)),
            ("grouped 10x5-fold", rs.GroupKFold(5, 10)),
            ("nested 5-fold", rs.NestedKFold(5, 1)),
            ("20x nested 10-fold", rs.NestedKFold(10, 20)),
            ("5 seeds", rs.Seeds(5)),
            ("5 random seeds", rs.Seeds(5)),
            ("10x seeds", rs.Seeds(10)),
            ("1 seed", rs.Seeds(1)),
            ("forward", rs.Forward(5)),
            ("forward 8", rs.Forward(8)),
            ("forward in time 8", rs.Forward(8)),
        ],
    )
    def test_spellings(self, text, scheme):
        assert rs.parse(text) == scheme

    @pytest.mark.slow
    @given(st.integers(2, 99), st.integers(1, 99))
    def test_reads_what_it_writes(self, folds, repeats):
        scheme = rs.RepeatedKFold(folds, repeats)
        assert rs.parse(scheme.dependence().scheme).dependence() == scheme.dependence()

    @pytest.mark.parametrize(
        "scheme",
        [
            rs.FiveByTwo(),
            rs.LeaveOneOut(),
            rs.Resubstitution(),
            rs.Bootstrap(30),
            rs.GroupKFold(5, 3),
            rs.NestedKFold(5, 2),
            rs.Holdout(0.25),
            rs.TrainValidationTest(0.25, 0.125, 4),
            rs.Seeds(5),
        ],
    )
    def test_reads_what_the_others_write(self, scheme):
        assert rs.parse(scheme.dependence().scheme).dependence() == scheme.dependence()

    def test_a_file(self, tmp_path):
        path = tmp_path / "my splits.csv"
        path.write_text("fold,row\n0,1\n1,2\n")
        assert rs.parse(str(path)) == rs.read_splits(path)

    @pytest.mark.parametrize(
        "text", ["", "fold", "ten-fold", "10", "10x10", "-5-fold", "leave-two-out", "forward x", "holdout x", 10]
    )
    def test_nonsense(self, text):
        with pytest.raises(InputError, match="resampling must read like '10-fold', '10x10-fold'"):
            rs.parse(text)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1-fold", "folds must"),
            ("0x10-fold", "repeats must"),
            ("0x holdout", "repeats"),
            ("holdout 30", "test_share"),
            ("60/30/30", "must add up to 100"),
            ("80/20/0", "test_share must lie"),
            ("bootstrap 0", "samples must"),
            ("grouped 1-fold", "folds must"),
            ("nested 2-fold", "folds must be a whole number of at least 3"),
            ("forward 0", "folds must"),
            ("0 seeds", "seeds must"),
            ("nowhere.csv", "nowhere.csv can't be read"),
        ],
    )
    def test_sense_with_impossible_numbers(self, text, message):
        with pytest.raises(InputError, match=message):
            rs.parse(text)
