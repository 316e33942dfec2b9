"""Schemes as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import InputError
from fairtrial.resampling import (
    Bootstrap,
    FiveByTwo,
    Forward,
    GroupKFold,
    Holdout,
    KFold,
    LeaveOneOut,
    NestedKFold,
    RepeatedKFold,
    Resubstitution,
    TrainValidationTest,
    parse,
    read_splits,
)


class TestParse:
    @pytest.mark.parametrize(
        ("text", "scheme"),
        [
            ("10-fold", KFold(10)),
            ("10 fold", KFold(10)),
            (" 5-Folds ", KFold(5)),
            ("10fold CV", KFold(10)),
            ("10-fold cross-validation", KFold(10)),
            ("1x10-fold", KFold(10)),
            ("10x10-fold", RepeatedKFold(10, 10)),
            ("5×2-fold", RepeatedKFold(2, 5)),
            ("3 x 10-fold cv", RepeatedKFold(10, 3)),
            ("holdout", Holdout()),
            ("holdout 0.3", Holdout(0.3)),
            ("holdout of 25 %", Holdout(0.25)),
            ("holdout 25%", Holdout(0.25)),
            ("30x holdout .5", Holdout(0.5, 30)),
            ("60/20/20", TrainValidationTest()),
            ("5x 0.5/0.25/0.25", TrainValidationTest(0.25, 0.25, 5)),
            ("5x2", FiveByTwo()),
            ("5×2 cv", FiveByTwo()),
            ("leave-one-out", LeaveOneOut()),
            ("Leave one out", LeaveOneOut()),
            ("loo", LeaveOneOut()),
            ("LOOCV", LeaveOneOut()),
            ("resubstitution", Resubstitution()),
            ("bootstrap", Bootstrap(200)),
            ("bootstrap 50", Bootstrap(50)),
            (".632 bootstrap 50", Bootstrap(50, apparent=True)),
            ("grouped 5-fold", GroupKFold(5)),
            ("group 10 fold", GroupKFold(10)),
            ("10x grouped 5-fold", GroupKFold(5, 10)),
            ("grouped 10x5-fold", GroupKFold(5, 10)),
            ("nested 5-fold", NestedKFold(5, 1)),
            ("20x nested 10-fold", NestedKFold(10, 20)),
            ("forward", Forward(5)),
            ("forward 8", Forward(8)),
            ("forward in time 8", Forward(8)),
        ],
    )
    def test_spellings(self, text, scheme):
        assert parse(text) == scheme

    @given(st.integers(2, 99), st.integers(1, 99))
    def test_reads_what_it_writes(self, folds, repeats):
        scheme = RepeatedKFold(folds, repeats)
        assert parse(scheme.dependence().scheme).dependence() == scheme.dependence()

    @pytest.mark.parametrize(
        "scheme",
        [
            FiveByTwo(),
            LeaveOneOut(),
            Resubstitution(),
            Bootstrap(30),
            GroupKFold(5, 3),
            NestedKFold(5, 2),
            Holdout(0.25),
            TrainValidationTest(0.25, 0.125, 4),
        ],
    )
    def test_reads_what_the_others_write(self, scheme):
        assert parse(scheme.dependence().scheme).dependence() == scheme.dependence()

    def test_a_file(self, tmp_path):
        path = tmp_path / "my splits.csv"
        path.write_text("fold,row\n0,1\n1,2\n")
        assert parse(str(path)) == read_splits(path)

    @pytest.mark.parametrize(
        "text", ["", "fold", "ten-fold", "10", "10x10", "-5-fold", "leave-two-out", "forward x", "holdout x", 10]
    )
    def test_nonsense(self, text):
        with pytest.raises(InputError, match="resampling must read like '10-fold', '10x10-fold'"):
            parse(text)

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
            ("nowhere.csv", "nowhere.csv can't be read"),
        ],
    )
    def test_sense_with_impossible_numbers(self, text, message):
        with pytest.raises(InputError, match=message):
            parse(text)
