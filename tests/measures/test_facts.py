"""What is known of a measure without computing it."""

import math
import pickle

import pytest

from fairtrial import measures
from fairtrial.measures import get


class TestFacts:
    def test_ratios_for_what_has_no_common_scale(self):
        ratios = {m.name for m in measures.all_measures() if m.compare == "log-ratio"}
        assert {"fit_time", "rmse", "mae", "mse", "model_size", "diagnostic_odds_ratio"} <= ratios
        assert not ratios & {"accuracy", "auc", "brier", "log_loss", "r2", "nrmse", "mape", "nlpd", "kappa"}

    def test_direction(self):
        lower = {m.name for m in measures.all_measures() if m.directed and not m.higher_is_better}
        assert {"error_rate", "fpr", "expected_cost", "brier", "log_loss", "rmse", "nlpd", "peak_memory"} <= lower
        assert not lower & {"accuracy", "specificity", "npv", "auc", "r2", "information_score", "explained_variance"}

    def test_pickle_and_dict(self):
        facts = measures.get("auc")
        assert pickle.loads(pickle.dumps(facts)) == facts
        assert measures.Measure(**facts.to_dict()) == facts

    def test_neither_way_is_better(self):
        assert not get("ppr").directed
        with pytest.raises(ValueError, match="predicted_positive_rate describes a method, and neither"):
            get("ppr").higher_is_better  # noqa: B018


class TestRange:
    @pytest.mark.parametrize(
        ("worst", "best", "words"),
        [
            (0, 1, "0 to 1"),
            (1, 0, "0 to 1"),
            (math.inf, 0, "0 upwards"),
            (-math.inf, 1, "up to 1"),
            (-math.inf, math.inf, "any number"),
        ],
    )
    def test_in_words_unless_given(self, worst, best, words):
        assert measures.Measure("m", "M", ("label",), "classes", worst, best).range == words
        assert measures.Measure("m", "M", ("label",), "classes", worst, best, range="so").range == "so"


class TestChannels:
    def test_a_probability_stands_in_for_a_score(self):
        assert get("auc").can_use(frozenset({"probability"}))
        assert get("auc").reads == {"score", "probability"}
        assert not get("brier").can_use(frozenset({"score"}))

    def test_what_trials_record_reads_no_channel(self):
        assert get("fit_time").from_trials
        assert not get("fit_time").can_use(frozenset({"label", "score"}))
