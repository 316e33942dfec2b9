"""The question: what may be asked."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest

from fairtrial.design import Question
from fairtrial.errors import InputError
from fairtrial.measures import get


class TestQuestion:
    def test_says_all_as_plain_data(self):
        asked = Question("Why?", measure="auc", control="a", smallest_difference=0.01, yardsticks={"human": 0.9})
        assert Question(**json.loads(json.dumps(asked.to_dict()))) == asked

    @pytest.mark.parametrize("level", [0, 1, 95, -0.1, math.nan, "0.95", None, True])
    def test_bad_level(self, level):
        with pytest.raises(InputError, match=r"level must lie strictly between 0 and 1 \(0.95 for 95 %\), got "):
            Question(level=level)

    @pytest.mark.parametrize("difference", [0, -0.1, math.nan, math.inf, True])
    def test_bad_smallest_difference(self, difference):
        with pytest.raises(InputError, match=r"smallest_difference must be a number above 0, got .*; leave it out"):
            Question(smallest_difference=difference)

    @pytest.mark.parametrize("difference", ["0.01", "-1pp", "1 cent", ""])
    def test_a_text_that_is_no_amount(self, difference):
        with pytest.raises(InputError, match=r"above 0, got '.*'; write it as a number, or with a unit"):
            Question(smallest_difference=difference)

    @pytest.mark.parametrize("given", [{"accuracy": 0}, {"accuracy": "0.1"}, {5: 0.1}, {"auc": 0.1, "rmse": math.nan}])
    def test_bad_smallest_differences(self, given):
        with pytest.raises(InputError, match=r"must map measures to numbers above 0 \({'accuracy': 0.01}\), got "):
            Question(smallest_difference=given)

    @pytest.mark.parametrize(
        ("asked", "message"),
        [
            ({"about": "models"}, "about must be 'algorithm' or 'model', got 'models'"),
            ({"domains": "all"}, "domains must be 'such as these' or 'these', got 'all'"),
            ({"measure": 5}, "measure must be a text, got 5"),
            ({"control": ["a"]}, r"control must be a text, got \['a'\]"),
            ({"text": 5}, "text must be a text, got 5"),
            ({"yardsticks": {"human": "high"}}, r"the yardstick 'human' must be a number, the numbers of data sets "),
            ({"yardsticks": {"human": "high"}}, r" or a CSV file of these, but high can't be read: No such file"),
            ({"yardsticks": {"human": {"iris": math.nan}}}, r"the yardstick 'human' must be .*, got {'iris': nan}"),
            ({"yardsticks": {"human": {}}}, r"the yardstick 'human' must be .*, got {}"),
            ({"yardsticks": {5: 0.9}}, r"the yardstick 5 must be .*, got 0.9"),
            ({"yardsticks": [0.9]}, "yardsticks must map names to numbers"),
            ({"claim": "0.02"}, "claim must be a level of the measure, such as 0.02, got '0.02'; or leave it out"),
            ({"claim": math.nan}, "claim must be a level of the measure, such as 0.02, got nan"),
            ({"claim": True}, "claim must be a level of the measure, such as 0.02, got True"),
        ],
    )
    def test_says_what_was_wrong(self, asked, message):
        with pytest.raises(InputError, match=message):
            Question(**asked)


class TestDeltaFor:
    def test_a_number_is_for_the_own_measure(self):
        asked = Question(measure="average_recall", smallest_difference=0.01)
        assert asked.delta_for("average_recall") == asked.delta_for("balanced_accuracy") == asked.delta == 0.01
        assert asked.delta_for("accuracy") is asked.delta_for("fit_time") is None

    def test_the_own_measure_by_default(self):
        asked = Question(smallest_difference=0.01)
        assert asked.delta_for("accuracy") == asked.delta_for("rmse") == asked.delta == 0.01
        assert asked.delta_for("auc") is None

    def test_names_of_measures(self):
        asked = Question(measure="auc", smallest_difference={"accuracy": 0.01, "fit_time": 0.1, "My Score": 2})
        assert asked.delta_for("Accuracy") == 0.01
        assert asked.delta_for("my score") == 2
        assert asked.delta is None
        assert Question(smallest_difference={"fit_time": 0.1, "rmse": 0.2}).delta == 0.2

    def test_folds_that_are_pooled_change_no_unit(self):
        asked = Question(measure="f_measure", smallest_difference=0.01)
        assert asked.delta_for("f_measure(combine='pooled')") == 0.01
        assert asked.delta_for("f_measure(beta=2)") is None
        both = {"f_measure": 0.01, "f_measure(combine='pooled')": 0.02}
        assert Question(smallest_difference=both).delta_for("f_measure(combine='pooled')") == 0.02

    def test_the_context_of_the_question_and_no_other(self):
        context = {"positives": 0.1, "costs": [1, 30]}
        for given in (0.01, {"accuracy": 0.01}):
            asked = Question(measure="accuracy", context=context, smallest_difference=given)
            assert asked.delta_for("expected_cost(costs=(1, 30), prior=0.1, per=1000)") == 0.01
            assert asked.delta_for("expected_cost(costs=(1, 3), prior=0.1, per=1000)") is None
            assert asked.delta_for("auc") is None

    def test_a_mapping_is_plain_data(self):
        asked = Question(smallest_difference={"accuracy": 0.01, "fit_time": 0.1})
        assert Question.from_dict(json.loads(json.dumps(asked.to_dict()))) == asked


class TestYardsticks:
    def test_a_file_is_read_and_kept_as_levels(self, tmp_path):
        (tmp_path / "bayes.csv").write_text("iris,0.97\nwine,0.99\n")
        asked = Question(yardsticks={"human": 0.95, "bayes": tmp_path / "bayes.csv"})
        assert asked.yardsticks == {"human": 0.95, "bayes": {"iris": 0.97, "wine": 0.99}}
        (tmp_path / "bayes.csv").unlink()
        assert Question.from_dict(json.loads(json.dumps(asked.to_dict()))) == asked
        assert replace(asked, level=0.9).level_of("bayes", "wine") == 0.99

    def test_a_stored_question_reads_no_files(self, tmp_path):
        (tmp_path / "bayes.csv").write_text("iris,0.97\n")
        stored = {"yardsticks": {"bayes": str(tmp_path / "bayes.csv")}}
        with pytest.raises(InputError, match="a stored question must be levels, not the path of a file"):
            Question.from_dict(stored)
        with pytest.raises(InputError, match="yardsticks must map names to numbers"):
            Question.from_dict({"yardsticks": "bayes.csv"})

    def test_old_files_have_no_claim(self):
        assert "claim" not in Question().to_dict()
        assert Question(claim=0.02).to_dict()["claim"] == 0.02


class TestNewerFields:
    def test_are_left_out_at_their_defaults(self):
        assert not {"claim", "alternative", "estimand", "family"} & set(Question().to_dict())
        asked = Question(control="a", alternative="better", family={"f": ["x", "y"]})
        assert asked.to_dict()["alternative"] == "better"
        assert Question.from_dict(asked.to_dict()) == asked

    @pytest.mark.parametrize("family", [{"f": []}, {"f": "xy"}, {"f": [1]}, ["x"], {1: ["x"]}])
    def test_families_are_lists_of_names(self, family):
        with pytest.raises(InputError, match="family must map names to lists of data sets"):
            Question(family=family)

    def test_one_side_needs_a_control(self):
        with pytest.raises(InputError, match=r"alternative='better' compares methods with a control; name it"):
            Question(alternative="better")
        with pytest.raises(InputError, match="alternative must be 'two-sided', 'better' or 'not worse', got 'greater'"):
            Question(control="a", alternative="greater")
        with pytest.raises(InputError, match="estimand must be 'typical' or 'mean', got 'median'"):
            Question(estimand="median")


class TestShares:
    """Measures that are compared by ratios: 1.05 was read as 105 %."""

    @pytest.mark.parametrize(("given", "remedy"), [(1.05, "0.05 for 5 %"), (5, "0.05 for 5 %"), (1, "0.05 for 5 %")])
    def test_a_ratio_is_refused(self, given, remedy):
        must = f"must be a share below 1 for rmse, which is compared by ratios, got {given}; say {remedy}"
        with pytest.raises(InputError, match=must):
            Question(measure="rmse", smallest_difference=given)
        with pytest.raises(InputError, match=must):
            Question(smallest_difference={"accuracy": 0.01, "RMSE": given})

    def test_shares_and_other_measures_are_not(self):
        assert Question(measure="rmse", smallest_difference=0.99).delta == 0.99
        assert Question(measure="expected_cost(costs=(1, 5), per=1000)", smallest_difference=50).delta == 50
        assert Question(measure="my_error", smallest_difference=5).delta == 5


def test_twice_the_time_may_be_what_matters():
    assert Question(measure="fit_time", smallest_difference=1.0).delta == 1.0


class TestUnits:
    def test_they_are_kept_until_the_scale_is_known(self):
        asked = Question(measure="accuracy", smallest_difference="0.5pp", claim="95%", yardsticks={"human": "97%"})
        assert (asked.stated_for("accuracy"), asked.delta_for("accuracy"), asked.delta) == ("0.5pp", 0.005, 0.005)
        assert Question.from_dict(json.loads(json.dumps(asked.to_dict()))) == asked
        plain = Question(measure="accuracy", smallest_difference=0.005, claim=0.95, yardsticks={"human": 0.97})
        assert asked.settled(get("accuracy")) == plain

    def test_other_measures(self):
        asked = Question(smallest_difference={"accuracy": "1pp", "fit_time": "10%"}).settled(get("accuracy"))
        assert asked.smallest_difference == {"accuracy": 0.01, "fit_time": 0.1}
        with pytest.raises(InputError, match="can't be '1pp' for fit_time, which is compared by ratios"):
            Question(smallest_difference={"fit_time": "1pp"})

    def test_costs_that_a_context_makes_of_a_measure(self):
        asked = Question(measure="accuracy", context={"costs": [1, 30]}, smallest_difference={"accuracy": 50})
        cost = get("expected_cost(costs=(1, 30), per=1000)")
        assert asked.settled(cost).delta_for(cost.name) == 50

    def test_a_stored_number_is_not_unclear(self):
        stored = Question.from_dict({"measure": "accuracy", "smallest_difference": 0.5, "claim": 0.9})
        assert stored.settled(get("accuracy")) == stored
        assert replace(stored, level=0.9).settled(get("accuracy")).delta == 0.5
        with pytest.raises(InputError, match="must have a unit where it can be read in two ways"):
            replace(stored, smallest_difference=0.5).settled(get("accuracy"))

    def test_a_decimal_comma(self):
        with pytest.raises(InputError, match=r"must have a decimal point, got '0,5%'; write 0\.5%"):
            Question(yardsticks={"human": "0,5%"})
