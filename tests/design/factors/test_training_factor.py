"""What every factor is: levels that are checked, and training data by row."""

import numpy as np
import pytest
from varied_data import data_set

from fairtrial.design import (
    LabelNoise,
    Training,
    TrainingSize,
)
from fairtrial.errors import InputError


class TestFactor:
    def test_whole_numbers_are_one_level(self):
        assert TrainingSize([50.0, 1.0]) == TrainingSize([50, 1])
        assert [type(v) for v in LabelNoise([0.0, 0.5]).levels] == [int, float]
        with pytest.raises(InputError, match="each once"):
            TrainingSize([50, 50.0])

    def test_plain_data_for_the_study_file(self):
        assert TrainingSize([50, 0.5]).to_dict() == {"name": "train_size", "levels": [50, 0.5]}

    @pytest.mark.parametrize(
        ("level", "amount", "words"), [(0.25, 10, "25 %"), (3, 3, "3"), (1, 40, "all"), (0.01, 1, "1 %")]
    )
    def test_an_amount_is_a_number_or_a_share(self, level, amount, words):
        factor = TrainingSize([level])
        assert factor.amount(level, 40) == amount
        assert factor.write(level) == words


class TestTraining:
    def test_rows_that_are_kept_keep_their_target_and_donors(self):
        data = data_set(6)
        whole = Training(data, np.array([0, 2, 4], dtype=np.int32), data.target[[0, 2, 4]], np.array([[0], [5], [4]]))
        found = whole.kept(np.array([2, 1]))
        assert found.rows.tolist() == [4, 2]
        assert found.target.tolist() == data.target[[4, 2]].tolist()
        assert found.donors.tolist() == [[4], [5]]

    def test_codes_are_places_among_the_classes_of_the_data_set(self):
        data = data_set(6, classes="ba")
        assert Training(data, np.array([1]), np.array(["b"])).codes.tolist() == [1]
