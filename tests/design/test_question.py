"""The question: what may be asked."""

from __future__ import annotations

import json
import math

import pytest

from fairtrial.design import Question
from fairtrial.errors import InputError


class TestQuestion:
    def test_says_all_as_plain_data(self):
        asked = Question("Why?", measure="auc", control="a", smallest_difference=0.01, yardsticks={"human": 0.9})
        assert Question(**json.loads(json.dumps(asked.to_dict()))) == asked

    @pytest.mark.parametrize("level", [0, 1, 95, -0.1, math.nan, "0.95", None, True])
    def test_bad_level(self, level):
        with pytest.raises(InputError, match=r"level must lie strictly between 0 and 1 \(0.95 for 95 %\), got "):
            Question(level=level)

    @pytest.mark.parametrize("difference", [0, -0.1, math.nan, math.inf, "0.01", True])
    def test_bad_smallest_difference(self, difference):
        with pytest.raises(InputError, match=r"smallest_difference must be a number above 0, got .*; leave it out"):
            Question(smallest_difference=difference)

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            ({"about": "models"}, "about must be 'algorithm' or 'model', got 'models'"),
            ({"domains": "all"}, "domains must be 'such as these' or 'these', got 'all'"),
            ({"measure": 5}, "measure must be a text, got 5"),
            ({"control": ["a"]}, r"control must be a text, got \['a'\]"),
            ({"text": 5}, "text must be a text, got 5"),
            ({"yardsticks": {"human": "high"}}, "yardsticks must map names to numbers"),
            ({"yardsticks": [0.9]}, "yardsticks must map names to numbers"),
        ],
    )
    def test_says_what_was_wrong(self, asked, message):
        with pytest.raises(InputError, match=message):
            Question(**asked)
