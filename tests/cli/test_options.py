"""What commands can be asked, where several share it."""

import click
import pytest
from click.testing import CliRunner

from fairtrial.cli.options import context_options, levels_of, names_in, number_or_text, question_options
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
        assert names_in(None) is None


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


class TestContextOptions:
    def test_numbers_and_words(self):
        assert given_to(context_options) == {"context": {}}
        assert given_to(context_options, "--positives", "0.02", "--costs", "1,30") == {
            "context": {"positives": 0.02, "costs": [1, 30]},
        }  # fmt: skip
        assert given_to(context_options, "--costs", "1,many") == {"context": {"costs": "1,many"}}


class TestQuestionOptions:
    def test_what_is_not_said_is_left_to_the_study(self):
        found = given_to(question_options, "--measure", "auc", "--at", "label_noise=0.1")
        assert found["levels"] == {"label_noise": 0.1}
        assert found["asked"].pop("measure") == "auc"
        assert found["asked"].pop("adjust") == "holm"
        assert set(found["asked"].values()) == {None}
        assert set(found["asked"]) == {
            "context", "control", "smallest_difference", "level", "domains", "failures", "baseline", "per_dataset",
        }  # fmt: skip
