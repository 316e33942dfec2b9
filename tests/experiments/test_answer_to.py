"""Which answer fits results."""

import pandas as pd
import pytest
from made_effects import TWO, planted, results, row

from fairtrial.errors import InputError
from fairtrial.experiments import FactorEffects, answer_to
from fairtrial.results import read_scores
from fairtrial.verdict import LevelVerdicts, Verdict


def noisy():
    """Two methods at two levels of label noise."""
    rows = [
        row(f"d{i}", m, {"label_noise": n}, 0.6 + 0.1 * (m == "a") - n + i / 100 + 0.01 * ((i * 7) % 3))
        for i in range(8)
        for m in "ab"
        for n in (0, 0.2)
    ]
    return read_scores(pd.DataFrame(rows), measure="accuracy")


class TestAnswerTo:
    def test_parameters_of_methods(self):
        assert isinstance(answer_to(results(planted, TWO)), FactorEffects)
        assert isinstance(answer_to(results(planted, TWO), {"level": 0.9}), FactorEffects)

    def test_training_data_has_a_verdict_at_each_level(self):
        assert isinstance(answer_to(noisy()), LevelVerdicts)

    def test_one_level(self):
        assert isinstance(answer_to(noisy().at(label_noise=0)), Verdict)

    def test_options_of_verdicts_ask_for_verdicts(self):
        assert isinstance(answer_to(noisy(), {"control": "a"}), LevelVerdicts)

    def test_a_verdict_on_settings_points_to_effects(self):
        with pytest.raises(InputError, match=r"results\.effects\(\).*results\.by_setting\(\)\.verdict\(\)"):
            results(planted, TWO).verdict()
