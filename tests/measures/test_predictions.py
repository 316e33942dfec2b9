"""What all intermediates are made from."""

import numpy as np
import pytest

from fairtrial.errors import InputError
from fairtrial.measures import Confusion, PerClass, Predictions
from fairtrial.measures.fold_axis import Folds
from fairtrial.measures.predictions import check_average, settings_of


def predictions(**more):
    given = {"n_classes": 2} | more
    return Predictions.checked([0, 1, 1, 0], {"label": [0, 1, 0, 0]}, **given)


class TestShared:
    def test_is_made_once(self):
        made = predictions()
        assert made.shared(Confusion) is made.shared(Confusion)

    def test_another_class_balance_is_another(self):
        made = predictions()
        reweighed = made.with_settings(prior=0.1)
        assert reweighed.shared(Confusion) is not made.shared(Confusion)
        assert reweighed.shared(Confusion).actual[0] == pytest.approx([3.6, 0.4])
        assert made.with_settings() is made

    def test_other_folds_are_made_anew(self):
        made = predictions()
        np.testing.assert_array_equal(made.shared(Confusion).correct, [3])
        np.testing.assert_array_equal(made.with_folds([0, 0, 1, 1]).shared(Confusion).correct, [2, 1])
        np.testing.assert_array_equal(made.subset(np.array([1, 2]), Folds.of(None, 2)).shared(Confusion).correct, [1])

    def test_what_may_be_asked_for(self):
        assert settings_of(Confusion) == ("prior",)
        assert settings_of(PerClass) == ("average", "prior")


class TestPositive:
    @pytest.mark.parametrize(
        ("given", "declared", "focus"),
        [({}, 1, 1), ({"positive": 0}, 0, 0), ({"average": "macro"}, 1, None), ({"n_classes": 3}, None, None)],
    )
    def test_the_last_of_two_unless_named(self, given, declared, focus):
        made = predictions(**given)
        assert (made.declared, made.focus) == (declared, focus)

    @pytest.mark.parametrize("positive", [2, -1, True, "yes"])
    def test_is_a_class_code(self, positive):
        with pytest.raises(InputError, match="positive must be a class code from 0 to 1, got"):
            predictions(positive=positive)


class TestChannel:
    def test_a_probability_stands_in_for_a_score(self):
        made = Predictions.checked([0, 1], {"probability": [0.2, 0.9]}, n_classes=2)
        np.testing.assert_array_equal(made.channel("score"), [0.2, 0.9])

    def test_says_what_there_is(self):
        with pytest.raises(InputError, match=r"the channel 'score' is needed, but channels has only 'label'"):
            predictions().channel("score")


class TestCheckAverage:
    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match="average must be 'macro', 'micro' or 'weighted', got 'mean'"):
            check_average("mean", None)
        with pytest.raises(InputError, match="give either positive or average"):
            check_average("macro", 1)
