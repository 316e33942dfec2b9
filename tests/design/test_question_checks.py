"""Whether a question fits its study."""

from __future__ import annotations

import pytest
from sklearn.naive_bayes import GaussianNB

from fairtrial.design import Question, Study
from fairtrial.errors import InputError, UnknownName


def study(methods=None, **question):
    return Study(Question(**question), datasets=["iris", "wine"], methods=methods or {"bayes": GaussianNB()})


class TestCheckQuestion:
    def test_what_fits(self):
        made = study(
            claim=0.9, yardsticks={"human": 0.95, "published": {"iris": 0.96}}, smallest_difference={"auc": "10pp"}
        )
        assert made.question.claim == 0.9

    @pytest.mark.parametrize(
        ("question", "message"),
        [
            ({"smallest_difference": {"acuracy": 0.1}}, "no measure is called 'acuracy'; did you mean 'accuracy'"),
            (
                {"yardsticks": {"published": {"irsi": 0.9}}},
                r"no data set of this study \(with a level of the yardstick 'published'\) is called 'irsi'; did you",
            ),
        ],
    )
    def test_names(self, question, message):
        with pytest.raises(UnknownName, match=message):
            study(**question)

    @pytest.mark.parametrize(
        ("question", "message"),
        [
            (
                {"claim": 98},
                r"claim must lie inside the range of accuracy \(0 to 1\), got 98; no test can.*; write '98%'",
            ),
            (
                {"yardsticks": {"human": 95}},
                r"levels of the yardstick 'human' must lie in the range of accuracy \(0 to 1\), got 95; write '95%'",
            ),
            ({"yardsticks": {"human": {"wine": 95}}}, r"levels of the yardstick 'human' must lie in the range"),
        ],
    )
    def test_levels(self, question, message):
        with pytest.raises(InputError, match=message):
            study(**question)

    def test_units(self):
        made = study(claim="90%", yardsticks={"human": "95%", "published": {"iris": "96%"}}, smallest_difference="1pp")
        asked = made.question
        assert (asked.claim, asked.yardsticks) == (0.9, {"human": 0.95, "published": {"iris": 0.96}})
        assert made.question.to_dict()["smallest_difference"] == 0.01
        assert made.digest() == study(claim=0.9).digest()
        with pytest.raises(InputError, match=r"got 0\.5 for accuracy.*'0\.5pp' .*, or '50pp'"):
            study(smallest_difference=0.5)
        with pytest.raises(InputError, match=r"got 0\.5 for auc.*'0\.5pp' .*, or '50pp'"):
            study(smallest_difference={"accuracy": 0.01, "auc": 0.5})

    def test_a_claim_is_about_one_method(self):
        with pytest.raises(InputError, match=r"one method, but 0\.9 was given for bayes and rule; name one method"):
            study({"bayes": GaussianNB(), "rule": "one_rule"}, claim=0.9)
        assert study({"bayes": GaussianNB(), "majority": "majority"}, claim=0.9).question.claim == 0.9
