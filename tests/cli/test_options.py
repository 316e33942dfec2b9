"""Options that several commands share."""

import click
import pytest
from click.testing import CliRunner

from fairtrial.cli.options import (
    context_options,
    figure_options,
    levels_of,
    names_in,
    number_or_numbers,
    number_or_text,
    verdict_options,
)
from fairtrial.errors import InputError


def given_to(options, *words):
    """What a command with these options is given."""
    seen = {}
    CliRunner().invoke(click.command()(options(lambda **given: seen.update(given))), words, catch_exceptions=False)
    return seen


class TestNumberOrText:
    @pytest.mark.parametrize(("text", "value"), [("3", 3), ("3.0", 3), ("0.25", 0.25), (" uniform ", "uniform")])
    def test_by_hand(self, text, value):
        found = number_or_text(text)
        assert found == value
        assert type(found) is type(value)


class TestNamesIn:
    def test_by_hand(self):
        assert names_in("forest, naive bayes,c") == ["forest", "naive bayes", "c"]


class TestLevelsOf:
    def test_by_hand(self):
        assert levels_of(["label_noise=0.1", "train_size=200", "train_size=200"]) == {
            "label_noise": 0.1, "train_size": 200,
        }  # fmt: skip

    def test_says_what_was_wrong(self):
        with pytest.raises(InputError, match=r"must be a factor and its level, such as label_noise=0.1, got 'noise'"):
            levels_of(["noise"])
        with pytest.raises(InputError, match=r"one level of each factor, got a=1 and a=2"):
            levels_of(["a=1", "a=2"])


class TestNumberOrNumbers:
    def test_by_hand(self):
        assert number_or_numbers("0.01") == 0.01
        assert number_or_numbers("accuracy=0.01,fit_time = 0.1") == {"accuracy": 0.01, "fit_time": 0.1}
        assert number_or_numbers("f_measure(beta=2, average='macro')=0.02,auc=1") == {
            "f_measure(beta=2, average='macro')": 0.02, "auc": 1.0,
        }  # fmt: skip

    @pytest.mark.parametrize("text", ["accuracy=0.01,0.1", "accuracy=0.01,fit_time", "=0.1", "accuracy=0,5"])
    def test_says_what_was_wrong(self, text):
        with pytest.raises(click.BadParameter, match=r"must be a number or accuracy=0\.5pp,fit_time=10%, got"):
            number_or_numbers(text)

    def test_units(self):
        assert number_or_numbers("0.5 pp") == "0.5 pp"
        assert number_or_numbers("accuracy=0.5pp,fit_time = 10%") == {"accuracy": "0.5pp", "fit_time": "10%"}

    @pytest.mark.parametrize("text", ["much", "accuracy=much", "0.5 euros"])
    def test_what_is_no_number(self, text):
        with pytest.raises(click.BadParameter, match=r"must be a number, with a unit such as 0\.5pp or 5% where"):
            number_or_numbers(text)

    def test_a_decimal_comma(self):
        with pytest.raises(click.BadParameter, match=r"must have a decimal point, got '0,5pp'; write 0\.5pp"):
            number_or_numbers("0,5pp")


class TestContextOptions:
    def test_numbers_and_words(self):
        assert given_to(context_options) == {"context": {}}
        assert given_to(context_options, "--positives", "0.02", "--costs", "1,30") == {
            "context": {"positives": 0.02, "costs": [1, 30]},
        }  # fmt: skip
        assert given_to(context_options, "--costs", "1,many") == {"context": {"costs": "1,many"}}
        by_label = given_to(context_options, "--costs", "no=1, a=b=30.5")
        assert by_label == {"context": {"costs": {"no": 1, "a=b": 30.5}}}


class TestVerdictOptions:
    def test_options_that_are_not_given_are_left_to_the_study(self):
        found = given_to(verdict_options, "--measure", "auc", "--at", "label_noise=0.1")
        assert found == {"levels": {"label_noise": 0.1}, "options": {"measure": "auc"}}

    def test_levels_are_numbers_or_texts(self):
        found = given_to(verdict_options, "--at", "model=svm", "--at", "max_depth=None", "--at", "C=10")
        assert found["levels"] == {"model": "svm", "max_depth": "None", "C": 10}

    def test_types(self):
        words = ["--smallest-difference", "0.01", "--failures", "worst", "--costs", "1,30", "--domains", "these"]
        assert given_to(verdict_options, *words)["options"] == {
            "smallest_difference": 0.01, "failures": "worst", "context": {"costs": [1, 30]}, "domains": "these",
        }  # fmt: skip

    def test_a_choice_that_does_not_exist(self):
        command = click.command()(verdict_options(lambda **_: None))
        result = CliRunner().invoke(command, ["--failures", "best"])
        assert result.exit_code == 2
        assert "'best' is not one of 'baseline', 'worst', 'drop', 'refuse'" in result.output


class TestFigureOptions:
    def test_types(self):
        found = given_to(figure_options, "--measure", "auc", "--folds", "vertical", "--costs", "1,5", "--at", "a=1")
        context = {"costs": [1, 5]}
        assert found == {"options": {"measure": "auc", "folds": "vertical", "context": context}, "levels": {"a": 1}}
